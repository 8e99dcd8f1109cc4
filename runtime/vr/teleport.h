// Teleporting: pushing a stick forward shows an arc to the floor, releasing it moves the user there behind a
// short fade.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "xr/hands/controller.h"

namespace tenon::runtime {

/// A ballistic arc from a hand to the floor, in the room.
struct TeleportArc {
  std::vector<physics::Vector3d> points;     ///< equidistant in time
  std::optional<physics::Vector3d> landing;  ///< on the floor; std::nullopt: out of range
};

/// The trajectory of a ball thrown at 6 m/s; `floor`: height of the floor [m].
TeleportArc teleportArc(const physics::Vector3d& p_S, const physics::Vector3d& direction, double floor);

class Teleport {
 public:
  static constexpr double kPressThreshold = 0.7, kReleaseThreshold = 0.4;  ///< hysteresis of the stick
  static constexpr double kFadeTime = 0.12;  ///< of fading out, and of fading in [s]
  static constexpr double kMaxRange = 4;     ///< [m]

  struct Step {
    std::optional<TeleportArc> arc;             ///< to draw
    std::optional<physics::Vector3d> arriveAt;  ///< move the user now
    double fade = 0;                            ///< 0…1
  };

  /// `allowTeleport`: false while a hand is closed, because held parts would be dragged along; cancels aiming
  /// and fading.
  Step update(const xr::Controller& hand, bool allowTeleport, double floor, double seconds);
  bool isUnderWay() const { return aiming_ || goal_.has_value() || fade_ > 0; }

 private:
  bool aiming_ = false;
  std::optional<physics::Vector3d> landing_;  ///< of the last arc
  std::optional<physics::Vector3d> goal_;     ///< target while fading out
  double fade_ = 0;
};

}  // namespace tenon::runtime
