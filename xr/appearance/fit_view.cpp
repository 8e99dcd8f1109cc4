// Moves a camera along its axes until the points fill its field of view.
#include "xr/appearance/fit_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace tenon::xr {

namespace {

using physics::Vector3d;

constexpr double kUp = 0.26;          ///< tangent of half the vertical field of view: about 29° in all
constexpr double kMargin = 1.0 / 16;  ///< fraction of the image left free at each edge

const std::array<std::pair<std::string_view, Vector3d>, 7>& directions() {
  static const std::array<std::pair<std::string_view, Vector3d>, 7> all{{{"iso", {-0.5, -1, 0.72}},
                                                                         {"front", {0, -1, 0.02}},
                                                                         {"back", {0, 1, 0.02}},
                                                                         {"left", {-1, 0, 0.02}},
                                                                         {"right", {1, 0, 0.02}},
                                                                         {"top", {0, 0, 1}},
                                                                         {"bottom", {0, 0, -1}}}};
  return all;
}

/// Camera axes that look from `from`: z towards the camera, x level.
physics::Quaterniond lookingFrom(const Vector3d& from) {
  const Vector3d z = from.normalized();
  const Vector3d level = Vector3d::UnitZ().cross(z);
  const Vector3d x = level.norm() > 1e-6 ? level.normalized() : Vector3d::UnitX();
  physics::Matrix3d R;
  R << x, z.cross(x), z;
  return physics::Quaterniond(R);
}

/// For one image axis the smallest c_z such that |p_k − c| ≤ t (c_z − z_k) for a camera at (c, c_z): returns
/// c and c_z. Each point bounds two lines of slope t.
std::pair<double, double> fitAxis(std::span<const Vector3d> points, int axis, double t) {
  double high = -std::numeric_limits<double>::infinity(), low = high;
  for (const Vector3d& p : points) {
    high = std::max(high, p[axis] + t * p.z());
    low = std::max(low, -p[axis] + t * p.z());
  }
  return {(high - low) / 2, (high + low) / (2 * t)};
}

}  // namespace

std::vector<std::string> viewNames() {
  std::vector<std::string> names;
  for (const auto& [name, direction] : directions()) names.emplace_back(name);
  return names;
}

std::optional<Vector3d> viewDirection(std::string_view name) {
  for (const auto& [known, direction] : directions())
    if (known == name) return direction.normalized();
  return std::nullopt;
}

View fitView(std::span<const Vector3d> points, const Vector3d& from, double aspect) {
  View view;
  view.X_WC.q = lookingFrom(from);
  // The field of view is that of the narrower side of the image.
  view.up = aspect < 1 ? kUp / aspect : kUp;
  view.down = -view.up;
  view.right = view.up * aspect;
  view.left = -view.right;
  if (points.empty()) {
    view.X_WC.p = from.normalized();
    return view;
  }
  std::vector<Vector3d> local;
  for (const Vector3d& p : points) local.push_back(view.X_WC.q.conjugate() * p);
  const auto [x, farX] = fitAxis(local, 0, view.right * (1 - 2 * kMargin));
  const auto [y, farY] = fitAxis(local, 1, view.up * (1 - 2 * kMargin));
  const double z = std::max(farX, farY);
  view.X_WC.p = view.X_WC.q * Vector3d(x, y, z);
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : local) nearest = std::min(nearest, z - p.z());
  view.nearPlane = 0.1 * std::max(nearest, 1e-6);
  return view;
}

View orthographic(View view, double distance, double range) {
  for (double* const side : {&view.left, &view.right, &view.down, &view.up}) *side *= distance;
  view.X_WC.p += (range - distance) * (view.X_WC.q * Vector3d::UnitZ());
  view.nearPlane = 0;
  view.farPlane = 2 * range;
  return view;
}

View fitOrthographic(std::span<const Vector3d> points, const Vector3d& from, double aspect) {
  if (points.empty()) return orthographic(fitView(points, from, aspect), 1, 1);
  View view;
  view.X_WC.q = lookingFrom(from);
  Eigen::AlignedBox3d box_C;
  for (const Vector3d& p : points) box_C.extend(view.X_WC.q.conjugate() * p);
  const Vector3d half = box_C.sizes() / 2;
  const double free = 1 - 2 * kMargin;
  view.up = std::max({half.y(), half.x() / aspect, 1e-6}) / free;
  view.down = -view.up;
  view.right = view.up * aspect;
  view.left = -view.right;
  // Room for what is not among the points, such as the ground.
  const double range = 4 * box_C.diagonal().norm() + 1e-6;
  view.X_WC.p = view.X_WC.q * (box_C.center() + range * Vector3d::UnitZ());
  view.nearPlane = 0;
  view.farPlane = 2 * range;
  return view;
}

}  // namespace tenon::xr
