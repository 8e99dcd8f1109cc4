// A contact is felt and heard with the same amplitude.
#include "runtime/vr/vr_feedback.h"

namespace tenon::runtime {

void VrFeedback::reset() {
  contactHaptics_ = {};
  goalChime_ = {};
}

void VrFeedback::update(const xr::XrHands& hands, const SimulationFrame& frame, const LiveTrace& trace,
                        bool soundOn, const std::function<void(std::size_t side, double amplitude)>& pulse) {
  for (const std::size_t side : {xr::XrHands::kLeft, xr::XrHands::kRight}) {
    if (hands.handOf(side) < 0) continue;
    const auto hand = static_cast<std::size_t>(hands.handOf(side));
    const auto amplitude = contactHaptics_.updateHaptics(hand, frame.record.tick, trace.episodes);
    if (!amplitude) continue;
    pulse(side, *amplitude);
    ++pulses_;
    if (soundOn) speaker_.play(xr::Sound::contact, *amplitude);
  }
  if (goalChime_.shouldChime(frame.goals) && soundOn) speaker_.play(xr::Sound::goal, 0.5);
}

}  // namespace tenon::runtime
