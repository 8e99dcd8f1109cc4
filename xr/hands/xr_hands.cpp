// See xr_hands.h.
#include "xr/hands/xr_hands.h"

#include <algorithm>
#include <utility>

namespace tenon::xr {

XrHands::XrHands(const content::Scene& scene) : samples_(scene.hands.size()) {
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    if (scene.hands[k].name == "left") hands_[kLeft] = static_cast<int>(k);
    if (scene.hands[k].name == "right") hands_[kRight] = static_cast<int>(k);
  }
}

void XrHands::setScale(double scale) {
  scale_ = scale;
  for (HandSample& sample : samples_) sample.grabRadius = kDefaultGrabRadius / scale;
}

physics::Pose XrHands::MotionMapping::handFor(const physics::Pose& X_SH) const {
  const physics::Vector3d rotation = physics::logarithm(X_SH.q * controller.q.conjugate());
  return {(physics::exponential(scale * rotation) * hand.q).normalized(),
          hand.p + scale * (X_SH.p - controller.p)};
}

void XrHands::setMotionScale(double scale) {
  motionScale_ = std::clamp(scale, kMinMotionScale, 1.0);
}

bool XrHands::isClosed(const Controller& controller, const HandSample& sample, Side& side) {
  const bool isNewDevice = controller.origin != side.origin;
  side.origin = controller.origin;
  if (isNewDevice && sample.closed) side.staysClosed = true;
  const bool closes =
      controller.squeeze >= (sample.closed && !side.staysClosed ? kOpenThreshold : kCloseThreshold);
  if (!side.staysClosed) return closes;
  if (closes) side.staysClosed = false;
  return true;
}

bool XrHands::jumps(const physics::Pose& from, const physics::Pose& to) const {
  return (to.p - from.p).norm() > kMaxJump / scale_ || to.q.angularDistance(from.q) > kMaxJumpAngle;
}

void XrHands::update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS) {
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    if (hands_[k] < 0) continue;
    const Controller& controller = controllers[k];
    HandSample& sample = samples_[static_cast<std::size_t>(hands_[k])];
    Side& side = sides_[k];
    sample.tracked = controller.tracked;
    if (!controller.tracked) {
      side.lost = true;
      continue;
    }
    const bool isNewDevice = controller.origin != side.origin;
    const bool returns = std::exchange(side.lost, false) || isNewDevice;
    const bool held = sample.closed;
    sample.closed = isClosed(controller, sample, side);
    MotionMapping& mapping = side.mapping;
    if (!sample.closed) mapping = {controller.X_SH, controller.X_SH, 1};
    if (returns && held && sample.closed &&
        (isNewDevice || jumps(side.X_SH, mapping.handFor(controller.X_SH))))
      mapping = {controller.X_SH, side.X_SH, mapping.scale};
    const physics::Pose X_SH = mapping.handFor(controller.X_SH);
    const double scale =
        sample.closed && controller.trigger >= (mapping.scale < 1 ? kOpenThreshold : kCloseThreshold)
            ? motionScale_
            : 1;
    // Relative to the last update: a rotation by more than half a turn would be ambiguous.
    if (scale != mapping.scale || scale < 1) mapping = {controller.X_SH, X_SH, scale};
    side.X_SH = X_SH;
    sample.X_WH = X_WS * X_SH;
  }
}

}  // namespace tenon::xr
