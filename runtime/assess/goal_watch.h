// One goal of a scene, watched tick by tick: is the part in its hole?
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/entry_region.h"
#include "runtime/assess/jam_diagnosis.h"
#include "runtime/assess/other_holes.h"

namespace tenon::runtime {

enum class Verdict {
  inserted,  ///< at depth, aligned, within the time limit, and still so at the end
  tooDeep,   ///< deeper in the hole than the goal allows, or right through it
  jammed,    ///< in the hole with its full width, but stuck short of the depth while pushed
  blocked,   ///< pushed, but its full width never got past the lead-in
  pending,   ///< time ended before it was decided, or it was inserted too late
  released,  ///< let go before it was inserted
  tight,     ///< of a goal that asks for it: inserted, and its thread tightened with its torque
};

inline constexpr std::array kVerdicts{Verdict::inserted, Verdict::tooDeep,  Verdict::jammed, Verdict::blocked,
                                      Verdict::pending,  Verdict::released, Verdict::tight};

std::string_view toText(Verdict verdict);  ///< as in JSON and records: "too-deep"

/// True where the goal is reached.
constexpr bool isReached(Verdict verdict) {
  return verdict == Verdict::inserted || verdict == Verdict::tight;
}

struct GoalResult {
  int goal = -1;  ///< index into Scene::goals
  Verdict verdict = Verdict::pending;
  /// Of the feature's origin below the mouth plane, at the end, where it counts: see effectiveDepth() [m].
  /// What went through the hole keeps its own.
  double depth = 0;
  double time = 0;  ///< when it was first inserted, else the time of the last tick [s]
  double tilt = 0;  ///< between feature axis and hole axis, at the end [rad]
  /// Peak resistance of the hole's part along the hole's axis, while held or at the mouth, over the ticks
  /// that converged [N].
  double maxPush = 0;
  double push = 0;  ///< the resistance in the last tick [N]

  InsertionFit fit = {};
  Diagnosis now = {};  ///< of the last tick
  /// Of the last tick in which it was pushed and stood still, until it moves on.
  std::optional<Diagnosis> stop = {};
  TwoPointHistory twoPoint = {};

  /// True while nothing but its tilt keeps it short of its depth: upright it would be stopped there, and
  /// tilted as it is it could go no deeper than the depth's tolerance. A hand leans it.
  bool limitedByTilt = false;

  bool atHole() const { return now.atHole; }
  /// What a verdict is explained by: the standstill, else the end.
  const Diagnosis& diagnosis() const { return stop ? *stop : now; }
};

/// What makes a push a push, and a standstill a standstill. A hand of 2000 N/m that is asked to go
/// on builds up the force in 0.1 mm; rounding is far below.
inline constexpr double kPushForce = 0.2;            ///< [N]
inline constexpr double kStandstillTime = 0.1;       ///< [s]
inline constexpr double kStandstillProgress = 2e-5;  ///< less than this in kStandstillTime [m]

/// A part that leaves the tolerance of its depth within this time at its present speed is not in place: it
/// falls through [s].
inline constexpr double kMinDwellTime = 0.005;

/// Watches one goal. It is reached as long as the part is in the mouth's catch (EntryRegion), the feature's
/// origin at depth ± depthTolerance below the mouth and within the bore's radius of its axis, and the
/// feature's direction within tiltTolerance of the direction into the hole, unless it only passes by
/// (kMinDwellTime); it counts where this was first so within the time limit. A goal with a thread is reached,
/// with the verdict tight, while also that thread is tight. Deeper than that in the catch, or out of the hole
/// at its far end, is too deep, until the tip is above the mouth's plane again or comes back into the hole.
///
/// Otherwise, where the part is held, or its feature is at the mouth (within two mouth radii of the axis, one
/// above the face) or deeper, and it stands still while the hole's part resists by kPushForce or more, it is
/// jammed (past the lead-in) or blocked. That is found out while a hand holds it (or always, where no
/// hand ever did) and stays true once it is let go. Else a part that was let go is released.
///
/// A standstill is none where the depth is reached, whatever the tilt, nor where the part leans
/// (GoalResult::leans), as a screw does that is home but for its head being down on one side only.
///
/// What the standstill is put down to (GoalResult::stop) is looked at anew in each tick of it.
///
/// The forces of a tick that did not converge, or in which the bodies were stopped for want of any, mean
/// nothing. There the resistance is taken to be what the load pushes into the hole, where the two parts are
/// near each other: that of a part that stands still. It counts for the standstill, not for the peak push.
class GoalWatch {
 public:
  GoalWatch(const content::Scene& scene, int goal);

  void add(const physics::StepResult& tick);
  const GoalResult& result() const { return result_; }

 private:
  double pushAt(const InsertionPose& stand, bool held, double resistance) const;
  void updatePlacement(const physics::StepResult& tick);
  void updatePush(const physics::StepResult& tick, const InsertionPose& stand, bool held);
  void updateEntryRegion(const InsertionPose& stand);
  void updateStandstill(double time, double depth, bool held, bool inHole);
  Verdict verdict(bool reached) const;

  InsertionView view_;
  EntryRegion mouth_;
  OtherHoles others_;
  std::vector<InsertionContactPoint> points_;  ///< of this tick
  double minDepth_ = 0, maxDepth_ = 0;         ///< depths within the tolerance [m]
  double depthTolerance_ = 0;                  ///< [m]
  double tiltTolerance_ = 0, timeLimit_ = 0;
  int thread_ = -1;    ///< index of the joint that shall be tight; −1: none
  double radius_ = 0;  ///< of the bore [m]
  double boreEntryDepth_ =
      0;  ///< depth of the tip at which the part's full width is past the bore's edge [m]

  // --- what has happened
  GoalResult result_;
  bool insertedInTime_ = false;
  bool atHole_ = false;
  bool wentThrough_ = false;  ///< it left the hole at its far end
  bool everHeld_ = false, held_ = false;
  double lastProgressTime_ = 0, lastProgressDepth_ = 0;
  bool stuck_ = false, stuckInHole_ = false;
  bool atStandstill_ = false;  ///< stuck, and pushed in this very tick
};

}  // namespace tenon::runtime
