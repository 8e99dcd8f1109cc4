// Separation of blocks with holes from convex solids, capsules and each other by brute force: what their
// exact contacts are checked against. Calls nothing of the engine but the shapes' values and poses.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::test {

/// Convex hull of points, by all triangles of them that have no point outside.
class ConvexSolid {
 public:
  explicit ConvexSolid(const std::vector<physics::Vector3d>& vertices);
  /// Signed distance [m].
  double distance(const physics::Vector3d& p) const;
  const std::vector<std::array<physics::Vector3d, 3>>& triangles() const { return triangles_; }

 private:
  std::vector<std::array<physics::Vector3d, 3>> triangles_;
  std::vector<physics::Vector3d> normals_;  ///< unit, outward, by triangle
};

/// A segment along z about the origin, grown by a radius.
struct CapsuleSolid {
  double radius = 0, halfLength = 0;  ///< [m]
  double distance(const physics::Vector3d& p) const;
};

/// Least signed distance [m] of a point of an edge, rim or corner (of a capsule: of its core, less its
/// radius) of either solid to the other one. Solids with straight generator lines that are apart are nearest
/// at one of these; to about 1e-12 m. Where they overlap, negative.
double referenceSeparation(const ConvexSolid& a, const physics::BlockWithHoles& b, const physics::Pose& X_BA);
double referenceSeparation(const CapsuleSolid& a, const physics::BlockWithHoles& b,
                           const physics::Pose& X_BA);
double referenceSeparation(const CapsuleSolid& a, const physics::SolidOfRevolution& b,
                           const physics::Pose& X_BA);
double referenceSeparation(const physics::BlockWithHoles& a, const physics::BlockWithHoles& b,
                           const physics::Pose& X_BA);

}  // namespace tenon::test
