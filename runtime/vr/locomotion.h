// Locomotion with two thumbsticks: turning, teleporting, table height; and the vignette during smooth motion,
// which reduces motion sickness.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/vr/room.h"
#include "runtime/vr/snap_turn.h"
#include "runtime/vr/teleport.h"

namespace tenon::runtime {

/// Turning by a stick pushed left or right.
struct TurnMode {
  double step = 30;     ///< snap turn angle [°]; 0: off
  bool smooth = false;  ///< continuous turning instead of snap turns

  bool operator==(const TurnMode&) const = default;
};

/// Parses "smooth", "off" or an angle from 0° to 180°; otherwise std::nullopt.
std::optional<TurnMode> parseTurnMode(const std::string& text);
std::string toText(const TurnMode& turning);

/// Comfort settings.
struct Comfort {
  TurnMode turning;
  bool vignette = true;     ///< darken the rim of the view during smooth motion
  bool leftHanded = false;  ///< menu on the right hand; the left hand points and teleports
};

class Locomotion {
 public:
  static constexpr double kTurnRate = 90;    ///< of smooth turning with the stick fully pushed [°/s]
  static constexpr double kRaiseRate = 0.2;  ///< of the table [m/s]
  static constexpr double kDeadZone = 0.25;  ///< of continuous stick input
  static constexpr double kEase = 0.15;      ///< time constant of the vignette [s]

  /// Input of one hand.
  struct Hand {
    xr::Controller controller;
    bool busy = false;  ///< closed, or pointing at the menu: its stick is ignored
  };
  struct Step {
    double turn = 0;   ///< to the right [rad]
    double raise = 0;  ///< of the table [m]
    std::optional<TeleportArc> arc;
    std::optional<physics::Vector3d> arriveAt;
    double vignette = 0, fade = 0;  ///< darkness of the rim and of the whole view, 0…1
  };

  /// `floor`: height of the teleport target in the room [m].
  Step update(const std::array<Hand, 2>& hands, const Comfort& comfort, double floor, double seconds);

 private:
  SnapTurn snap_{0};
  double snapStep_ = 0;
  Teleport teleport_;
  double vignette_ = 0;
};

}  // namespace tenon::runtime
