// Newton's method on the implicit midpoint rule.
#include "physics/body/gyroscopic.h"

#include <Eigen/LU>
#include <cmath>

namespace tenon::physics {

Vector3d meanFreeSpin(const Matrix3d& inertia, const Vector3d& omega, double dt) {
  const double half = 0.5 * dt;
  const Vector3d start = inertia * omega;
  Vector3d mean = omega;
  // Newton on I ω_m − Π − (Δt/2) (I ω_m) × ω_m = 0. The error at the start ω is O(Δt²|ω|²) and squares in
  // each step: four steps reach rounding for any spin of a hand-held part.
  for (int iteration = 0; iteration < 4; ++iteration) {
    const Vector3d momentum = inertia * mean;
    const Vector3d error = momentum - start - half * momentum.cross(mean);
    const Matrix3d slope = inertia - half * (skew(momentum) - skew(mean) * inertia);
    mean -= slope.inverse() * error;
  }
  const double angle = half * mean.norm();
  return angle < 1e-8 ? mean : Vector3d(std::atan(angle) / angle * mean);
}

Vector3d integrateSpin(const Matrix3d& inertia, const Quaterniond& q0, const Quaterniond& q1,
                       const Vector3d& omega, const Vector3d& meanFree, const Vector3d& mean) {
  const Vector3d momentum = q0 * (inertia * (q0.conjugate() * (omega + mean - meanFree)));
  return q1 * (inertia.inverse() * (q1.conjugate() * momentum));
}

}  // namespace tenon::physics
