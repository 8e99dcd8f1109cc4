// The gyroscopic term −ω × I ω, integrated so that a spinning body neither gains nor loses.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// Mean angular velocity over one step of a body that nothing turns, in body axes [rad/s].
///
/// The implicit midpoint rule for Euler's equations, Π⁺ − Π = Δt Π_m × ω_m with Π = I ω, keeps |Π| and the
/// energy exactly for any Δt (quadratic invariants; Hairer, Lubich, Wanner, Geometric Numerical
/// Integration, IV.2). It turns Π by the Cayley map of Δt ω_m, an angle of 2 atan(Δt|ω_m|/2); poses turn by
/// the exponential map. So ω_m is returned shortened to the speed whose exponential is that Cayley map, and
/// the pose takes the momentum exactly where the rule puts it. `inertia` about the centre of mass [kg m²];
/// second order in `dt` [s].
Vector3d meanFreeSpin(const Matrix3d& inertia, const Vector3d& omega, double dt);

/// The world angular velocity after a step in which the body turned from `q0` to `q1`, its spin over
/// the step being `meanFree` without and `mean` with torques (all in world axes [rad/s]): the angular
/// momentum at q0 plus what the torques gave, carried to q1.
Vector3d integrateSpin(const Matrix3d& inertia, const Quaterniond& q0, const Quaterniond& q1,
                       const Vector3d& omega, const Vector3d& meanFree, const Vector3d& mean);

}  // namespace tenon::physics
