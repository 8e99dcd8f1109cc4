// Compares each tick with the previous state: see session_events.h.
#include "runtime/record/session_events.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::runtime {

namespace {

/// "6 mm key", "13 mm wrench socket" of a driver; "6 mm socket", "13 mm hexagon" of a screw: a driver fits
/// the one of the other kind.
std::string sizeText(const physics::HexagonSize& size, bool isDriver) {
  const char* const name =
      isDriver ? (size.isInternal ? "wrench socket" : "key") : (size.isInternal ? "socket" : "hexagon");
  return fmt::format("{:g} mm {}", 1000 * size.width, name);
}

}  // namespace

void SessionEvents::add(std::int64_t tick, const StepRecord& record) {
  SessionEvent event;
  event.tick = tick;
  event.time = record.tick.time;
  for (const SessionMark& mark : record.marks) add(tick, event.time, mark);
  if (record.isDiscontinuous()) endOldEpisodes(event, true);
  addHands(event, record);
  addDrivers(event, record);
  addContacts(event, record);
  addGoals(event, record);
  const bool converged = record.tick.report.converged;
  if (converged != converged_) {
    event.kind = converged ? "converged" : "not-converged";
    event.text = converged ? "" : "forces of these steps mean nothing; lower the time step";
    event_(event);
  }
  converged_ = converged;
}

void SessionEvents::add(std::int64_t tick, double time, const SessionMark& mark) {
  SessionEvent event;
  event.tick = tick;
  event.time = time;
  event.kind = mark.kind;
  event.text = mark.text;
  event_(event);
}

void SessionEvents::addHands(SessionEvent& event, const StepRecord& record) {
  for (const physics::Command& command : record.commands) {
    const auto* place = std::get_if<physics::SetPose>(&command);
    if (place == nullptr && !std::holds_alternative<physics::Reset>(command)) continue;
    event.kind = place != nullptr ? "place" : "reset";
    event.body = place != nullptr ? place->body.value : -1;
    event_(event);
  }
  held_.resize(record.tick.hands.size(), -1);
  for (std::size_t h = 0; h < held_.size(); ++h) {
    const physics::HandState& hand = record.tick.hands[h];
    const int holds = hand.body.valid() ? hand.body.value : -1;
    event.hand = static_cast<int>(h);
    if (held_[h] >= 0 && held_[h] != holds) {
      event.kind = hand.lost ? "lost" : "release";
      event.body = held_[h];
      event_(event);
    }
    if (holds >= 0 && held_[h] != holds) {
      event.kind = "grab";
      event.body = holds;
      event_(event);
    }
    held_[h] = holds;
  }
  event.hand = event.body = -1;
}

void SessionEvents::addDrivers(SessionEvent& event, const StepRecord& record) {
  drivers_.resize(record.tick.drivers.size());
  const auto add = [&](const char* kind, physics::BodyId driver, physics::BodyId screw, std::string text) {
    event.kind = kind;
    event.body = driver.value;
    event.other = screw.value;
    event.text = std::move(text);
    event_(event);
  };
  for (std::size_t d = 0; d < drivers_.size(); ++d) {
    const physics::DriverState &last = drivers_[d], &now = record.tick.drivers[d];
    if (last.screw != now.screw) {
      if (last.screw.valid()) add("driver-off", now.body, last.screw, "");
      if (now.screw.valid()) add("driver-on", now.body, now.screw, sizeText(now.size, true));
    }
    if (now.misfit.valid() && now.misfit != last.misfit)
      add("driver-misfit", now.body, now.misfit, sizeText(now.size, true) + ", " + sizeText(now.head, false));
    if (now.clicks > last.clicks)
      add("click", now.body, now.screw, fmt::format("{:.2f} N m", std::abs(now.torque)));
    drivers_[d] = now;
  }
  event.body = event.other = -1;
  event.text.clear();
}

void SessionEvents::addGoals(SessionEvent& event, const StepRecord& record) {
  verdicts_.resize(record.goals.size(), Verdict::pending);
  for (std::size_t g = 0; g < verdicts_.size(); ++g) {
    const Verdict verdict = record.goals[g].verdict;
    if (verdict == verdicts_[g]) continue;
    const bool stopped = verdict == Verdict::jammed || verdict == Verdict::blocked;
    event.kind = isReached(verdict) ? "seated" : stopped ? "jam" : "verdict";
    event.goal = static_cast<int>(g);
    event.text = toText(verdict);
    event_(event);
    verdicts_[g] = verdict;
  }
  event.goal = -1;
  event.text.clear();
}

void SessionEvents::addContacts(SessionEvent& event, const StepRecord& record) {
  force_.clear();
  for (const physics::ContactForce& c : record.tick.contacts) {
    if (c.force > 0) force_[{c.contact.i.value, c.contact.j.value}] += c.force;
  }
  for (const auto& [pair, force] : force_) {
    const auto [at, isNew] = open_.try_emplace(pair);
    ContactEpisode& episode = at->second;
    if (isNew) {
      episode.i = pair.first;
      episode.j = pair.second;
      episode.firstTick = episode.peakTick = event.tick;
      episode.start = event.time;
      event.kind = "contact-begin";
      event.body = pair.first;
      event.other = pair.second;
      event_(event);
    }
    episode.lastTick = event.tick;
    episode.end = event.time;
    ++episode.loadedTicks;
    if (!record.tick.report.converged) continue;
    ++episode.convergedTicks;
    episode.forceSum += force;
    if (force <= episode.peakForce) continue;
    episode.peakForce = force;
    episode.peakTick = event.tick;
  }
  endOldEpisodes(event);
}

void SessionEvents::endOldEpisodes(SessionEvent& event, bool all) {
  for (auto at = open_.begin(); at != open_.end();) {
    const ContactEpisode& episode = at->second;
    // When time goes back, earlier episodes have ended.
    if (!all && event.time >= episode.end && event.time - episode.end < kEpisodePause) {
      ++at;
      continue;
    }
    event.kind = "contact-end";
    event.body = episode.i;
    event.other = episode.j;
    event_(event);
    episode_(episode);
    at = open_.erase(at);
  }
  event.body = event.other = -1;
}

void SessionEvents::finish() {
  for (const auto& [pair, episode] : open_) episode_(episode);
  open_.clear();
}

}  // namespace tenon::runtime
