// The bilateral rows of a joint in one step, as a ContactRow is that of a contact.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// Up to six equations φ = 0 between two bodies, lengths [m] and angles [rad]. Their forces act along the
/// columns of G at the START of the step, φ is evaluated at its end:
///     M̂ (u − u_free) = Δt G λ,   φ(σ) ≈ b + Δt Gᵀ u = 0.
/// So a guided body is deflected and not slowed down (SHAKE: J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen,
/// J. Comput. Phys. 23, 1977; with the directions at the end a pendulum would lose 2 (ω Δt)² of its energy a
/// step). Linearizing again at the next trial state corrects for the rotation of G since.
struct JointRows {
  using Columns = Eigen::Matrix<double, 6, 6>;
  int a = -1, b = -1;  ///< index of the moving bodies i and j in the island; −1: not moved by forces
  int count = 0;       ///< equations; later columns and entries are not used
  Columns Ga = Columns::Zero(),    ///< blocks of G at body i [1, m]
      Gb = Columns::Zero();        ///< and at body j
  Vector6d b0 = Vector6d::Zero(),  ///< b: the linear model at u = 0 [m, rad]
      phi = Vector6d::Zero(),      ///< φ at the last trial state [m, rad]
      rateBias =
          Vector6d::Zero();  ///< part of φ̇ from a body that forces do not move [m/s, rad/s]; φ includes it
};

}  // namespace tenon::physics
