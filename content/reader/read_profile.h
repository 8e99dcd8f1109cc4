// Profiles of turned parts and holes as a scene file writes them.
#pragma once

#include <vector>

#include "content/input/json_cursor.h"

namespace tenon::content {

/// A list of [z, r] from the bottom up, as physics::SolidOfRevolution's. Throws InputError at the first point
/// that cannot be, with its number and its coordinates in the file's unit.
std::vector<Eigen::Vector2d> readRevolvedProfile(const JsonCursor& list);

/// A list of [depth, radius] from the mouth down into a block of `height` [m], as physics::Cavity's. Throws
/// as above.
std::vector<Eigen::Vector2d> readHoleProfile(const JsonCursor& list, bool through, double height);

/// A length as the file would write it, with its unit.
std::string inFileUnit(const JsonCursor& at, double length);

}  // namespace tenon::content
