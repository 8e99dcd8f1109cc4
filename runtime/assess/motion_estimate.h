// An MTM-1 estimate of manual work: the basic motions of what the hands did with the parts, with their
// published normal times (motion_times.h).
//
// Nothing of it comes from the times of the session. The class of a fit depends on the push, which may grow
// with the speed of an insertion. Rules: operations.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/handling.h"
#include "runtime/assess/motion_times.h"

namespace tenon::runtime {

/// A basic motion of one hand.
struct BasicMotion {
  /// In the notation of MTM-1, distances in cm, angles in degrees: "R20B", "G1A", "M12C", "P2SE", "T90S",
  /// "RL1".
  std::string code;
  std::string text;     ///< what is done: "reach to screw", "position screw in plate/hole"
  double distance = 0;  ///< of a reach or a move [m]
  double angle = 0;     ///< of a turn [rad]
  int count = 1;        ///< so often in a row: turns of a screw between regrasps
  double tmu = 0;       ///< of all of them
  int forPart = -1;     ///< the part that the work counts for: of a driver's, the screw
};

struct HandlingMotions {
  int hand = -1, part = -1;
  std::vector<BasicMotion> motions;
  /// Another hand holds the part as well and has at least as much to do with it: the time counts for the hand
  /// alone.
  bool isSimultaneous = false;

  double tmu() const;
  double tmuFor(int part) const;
};

struct MotionEstimate {
  std::vector<HandlingMotions> handlings;  ///< in the order of the grasps

  /// One handling after the other [TMU]; at least ofHand() of each hand.
  double sequence() const;
  /// Those of a part, and of drivers on it [TMU].
  double sequenceFor(int part) const;
  /// Those of one hand [TMU].
  double ofHand(int hand) const;
  /// All handlings for a part, by hand: "R20B 10.0 + G1A 2.0 + …".
  std::string formulaFor(int part) const;
};

/// Light and heavy pressure along the hole [N], and the diametral clearance below which a fit is close [m]:
/// MTM-1 distinguishes them in words alone.
inline constexpr double kLightPressure = 10, kHeavyPressure = 50, kCloseClearance = 0.1e-3;

/// Fit class of a goal from its thread, its clearance and the peak push [N].
FitClass fitClassOf(const content::Scene& scene, const content::Goal& goal, double push);
/// Symmetry of a goal's part about the axis of its hole.
Symmetry symmetryOf(const content::Scene& scene, const content::Goal& goal);

MotionEstimate estimateMotions(const content::Scene& scene, std::span<const Handling> handlings);

}  // namespace tenon::runtime
