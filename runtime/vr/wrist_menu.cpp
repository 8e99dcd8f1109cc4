// See wrist.h.
#include "runtime/vr/wrist_menu.h"

#include <cmath>

#include "xr/hands/xr_hands.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

namespace {

/// Faces the head, upright as the room is.
Pose facing(const Vector3d& middle, const Vector3d& head) {
  const Vector3d z = (head - middle).normalized();
  // Seen from right above, the edge that is away from the person is its upper one: there is none; any will
  // do.
  const Vector3d aside = Vector3d::UnitY().cross(z);
  const Vector3d x = aside.norm() > 1e-3 ? Vector3d(aside.normalized()) : Vector3d(Vector3d::UnitX());
  Eigen::Matrix3d R;
  R << x, z.cross(x), z;
  return {Quaterniond(R).normalized(), middle};
}

}  // namespace

PointingRay rayOf(const xr::Controller& hand) {
  constexpr double kFinger = 0.07;  // before the grip [m]
  const Vector3d direction = hand.X_SH.q * hand.pointing.value_or(-Vector3d::UnitZ());
  return {hand.X_SH.p + kFinger * direction, direction};
}

std::optional<PanelRect> Wrist::update(const xr::Controller& hand, std::size_t side, bool closed,
                                       const Pose& X_SHead) {
  if (hand.menu && !pressed_) pinned_ = !pinned_;
  pressed_ = hand.menu;
  if (!hand.tracked) return std::nullopt;
  // OpenXR's grip: x leaves the left palm, and the back of the right hand.
  const Vector3d normal = hand.X_SH.q * Vector3d(side == xr::XrHands::kLeft ? 1 : -1, 0, 0);
  const double cosine = normal.dot((X_SHead.p - hand.X_SH.p).normalized());
  turned_ = cosine >= (turned_ ? kAway : kTurned);
  if (!pinned_ && (!turned_ || closed)) return std::nullopt;
  const Vector3d middle = hand.X_SH.p + 0.04 * normal + (0.06 + 0.5 * kHeight) * Vector3d::UnitY();
  return PanelRect{facing(middle, X_SHead.p), kWidth, kHeight};
}

PanelTouch PanelInteractor::update(const xr::Controller& hand, bool closed,
                                   const std::optional<PanelRect>& sheet) {
  PanelTouch out;
  if (hand.tracked)
    pulled_ =
        !closed && hand.trigger >= (pulled_ ? xr::XrHands::kOpenThreshold : xr::XrHands::kCloseThreshold);
  if (!sheet || !hand.tracked) {
    // What is pressed meanwhile has not begun on the sheet that comes; of a hand out of sight nothing is
    // known.
    if (hand.tracked) pressing_ = pulled_ || hand.select;
    through_ = begun_ = false;
    before_.reset();
    return out;
  }
  const PointingRay ray = rayOf(hand);
  const Pose X_PS = sheet->X_SP.inverse();
  const Vector3d tip = X_PS * ray.tip, direction = X_PS.q * ray.direction;
  const double length = direction.z() < -0.05 ? -tip.z() / direction.z() : -1;
  const auto point = [&](const Vector3d& p) {
    const double u = 0.5 + p.x() / sheet->width, v = 0.5 - p.y() / sheet->height;
    if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return;
    out.at.emplace(u, v);
    out.hit = sheet->X_SP * Vector3d(p.x(), p.y(), 0);
  };
  if (tip.z() < kNear && tip.z() > kBehind) point(tip);
  out.near = out.at.has_value();
  if (!out.near && tip.z() > 0 && length > 0 && length <= kFar) point(tip + length * direction);
  // From the front: who comes from behind the sheet presses nothing.
  through_ =
      out.near && tip.z() < (through_ ? kOff : kThrough) && (through_ || (before_ && *before_ >= kThrough));
  before_ = tip.z();
  const bool presses = through_ || hand.select || (!out.near && pulled_);
  if (presses && !pressing_) begun_ = out.at.has_value();
  pressing_ = presses;
  out.pressed = presses && begun_ && out.at;
  return out;
}

}  // namespace tenon::runtime
