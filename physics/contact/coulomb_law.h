// Coulomb's law of one contact in scaled forces y = (n, t1, t2) and distances z = (n, t1, t2), see
// scaled_problem.h:
//     0 ≤ y_n ⟂ z_n ≥ 0,   |y_t| ≤ μ y_n,   y_t = −μ y_n z_t/|z_t| where z_t ≠ 0.
//
// As one equation (P. Alart, A. Curnier, A mixed formulation for frictional contact problems prone to Newton
// like solution methods, Comput. Methods Appl. Mech. Eng. 92, 1991):
//     y_n = max(0, N),   y_t = the point of the disc |·| ≤ μ max(0, N) nearest to S,
//     N = y_n − z_n,   S = y_t − ρ z_t,   with any ρ > 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// State of a contact, by the two sides of the equation.
enum class ContactMode { separated, sticking, sliding };

/// y minus the right side of the equation: 0 where the law holds [√J]. Where both cancel y it is z itself,
/// however small beside y.
inline Vector3d coulombError(const Vector3d& y, const Vector3d& z, double mu, double rho) {
  const double pressed = y[0] - z[0], n = pressed < 0 ? 0.0 : pressed;
  const Eigen::Vector2d s = y.tail<2>() - rho * z.tail<2>();
  const double length = s.norm(), radius = mu * n;
  Vector3d error;
  error[0] = pressed > 0 ? z[0] : pressed <= 0 ? y[0] : pressed;  // propagates NaN, as below
  if (length <= radius)
    error.tail<2>() = rho * z.tail<2>();
  else
    error.tail<2>() = y.tail<2>() - radius / length * s;
  return error;
}

/// Largest absolute entry of coulombError(); NaN if any entry is. Without friction y_t must be zero.
inline double coulombErrorSize(const Vector3d& y, const Vector3d& z, double mu, double rho) {
  if (mu == 0) return complementarityError(y[0], z[0]);
  const Vector3d error = coulombError(y, z, mu, rho);
  return nanMax(nanMax(std::abs(error[0]), std::abs(error[1])), std::abs(error[2]));
}

inline ContactMode contactModeOf(const Vector3d& y, const Vector3d& z, double mu, double rho) {
  const double n = y[0] - z[0];
  if (!(n > 0)) return ContactMode::separated;
  if (mu == 0) return ContactMode::sticking;
  return (y.tail<2>() - rho * z.tail<2>()).norm() > mu * n ? ContactMode::sliding : ContactMode::sticking;
}

}  // namespace tenon::physics
