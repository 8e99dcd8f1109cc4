// See control_hints.h.
#include "runtime/vr/control_hints.h"

#include "xr/hands/xr_hands.h"

namespace tenon::runtime {

namespace {

using xr::ControlNames;
using xr::HandAction;

/// "press Trackpad" where the stick counts only while it is pressed.
std::string stickText(const ControlNames& hand) {
  return hand.of(HandAction::stickPress).empty() ? hand.of(HandAction::stick)
                                                 : "press " + hand.of(HandAction::stick);
}

bool isBareHand(const ControlNames& hand) {
  for (const xr::InteractionProfile& profile : xr::interactionProfiles())
    if (hand.profile == profile.path) return profile.origin == xr::HandOrigin::bareHand;
  return hand.profile.empty();
}

/// Adds hints for the inputs of one hand.
class Hints {
 public:
  void add(const char* effect, const std::string& input, const std::string& how = "") {
    if (!input.empty()) all.push_back({effect, input + how});
  }

  std::vector<ControlHint> all;
};

}  // namespace

std::string deviceText(const std::array<ControlNames, 2>& controls) {
  for (const std::size_t side : {xr::XrHands::kRight, xr::XrHands::kLeft})
    if (!controls[side].device.empty()) return controls[side].device;
  return "No controller";
}

std::vector<ControlHint> controlHints(const std::array<ControlNames, 2>& controls, const Comfort& comfort) {
  const std::size_t menuHand = comfort.leftHanded ? xr::XrHands::kRight : xr::XrHands::kLeft;
  const ControlNames &menu = controls[menuHand], &pointing = controls[1 - menuHand];
  const std::string palm = comfort.leftHanded ? "show the right palm" : "show the left palm";
  Hints hints;
  if (isBareHand(pointing)) {
    hints.add("Grasp and hold", "pinch or fist");
    hints.add("Menu", palm);
    hints.add("Press a button", "touch it with the index finger");
    return hints.all;
  }
  hints.add("Grasp and hold", pointing.of(HandAction::squeeze));
  hints.add("Precise motion while holding", pointing.of(HandAction::trigger));
  const bool turns = comfort.turning.smooth || comfort.turning.step > 0;
  if (turns) hints.add("Turn", stickText(pointing), " left or right");
  hints.add("Teleport", stickText(pointing), " forward, then release");
  hints.add("Table height", stickText(menu), " forward or back, other hand");
  hints.add("Menu", menu.of(HandAction::menu), ", or " + palm);
  if (menu.of(HandAction::menu).empty()) hints.add("Menu", palm);
  const std::string& select = pointing.of(HandAction::select);
  hints.add("Press a button", select.empty() ? pointing.of(HandAction::trigger) : select, ", or touch it");
  return hints.all;
}

}  // namespace tenon::runtime
