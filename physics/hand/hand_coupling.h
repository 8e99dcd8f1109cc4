// The spring-damper between a hand and the part it holds, implicit in the velocity.
//
// With J the 6×6 map from u to the velocity of the grabbed point and e the stretch towards the target at
// the end of the step, the wrench at the point is
//     F = K (e − Δt J u⁺) + D (V − J u⁺),   V the target's velocity.
// Both u⁺ terms go to the left-hand side, M̂ = M + Jᵀ(Δt D + Δt² K) J: the coupling is stable for any
// stiffness, time step and mass.
#pragma once

#include "physics/hand/hand_parameters.h"

namespace tenon::physics {

/// The held body and what is rigidly joined to it, as the coupling sees them at the start of the step.
struct HeldBody {
  Pose X_WC;                              ///< of the held body
  Vector6d u = Vector6d::Zero();          ///< its (v, ω) [m/s, rad/s]
  double mass = 0;                        ///< of the rigid group [kg]
  Vector3d center = Vector3d::Zero();     ///< of mass of the rigid group, world [m]
  Matrix3d inertia_W = Matrix3d::Zero();  ///< of the rigid group about `center`, world axes [kg m²]
};

/// One coupling in one step: a linear function of u⁺.
struct HandCoupling {
  Matrix6d J = Matrix6d::Identity();  ///< u to (velocity of the grabbed point, ω)
  /// Limited stiffness [N/m, N m/rad] and damping [N s/m, N m s/rad], world axes.
  Matrix6d K = Matrix6d::Zero(), D = Matrix6d::Zero();
  Vector6d stretch = Vector6d::Zero();         ///< e [m, rad]
  Vector6d targetVelocity = Vector6d::Zero();  ///< V [m/s, rad/s]

  /// Adds Jᵀ(Δt D + Δt² K) J to `mass` and Δt Jᵀ(K e + D V) to `momentum`.
  void addTo(double dt, Matrix6d& mass, Vector6d& momentum) const;
  /// Wrench on the part at the grabbed point (force, torque) for the end velocity `u` [N, N m].
  Vector6d wrench(double dt, const Vector6d& u) const;
};

/// Coupling of a hand that grabbed the body at `X_CH`, with its target at the end of the step and the one
/// before. Limits: K and D are scaled so that the wrench on a part that keeps its velocity stays within
/// maxForce and maxTorque; a part that cannot move feels at most these.
HandCoupling coupleHand(const HandParameters& parameters, const HeldBody& body, const Pose& X_CH,
                        const Pose& target, const Pose& lastTarget, double dt);

}  // namespace tenon::physics
