// A rigid transform with its rotation as a matrix: quicker than a Pose for many points.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// Rigid transform with its rotation as a matrix: p_A = R p_B + p.
struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();  ///< R_AB [-]
  Vector3d p = Vector3d::Zero();      ///< Position of B's origin in A [m].
  /// Position in A of a point given in B [m].
  Vector3d point(const Vector3d& q) const { return R * q + p; }
  /// Components in A of a vector given in B.
  Vector3d vector(const Vector3d& d) const { return R * d; }
  /// X_BA; R must be orthonormal.
  RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// X_AB from X_WA and X_WB; its accuracy does not depend on the distance from the world's origin.
inline RigidTransform relative(const Pose& X_WA, const Pose& X_WB) {
  return {(X_WA.q.conjugate() * X_WB.q).normalized().toRotationMatrix(),
          X_WA.q.conjugate() * (X_WB.p - X_WA.p)};
}

}  // namespace tenon::physics
