// See xr_hands.h.
#include "xr/hands/xr_hands.h"

namespace tenon::xr {

XrHands::XrHands(const content::Scene& scene) : samples_(scene.hands.size()) {
  for (std::size_t k = 0; k < scene.hands.size(); ++k) {
    if (scene.hands[k].name == "left") hands_[kLeft] = static_cast<int>(k);
    if (scene.hands[k].name == "right") hands_[kRight] = static_cast<int>(k);
  }
}

void XrHands::update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS) {
  for (std::size_t side = 0; side < hands_.size(); ++side) {
    if (hands_[side] < 0) continue;
    const Controller& controller = controllers[side];
    HandSample& sample = samples_[static_cast<std::size_t>(hands_[side])];
    sample.tracked = controller.tracked;
    if (!controller.tracked) continue;
    sample.X_WH = X_WS * controller.X_SH;
    sample.closed = controller.squeeze >= (sample.closed ? kOpen : kClose);
  }
}

}  // namespace tenon::xr
