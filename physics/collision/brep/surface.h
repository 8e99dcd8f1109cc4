// The signed distance field of a surface.
#pragma once

#include <array>

#include "physics/collision/brep/curve.h"
#include "physics/collision/geometry/surface.h"

namespace tenon::physics::brep {

using Eigen::Vector2d;

/// The distance of a point to a surface extended without end.
struct SurfaceDistance {
  double value = 0;                      ///< negative inside the material [m]
  Vector3d gradient = Vector3d::Zero();  ///< outward unit normal of the solid at the foot point [-]
};

/// At `p` in the surface's own frame. On the axis or the center, where the foot point is not unique, one of
/// them.
SurfaceDistance distanceTo(const Surface& surface, const Vector3d& p);

/// Second derivative of the distance: the curvature of the parallel surface through `p` [1/m]; zero on the
/// axis or center.
Matrix3d curvatureAt(const Surface& surface, const Vector3d& p);

/// The distance along a curve, with derivatives by the curve's parameter.
struct DistanceSlope {
  double value = 0, first = 0, second = 0;
};

/// At the point `p` of a curve with derivatives `dp` and `ddp`, in the surface's own frame.
DistanceSlope slopeAlong(const Surface& surface, const Vector3d& p, const Vector3d& dp, const Vector3d& ddp);

/// distanceTo() without the normal [m].
double distanceValue(const Surface& surface, const Vector3d& p);

/// Coordinates (u, v) on the surface of the foot of `p`, in the surface's frame: (x, y) [m] on a plane; the
/// angle about the axis [rad] and z [m] of the foot on cylinder and cone; two angles [rad] on sphere
/// (longitude, latitude) and torus (about the axis, about the circle); of a free-form surface its own.
Vector2d parametersOf(const Surface& surface, const Vector3d& p);

/// Length on the surface of one unit of u and of v at the foot of `p` [m, m/rad or m per unit].
Vector2d parameterScale(const Surface& surface, const Vector3d& p);

/// True if u is an angle, or runs from 0 to 2π around a free-form surface.
bool isPeriodic(const Surface& surface);

/// Derivatives of (u, v) of the foot along a curve on or beside the surface, by its parameter.
Vector2d parameterSlope(const Surface& surface, const CurvePoint& at);

/// The surface with the distance to its other foot point, beyond the axis, the center or the circle of a
/// torus: −side (−ρ − r) of a cylinder.
Surface farSide(const Surface& surface);

/// The parameters t > 0 at which the ray p + t d (frame of the surface, unit d) crosses the surface extended
/// without end; of a cone only its own nappe, of a torus whose tube is wider than its circle only the outer
/// side, of a free-form surface its patches. At most four; returns their number.
int crossings(const Surface& surface, const Vector3d& p, const Vector3d& d, std::array<double, 4>& t);

}  // namespace tenon::physics::brep
