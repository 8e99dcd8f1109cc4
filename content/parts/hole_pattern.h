// Reads patterns of holes: the "holes" of a plate, flange or bracket of the library.
#pragma once

#include <vector>

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Appends the holes of the list at `at` to `block`. They open on the face with frame `X_BF` (origin in its
/// center, z outwards); `height` is the thickness there [m]. Several holes of one entry are numbered from 1.
/// Returns the threads in the holes, in the frame of the block. Throws InputError at the first entry with
/// invalid holes.
std::vector<physics::PlacedShape> readHolePatterns(const JsonCursor& at, const physics::Pose& X_BF,
                                                   double height, physics::BlockWithHoles& block);

/// An optional dimension of a shape [m]; 0 if it is missing or 0.
double optionalLength(const JsonCursor& at, const char* field);

}  // namespace tenon::content
