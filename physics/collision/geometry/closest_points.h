// Closest points of lines, segments, circles and cones, in closed form.
#pragma once

#include <array>

#include "physics/math/pose.h"

namespace tenon::physics {

/// Parameters in [0, 1] of the closest points of the segments p + s·d and q + t·e.
struct SegmentParameters {
  double s = 0, t = 0;
};

/// Closest points of two segments, points included (d or e zero). Of parallel ones, some closest pair.
/// (Ericson, Real-Time Collision Detection, 5.1.9.)
SegmentParameters closestOnSegments(const Vector3d& p, const Vector3d& d, const Vector3d& q,
                                    const Vector3d& e);

/// The curved side of a round piece: radius(z) = middle + slope·z at height z along the axis.
struct ConicalSide {
  Vector3d center, axis;
  double halfLength = 0;  ///< [m]
  double middle = 0;      ///< radius at z = 0 [m]
  double slope = 0;       ///< dr/dz [-]; 0: a cylinder

  double cosine() const;  ///< of the half angle of the cone
};

/// A point against a side: where its closest point on the (unbounded) cone lies.
struct ConicalSideDistance {
  double separation = 0;               ///< signed distance, negative inside [m]
  Vector3d normal = Vector3d::Zero();  ///< unit outward normal of the side towards or through the point
  double foot = 0;                     ///< height z of the closest point [m]
  bool valid = false;                  ///< false on the axis, where every direction is as good
};
ConicalSideDistance distanceToSide(const ConicalSide& side, const Vector3d& p);

/// Parameter t of the point p + t·d closest to the side, unbounded in t: the least of
/// ρ(t) − radius(z(t)), a convex function. ±infinity where it falls forever, NaN where it is constant.
double closestToSide(const ConicalSide& side, const Vector3d& p, const Vector3d& d);

/// The part of [t0, t1] where p + t·d lies between the ends of the side. False: none.
bool clipToSpan(const ConicalSide& side, const Vector3d& p, const Vector3d& d, double& t0, double& t1);

/// The points of a circle about `centre` that are closest to the side in their neighbourhood: one, or
/// two where the circle straddles the axis; ordered by their phase about unit `axis`, counted from the
/// direction to the side's axis. Returns how many; none where all phases are as close.
int closestOnCircle(const ConicalSide& side, const Vector3d& center, const Vector3d& axis, double radius,
                    std::array<Vector3d, 2>& points);

}  // namespace tenon::physics
