// Rigid poses and rotations by unit quaternions.
//
// Frames are named as in X_WB: the pose of frame B in frame W, so that p_W = X_WB * p_B.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tenon::physics {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// A rigid motion X_AB: rotation and translation of frame B in frame A. Identity by default.
struct Pose {
  Quaterniond q = Quaterniond::Identity();  ///< unit quaternion, B to A
  Vector3d p = Vector3d::Zero();            ///< origin of B in A [m]

  /// A frame at `p` [m] with A's axes. (Pose{{}, p} would leave the quaternion uninitialized.)
  static Pose at(const Vector3d& p) { return {Quaterniond::Identity(), p}; }

  /// A point of B, in A [m].
  Vector3d operator*(const Vector3d& p_B) const { return q * p_B + p; }
  /// X_AC = X_AB X_BC; the quaternion is normalized.
  Pose operator*(const Pose& X_BC) const { return {(q * X_BC.q).normalized(), q * X_BC.p + p}; }
  /// No component is infinite or NaN.
  bool isFinite() const { return q.coeffs().allFinite() && p.allFinite(); }
  /// X_BA.
  Pose inverse() const { return {q.conjugate(), -(q.conjugate() * p)}; }
};

/// Cross-product matrix: skew(a) * b = a × b.
Matrix3d skew(const Vector3d& a);

/// Unit quaternion of the rotation vector `phi` [rad] (direction = axis, length = angle): the
/// exponential map of SO(3). Exact to rounding for all angles, small ones included.
Quaterniond exponential(const Vector3d& phi);

/// Left Jacobian of the exponential map: exponential(φ + δ) ≈ exponential(J δ) exponential(φ).
Matrix3d leftJacobian(const Vector3d& phi);

/// Rotation vector [rad] of a unit quaternion, of length at most π: the inverse of exponential().
Vector3d logarithm(const Quaterniond& q);

/// The smallest rotation that takes the direction of `from` to that of `to`, neither of them zero, by the
/// half-angle formula; for opposite directions a half turn about an axis perpendicular to both.
Quaterniond shortestRotation(const Vector3d& from, const Vector3d& to);

/// The pose after time `dt` [s] at constant velocity `v` [m/s] and angular velocity `omega` [rad/s] in the
/// outer frame: s⁺ = s + Δt S u. The rotation uses the exponential map, so |q| stays 1.
Pose advance(const Pose& X, const Vector3d& v, const Vector3d& omega, double dt);

}  // namespace tenon::physics
