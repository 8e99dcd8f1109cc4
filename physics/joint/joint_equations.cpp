// See joint_equations.h.
#include "physics/joint/joint_equations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Number of the directions x, y, z of A in which a joint constrains d; then its constraints on rotation.
int constrainedLengths(JointKind kind) {
  return kind == JointKind::slider || kind == JointKind::cylindrical || kind == JointKind::helical ? 2 : 3;
}
bool constrainsAxis(JointKind kind) {
  return turns(kind);
}
bool constrainsRotation(JointKind kind) {
  return kind == JointKind::fixed || kind == JointKind::slider;
}

Vector3d axis(const Pose& X, int k) {
  return X.q * Vector3d::Unit(k);
}

/// Distance of `value` beyond the limits.
double limitError(const JointRange& range, double value) {
  return std::max({0.0, range.low - value, value - range.high});
}

/// Rotation of B in A by at most π.
Quaterniond rotationOf(const JointFrames& at) {
  Quaterniond q = at.X_WA.q.conjugate() * at.X_WB.q;
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

/// Speed of the origin of B along the unit vector e of A.
JointDirection directionAlong(const JointFrames& at, const Vector3d& e) {
  JointDirection direction;
  direction.Ga << -e, -(at.X_WB.p - at.c_I).cross(e);
  direction.Gb << e, (at.X_WB.p - at.c_J).cross(e);
  return direction;
}

/// Angular speed about g.
JointDirection directionAbout(const Vector3d& g) {
  JointDirection direction;
  direction.Ga << Vector3d::Zero(), -g;
  direction.Gb << Vector3d::Zero(), g;
  return direction;
}

}  // namespace

JointFrames jointFrames(const PlacedJoint& joint, const Pose& X_WI, const Pose& X_WJ) {
  const Pose outer = joint.description.i.valid() ? X_WI : Pose();
  return {outer * joint.X_CA, X_WJ * joint.X_CB, outer.p, X_WJ.p};
}

JointState jointStateAt(const PlacedJoint& joint, const Pose& X_WI, const Pose& X_WJ) {
  const JointFrames at = jointFrames(joint, X_WI, X_WJ);
  JointState state;
  const JointDescription& description = joint.description;
  if (turns(description.kind)) {
    state.angle = jointAngle(at);
    state.angleError = limitError(description.angle, state.angle);
  }
  if (travels(description.kind)) {
    state.travel = jointTravel(at);
    state.lengthError = limitError(description.travel, state.travel);
  }
  const Vector6d phi = jointError(description, at);
  for (int k = 0; k < equationsOf(description.kind); ++k) {
    double& error = isLength(description.kind, k) ? state.lengthError : state.angleError;
    error = std::max(error, std::abs(phi[k]));
  }
  return state;
}

int equationsOf(JointKind kind) {
  return constrainedLengths(kind) + (constrainsAxis(kind) ? 2 : 0) + (constrainsRotation(kind) ? 3 : 0) +
         (kind == JointKind::helical ? 1 : 0);
}

bool isLength(JointKind kind, int equation) {
  return equation < constrainedLengths(kind) ||
         (kind == JointKind::helical && equation == equationsOf(kind) - 1);
}

double jointAngle(const JointFrames& at) {
  const Quaterniond q = rotationOf(at);
  return 2 * std::atan2(q.z(), q.w());
}

double jointTravel(const JointFrames& at) {
  return axis(at.X_WA, 2).dot(at.X_WB.p - at.X_WA.p);
}

JointDirection angleDirection(const JointFrames& at) {
  return directionAbout(axis(at.X_WA, 2));
}

JointDirection travelDirection(const JointFrames& at) {
  return directionAlong(at, axis(at.X_WA, 2));
}

Vector6d jointError(const JointDescription& joint, const JointFrames& at) {
  Vector6d phi = Vector6d::Zero();
  int n = 0;
  const Vector3d d = at.X_WB.p - at.X_WA.p, z_B = axis(at.X_WB, 2);
  for (int k = 0; k < constrainedLengths(joint.kind); ++k) phi[n++] = axis(at.X_WA, k).dot(d);
  if (constrainsAxis(joint.kind))
    for (int k = 0; k < 2; ++k) phi[n++] = axis(at.X_WA, k).dot(z_B);
  if (constrainsRotation(joint.kind)) {
    phi.segment<3>(n) = 2 * rotationOf(at).vec();
    n += 3;
  }
  if (joint.kind == JointKind::helical) {
    const double difference = jointTravel(at) - joint.pitch * jointAngle(at) / kTurn;
    phi[n++] = std::remainder(difference, joint.pitch);
  }
  return phi;
}

JointDirections jointDirections(const JointDescription& joint, const JointFrames& at) {
  JointDirections g;
  int n = 0;
  const auto add = [&](const JointDirection& direction) {
    g.Ga.col(n) = direction.Ga;
    g.Gb.col(n) = direction.Gb;
    ++n;
  };
  const Vector3d z_B = axis(at.X_WB, 2);
  for (int k = 0; k < constrainedLengths(joint.kind); ++k) add(directionAlong(at, axis(at.X_WA, k)));
  if (constrainsAxis(joint.kind))
    for (int k = 0; k < 2; ++k) add(directionAbout(z_B.cross(axis(at.X_WA, k))));
  if (constrainsRotation(joint.kind))
    for (int k = 0; k < 3; ++k) add(directionAbout(axis(at.X_WA, k)));
  if (joint.kind == JointKind::helical) {
    const JointDirection travel = travelDirection(at), turn = angleDirection(at);
    add({travel.Ga - joint.pitch / kTurn * turn.Ga, travel.Gb - joint.pitch / kTurn * turn.Gb});
  }
  return g;
}

JointRows jointRows(const JointDescription& joint, const JointFrames& at, int a, int b, const Vector6d& u_I,
                    const Vector6d& u_J) {
  const JointDirections g = jointDirections(joint, at);
  JointRows rows;
  rows.a = a;
  rows.b = b;
  rows.count = equationsOf(joint.kind);
  rows.Ga = g.Ga;
  rows.Gb = g.Gb;
  if (a < 0 && joint.i.valid()) rows.rateBias += g.Ga.transpose() * u_I;
  if (b < 0) rows.rateBias += g.Gb.transpose() * u_J;
  return rows;
}

}  // namespace tenon::physics
