// What a hand feels of what it holds: a short shake when that touches something.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "physics/world.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// One for each session; looks at the newest step of each frame.
class ContactHaptics {
 public:
  /// A shake [0…1].
  using HapticAmplitude = std::optional<double>;

  /// What the scene's hand feels between the last call for it and now: something where the part that it holds
  /// has begun to press against another one, or presses twice as hard as when it was felt last, the stronger
  /// the harder, by the logarithm of the force from kMinForce to kMaxForce; not more often than every
  /// kMinInterval of simulated time, and not for what it touched when it was taken: a part lies on something.
  /// A knock that began and ended between two looks is felt by its peak, once it is among `ended`: what came
  /// to an end since the last call. What lasted for kMinInterval is no knock: its end is not felt.
  HapticAmplitude updateHaptics(std::size_t hand, const physics::StepResult& tick,
                                std::span<const ContactEpisode> ended = {});

  static constexpr double kMinForce = 0.05, kMaxForce = 50;  ///< [N]
  static constexpr double kMinAmplitude = 0.15;              ///< of the shakes that are felt at all
  static constexpr double kMinInterval = 0.08;               ///< [s]

 private:
  struct Hand {
    int part = -1;
    double felt = 0;    ///< the force that the next shake has to pass by far [N]
    double since = -1;  ///< when it shook last [s]
  };
  std::vector<Hand> hands_;
};

}  // namespace tenon::runtime
