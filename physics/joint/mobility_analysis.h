// Degrees of freedom and conflicts of the joints of a world at its start. Check them before the first step:
// joints that lock a mechanism otherwise show only as huge forces.
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
  int degreesOfFreedom = 0;     ///< independent motions of these bodies under the joints, ignoring limits
  int redundant = 0;            ///< redundant equations
};

/// Joints that cannot all be satisfied, or only without the motion they should allow.
struct JointConflict {
  /// Why they cannot be kept.
  enum class Kind {
    binding,  ///< one is nearly redundant: the motion along which it differs from the others is locked
    apart,    ///< redundant, but satisfied at different positions
    driven,   ///< redundant, but driven apart by bodies that forces do not move
  };
  Kind kind = Kind::binding;    ///< of the conflict
  std::vector<JointId> joints;  ///< the joints involved, in their order
  /// Difference of one equation from the combination of the others that implies it. `apart`: [m], or [rad]
  /// unless `isLength`; `driven`: that per second; `binding`: that per radian of rotation of the bodies, or
  /// per meter of travel where they do not rotate.
  double by = 0;
  bool isLength = false;  ///< `by` is a length, not an angle
  bool turning = false;   ///< of `binding`: per radian
};

/// Degrees of freedom of each mechanism, and a conflict between joints.
struct MobilityAnalysis {
  std::vector<Mechanism> mechanisms;      ///< each joint is in one
  std::optional<JointConflict> conflict;  ///< the first one found
};

/// A body as input of the analysis.
struct JointedBody {
  Pose X_WC;                      ///< of the center of mass
  bool moves = false;             ///< forces move it
  double gyration = 1;            ///< radius of gyration > 0, relates rotation to travel [m]
  Vector6d u = Vector6d::Zero();  ///< velocity where forces do not move it [m/s, rad/s]
};

/// An equation is nearly dependent where its remainder after elimination of the others is below 1e-5 of its
/// length, in a measure without masses: loads would be amplified by 1e5. Where the remainder is rounding it
/// is redundant and harmless, if it is also consistent. So a mechanism within some 1e-5 rad of a dead center
/// counts as binding, and exactly there as redundant. O((6n)³) for n bodies.
MobilityAnalysis analyzeMobility(std::span<const PlacedJoint> joints, std::span<const JointedBody> bodies);

}  // namespace tenon::physics
