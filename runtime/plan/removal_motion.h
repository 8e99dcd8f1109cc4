// Motions that may take a part out of an assembly: straight ones and those of a screw.
#pragma once

#include <string>
#include <vector>

#include "runtime/plan/assembly.h"
#include "runtime/plan/part_distance.h"

namespace tenon::runtime {

/// A straight motion, or a screw motion that goes on straight after the thread.
struct RemovalMotion {
  physics::Vector3d direction = physics::Vector3d::UnitZ();  ///< of the removal, unit, world
  std::string reason;                                        ///< the feature it comes from: "hole h of plate"
  double pitch = 0;   ///< travel per turn about `direction` by the right-hand rule [m]; 0: no rotation
  double thread = 0;  ///< travel with rotation [m]
  int unit = -1;      ///< the only unit that may use it; −1: all
};

/// The pose of a part that has moved by `travel` [m] along `motion` from X_WP.
physics::Pose poseAlong(const RemovalMotion& motion, const physics::Pose& X_WP, double travel);

/// A part of a path with corners: the units move together by a displacement, while they rotate about a point
/// that moves along.
struct PathLeg {
  std::vector<int> units;                                      ///< ascending
  physics::Vector3d displacement = physics::Vector3d::Zero();  ///< [m], world
  physics::Vector3d rotation = physics::Vector3d::Zero();      ///< rotation vector [rad], world
  physics::Vector3d center = physics::Vector3d::Zero();        ///< of the rotation, before the leg [m], world
};

/// The pose of a part of the units after this share of the leg, from X_WP before it.
physics::Pose poseAlong(const PathLeg& leg, const physics::Pose& X_WP, double share);

/// The leg backwards.
PathLeg reversedLeg(const PathLeg& leg);

/// The leg of those of its units that are not in `units`.
PathLeg legOfOthers(const PathLeg& leg, const std::vector<int>& units);

/// Those of the legs that move `unit`.
std::vector<PathLeg> legsOf(const std::vector<PathLeg>& legs, int unit);

/// The pose of a part of `unit` after all those legs that move it.
physics::Pose poseAfter(const std::vector<PathLeg>& legs, int unit, const physics::Pose& X_WP);

/// All motions of an assembly, without repetition.
struct MotionSet {
  std::vector<RemovalMotion> motions;
  std::vector<std::vector<int>> ofUnit;           ///< by unit: the motions to try, most likely first
  std::vector<std::vector<std::string>> reasons;  ///< by unit: the features that they come from
  std::vector<int> opposite;                      ///< by motion: the reverse one; −1: not in the set
};

/// From the axes of the holes and features of each unit and of its neighbors, the normals of its contacts in
/// the assembled state, the edges between two such faces, and gravity; each in both directions. A unit held
/// by a thread has only the motion of its screw.
MotionSet removalMotions(const Assembly& assembly, PartDistance& distance);

}  // namespace tenon::runtime
