// Mouse rays against the lines and planes of the handles.
#include "runtime/workbench/gizmo.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon::runtime {

namespace {

using Eigen::Vector2d;
using physics::Pose;
using physics::Vector3d;

constexpr double kCenter = 12;              ///< radius without handles [pixels]
constexpr double kPixels = 90, kReach = 9;  ///< length of a handle, distance that still hits it [pixels]
constexpr int kRingPoints = 48;
constexpr double kInnerEnd = 0.18;  ///< arrows begin here, so that their center stays free [-]
constexpr double kSteepest = 0.12;  ///< sine of the least angle between a ray and a plane [-]
constexpr double kStep = 1e-3, kTurnStep = std::numbers::pi / 12;        ///< [m], [rad]
constexpr double kFineStep = 1e-6, kFineTurn = std::numbers::pi / 1800;  ///< without steps [m], [rad]

Vector3d axisOf(const GizmoPlace& place, int axis) {
  return place.q * Vector3d::Unit(axis);
}

double rounded(double value, double step) {
  return std::round(value / step) * step;
}

double distanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const double length2 = (b - a).squaredNorm();
  const double t = length2 > 0 ? std::clamp((p - a).dot(b - a) / length2, 0.0, 1.0) : 0;
  return (p - a - t * (b - a)).norm();
}

}  // namespace

std::optional<Vector2d> GizmoPicture::at(const Vector3d& p_W) const {
  const Vector3d p = xr::projected(view, p_W);
  if (p.z() <= view.nearPlane) return std::nullopt;
  return Vector2d(p.x() * width, p.y() * height);
}

xr::Ray GizmoPicture::ray(const Vector2d& at) const {
  return xr::rayThrough(view, at.x() / width, at.y() / height);
}

double gizmoSize(const GizmoPicture& picture, const Vector3d& p_W) {
  const double depth = xr::projected(picture.view, p_W).z();
  return kPixels / picture.height * (picture.view.up - picture.view.down) *
         picture.view.spreadAt(std::max(depth, picture.view.nearPlane));
}

std::vector<Vector3d> handleLine(const GizmoPlace& place, GizmoTool tool, int axis) {
  if (tool == GizmoTool::move) {
    const Vector3d along = place.size * axisOf(place, axis);
    return {place.p_W + kInnerEnd * along, place.p_W + along};
  }
  const Vector3d u = axisOf(place, (axis + 1) % 3), v = axisOf(place, (axis + 2) % 3);
  std::vector<Vector3d> ring;
  for (int k = 0; k <= kRingPoints; ++k) {
    const double angle = 2 * std::numbers::pi * k / kRingPoints;
    ring.push_back(place.p_W + 0.85 * place.size * (std::cos(angle) * u + std::sin(angle) * v));
  }
  return ring;
}

int handleAt(const GizmoPlace& place, GizmoTool tool, const GizmoPicture& picture, const Vector2d& mouse) {
  int nearest = -1;
  double distance = kReach;
  // The center belongs to the part.
  const auto center = picture.at(place.p_W);
  if (!center || (tool == GizmoTool::move && (mouse - *center).norm() < kCenter)) return nearest;
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<Vector3d> line = handleLine(place, tool, axis);
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      const auto a = picture.at(line[k]), b = picture.at(line[k + 1]);
      if (!a || !b) continue;
      const double d = distanceToSegment(mouse, *a, *b);
      if (d >= distance) continue;
      distance = d;
      nearest = axis;
    }
  }
  return nearest;
}

GizmoDrag::GizmoDrag(const GizmoPlace& place, GizmoTool tool, int axis, const Pose& X_WP,
                     const Vector3d& grasped_W)
    : place_(place),
      tool_(axis < 0 ? GizmoTool::move : tool),
      axis_(axis),
      start_(X_WP),
      grasped_(grasped_W) {}

void GizmoDrag::lock(int axis) {
  if (tool_ == GizmoTool::move) axis_ = axis_ == axis ? -1 : axis;
}

/// The parameter on the axis through the grasped point that is closest to the ray [m].
double GizmoDrag::alongAxis(const xr::Ray& ray) const {
  const Vector3d a = axisOf(place_, axis_), r = ray.origin - grasped_;
  const double cosine = a.dot(ray.direction), sine2 = std::max(1 - cosine * cosine, kSteepest * kSteepest);
  return (a.dot(r) - cosine * ray.direction.dot(r)) / sine2;
}

/// Where the ray meets the plane through the grasped point; a plane seen edge-on counts as a little inclined.
Vector3d GizmoDrag::inPlane(const xr::Ray& ray, const Vector3d& normal) const {
  double across = normal.dot(ray.direction);
  if (std::abs(across) < kSteepest) across = std::copysign(kSteepest, across);
  return ray.origin + std::max(0.0, normal.dot(grasped_ - ray.origin) / across) * ray.direction;
}

/// The angle of the mouse about the axis [rad].
double GizmoDrag::angle(const xr::Ray& ray) const {
  const Vector3d normal = axisOf(place_, axis_);
  double across = normal.dot(ray.direction);
  if (std::abs(across) < kSteepest) across = std::copysign(kSteepest, across);
  const Vector3d p = ray.origin + normal.dot(place_.p_W - ray.origin) / across * ray.direction - place_.p_W;
  return std::atan2(p.dot(axisOf(place_, (axis_ + 2) % 3)), p.dot(axisOf(place_, (axis_ + 1) % 3)));
}

Pose GizmoDrag::poseAt(const GizmoPicture& picture, const Vector2d& mouse, bool steps) {
  if (!from_) from_ = mouse;
  const xr::Ray ray = picture.ray(mouse), before = picture.ray(*from_);
  Pose X = start_;
  if (tool_ == GizmoTool::turn) {
    turned_ = rounded(std::remainder(angle(ray) - angle(before), 2 * std::numbers::pi),
                      steps ? kTurnStep : kFineTurn);
    const physics::Quaterniond turn(Eigen::AngleAxisd(turned_, axisOf(place_, axis_)));
    X.q = (turn * start_.q).normalized();
    X.p = place_.p_W + turn * (start_.p - place_.p_W);
    return X;
  }
  const double step = steps ? kStep : kFineStep;
  moved_.setZero();
  if (axis_ >= 0) {
    moved_[axis_] = rounded(alongAxis(ray) - alongAxis(before), step);
  } else {
    const Vector3d up = Vector3d::UnitZ(), look = picture.view.X_WC.q * Vector3d::UnitZ();
    const Vector3d normal = std::abs(ray.direction.z()) > 2 * kSteepest ? up : look;
    const Vector3d move = place_.q.conjugate() * (inPlane(ray, normal) - inPlane(before, normal));
    for (int k = 0; k < 3; ++k) moved_[k] = rounded(move[k], step);
  }
  X.p = start_.p + place_.q * moved_;
  return X;
}

}  // namespace tenon::runtime
