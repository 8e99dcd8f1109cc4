// The ballistic arc and the fade.
#include "runtime/vr/teleport.h"

#include <algorithm>
#include <cmath>

#include "runtime/vr/wrist_menu.h"

namespace tenon::runtime {

using physics::Vector3d;

TeleportArc teleportArc(const Vector3d& p_S, const Vector3d& direction, double floor) {
  constexpr double kSpeed = 6, kGravity = 9.81, kTimeStep = 0.02;
  constexpr int kMaxPoints = 150;
  const Vector3d v = kSpeed * direction.normalized();
  const auto at = [&](double t) {
    return Vector3d(p_S + t * v - 0.5 * kGravity * t * t * Vector3d::UnitY());
  };
  TeleportArc arc;
  // Intersection with the floor while descending; none if the arc stays below the floor.
  const double high = p_S.y() - floor, root = v.y() * v.y() + 2 * kGravity * high;
  const double end = root < 0 || (high < 0 && v.y() < 0) ? 0 : (v.y() + std::sqrt(root)) / kGravity;
  for (int k = 0; k < kMaxPoints && k * kTimeStep < end; ++k) arc.points.push_back(at(k * kTimeStep));
  if (!(end > 0)) return arc;
  Vector3d landing = at(end);
  landing.y() = floor;
  if (std::hypot(landing.x() - p_S.x(), landing.z() - p_S.z()) <= Teleport::kMaxRange) arc.landing = landing;
  return arc;
}

Teleport::Step Teleport::update(const xr::Controller& hand, bool allowTeleport, double floor,
                                double seconds) {
  Step step;
  if (!allowTeleport) goal_.reset();
  const bool wasAiming = aiming_;
  const double ahead = hand.thumbstickY;
  const bool pushed =
      ahead >= (wasAiming ? kReleaseThreshold : kPressThreshold) && std::abs(hand.thumbstickX) <= ahead;
  aiming_ = hand.tracked && allowTeleport && !goal_ && pushed;
  if (aiming_) {
    const PointingRay ray = rayOf(hand);
    step.arc = teleportArc(ray.tip, ray.direction, floor);
    landing_ = step.arc->landing;
  } else if (wasAiming && hand.tracked && allowTeleport && landing_) {
    goal_ = landing_;  // stick released
  }
  if (goal_) {
    fade_ = std::min(1.0, fade_ + seconds / kFadeTime);
    if (fade_ >= 1) {
      step.arriveAt = goal_;
      goal_.reset();
    }
  } else {
    fade_ = std::max(0.0, fade_ - seconds / kFadeTime);
  }
  step.fade = step.arriveAt ? 1 : fade_;
  return step;
}

}  // namespace tenon::runtime
