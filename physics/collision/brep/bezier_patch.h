// A rational Bézier patch: its points with derivatives, its halves, and bounds.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "physics/collision/geometry/bounds.h"
#include "physics/math/rigid_transform.h"

namespace tenon::physics::brep {

using Eigen::Vector2d;

/// p(s, t) = Σ b_i(s) b_k(t) w_ik p_ik / Σ b_i(s) b_k(t) w_ik with Bernstein polynomials b and s, t = 0 … 1.
struct BezierPatch {
  static constexpr int kMaxDegree = 25;  ///< the most that CAD systems use
  std::array<int, 2> degree{};           ///< in s and t, 1 to kMaxDegree
  std::array<double, 2> low{};           ///< parameters (u, v) of the surface at s = t = 0
  std::array<double, 2> high{1, 1};      ///< and at s = t = 1
  /// (w p, w) [m, -] with w > 0, of i and k at i (degree in t + 1) + k.
  std::vector<Eigen::Vector4d> points;
};

/// A point of a surface with its derivatives by the surface's parameters u and v.
struct FreeformPoint {
  Vector3d p = Vector3d::Zero(), u = Vector3d::Zero(), v = Vector3d::Zero();
  Vector3d uu = Vector3d::Zero(), uv = Vector3d::Zero(), vv = Vector3d::Zero();

  /// Unit, along u × v.
  Vector3d normal() const { return u.cross(v).normalized(); }
  /// Change of (u, v) along `d` [m] in the tangent plane.
  Vector2d parametersAlong(const Vector3d& d) const;
  /// −dn/d(u, v) in the coordinates (u, v): eigenvalues are the principal curvatures, positive where the
  /// surface bends towards its normal [1/m].
  Eigen::Matrix2d shapeOperator() const;
};

/// With derivatives by s and t, which may lie beyond 0 … 1.
FreeformPoint patchPoint(const BezierPatch& patch, double s, double t);

/// From derivatives by s and t to those by parameters that are `size` long over the patch.
FreeformPoint byParameters(FreeformPoint at, const Vector2d& size);

/// The halves in s (direction 0) or t, by de Casteljau's scheme.
std::array<BezierPatch, 2> halves(const BezierPatch& patch, std::size_t direction);

/// Of the points that span it, whose hull contains it [m].
Bounds hullBounds(const BezierPatch& patch);

}  // namespace tenon::physics::brep
