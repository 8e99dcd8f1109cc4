// Playback state of a recorded session: time, speed, events.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// An event with its display text.
struct ShownEvent {
  double time = 0;  ///< session time [s]
  std::string kind;
  std::string text;        ///< such as "right grasps screw"
  bool isContact = false;  ///< start or end of a contact
};

/// The interval in which a hand holds a part.
struct ShownHold {
  int hand = -1;
  double from = 0, to = 0;  ///< [s]
  std::string part;
};

/// Display forms of a session's events, with names from its scene; "?" for unknown hands, parts and goals. A
/// grasp without a release ends at `length` [s].
std::vector<ShownEvent> shownEvents(const std::vector<SessionEvent>& events, const content::Scene& scene);
std::vector<ShownHold> shownHolds(const std::vector<SessionEvent>& events, const content::Scene& scene,
                                  double length);

class Playback {
 public:
  static constexpr std::array kSpeeds{0.1, 0.2, 0.5, 1.0, 2.0, 4.0};

  Playback(double length, std::vector<ShownEvent> events);

  double time() const { return time_; }      ///< [s]
  double length() const { return length_; }  ///< [s]
  bool isPlaying() const { return playing_; }
  double speed() const { return speed_; }
  /// All events, with those of contacts.
  const std::vector<ShownEvent>& events() const { return events_; }
  bool showsContacts() const { return showsContacts_; }
  void setShowContacts(bool on) { showsContacts_ = on; }

  void goTo(double time);  ///< clamped to the session
  void play(bool on);      ///< at the end: restarts
  /// Next higher (1) or lower (−1) speed.
  void changeSpeed(int direction);
  void setSpeed(double speed) { speed_ = speed; }
  /// Advances by `seconds` of real time [s]. Stops at the end.
  void advance(double seconds);

  /// Pauses and jumps to the next (1) or previous (−1) event, or to the end or start.
  void jumpToEvent(int direction);
  /// Index of the last shown event up to the current time; −1: none.
  std::int64_t currentEvent() const;

 private:
  bool isShown(const ShownEvent& event) const { return showsContacts_ || !event.isContact; }

  double length_, time_ = 0, speed_ = 1;
  bool playing_ = false, showsContacts_ = false;
  std::vector<ShownEvent> events_;
};

}  // namespace tenon::runtime
