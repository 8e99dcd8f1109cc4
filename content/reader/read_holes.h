// Reads the holes of a block from a scene file.
#pragma once

#include <vector>

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Reads the list at `at` into `block`, whose size is set: exact holes on any face, of any profile. Throws
/// InputError at the first hole that is invalid, leaves the block or meets another. Returns the threads in
/// the holes, in the frame of the block.
std::vector<physics::PlacedShape> readHoles(const JsonCursor& at, physics::BlockWithHoles& block);

/// The same for faceted holes of a `block` whose size and sectors are set. Throws InputError at the first
/// hole that does not fit into the block.
void readHoles(const JsonCursor& at, physics::FacetedBlock& block);

}  // namespace tenon::content
