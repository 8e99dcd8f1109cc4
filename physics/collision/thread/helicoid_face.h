// A face of a thread: a helicoid, or with κ = 0 a cylinder, a cone or a plane, all in one equation.
//
// In cylindrical coordinates (ρ, θ, z) about the axis, with θ counted on over whole turns, the face is
//     F = α ρ + γ z − κ θ − c = 0,   α² + γ² = 1,   material at F ≤ 0,
// with the outward normal ∇F = α e_ρ − (κ/ρ) e_θ + γ e_z. It is ruled by the lines θ = const. The distance of
// a point at (r, θ, z) to the ruling at θ + ψ is D, D² = m² + r² sin² ψ, m = α r cos ψ + γ z − κ (θ + ψ) − c,
// so that the closest point is one root, of m m' + r² sin ψ cos ψ in ψ.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// α, γ, κ, c of the face's equation.
struct HelicoidFace {
  double alpha = 0, gamma = 0;  ///< [-]
  double kappa = 0;             ///< [m/rad]
  double c = 0;                 ///< [m]
  bool hasContacts = true;      ///< false: only a border, such as the root of a tooth

  /// F [m]: about the distance, and ≤ 0 in the material.
  double at(double rho, double theta, double z) const { return alpha * rho + gamma * z - kappa * theta - c; }
  /// ∇F at radius ρ in the axes (e_ρ, e_θ, e_z); of length √(1 + κ²/ρ²).
  Vector3d gradient(double rho) const { return {alpha, -kappa / rho, gamma}; }
};

/// A point in cylindrical coordinates, with θ on over whole turns.
struct CylindricalPoint {
  double rho = 0, theta = 0, z = 0;  ///< [m], [rad], [m]
};

/// The point of a face closest to a point.
struct HelicoidFoot {
  CylindricalPoint at;
  double distance = 0;                                                ///< signed, along the normal [m]
  Vector3d normal = Vector3d::Zero();                                 ///< unit, out of the material
  Vector3d radial = Vector3d::Zero(), tangential = Vector3d::Zero();  ///< e_ρ and e_θ at the foot
};

/// The foot of `p` (Cartesian, off the axis) on the face without its borders. `theta` is the angle of p, on
/// the turn of the face that is meant.
HelicoidFoot footOn(const HelicoidFace& face, const Vector3d& p, double rho, double theta);

/// Second derivative of the distance along a straight line through the point with that foot, in direction
/// `d`.
double distanceCurvature(const HelicoidFace& face, const HelicoidFoot& foot, const Vector3d& d);

}  // namespace tenon::physics
