// Reads profiles of solids of revolution and holes from a scene file.
#pragma once

#include <vector>

#include "content/input/json_cursor.h"

namespace tenon::content {

/// A list of [z, r] from the bottom up, as in physics::SolidOfRevolution. Throws InputError at the first
/// invalid point, with its number and its coordinates in the unit of the file.
std::vector<Eigen::Vector2d> readRevolvedProfile(const JsonCursor& list);

/// A list of [depth, radius] from the mouth down into a block of `height` [m]; returns (z, r) as in
/// physics::Cavity. Throws as above.
std::vector<Eigen::Vector2d> readHoleProfile(const JsonCursor& list, bool through, double height);

}  // namespace tenon::content
