// What one hand did with a part, from the way to it to its release: path lengths, turns, stays in holes.
// Without times of motions, which in a script are not those of a person.
#pragma once

#include <optional>
#include <vector>

namespace tenon::runtime {

/// A stay of a held part in the entry region of a goal, at the place of a goal with a pose, or of a held
/// driver in a screw.
struct Stay {
  int goal = -1;               ///< −1: of a driver
  int screw = -1;              ///< the part that a driver turns, else −1
  double begin = 0;            ///< [s]
  double from = 0, until = 0;  ///< path of the hand since the grasp at its begin and end [m]
  double rotation = 0;     ///< of the hand to its begin, from the grasp or the end of the stay before [rad]
  bool fromStart = false;  ///< it was there when it was grasped
  bool isLeft = false;     ///< it left before it was released
  bool isInside = false;   ///< its tip was below the mouth, or it was at its place
  double forward = 0, backward = 0;  ///< turned about the axis of the hole or the screw [rad]
  double earlierPush = 0;            ///< peak along the hole before it [N]
  double push = 0;                   ///< peak along the hole in it, until it was seated [N]
  bool isSeated = false;             ///< at its end
  bool isTightened = false;          ///< a goal with a preload or a torque was reached in it
};

/// All that one hand did with a part.
struct Handling {
  int hand = -1, part = -1;
  double begin = 0;           ///< of the grasp [s]
  std::optional<double> end;  ///< of the release [s]
  double reach = 0;           ///< path of the hand to the grasp [m]
  double path = 0;            ///< of the hand from the grasp to the release [m]
  double rotation = 0;        ///< of the hand from the grasp or the end of the last stay to the release [rad]
  int hands = 1;              ///< the most that held the part at once, fixtures left out
  int heldBefore = -1;  ///< index of a handling by another hand that held the part when this one grasped it
  double together = 0;  ///< path of this hand until that other one released the part [m]
  std::vector<Stay> stays;  ///< in the order of their begins
};

}  // namespace tenon::runtime
