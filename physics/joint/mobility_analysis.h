// What the joints of a world leave free at its start, and joints that cannot go together: to be looked at
// before the first step, for a world whose joints lock it says so only by huge forces.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "physics/joint/joint.h"

namespace tenon::physics {

/// Bodies that joints connect with each other.
struct Mechanism {
  std::vector<BodyId> bodies;   ///< those that forces move
  std::vector<JointId> joints;  ///< that connect them
  int degreesOfFreedom = 0;     ///< independent motions that the joints leave these bodies, ends not counted
  int redundant = 0;            ///< equations that others imply
};

/// Joints that cannot all be kept, or only by standing still where they are meant to move.
struct JointConflict {
  /// Why they cannot be kept.
  enum class Kind {
    binding,  ///< one holds nearly what the others hold: any motion along which they differ is locked
    apart,    ///< they hold the same, but not at the same place
    driven,   ///< they hold the same, and move apart with bodies that forces do not move
  };
  Kind kind = Kind::binding;    ///< why they cannot be kept
  std::vector<JointId> joints;  ///< that share in it, in their order
  /// By how much one equation differs from what the others make of it. `apart`: [m], or [rad] unless
  /// `isLength`; `driven`: that a second; `binding`: that for each radian that the bodies turn, or for each
  /// metre that they travel where they do not turn.
  double by = 0;
  bool isLength = false;  ///< `by` is a length, not an angle
  bool turning = false;   ///< of `binding`: for each radian
};

/// Degrees of freedom of each mechanism, and a conflict between joints.
struct MobilityAnalysis {
  std::vector<Mechanism> mechanisms;      ///< each joint is in one, but threads with an entry
  std::optional<JointConflict> conflict;  ///< the first one met
};

/// A body as joints see it.
struct JointedBody {
  Pose X_WC;                      ///< of its center of mass
  bool moves = false;             ///< by forces
  double gyration = 1;            ///< radius of gyration, by which turning and travel are compared [m] > 0
  Vector6d u = Vector6d::Zero();  ///< velocity where forces do not move it [m/s, rad/s]
};

/// Equations of which no more is left than 1e-5 of their length once others are taken away, in a measure
/// without masses, are too near to these: loads would be borne by 1e5 times their size. What is left of less
/// than rounding is redundant and does no harm, if it also asks for the same. So a mechanism within some 1e-5
/// rad of a dead centre counts as binding, and exactly there as redundant. O((6n)³) for n bodies.
MobilityAnalysis analyzeMobility(std::span<const PlacedJoint> joints, std::span<const JointedBody> bodies);

}  // namespace tenon::physics
