// Haptic pulses for contacts and clicks of held parts.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "physics/world.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// One per session; evaluates the newest step of each frame.
class ContactHaptics {
 public:
  /// Amplitude of a pulse in [0, 1], or std::nullopt for none.
  using HapticAmplitude = std::optional<double>;

  /// The pulse of a hand since its last call: one if the contact force on the held part has appeared, or has
  /// at least doubled since the last pulse. The amplitude grows with the logarithm of the force between
  /// kMinForce and kMaxForce. At most one pulse per kMinInterval of simulated time, and none for contacts
  /// that existed at the grasp. `ended`: contacts that ended since the last call; one shorter than
  /// kMinInterval counts with its peak force. A click of the held driver is a full pulse, at any time.
  HapticAmplitude updateHaptics(std::size_t hand, const physics::StepResult& tick,
                                std::span<const ContactEpisode> ended = {});

  static constexpr double kMinForce = 0.05, kMaxForce = 50;  ///< [N]
  static constexpr double kMinAmplitude = 0.15;              ///< of the weakest pulse
  static constexpr double kMinInterval = 0.08;               ///< [s]

 private:
  struct Hand {
    int part = -1;
    int clicks = 0;            ///< of drivers that are this part
    double reportedForce = 0;  ///< of the last pulse [N]
    double since = -1;         ///< time of the last pulse [s]
  };
  std::vector<Hand> hands_;
};

}  // namespace tenon::runtime
