// See xr_hands.h.
#include "xr/hands/xr_hands.h"

namespace tenon::xr {

XrHands::XrHands(const content::Scene& scene) : samples_(scene.hands.size()) {
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    if (scene.hands[k].name == "left") hands_[kLeft] = static_cast<int>(k);
    if (scene.hands[k].name == "right") hands_[kRight] = static_cast<int>(k);
  }
}

physics::Pose XrHands::Way::handFor(const physics::Pose& X_SH) const {
  const physics::Vector3d turned = physics::logarithm(X_SH.q * controller.q.conjugate());
  return {(physics::exponential(scale * turned) * hand.q).normalized(),
          hand.p + scale * (X_SH.p - controller.p)};
}

void XrHands::update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS) {
  for (std::size_t side = 0; side < hands_.size(); ++side) {
    if (hands_[side] < 0) continue;
    const Controller& controller = controllers[side];
    HandSample& sample = samples_[static_cast<std::size_t>(hands_[side])];
    sample.tracked = controller.tracked;
    if (!controller.tracked) continue;
    sample.closed = controller.squeeze >= (sample.closed ? kOpen : kClose);
    Way& way = ways_[side];
    if (!sample.closed) way = {controller.X_SH, controller.X_SH, 1};
    const physics::Pose X_SH = way.handFor(controller.X_SH);
    const double scale = sample.closed && controller.trigger >= (way.scale < 1 ? kOpen : kClose) ? kFine : 1;
    // From moment to moment, for a turn by more than half a one has two shorter ways.
    if (scale != way.scale || scale < 1) way = {controller.X_SH, X_SH, scale};
    sample.X_WH = X_WS * X_SH;
  }
}

}  // namespace tenon::xr
