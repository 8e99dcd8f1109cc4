// Random tree of poses that slides along contacts: paths that turn and move at once.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "runtime/plan/leg_travel.h"
#include "runtime/plan/part_distance.h"
#include "runtime/plan/removal_order.h"

namespace tenon::runtime {

/// One unit, the parts in its way, and the directions in which it may finally leave.
struct ContactTreeScope {
  int unit = -1;
  std::vector<int> resting;
  std::vector<RemovalMotion> directions;
};

/// A rapidly-exploring random tree (S. M. LaValle, Rapidly-exploring random trees, 1998) over the poses of
/// one unit. It starts in the assembled state, in contact: each extension is projected onto the motions that
/// the contacts permit and goes as far as the exact distances allow, and a pose from which a straight motion
/// is free ends the search. The path is then shortened. Same input, same path: the random numbers are those
/// of a fixed seed.
class ContactTree {
 public:
  /// Borrows all.
  ContactTree(const Assembly& assembly, PartDistance& distance, LegTravel& travel,
              const ContactTreeScope& scope);

  /// Ends after this many random targets.
  std::optional<Removal> run(int targets, const std::function<void(int)>& progress);

 private:
  struct Node {
    physics::Pose X;  ///< displacement from the assembled state, world
    int parent = -1;
  };

  int nearest(const physics::Pose& target) const;
  physics::Pose target();
  double number();             ///< random, in [−1, 1)
  physics::Vector3d vector();  ///< of three such
  double apart(const physics::Pose& a, const physics::Pose& b) const;
  physics::Vector3d centerOf(const physics::Pose& X) const { return X * center_; }
  PathLeg legBetween(const physics::Pose& a, const physics::Pose& b) const;
  PathLeg permitted(const physics::Pose& X, const PathLeg& wanted);
  double freeShare(const physics::Pose& X, const PathLeg& leg);
  bool overlapsAlong(const physics::Pose& X, const PathLeg& leg);
  /// Extends towards the target while it gets nearer; the removal if a new pose is free.
  std::optional<Removal> grow(int from, const physics::Pose& target);
  std::optional<Removal> exitFrom(int node);
  double exitTravel(const physics::Pose& X, const physics::Vector3d& d) const;
  std::vector<PathLeg> shortened(std::vector<physics::Pose> poses);
  physics::Pose placed(const physics::Pose& X, int part) const;
  const std::vector<int>& parts() const;

  const Assembly& assembly_;
  PartDistance& distance_;
  LegTravel& travel_;
  const ContactTreeScope& scope_;
  std::vector<Node> nodes_;
  std::mt19937 generator_;
  Eigen::AlignedBox3d extent_;  ///< of all finite parts, and the unit's size around them
  physics::Vector3d center_ = physics::Vector3d::Zero();  ///< of the unit in the assembled state, world [m]
  double radius_ = 0;                                     ///< of the unit about its center [m]
};

}  // namespace tenon::runtime
