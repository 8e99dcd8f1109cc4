// Detects events and contact episodes step by step, for the tables event and contact_episode.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/assess/session_event.h"
#include "runtime/record/step_record.h"

namespace tenon::runtime {

class SessionEvents {
 public:
  using EventSink = std::function<void(const SessionEvent&)>;
  using EpisodeSink = std::function<void(const ContactEpisode&)>;

  SessionEvents(EventSink event, EpisodeSink episode)
      : event_(std::move(event)), episode_(std::move(episode)) {}

  /// Adds tick `tick` of the session with its marks.
  void add(std::int64_t tick, const StepRecord& record);
  /// Adds a mark set after tick `tick`.
  void add(std::int64_t tick, double time, const SessionMark& mark);
  /// Ends all open episodes.
  void finish();

 private:
  void addHands(SessionEvent& event, const StepRecord& record);
  void addDrivers(SessionEvent& event, const StepRecord& record);
  void addGoals(SessionEvent& event, const StepRecord& record);
  void addContacts(SessionEvent& event, const StepRecord& record);
  /// Ends episodes whose pause is long enough, or `all`.
  void endOldEpisodes(SessionEvent& event, bool all = false);

  EventSink event_;
  EpisodeSink episode_;
  std::vector<int> held_;                      ///< by hand; −1: nothing
  std::vector<physics::DriverState> drivers_;  ///< after the last tick
  std::vector<Verdict> verdicts_;
  bool converged_ = true;
  std::map<std::pair<int, int>, ContactEpisode> open_;
  std::map<std::pair<int, int>, double> force_;  ///< of this tick [N]
};

}  // namespace tenon::runtime
