// Playback position and event navigation.
#include "runtime/replay/playback.h"

#include <algorithm>
#include <map>
#include <utility>

#include "content/input/wording.h"
#include "runtime/report/event_text.h"

namespace tenon::runtime {

namespace {

constexpr double kTimeTolerance = 1e-6;  ///< for comparing event times with the current time [s]

std::string partName(const content::Scene& scene, int part) {
  if (part < 0 || part >= static_cast<int>(scene.parts.size())) return "?";
  return scene.part(part).name;
}

}  // namespace

std::vector<ShownEvent> shownEvents(const std::vector<SessionEvent>& events, const content::Scene& scene) {
  constexpr std::size_t kMaxEventBytes = 300;
  std::vector<ShownEvent> shown;
  shown.reserve(events.size());
  for (const SessionEvent& event : events)
    shown.push_back({event.time, event.kind, content::oneLine(describeEvent(event, scene), kMaxEventBytes),
                     event.kind.starts_with("contact-")});
  return shown;
}

std::vector<ShownHold> shownHolds(const std::vector<SessionEvent>& events, const content::Scene& scene,
                                  double length) {
  std::vector<ShownHold> holds;
  std::map<int, ShownHold> open;  // by hand
  const auto close = [&](int hand, double time) {
    const auto at = open.find(hand);
    if (at == open.end()) return;
    at->second.to = time;
    holds.push_back(at->second);
    open.erase(at);
  };
  for (const SessionEvent& event : events) {
    const bool isGrasp = event.kind == "grab";
    if (isGrasp || event.kind == "release" || event.kind == "lost") close(event.hand, event.time);
    if (isGrasp) open[event.hand] = {event.hand, event.time, length, partName(scene, event.body)};
  }
  for (const auto& [hand, hold] : open) holds.push_back(hold);
  return holds;
}

Playback::Playback(double length, std::vector<ShownEvent> events)
    : length_(length), events_(std::move(events)) {}

void Playback::goTo(double time) {
  time_ = std::clamp(time, 0.0, length_);
}

void Playback::play(bool on) {
  if (on && time_ >= length_) time_ = 0;
  playing_ = on;
}

void Playback::changeSpeed(int direction) {
  const auto at =
      std::find_if(kSpeeds.begin(), kSpeeds.end(), [&](double one) { return one >= speed_ - 1e-9; });
  const auto next = std::clamp<std::ptrdiff_t>(at - kSpeeds.begin() + direction, 0, kSpeeds.size() - 1);
  speed_ = kSpeeds[static_cast<std::size_t>(next)];
}

void Playback::advance(double seconds) {
  if (!playing_) return;
  goTo(time_ + speed_ * seconds);
  if (time_ >= length_) playing_ = false;
}

void Playback::jumpToEvent(int direction) {
  playing_ = false;
  if (direction > 0) {
    const auto next = std::find_if(events_.begin(), events_.end(), [&](const ShownEvent& event) {
      return isShown(event) && event.time > time_ + kTimeTolerance;
    });
    return goTo(next == events_.end() ? length_ : next->time);
  }
  const auto before = std::find_if(events_.rbegin(), events_.rend(), [&](const ShownEvent& event) {
    return isShown(event) && event.time < time_ - kTimeTolerance;
  });
  goTo(before == events_.rend() ? 0 : before->time);
}

std::int64_t Playback::currentEvent() const {
  for (std::size_t k = events_.size(); k-- > 0;)
    if (isShown(events_[k]) && events_[k].time <= time_ + kTimeTolerance) return static_cast<std::int64_t>(k);
  return -1;
}

}  // namespace tenon::runtime
