// Where in a recorded session one is, how fast it goes on, and what happened when.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// An event as it is shown.
struct ShownEvent {
  double time = 0;  ///< of the session [s]
  std::string kind;
  std::string text;        ///< "right takes screw"
  bool isContact = false;  ///< a contact that begins or ends: there are many of them
};

/// A hand holding a part.
struct ShownHold {
  int hand = -1;
  double from = 0, to = 0;  ///< [s]
  std::string part;
};

/// Of a session's events, with names from its scene. Events of hands, parts and goals that are not there are
/// told as "?". What is held at the end is held until `length` [s].
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
  /// All of them, or those that are no touches.
  const std::vector<ShownEvent>& events() const { return events_; }
  bool showsContacts() const { return touches_; }
  void setShowContacts(bool on) { touches_ = on; }

  void goTo(double time);  ///< within the session
  void play(bool on);      ///< at the end: from the start again
  /// One speed further, up (1) or down (−1).
  void changeSpeed(int direction);
  void setSpeed(double speed) { speed_ = speed; }
  /// So much real time has passed [s]. At the end it stops.
  void pass(double seconds);

  /// The next event after (1) or before (−1) the present time; where there is none: the end, the start.
  /// Pauses.
  void jump(int direction);
  /// The last shown event up to the present time; −1: none.
  std::int64_t current() const;

 private:
  bool isShown(const ShownEvent& event) const { return touches_ || !event.isContact; }

  double length_, time_ = 0, speed_ = 1;
  bool playing_ = false, touches_ = false;
  std::vector<ShownEvent> events_;
};

}  // namespace tenon::runtime
