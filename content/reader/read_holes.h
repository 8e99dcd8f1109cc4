// The holes of a block, as a scene file writes them.
#pragma once

#include <vector>

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Reads the list at `at` into `block`, whose size is known: exact holes on any face, of any profile. Throws
/// InputError at the first hole that cannot be, leaves the block or meets another.
void readHoles(const JsonCursor& at, physics::BlockWithHoles& block);

/// The same for faceted holes: reads the list at `at` into `block`, whose size and sectors are known. Throws
/// InputError at the first hole that the block has no room for.
void readHoles(const JsonCursor& at, physics::FacetedBlock& block);

}  // namespace tenon::content
