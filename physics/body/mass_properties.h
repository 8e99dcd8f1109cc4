// Mass, center of mass and inertia of shapes of uniform density, in closed form.
#pragma once

#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// Mass properties of a rigid body.
struct MassProperties {
  double mass = 0;                      ///< [kg]
  Vector3d center = Vector3d::Zero();   ///< p_PoBo_P: center of mass in the part's frame [m]
  Matrix3d inertia = Matrix3d::Zero();  ///< about the center of mass, part's axes [kg m²]
};

/// Mass properties of `shape` at uniform `density` [kg/m³] > 0. Closed forms for cuboids and round
/// primitives; solids of revolution by the frustums under their profile, less the grooves of a thread, hulls
/// and polyhedra by tetrahedra, blocks with holes as the block minus its true round cavities, compounds by
/// the parallel-axis theorem. Asserts on a HalfSpace.
MassProperties massProperties(const Shape& shape, double density);

/// The same body expressed in the outer frame A of X_AP.
MassProperties transformed(const MassProperties& m, const Pose& X_AP);

/// Sum of two bodies given in the same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// True if `inertia` is physically possible: symmetric, positive definite, and its principal moments satisfy
/// the triangle inequality (each ≤ the sum of the other two), up to rounding.
bool isPhysicalInertia(const Matrix3d& inertia);

}  // namespace tenon::physics
