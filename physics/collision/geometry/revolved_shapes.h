// Shapes of revolution as plain values: solids of revolution, and blocks with cavities of revolution.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/thread.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// Solid of revolution about z: the region between the axis and a polyline, or inside a closed polyline.
struct SolidOfRevolution {
  /// Points (z, r) [m] from the bottom up: the first and the last lie on the axis (r = 0), all others
  /// off it (r > 0). Undercuts (z going back) are allowed, crossings are not.
  /// For a ring the first point equals the last, none is on the axis; outer walls run up, inner walls down.
  std::vector<Eigen::Vector2d> profile;
  std::string hole{};       ///< name of a ring's hole, or of a recess that opens at the top; for messages
  std::string holeBelow{};  ///< name of a recess that opens at the bottom; for messages
  /// The thread cut into it; the profile is then that of threadedSolid().
  std::optional<Thread> thread{};
};

/// True for a closed profile (a washer, a bush), provided that it is valid: see problemWith().
bool isRing(const SolidOfRevolution& solid);

/// Cavity of revolution in a block, about the axis through its mouth: between the axis and a polyline.
struct Cavity {
  std::string name;  ///< for messages
  Pose X_BH;         ///< frame H of the mouth: origin on a face of the block, +z along its outward normal
  /// Points (z, r) [m] from the mouth (z = 0) down into the material (z < 0). The last lies on the axis
  /// (a blind hole) or, where `through`, on the opposite face (z = −height there).
  std::vector<Eigen::Vector2d> profile;
  bool through = false;  ///< from face to face; false: a blind hole
  /// Of a BoundarySolid: the wall is not round everywhere, as that of a bore with a flat or a keyway.
  bool isInterrupted = false;
};

/// Cuboid centered on the origin, minus its cavities. These are disjoint, and touch only the faces on which
/// they open.
struct BlockWithHoles {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m], each > 0
  std::vector<Cavity> cavities;             ///< its holes
};

/// Minimum distance of profile points and minimum wall thickness [m]. A thousand times below the finest fit,
/// 10⁷ times the rounding of a coordinate.
inline constexpr double kProfileTolerance = 1e-9;

/// Description of what is invalid in a shape, or nothing: non-finite numbers, profiles that cross themselves
/// or the axis, segments without length, cavities that leave the block, meet each other or have a wrong
/// depth.
std::optional<std::string> problemWith(const SolidOfRevolution& solid);
std::optional<std::string> problemWith(const BlockWithHoles& block);

}  // namespace tenon::physics
