// Spherical coordinates about the pivot; the field of view is fitView()'s.
#include "xr/appearance/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::xr {

namespace {

using physics::Vector3d;

constexpr double kMaxElevation =
    std::numbers::pi / 2 - 1e-4;  ///< straight down the up direction is undefined [rad]
constexpr double kMinDistance = 1e-3, kMaxDistance = 1e3;  ///< from the pivot [m]
constexpr double kZoomPerNotch = 0.12;                     ///< logarithm of the distance [-]
constexpr double kNearPlane = 0.01;                        ///< of the distance [-]
/// An orthographic view shows what is so far before and behind the pivot, of the distance [-].
constexpr double kRange = 10;

}  // namespace

Vector3d OrbitCamera::direction() const {
  return {std::cos(elevation_) * std::cos(azimuth_), std::cos(elevation_) * std::sin(azimuth_),
          std::sin(elevation_)};
}

void OrbitCamera::lookFrom(const Vector3d& from) {
  const Vector3d d = from.normalized();
  elevation_ = std::clamp(std::asin(std::clamp(d.z(), -1.0, 1.0)), -kMaxElevation, kMaxElevation);
  azimuth_ = std::hypot(d.x(), d.y()) > 1e-6 ? std::atan2(d.y(), d.x()) : -std::numbers::pi / 2;
}

void OrbitCamera::frame(std::span<const Vector3d> points, double aspect) {
  if (points.empty()) return;
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : points) box.extend(p);
  extent_ = std::max(extent_, box.diagonal().norm());
  if (orthographic_) {
    const View all = fitOrthographic(points, direction(), aspect);
    distance_ = std::clamp(all.up / fitView({}, direction(), aspect).up, kMinDistance, kMaxDistance);
    pivot_ = all.X_WC.p - all.farPlane / 2 * (all.X_WC.q * Vector3d::UnitZ());
    return;
  }
  const View fitted = fitView(points, direction(), aspect);
  // The pivot is on fitView()'s line of sight, at the depth of the box's center.
  const Vector3d line = fitted.X_WC.q * Vector3d::UnitZ();
  distance_ = std::clamp((fitted.X_WC.p - box.center()).dot(line), kMinDistance, kMaxDistance);
  pivot_ = fitted.X_WC.p - distance_ * line;
}

void OrbitCamera::orbit(double across, double down) {
  azimuth_ -= std::numbers::pi * across;
  azimuth_ = std::remainder(azimuth_, 2 * std::numbers::pi);
  elevation_ = std::clamp(elevation_ + std::numbers::pi * down, -kMaxElevation, kMaxElevation);
}

void OrbitCamera::pan(double across, double down) {
  const View v = view(1);
  const double height = v.spreadAt(distance_) * (v.up - v.down);
  pivot_ += v.X_WC.q * Vector3d(-across * height, down * height, 0);
}

void OrbitCamera::zoom(double notches, double x, double y, double aspect) {
  const double factor = std::exp(-kZoomPerNotch * notches);
  const double distance = std::clamp(distance_ * factor, kMinDistance, kMaxDistance);
  const View v = view(aspect);
  const double spread = v.spreadAt(distance_);
  const Vector3d at_C(spread * (v.left + x * (v.right - v.left)), spread * (v.up + y * (v.down - v.up)), 0);
  pivot_ += (1 - distance / distance_) * (v.X_WC.q * at_C);
  distance_ = distance;
}

View OrbitCamera::view(double aspect) const {
  View view = fitView({}, direction(), aspect);
  view.X_WC.p = pivot_ + distance_ * direction();
  view.nearPlane = kNearPlane * distance_;
  return orthographic_ ? orthographic(view, distance_, kRange * distance_ + 2 * extent_) : view;
}

}  // namespace tenon::xr
