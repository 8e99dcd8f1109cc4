// Geometry of the wrist menu.
#include "runtime/vr/wrist_menu.h"

#include <cmath>

#include "xr/hands/xr_hands.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

Pose facing(const Vector3d& center, const Vector3d& head) {
  const Vector3d z = (head - center).normalized();
  // Directly above the panel any x axis is valid.
  const Vector3d horizontal = Vector3d::UnitY().cross(z);
  const Vector3d x =
      horizontal.norm() > 1e-3 ? Vector3d(horizontal.normalized()) : Vector3d(Vector3d::UnitX());
  Eigen::Matrix3d R;
  R << x, z.cross(x), z;
  return {Quaterniond(R).normalized(), center};
}

PointingRay rayOf(const xr::Controller& hand) {
  constexpr double kFingerLength = 0.07;  // from grip to fingertip [m]
  const Vector3d direction = hand.X_SH.q * hand.aimDirection.value_or(-Vector3d::UnitZ());
  return {hand.X_SH.p + kFingerLength * direction, direction};
}

std::optional<PanelRect> Wrist::update(const xr::Controller& hand, std::size_t side, bool closed,
                                       const Pose& X_SHead) {
  if (hand.menu && !pressed_) pinned_ = !pinned_;
  pressed_ = hand.menu;
  if (!hand.tracked) return std::nullopt;
  // OpenXR grip pose: +x points out of the left palm and out of the back of the right hand.
  const Vector3d gripNormal(side == xr::XrHands::kLeft ? 1 : -1, 0, 0);
  const Vector3d normal = hand.X_SH.q * hand.palmNormal.value_or(gripNormal);
  const double cosine = normal.dot((X_SHead.p - hand.X_SH.p).normalized());
  facingHead_ = cosine >= (facingHead_ ? kHideCosine : kShowCosine);
  if (!pinned_ && (!facingHead_ || closed)) return std::nullopt;
  const Vector3d center = hand.X_SH.p + 0.04 * normal + (0.06 + 0.5 * kHeight) * Vector3d::UnitY();
  return PanelRect{facing(center, X_SHead.p), kWidth, kHeight};
}

PanelTouch PanelInteractor::update(const xr::Controller& hand, bool closed,
                                   const std::optional<PanelRect>& panel) {
  PanelTouch out;
  if (hand.tracked)
    triggerPulled_ = !closed && hand.trigger >= (triggerPulled_ ? xr::XrHands::kOpenThreshold
                                                                : xr::XrHands::kCloseThreshold);
  if (!panel || !hand.tracked) {
    // A press that begins without a panel must not act on the next one; an untracked hand has no state.
    if (hand.tracked) pressing_ = triggerPulled_ || hand.select;
    touching_ = beganOnPanel_ = false;
    lastTipZ_.reset();
    return out;
  }
  const PointingRay ray = rayOf(hand);
  const Pose X_PS = panel->X_SP.inverse();
  const Vector3d tip = X_PS * ray.tip, direction = X_PS.q * ray.direction;
  const double length = direction.z() < -0.05 ? -tip.z() / direction.z() : -1;
  const auto point = [&](const Vector3d& p) {
    const double u = 0.5 + p.x() / panel->width, v = 0.5 - p.y() / panel->height;
    if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return;
    out.position.emplace(u, v);
    out.hit = panel->X_SP * Vector3d(p.x(), p.y(), 0);
  };
  if (tip.z() < kTouchDistance && tip.z() > kMaxBehind) point(tip);
  out.near = out.position.has_value();
  if (!out.near && tip.z() > 0 && length > 0 && length <= kRayLength) point(tip + length * direction);
  // Only from the front: a fingertip coming from behind does not press.
  touching_ = out.near && tip.z() < (touching_ ? kReleaseDistance : kPressDistance) &&
              (touching_ || (lastTipZ_ && *lastTipZ_ >= kPressDistance));
  lastTipZ_ = tip.z();
  const bool presses = touching_ || hand.select || (!out.near && triggerPulled_);
  if (presses && !pressing_) beganOnPanel_ = out.position.has_value();
  pressing_ = presses;
  out.pressed = presses && beganOnPanel_ && out.position;
  return out;
}

}  // namespace tenon::runtime
