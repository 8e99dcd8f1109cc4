// Thumbstick input to turning, teleporting and table height.
#include "runtime/vr/locomotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// 0 inside the dead zone, linear to ±1 outside.
double withoutDeadZone(double stick) {
  const double beyond = (std::abs(stick) - Locomotion::kDeadZone) / (1 - Locomotion::kDeadZone);
  return std::copysign(std::clamp(beyond, 0.0, 1.0), stick);
}

}  // namespace

std::optional<TurnMode> parseTurnMode(const std::string& text) {
  if (text == "smooth") return TurnMode{0, true};
  if (text == "off") return TurnMode{0, false};
  double step = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, step);
  if (error != std::errc() || at != end || !(step >= 0 && step <= 180)) return std::nullopt;
  return TurnMode{step, false};
}

std::string toText(const TurnMode& turning) {
  return turning.smooth ? "smooth" : turning.step > 0 ? fmt::format("{:g}", turning.step) : "off";
}

Locomotion::Step Locomotion::update(const std::array<Hand, 2>& hands, const Comfort& comfort, double floor,
                                    double seconds) {
  Step step;
  if (comfort.turning.step != snapStep_) {
    snapStep_ = comfort.turning.step;
    snap_ = SnapTurn(snapStep_ * kDegree);
  }
  const bool anyBusy = hands[0].busy || hands[1].busy;
  std::array<xr::Controller, 2> sticks{hands[0].controller, hands[1].controller};
  // The larger component of a stick decides between turning and its forward function.
  for (xr::Controller& stick : sticks)
    if (!stick.tracked || std::abs(stick.thumbstickY) > std::abs(stick.thumbstickX)) stick.thumbstickX = 0;
  const double snapped = snap_.update(sticks, {anyBusy, anyBusy});
  double speed = 0;
  if (comfort.turning.smooth && !anyBusy) {
    speed = std::clamp(withoutDeadZone(sticks[0].thumbstickX) + withoutDeadZone(sticks[1].thumbstickX), -1.0,
                       1.0);
    step.turn = speed * kTurnRate * kDegree * seconds;
  } else if (!comfort.turning.smooth) {
    step.turn = snapped;
  }
  const std::size_t menu = comfort.leftHanded ? 1 : 0;
  // Only while no hand is closed, because held parts would be moved along.
  const Hand &raises = hands[menu], &throws = hands[1 - menu];
  if (!anyBusy && raises.controller.tracked &&
      std::abs(raises.controller.thumbstickY) > std::abs(raises.controller.thumbstickX)) {
    const double displacement = withoutDeadZone(raises.controller.thumbstickY);
    step.raise = displacement * kRaiseRate * seconds;
    speed = std::max(std::abs(speed), 0.5 * std::abs(displacement));
  }
  const Teleport::Step teleport = teleport_.update(throws.controller, !anyBusy, floor, seconds);
  step.arc = teleport.arc;
  step.arriveAt = teleport.arriveAt;
  step.fade = teleport.fade;
  const double targetVignette = comfort.vignette ? std::abs(speed) : 0;
  vignette_ += (targetVignette - vignette_) * (1 - std::exp(-seconds / kEase));
  if (targetVignette == 0 && vignette_ < 0.01) vignette_ = 0;
  step.vignette = vignette_;
  return step;
}

}  // namespace tenon::runtime
