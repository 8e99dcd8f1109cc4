// See xr_values.h.
#include "xr/openxr/xr_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tenon::xr {

namespace {

constexpr double kMinNorm = 0.9, kMaxNorm = 1.1;  ///< of a quaternion; OpenXR allows 0.99 to 1.01

/// Tangents of a field of view: left, right, down, up; none if it is empty or not in front.
std::optional<std::array<double, 4>> tangentsOf(const XrFovf& fov) {
  const std::array angles{static_cast<double>(fov.angleLeft), static_cast<double>(fov.angleRight),
                          static_cast<double>(fov.angleDown), static_cast<double>(fov.angleUp)};
  const bool inFront = std::all_of(angles.begin(), angles.end(), [](double angle) {
    return std::abs(angle) < 0.5 * std::numbers::pi;  // false for NaN
  });
  if (!inFront || angles[0] == angles[1] || angles[2] == angles[3]) return std::nullopt;
  return std::array{std::tan(angles[0]), std::tan(angles[1]), std::tan(angles[2]), std::tan(angles[3])};
}

}  // namespace

std::optional<physics::Pose> poseOf(const XrPosef& pose) {
  physics::Pose X;
  X.q =
      physics::Quaterniond(static_cast<double>(pose.orientation.w), static_cast<double>(pose.orientation.x),
                           static_cast<double>(pose.orientation.y), static_cast<double>(pose.orientation.z));
  X.p = physics::Vector3d(static_cast<double>(pose.position.x), static_cast<double>(pose.position.y),
                          static_cast<double>(pose.position.z));
  const double norm = X.q.norm();
  if (!X.p.allFinite() || !(norm > kMinNorm && norm < kMaxNorm)) return std::nullopt;
  X.q.normalize();
  return X;
}

XrPosef poseOf(const physics::Pose& X) {
  const auto f = [](double value) { return static_cast<float>(value); };
  return {{f(X.q.x()), f(X.q.y()), f(X.q.z()), f(X.q.w())}, {f(X.p.x()), f(X.p.y()), f(X.p.z())}};
}

bool isTracked(const XrSpaceLocation& location) {
  constexpr XrSpaceLocationFlags kRequired = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT |
                                             XR_SPACE_LOCATION_POSITION_VALID_BIT |
                                             XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
  return (location.locationFlags & kRequired) == kRequired;
}

std::optional<View> viewOf(const XrView& view) {
  const auto X = poseOf(view.pose);
  const auto tangents = tangentsOf(view.fov);
  if (!X || !tangents) return std::nullopt;
  View out;
  out.X_WC = *X;
  out.left = (*tangents)[0];
  out.right = (*tangents)[1];
  out.down = (*tangents)[2];
  out.up = (*tangents)[3];
  return out;
}

double axisOf(float value) {
  return std::isfinite(value) ? static_cast<double>(value) : 0;
}

}  // namespace tenon::xr
