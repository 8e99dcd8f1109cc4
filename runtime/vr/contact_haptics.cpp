// Amplitudes from contact forces on the held part.
#include "runtime/vr/contact_haptics.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

/// Sum of the magnitudes of all contact forces on a part [N].
double contactForceOn(int part, const physics::StepResult& tick) {
  double all = 0;
  for (const physics::ContactForce& contact : tick.contacts)
    if (contact.contact.i.value == part || contact.contact.j.value == part)
      all += std::hypot(contact.force, contact.friction.norm());
  return all;
}

/// Clicks of the drivers that are this part, since time 0.
int clicksOf(int part, const physics::StepResult& tick) {
  int clicks = 0;
  for (const physics::DriverState& driver : tick.drivers)
    if (driver.body.value == part) clicks += driver.clicks;
  return clicks;
}

/// Largest peak force on a part of the short contacts in `ended` that began after `since` [N]. Longer
/// contacts were reported while they lasted.
double peakOfShortContacts(int part, double since, std::span<const ContactEpisode> ended) {
  double peak = 0;
  for (const ContactEpisode& episode : ended)
    if ((episode.i == part || episode.j == part) && episode.start > since &&
        episode.end - episode.start < ContactHaptics::kMinInterval)
      peak = std::max(peak, episode.peakForce);
  return peak;
}

}  // namespace

ContactHaptics::HapticAmplitude ContactHaptics::updateHaptics(std::size_t index,
                                                              const physics::StepResult& tick,
                                                              std::span<const ContactEpisode> ended) {
  if (index >= hands_.size()) hands_.resize(index + 1);
  Hand& hand = hands_[index];
  const int part = tick.hands[index].body.value;
  const double force = part < 0 ? 0 : contactForceOn(part, tick);
  const int clicks = part < 0 ? 0 : clicksOf(part, tick);
  if (part != hand.part) {
    hand = {part, clicks, force, tick.time};
    return std::nullopt;
  }
  if (clicks != hand.clicks) {
    const bool clicked = clicks > hand.clicks;
    hand.clicks = clicks;
    if (clicked) return 1;
  }
  if (force < kMinForce) hand.reportedForce = 0;
  const double peak = std::max(force, part < 0 ? 0 : peakOfShortContacts(part, hand.since, ended));
  if (peak < std::max(kMinForce, 2 * hand.reportedForce) || tick.time - hand.since < kMinInterval)
    return std::nullopt;
  hand.reportedForce = force < kMinForce ? 0 : force;
  hand.since = tick.time;
  const double share = std::log(peak / kMinForce) / std::log(kMaxForce / kMinForce);
  return kMinAmplitude + (1 - kMinAmplitude) * std::clamp(share, 0.0, 1.0);
}

}  // namespace tenon::runtime
