// How a person gets about with two sticks: turning, going somewhere, the table up and down; and how the view
// darkens meanwhile, which keeps people from getting sick.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/vr/room.h"
#include "runtime/vr/snap_turn.h"
#include "runtime/vr/teleport.h"

namespace tenon::runtime {

/// What a stick that is pushed aside does.
struct TurnMode {
  double step = 30;     ///< by so much at once [°]; 0: nothing
  bool smooth = false;  ///< as long as it is pushed, in place of steps

  bool operator==(const TurnMode&) const = default;
};

/// "30", "45", "smooth", "off". Nothing for a text that is none of these, nor an angle from 0° to 180°.
std::optional<TurnMode> parseTurnMode(const std::string& text);
std::string toText(const TurnMode& turning);

/// What the person has chosen.
struct Comfort {
  TurnMode turning;
  bool vignette = true;     ///< dark at the rim while the person is moved evenly
  bool leftHanded = false;  ///< the menu is on the right hand, the left one points and throws the arc
};

class Locomotion {
 public:
  static constexpr double kTurnRate = 90;    ///< smoothly, with the stick all aside [°/s]
  static constexpr double kRaiseRate = 0.2;  ///< of the table [m/s]
  static constexpr double kDeadZone = 0.25;  ///< of sticks that work evenly
  static constexpr double kEase = 0.15;      ///< of the darkness at the rim [s]

  /// A hand as this needs it.
  struct Hand {
    xr::Controller controller;
    bool busy = false;  ///< it is closed, or points at the menu: sticks move nobody
  };
  struct Step {
    double turn = 0;   ///< to the right [rad]
    double raise = 0;  ///< of the table [m]
    std::optional<TeleportArc> arc;
    std::optional<physics::Vector3d> arriveAt;
    double rim = 0, dark = 0;  ///< of the veil
  };

  /// `floor`: the height in the room at which arcs come down [m].
  Step update(const std::array<Hand, 2>& hands, const Comfort& comfort, double floor, double seconds);

 private:
  SnapTurn snap_{0};
  double snapStep_ = 0;
  Teleport teleport_;
  double rim_ = 0;
};

}  // namespace tenon::runtime
