// See touch_feel.h.
#include "runtime/vr/contact_haptics.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

/// The sum of what presses on a part, as amounts [N].
double pressureOn(int part, const physics::StepResult& tick) {
  double all = 0;
  for (const physics::ContactForce& contact : tick.contacts)
    if (contact.contact.i.value == part || contact.contact.j.value == part)
      all += std::hypot(contact.force, contact.friction.norm());
  return all;
}

/// The hardest that short contacts of `ended` did to a part after a moment [N]. Longer ones were felt while
/// they lasted.
double knockOn(int part, double since, std::span<const ContactEpisode> ended) {
  double hardest = 0;
  for (const ContactEpisode& episode : ended)
    if ((episode.i == part || episode.j == part) && episode.start > since &&
        episode.end - episode.start < ContactHaptics::kMinInterval)
      hardest = std::max(hardest, episode.peakForce);
  return hardest;
}

}  // namespace

ContactHaptics::HapticAmplitude ContactHaptics::updateHaptics(std::size_t index,
                                                              const physics::StepResult& tick,
                                                              std::span<const ContactEpisode> ended) {
  if (index >= hands_.size()) hands_.resize(index + 1);
  Hand& hand = hands_[index];
  const int part = tick.hands[index].body.value;
  const double force = part < 0 ? 0 : pressureOn(part, tick);
  if (part != hand.part) {
    hand = {part, force, tick.time};
    return std::nullopt;
  }
  if (force < kMinForce) hand.felt = 0;
  const double hardest = std::max(force, part < 0 ? 0 : knockOn(part, hand.since, ended));
  if (hardest < std::max(kMinForce, 2 * hand.felt) || tick.time - hand.since < kMinInterval)
    return std::nullopt;
  hand.felt = force < kMinForce ? 0 : force;
  hand.since = tick.time;
  const double share = std::log(hardest / kMinForce) / std::log(kMaxForce / kMinForce);
  return kMinAmplitude + (1 - kMinAmplitude) * std::clamp(share, 0.0, 1.0);
}

}  // namespace tenon::runtime
