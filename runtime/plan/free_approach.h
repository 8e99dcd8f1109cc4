// Free paths of the parts of a step through what is present, before and during its insertion.
#pragma once

#include <string>
#include <vector>

#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Where all parts are between two steps, and how carried parts pass them. Poses are those of the grasped
/// part ("lead") of a step; the others of the step keep their places relative to it.
class FreeApproach {
 public:
  /// Borrows both. Parts that the plan lays out are there, those of the base are in their places. Legs of
  /// steps start at the places of their parts.
  FreeApproach(const AssemblyPlan& plan, PartDistance& distance);

  const physics::Pose& poseOf(int part) const { return X_WP_[static_cast<std::size_t>(part)]; }
  /// Upwards, unit: against gravity.
  const physics::Vector3d& up() const { return up_; }
  /// Height along up() above everything [m].
  double carryHeight() const { return carryHeight_; }

  /// The place of the part: that in the assembled state, or where its group is built.
  const physics::Pose& placeOf(int part) const { return places_[static_cast<std::size_t>(part)]; }
  /// The places of these units are moved from the assembled state by this displacement [m].
  void setPlaces(const std::vector<int>& units, const physics::Vector3d& displacement);

  /// The unit is at the end of these legs, from its place on.
  void move(int unit, const std::vector<PathLeg>& legs);
  /// One more leg of some units.
  void move(const PathLeg& leg);
  /// The unit is assembled.
  void place(int unit);

  /// The pose at which the part clears all others however it is rotated, above or below `pose`.
  physics::Pose atCarryHeight(const PlanStep& step, const physics::Pose& pose) const;
  /// True if the step's parts meet no other part where it is now, on a straight path of the lead from X_WL.
  bool isClear(const PlanStep& step, const physics::Pose& X_WL, const physics::Vector3d& displacement);
  /// A part that is not yet assembled and that the step's parts meet on the last straight `travel` and the
  /// legs after it; −1: none.
  int waitingOnTheWay(const PlanStep& step, double travel);
  /// Poses from above the assembly to the start of the insertion, which is the last; empty: no free path was
  /// found. `mouth`: the end of its straight motion.
  std::vector<physics::Pose> approachOf(const PlanStep& step, const physics::Pose& mouth);
  /// The start of the insertion without regard to other parts.
  static physics::Pose nearestEntry(const PlanStep& step, const physics::Pose& mouth);

  /// True if the step's screw is in its thread where it is now.
  bool isInThread(const PlanStep& step, const physics::Pose& mouth) const;

  /// The travel from `mouth`, up to `farthest` [m], beyond which the step's parts stay clear of all others by
  /// some millimeters; never within a thread.
  double nearTravel(const PlanStep& step, const physics::Pose& mouth, double farthest);

  /// True if a part of unit `a`, which begins to move along the leg, meets one of unit `b` soon: it pushes
  /// it.
  bool pushes(int a, int b, const PathLeg& leg);
  /// Removes `pusher` and what it pushes, directly or through others, from `units`.
  void dropPushed(int pusher, const PathLeg& leg, std::vector<int>& units);
  /// That of `units` which pushes most of `others`.
  int bestPusher(const PathLeg& leg, const std::vector<int>& units, const std::vector<int>& others);

 private:
  double reachOf(const PlanStep& step) const;
  const std::vector<int>& partsOf(int unit) const;

  const Assembly& assembly_;
  const content::Scene& scene_;
  PartDistance& distance_;
  physics::Vector3d up_ = physics::Vector3d::UnitZ();
  double carryHeight_ = 0;
  std::vector<physics::Pose> X_WP_, places_;  ///< by part
  std::vector<char> isPlaced_;                ///< by unit
};

}  // namespace tenon::runtime
