// Closest points of lines, segments, circles and cones, in closed form.
#pragma once

#include <array>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Parameters in [0, 1] of the closest points of the segments p + s·d and q + t·e.
struct SegmentParameters {
  double s = 0, t = 0;
};

/// Closest points of two segments; d or e may be zero. For parallel segments, one of the closest pairs.
/// (Ericson, Real-Time Collision Detection, 5.1.9.)
SegmentParameters closestOnSegments(const Vector3d& p, const Vector3d& d, const Vector3d& q,
                                    const Vector3d& e);

/// The curved side of a cylinder or cone: radius(z) = midRadius + slope·z at height z along the axis.
struct ConicalSide {
  Vector3d center, axis;
  double halfLength = 0;  ///< [m]
  double midRadius = 0;   ///< radius at z = 0 [m]
  double slope = 0;       ///< dr/dz [-]; 0: a cylinder

  double cosine() const;  ///< of the cone's half angle
};

/// Signed distance of a point to a side extended without end, and the closest point there.
struct ConicalSideDistance {
  double separation = 0;               ///< signed distance, negative inside [m]
  Vector3d normal = Vector3d::Zero();  ///< unit outward normal of the side at the closest point
  double height = 0;                   ///< z of the closest point [m]
  bool valid = false;                  ///< false on the axis, where the normal is undefined
};
ConicalSideDistance distanceToSide(const ConicalSide& side, const Vector3d& p);

/// Parameter t of the point p + t·d closest to the side, unbounded in t: the minimizer of the convex function
/// ρ(t) − radius(z(t)). ±infinity if it decreases without bound, NaN if it is constant.
double closestToSide(const ConicalSide& side, const Vector3d& p, const Vector3d& d);

/// Clips [t0, t1] to where p + t·d lies between the ends of the side. False if nothing remains.
bool clipToSpan(const ConicalSide& side, const Vector3d& p, const Vector3d& d, double& t0, double& t1);

/// Local minima of the distance from a circle about `center` to the side: one, or two if the circle straddles
/// the side's axis; ordered by phase about unit `axis`, which counts from the direction to the side's axis.
/// Returns their number; 0 if the distance is constant.
int closestOnCircle(const ConicalSide& side, const Vector3d& center, const Vector3d& axis, double radius,
                    std::array<Vector3d, 2>& points);

}  // namespace tenon::physics
