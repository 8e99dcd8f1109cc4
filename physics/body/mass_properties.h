// Mass, centre of mass and inertia of shapes of uniform density, in closed form.
#pragma once

#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// Mass properties of a rigid body.
struct MassProperties {
  double mass = 0;                      ///< [kg]
  Vector3d center = Vector3d::Zero();   ///< p_PoBo_P: centre of mass in the part's frame [m]
  Matrix3d inertia = Matrix3d::Zero();  ///< about the centre of mass, part's axes [kg m²]
};

/// Of `shape` at uniform `density` [kg/m³] > 0. Solids of revolution and cuboids by their closed
/// forms, turned parts by the frustums under their profile, hulls by tetrahedra, holed and bored blocks as
/// the block less its true round cavities, compounds by the parallel-axis theorem. A HalfSpace has none
/// (asserts).
MassProperties massProperties(const Shape& shape, double density);

/// The same body seen from the outer frame A of X_AP.
MassProperties transformed(const MassProperties& m, const Pose& X_AP);

/// Two bodies stuck together, both given in the same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// True where `inertia` can belong to a real body: symmetric, positive definite and with principal
/// moments that satisfy the triangle inequality (each ≤ the sum of the other two), up to rounding.
bool isPhysicalInertia(const Matrix3d& inertia);

}  // namespace tenon::physics
