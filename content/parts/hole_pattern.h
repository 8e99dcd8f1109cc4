// Holes in rows and circles: the "holes" of a plate, flange or bracket of the library.
#pragma once

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::content {

/// Appends the holes of the list at `at` to `block`; they open on the face whose frame (origin in its middle,
/// z outwards) is `X_BF`, of a thickness `height` [m]. Several holes of one entry are numbered from 1. Throws
/// InputError at the first entry whose holes cannot be.
void readHolePatterns(const JsonCursor& at, const physics::Pose& X_BF, double height,
                      physics::BlockWithHoles& block);

/// A measure of a shape that may be missing [m]: 0 where it is left out, or given as 0.
double optionalSize(const JsonCursor& at, const char* field);

}  // namespace tenon::content
