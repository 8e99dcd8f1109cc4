// A convex cell that planes cut down.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// All p with n · p ≤ d.
struct SplittingPlane {
  Vector3d n = Vector3d::UnitZ();  ///< unit
  double d = 0;                    ///< [m]
  double above(const Vector3d& p) const { return n.dot(p) - d; }
};

/// A convex polyhedron by its faces' borders.
class CellPolytope {
 public:
  /// The cuboid between two corners [m].
  CellPolytope(const Vector3d& low, const Vector3d& high);

  /// The part below the plane (above: `upper`); corners within `slack` [m] of it are on it. Empty where there
  /// is none.
  CellPolytope cut(const SplittingPlane& plane, bool upper, double tolerance) const;
  /// Whether corners lie on both sides of the plane.
  bool isSplitBy(const SplittingPlane& plane, double tolerance) const;
  bool isEmpty() const { return faces_.size() < 4; }
  /// Every corner once, in a fixed order.
  std::vector<Vector3d> corners(double tolerance) const;
  Vector3d middle() const;
  double volume() const;

 private:
  CellPolytope() = default;
  std::vector<std::vector<Vector3d>> faces_;  ///< counter-clockwise seen from outside
};

}  // namespace tenon::content
