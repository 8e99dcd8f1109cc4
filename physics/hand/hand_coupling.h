// The spring-damper between a hand and the part it holds, implicit in the velocity.
//
// With J the 6×6 map from u to the velocity of the grabbed point and e the stretch towards the target at
// the END of the step, the wrench at the point is
//     F = K (e − Δt J u⁺) + D (V − J u⁺),   V the target's velocity.
// Both u⁺ terms go to the left-hand side, M̂ = M + Jᵀ(Δt D + Δt² K) J, so that no stiffness is too high
// for a time step and no part too light for a stiffness.
#pragma once

#include "physics/hand/hand_parameters.h"

namespace tenon::physics {

/// What the coupling needs to know of the held body.
struct HeldBody {
  Pose X_WC;                              ///< at the start of the step
  Vector6d u = Vector6d::Zero();          ///< (v, ω) at the start of the step [m/s, rad/s]
  double mass = 0;                        ///< [kg]
  Matrix3d inertia_W = Matrix3d::Zero();  ///< about the centre of mass, world axes [kg m²]
};

/// One coupling in one step: a linear function of u⁺.
struct HandCoupling {
  Matrix6d J = Matrix6d::Identity();  ///< u to (velocity of the grabbed point, ω)
  /// Capped stiffness [N/m, N m/rad] and damping [N s/m, N m s/rad], world axes.
  Matrix6d K = Matrix6d::Zero(), D = Matrix6d::Zero();
  Vector6d stretch = Vector6d::Zero();         ///< e [m, rad]
  Vector6d targetVelocity = Vector6d::Zero();  ///< V [m/s, rad/s]

  /// Adds Jᵀ(Δt D + Δt² K) J to `mass` and Δt Jᵀ(K e + D V) to `momentum`.
  void addTo(double dt, Matrix6d& mass, Vector6d& momentum) const;
  /// Wrench on the part at the grabbed point (force, torque) for the end velocity `u` [N, N m].
  Vector6d wrench(double dt, const Vector6d& u) const;
};

/// For a hand that grabbed the body at `X_CH` and is to be at `target` after the step, having been at
/// `lastTarget` before. Caps: the wrench that would act on the part if it kept its velocity is brought
/// down to the caps by scaling K and D alike, so a part that is held fast feels at most the cap.
HandCoupling coupleHand(const HandParameters& parameters, const HeldBody& body, const Pose& X_CH,
                        const Pose& target, const Pose& lastTarget, double dt);

}  // namespace tenon::physics
