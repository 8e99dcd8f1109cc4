// See pose_interpolation.h.
#include "xr/hands/pose_interpolation.h"

namespace tenon::xr {

physics::Pose interpolatePose(const physics::Pose& a, const physics::Pose& b, double fraction) {
  if (fraction <= 0) return a;
  if (fraction >= 1) return b;
  const physics::Vector3d turn_A = physics::logarithm(a.q.conjugate() * b.q);
  return {(a.q * physics::exponential(fraction * turn_A)).normalized(), a.p + fraction * (b.p - a.p)};
}

}  // namespace tenon::xr
