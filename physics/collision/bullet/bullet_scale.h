// Bullet's numbers: double precision, and millimeters inside the adapter.
#pragma once

#include <LinearMath/btTransform.h>

#include "physics/collision/convex_part.h"

namespace tenon::physics::bullet {

// Debian packages Bullet in both precisions with the same headers; single precision is too coarse for these
// parts.
static_assert(sizeof(btScalar) == 8, "build with bullet-float64");

/// Bullet's lengths in one meter. Its tolerances are absolute and made for lengths about 1.
inline constexpr double kPerMetre = 1000.0;

inline btVector3 toBullet(const Vector3d& p) {
  return {p.x() * kPerMetre, p.y() * kPerMetre, p.z() * kPerMetre};
}
inline btTransform toBullet(const RigidTransform& X) {
  const Matrix3d& R = X.R;
  return btTransform(
      btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
      toBullet(X.p));
}
inline Vector3d fromBullet(const btVector3& p) {
  return Vector3d(p.x(), p.y(), p.z()) / kPerMetre;
}
inline Vector3d directionFromBullet(const btVector3& d) {
  return {d.x(), d.y(), d.z()};
}

}  // namespace tenon::physics::bullet
