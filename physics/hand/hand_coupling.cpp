// See hand_coupling.h.
#include "physics/hand/hand_coupling.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {

void HandCoupling::addTo(double dt, Matrix6d& mass, Vector6d& momentum) const {
  mass += J.transpose() * (dt * D + dt * dt * K) * J;
  momentum += dt * J.transpose() * (K * stretch + D * targetVelocity);
}

Vector6d HandCoupling::wrench(double dt, const Vector6d& u) const {
  const Vector6d velocity = J * u;
  return K * (stretch - dt * velocity) + D * (targetVelocity - velocity);
}

namespace {

/// R diag(d) Rᵀ.
Matrix3d aboutAxes(const Matrix3d& R, const Vector3d& d) {
  return R * d.asDiagonal() * R.transpose();
}

double scaleToLimit(double value, double limit) {
  return value > limit ? limit / value : 1.0;
}

}  // namespace

HandCoupling coupleHand(const HandParameters& parameters, const HeldBody& body, const Pose& X_CH,
                        const Pose& target, const Pose& lastTarget, double dt) {
  const Pose X_WH = body.X_WC * X_CH;
  const Matrix3d R = X_WH.q.toRotationMatrix();
  const Vector3d r = X_WH.p - body.X_WC.p, fromCenter = X_WH.p - body.center;

  HandCoupling c;
  c.J.topRightCorner<3, 3>() = -skew(r);
  c.stretch << target.p - X_WH.p, logarithm(target.q * X_WH.q.conjugate());
  c.targetVelocity << (target.p - lastTarget.p) / dt, logarithm(target.q * lastTarget.q.conjugate()) / dt;

  // Damping per axis of the hand from the mass of the rigid group, and from its inertia about the grabbed
  // point: D = 2 ζ √(K m). One damping ratio fits parts of any mass.
  const Matrix3d aboutPoint = body.inertia_W + body.mass * (fromCenter.squaredNorm() * Matrix3d::Identity() -
                                                            fromCenter * fromCenter.transpose());
  Vector3d damping, angularDamping;
  for (int axis = 0; axis < 3; ++axis) {
    const double inertia = R.col(axis).dot(aboutPoint * R.col(axis));
    damping[axis] = 2 * parameters.dampingRatio * std::sqrt(parameters.stiffness[axis] * body.mass);
    angularDamping[axis] =
        2 * parameters.dampingRatio * std::sqrt(parameters.angularStiffness[axis] * inertia);
  }
  c.K.topLeftCorner<3, 3>() = aboutAxes(R, parameters.stiffness);
  c.D.topLeftCorner<3, 3>() = aboutAxes(R, damping);
  c.K.bottomRightCorner<3, 3>() = aboutAxes(R, parameters.angularStiffness);
  c.D.bottomRightCorner<3, 3>() = aboutAxes(R, angularDamping);

  const Vector6d now = c.wrench(dt, body.u);
  const double linear = scaleToLimit(now.head<3>().norm(), parameters.maxForce);
  const double angular = scaleToLimit(now.tail<3>().norm(), parameters.maxTorque);
  c.K.topLeftCorner<3, 3>() *= linear;
  c.D.topLeftCorner<3, 3>() *= linear;
  c.K.bottomRightCorner<3, 3>() *= angular;
  c.D.bottomRightCorner<3, 3>() *= angular;
  return c;
}

}  // namespace tenon::physics
