// See joint_equations.h.
#include "physics/joint/joint_equations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// How many of the directions x, y, z of A a joint keeps d from having; and the others' turning.
int lengthsHeld(JointKind kind) {
  return kind == JointKind::slider || kind == JointKind::cylindrical || kind == JointKind::helical ? 2 : 3;
}
bool holdsAxis(JointKind kind) {
  return turns(kind);
}
bool holdsTurning(JointKind kind) {
  return kind == JointKind::fixed || kind == JointKind::slider;
}

Vector3d axis(const Pose& X, int k) {
  return X.q * Vector3d::Unit(k);
}

/// By how much `way` is past the ends.
double passed(const JointRange& range, double way) {
  return std::max({0.0, range.low - way, way - range.high});
}

/// Rotation of B in A, the shorter way round.
Quaterniond turned(const JointFrames& at) {
  Quaterniond q = at.X_WA.q.conjugate() * at.X_WB.q;
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

/// Speed of the origin of B along the unit vector e of A.
JointDirection along(const JointFrames& at, const Vector3d& e) {
  JointDirection direction;
  direction.Ga << -e, -(at.X_WB.p - at.c_I).cross(e);
  direction.Gb << e, (at.X_WB.p - at.c_J).cross(e);
  return direction;
}

/// Speed of turning about g.
JointDirection about(const Vector3d& g) {
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
    state.angleError = passed(description.angle, state.angle);
  }
  if (travels(description.kind)) {
    state.travel = jointTravel(at);
    state.lengthError = passed(description.travel, state.travel);
  }
  const Vector6d phi = jointError(description, at);
  for (int k = 0; k < equationsOf(description.kind); ++k) {
    double& told = isLength(description.kind, k) ? state.lengthError : state.angleError;
    told = std::max(told, std::abs(phi[k]));
  }
  return state;
}

int equationsOf(JointKind kind) {
  return lengthsHeld(kind) + (holdsAxis(kind) ? 2 : 0) + (holdsTurning(kind) ? 3 : 0) +
         (kind == JointKind::helical ? 1 : 0);
}

bool isLength(JointKind kind, int equation) {
  return equation < lengthsHeld(kind) || (kind == JointKind::helical && equation == equationsOf(kind) - 1);
}

double jointAngle(const JointFrames& at) {
  const Quaterniond q = turned(at);
  return 2 * std::atan2(q.z(), q.w());
}

double jointTravel(const JointFrames& at) {
  return axis(at.X_WA, 2).dot(at.X_WB.p - at.X_WA.p);
}

JointDirection angleDirection(const JointFrames& at) {
  return about(axis(at.X_WA, 2));
}

JointDirection travelDirection(const JointFrames& at) {
  return along(at, axis(at.X_WA, 2));
}

Vector6d jointError(const JointDescription& joint, const JointFrames& at) {
  Vector6d phi = Vector6d::Zero();
  int n = 0;
  const Vector3d d = at.X_WB.p - at.X_WA.p, z_B = axis(at.X_WB, 2);
  for (int k = 0; k < lengthsHeld(joint.kind); ++k) phi[n++] = axis(at.X_WA, k).dot(d);
  if (holdsAxis(joint.kind))
    for (int k = 0; k < 2; ++k) phi[n++] = axis(at.X_WA, k).dot(z_B);
  if (holdsTurning(joint.kind)) {
    phi.segment<3>(n) = 2 * turned(at).vec();
    n += 3;
  }
  if (joint.kind == JointKind::helical) {
    const double way = jointTravel(at) - joint.pitch * jointAngle(at) / kTurn;
    phi[n++] = std::remainder(way, joint.pitch);
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
  for (int k = 0; k < lengthsHeld(joint.kind); ++k) add(along(at, axis(at.X_WA, k)));
  if (holdsAxis(joint.kind))
    for (int k = 0; k < 2; ++k) add(about(z_B.cross(axis(at.X_WA, k))));
  if (holdsTurning(joint.kind))
    for (int k = 0; k < 3; ++k) add(about(axis(at.X_WA, k)));
  if (joint.kind == JointKind::helical) {
    const JointDirection way = travelDirection(at), turn = angleDirection(at);
    add({way.Ga - joint.pitch / kTurn * turn.Ga, way.Gb - joint.pitch / kTurn * turn.Gb});
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
  if (a < 0 && joint.i.valid()) rows.normalBias += g.Ga.transpose() * u_I;
  if (b < 0) rows.normalBias += g.Gb.transpose() * u_J;
  return rows;
}

}  // namespace tenon::physics
