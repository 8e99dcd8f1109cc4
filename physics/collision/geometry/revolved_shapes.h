// SolidOfRevolution parts as plain values: solids of revolution, and blocks with cavities of revolution.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Solid of revolution about z: the region between the axis and a polyline, or inside a closed one.
struct SolidOfRevolution {
  /// Points (z, r) [m] from the bottom up: the first and the last lie on the axis (r = 0), all others
  /// off it (r > 0). Undercuts (z going back) are allowed, crossings are not.
  /// A ring's first point is its last again, none is on the axis, and outer walls run up, inner ones down.
  std::vector<Eigen::Vector2d> profile;
  std::string hole{};       ///< name of a ring's hole, or of a recess that opens at the top; for messages
  std::string holeBelow{};  ///< name of a recess that opens at the bottom; for messages
};

/// True for a closed profile: a washer, a bush. (One that is sound otherwise: see problemWith().)
bool isRing(const SolidOfRevolution& turned);

/// Cavity of revolution in a block, about the axis through its mouth: between the axis and a polyline.
struct Cavity {
  std::string name;  ///< for messages
  Pose X_BH;         ///< mouth's frame H in the block: origin on a face, +z out of the block along its normal
  /// Points (z, r) [m] from the mouth (z = 0) down into the material (z < 0). The last lies on the axis
  /// (a blind hole) or, where `through`, on the opposite face (z = −height there).
  std::vector<Eigen::Vector2d> profile;
  bool through = false;  ///< from face to face; false: a blind hole
};

/// Cuboid centred on the origin, less its cavities. They lie apart from each other, and touch no face
/// but those they open on.
struct BlockWithHoles {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m], each > 0
  std::vector<Cavity> cavities;             ///< its holes
};

/// Points of a profile nearer than this are one; walls thinner than this are none [m]. A thousand times
/// below the finest fit, 10⁷ times above the rounding of a coordinate.
inline constexpr double kProfileTolerance = 1e-9;

/// What keeps a shape from being made, in words, or nothing: numbers that are not finite, profiles that
/// cross themselves or the axis, segments without length, cavities that leave the block, meet each other
/// or have a wrong depth.
std::optional<std::string> problemWith(const SolidOfRevolution& turned);
std::optional<std::string> problemWith(const BlockWithHoles& block);

}  // namespace tenon::physics
