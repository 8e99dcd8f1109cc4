// See mouse_hands.h.
#include "xr/hands/mouse_hands.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::xr {

namespace {

using physics::Pose;
using physics::Vector3d;

constexpr double kFineScale = 0.1;  ///< of motions with MouseState::fine [-]
constexpr double kNotch = 0.02;     ///< one notch, relative to the distance from the camera [-]
/// The distance of a perspective camera that shows as much, over the height of an orthographic view [-].
constexpr double kOrthographicStep = 1.92;
constexpr double kTurn = 2 * std::numbers::pi;        ///< across the height of the image [rad]
constexpr double kTurnNotch = std::numbers::pi / 36;  ///< 5° [rad]

/// Distance of a point from the camera's plane, at least that of the near plane [m].
double depthOf(const View& view, const Vector3d& p_W) {
  return std::max(view.nearPlane, -(view.X_WC.inverse() * p_W).z());
}

/// The point at (x, y) of the image at `depth` [m], in the camera's frame.
Vector3d atDepth(const View& view, double x, double y, double depth) {
  const double spread = view.spreadAt(depth);
  return {spread * (view.left + x * (view.right - view.left)), spread * (view.up + y * (view.down - view.up)),
          -depth};
}

}  // namespace

content::Scene withTwoHands(content::Scene scene) {
  for (const char* name : {"right", "left"}) {
    const bool exists = std::any_of(scene.hands.begin(), scene.hands.end(),
                                    [&](const content::Hand& hand) { return hand.name == name; });
    if (!exists) scene.hands.push_back({.name = name, .parameters = {}, .X_WH = {}, .script = {}});
  }
  return scene;
}

MouseHands::MouseHands(const content::Scene& scene) {
  for (const content::Part& part : scene.parts)
    dynamic_.push_back(part.motion == physics::MotionType::dynamic);
  for (const content::Hand& hand : scene.hands) {
    samples_.emplace_back();
    samples_.back().tracked = true;
    samples_.back().X_WH = hand.X_WH;
  }
}

void MouseHands::setActive(int hand) {
  if (hand < 0 || hand >= static_cast<int>(samples_.size()) || hand == active_) return;
  active_ = hand;
  awaitsRelease_ = last_.pull;
}

void MouseHands::open(HandSample& hand) {
  hand.closed = false;
  hand.wantedPart = -1;
  hand.X_WH_closed.reset();
}

void MouseHands::release(int hand) {
  open(samples_[static_cast<std::size_t>(hand)]);
  if (hand == active_) awaitsRelease_ = last_.pull;
}

void MouseHands::releaseAll() {
  for (int hand = 0; hand < static_cast<int>(samples_.size()); ++hand) release(hand);
}

void MouseHands::close(const View& /*view*/, const PartHit& hit) {
  HandSample& hand = samples_[static_cast<std::size_t>(active_)];
  hand.X_WH = Pose::at(hit.p_W);
  hand.X_WH_closed = hand.X_WH;
  hand.wantedPart = hit.part;
  hand.closed = true;
}

void MouseHands::turn(const View& view, const MouseState& mouse, const MouseState& last, HandSample& hand) {
  const double scale = mouse.fine ? kFineScale : 1;
  const double aspect = (view.right - view.left) / (view.up - view.down);
  // The side facing the user follows the mouse.
  const Vector3d turn_C(scale * kTurn * (mouse.y - last.y), scale * kTurn * aspect * (mouse.x - last.x),
                        -scale * kTurnNotch * mouse.wheel);
  hand.X_WH.q = (physics::exponential(view.X_WC.q * turn_C) * hand.X_WH.q).normalized();
}

void MouseHands::carry(const View& view, const MouseState& mouse, HandSample& hand) {
  if (mouse.turn) return turn(view, mouse, last_, hand);
  const double scale = mouse.fine ? kFineScale : 1;
  const double depth = depthOf(view, hand.X_WH.p);
  const Vector3d shift_C =
      scale * (atDepth(view, mouse.x, mouse.y, depth) - atDepth(view, last_.x, last_.y, depth));
  hand.X_WH.p += view.X_WC.q * shift_C;
  if (view.isOrthographic()) {
    hand.X_WH.p -= scale * kNotch * kOrthographicStep * mouse.wheel * (view.up - view.down) *
                   (view.X_WC.q * Vector3d::UnitZ());
    return;
  }
  const Vector3d away = hand.X_WH.p - view.X_WC.p;
  const double factor = std::exp(scale * kNotch * mouse.wheel);  // exponential: opposite notches cancel
  if (factor * depthOf(view, hand.X_WH.p) > view.nearPlane) hand.X_WH.p = view.X_WC.p + factor * away;
}

void MouseHands::update(const View& view, const MouseState& mouse, const std::optional<PartHit>& under) {
  if (!mouse.pull) awaitsRelease_ = false;
  if (samples_.empty() || awaitsRelease_) {
    last_ = mouse;
    return;
  }
  HandSample& hand = samples_[static_cast<std::size_t>(active_)];
  if (mouse.pull && !last_.pull && !hand.closed) {
    if (under && dynamic_[static_cast<std::size_t>(under->part)]) close(view, *under);
  } else if (hand.closed && mouse.pull) {
    carry(view, mouse, hand);
  } else if (hand.closed && last_.pull) {
    open(hand);
  }
  last_ = mouse;
}

}  // namespace tenon::xr
