// What happened in a session, found in its ticks one by one: for the tables event and contact_episode.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/record/tick_record.h"

namespace tenon::runtime {

struct SessionEvent {
  std::int64_t tick = 0;
  double time = 0;                                  ///< [s]
  std::string kind;                                 ///< as format.md lists them
  int hand = -1, body = -1, other = -1, goal = -1;  ///< −1: none
  std::string text;                                 ///< more about it, or ""
};

/// Two bodies pressing on each other. Pauses shorter than kEpisodePause are part of it.
struct ContactEpisode {
  int i = -1, j = -1;
  std::int64_t firstTick = 0, lastTick = 0;  ///< with a force
  double start = 0, end = 0;                 ///< times of these [s]
  std::int64_t loadedTicks = 0;              ///< ticks with a force
  double peakForce = 0;  ///< of the sum over the pair's contacts, in the ticks that converged [N]
  std::int64_t peakTick = 0;
  double forceSum = 0;  ///< over the loaded ticks that converged [N]
  std::int64_t settledTicks = 0;

  double meanForce() const { return settledTicks > 0 ? forceSum / static_cast<double>(settledTicks) : 0; }
};

inline constexpr double kEpisodePause = 0.01;  ///< [s]

class SessionEvents {
 public:
  using EventSink = std::function<void(const SessionEvent&)>;
  using EpisodeSink = std::function<void(const ContactEpisode&)>;

  SessionEvents(EventSink event, EpisodeSink episode)
      : event_(std::move(event)), episode_(std::move(episode)) {}

  /// Takes in tick number `tick` of the session, with its marks.
  void add(std::int64_t tick, const TickRecord& record);
  /// A mark set after tick number `tick`.
  void add(std::int64_t tick, double time, const SessionMark& mark);
  /// Ends all episodes that are under way.
  void finish();

 private:
  void addHands(SessionEvent& event, const TickRecord& record);
  void addGoals(SessionEvent& event, const TickRecord& record);
  void addContacts(SessionEvent& event, const TickRecord& record);
  /// Of those without a pause that is long enough too, where `all`.
  void endOldEpisodes(SessionEvent& event, bool all = false);

  EventSink event_;
  EpisodeSink episode_;
  std::vector<int> held_;  ///< by hand; −1: nothing
  std::vector<Verdict> verdicts_;
  bool converged_ = true;
  std::map<std::pair<int, int>, ContactEpisode> open_;
  std::map<std::pair<int, int>, double> force_;  ///< of this tick [N]
};

}  // namespace tenon::runtime
