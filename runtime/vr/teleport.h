// Going somewhere without walking: a stick pushed ahead throws an arc to the floor, letting go brings the
// person there, in the dark between two looks.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "xr/hands/controller.h"

namespace tenon::runtime {

/// A thrown arc from a hand to the floor, in the room.
struct TeleportArc {
  std::vector<physics::Vector3d> points;     ///< along it, evenly in time
  std::optional<physics::Vector3d> landing;  ///< on the floor; none: it does not come down within reach
};

/// As a ball would fly that the hand throws at 6 m/s where it points; the floor is at this height [m].
TeleportArc teleportArc(const physics::Vector3d& p_S, const physics::Vector3d& direction, double floor);

class Teleport {
 public:
  static constexpr double kPushed = 0.7, kBack = 0.4;  ///< a stick counts from here until it is below
  static constexpr double kFade = 0.12;                ///< into the dark, and out of it again [s]
  static constexpr double kReach = 4;                  ///< [m]

  struct Step {
    std::optional<TeleportArc> arc;             ///< to be drawn
    std::optional<physics::Vector3d> arriveAt;  ///< now, in the dark
    double dark = 0;                            ///< 0…1
  };

  /// `allowTeleport`: false while a hand, this or the other one, is closed, as what it holds would be torn
  /// along: the stick does not aim then, and who is on the way into the dark goes nowhere.
  Step update(const xr::Controller& hand, bool allowTeleport, double floor, double seconds);
  bool isUnderWay() const { return aiming_ || goal_.has_value() || dark_ > 0; }

 private:
  bool aiming_ = false;
  std::optional<physics::Vector3d> landing_;  ///< of the last arc
  std::optional<physics::Vector3d> goal_;     ///< on the way into the dark
  double dark_ = 0;
};

}  // namespace tenon::runtime
