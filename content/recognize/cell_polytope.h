// A convex polyhedron that can be clipped by planes.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// The plane n · p = d; its lower side is n · p ≤ d.
struct SplittingPlane {
  Vector3d n = Vector3d::UnitZ();  ///< unit
  double d = 0;                    ///< [m]
  double signedDistance(const Vector3d& p) const { return n.dot(p) - d; }
};

/// A convex polyhedron, stored as the vertices of its faces.
class CellPolytope {
 public:
  /// The cuboid between two corners [m].
  CellPolytope(const Vector3d& low, const Vector3d& high);

  /// The part below the plane, or above it if `upper`; corners within `tolerance` [m] of the plane lie on it.
  /// Empty if nothing is left.
  CellPolytope clip(const SplittingPlane& plane, bool upper, double tolerance) const;
  /// True if corners lie on both sides of the plane.
  bool isSplitBy(const SplittingPlane& plane, double tolerance) const;
  bool isEmpty() const { return faces_.size() < 4; }
  /// Every corner once, in a fixed order.
  std::vector<Vector3d> corners(double tolerance) const;
  /// Mean of the vertices of all faces [m].
  Vector3d vertexMean() const;
  double volume() const;  ///< [m³]

 private:
  CellPolytope() = default;
  std::vector<std::vector<Vector3d>> faces_;  ///< counter-clockwise seen from outside
};

}  // namespace tenon::content
