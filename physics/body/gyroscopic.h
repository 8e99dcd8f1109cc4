// The gyroscopic term −ω × I ω, integrated so that a free spinning body keeps its energy and angular
// momentum.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// Mean angular velocity over one step of a torque-free body, in body axes [rad/s].
///
/// The implicit midpoint rule for Euler's equations, Π⁺ − Π = Δt Π_m × ω_m with Π = I ω, keeps |Π| and the
/// energy exactly for any Δt (quadratic invariants; Hairer, Lubich, Wanner, Geometric Numerical
/// Integration, IV.2). It rotates Π by the Cayley map of Δt ω_m, an angle of 2 atan(Δt|ω_m|/2), while poses
/// rotate by the exponential map. ω_m is therefore returned scaled to the speed whose exponential equals that
/// Cayley map, so that pose and momentum rotate alike. `inertia` about the center of mass [kg m²];
/// second order in `dt` [s].
Vector3d meanFreeSpin(const Matrix3d& inertia, const Vector3d& omega, double dt);

/// World angular velocity [rad/s] after a step that rotates the body from `q0` to `q1`: the angular momentum
/// at q0 plus the torques' impulse, expressed at q1. `meanFree` and `mean` are the mean angular velocities
/// over the step without and with torques, in world axes [rad/s].
Vector3d integrateSpin(const Matrix3d& inertia, const Quaterniond& q0, const Quaterniond& q1,
                       const Vector3d& omega, const Vector3d& meanFree, const Vector3d& mean);

}  // namespace tenon::physics
