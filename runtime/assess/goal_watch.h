// Monitors one goal of a scene step by step and determines its verdict.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/entry_region.h"
#include "runtime/assess/jam_diagnosis.h"
#include "runtime/assess/other_holes.h"
#include "runtime/assess/thread_engagement.h"

namespace tenon::runtime {

enum class Verdict {
  inserted,   ///< at depth and aligned within the time limit, and still at the end
  tooDeep,    ///< deeper than the goal allows, or through the hole
  jammed,     ///< past the lead-in at full width, at a standstill short of the depth while pushed
  blocked,    ///< at a standstill while pushed, before its full width passed the lead-in
  pending,    ///< undecided when the time ended, or inserted too late
  released,   ///< released before it was inserted
  tightened,  ///< of a goal with turns and a preload or torque: that many, with that force after that torque
  started,    ///< of a goal with turns: as many complete turns of both threads lie side by side, aligned
  crossThreaded,  ///< the external thread is crossed in the internal one (ThreadPhase::crossed)
  stripped,       ///< the threads had a preload beyond the goal's proof load, once
};

inline constexpr std::array kVerdicts{
    Verdict::inserted, Verdict::tooDeep,   Verdict::jammed,  Verdict::blocked,       Verdict::pending,
    Verdict::released, Verdict::tightened, Verdict::started, Verdict::crossThreaded, Verdict::stripped};

std::string_view toText(Verdict verdict);  ///< as in JSON and records: "too-deep"

/// True if the goal is reached.
constexpr bool isReached(Verdict verdict) {
  return verdict == Verdict::inserted || verdict == Verdict::tightened || verdict == Verdict::started;
}

struct GoalResult {
  int goal = -1;  ///< index into Scene::goals
  Verdict verdict = Verdict::pending;
  /// Depth of the feature's origin below the mouth's plane at the end, see effectiveDepth() [m]. A part that
  /// went through the hole keeps its real depth.
  double depth = 0;
  double time = 0;  ///< of the first insertion, else of the last step [s]
  /// At the end, between feature axis and hole axis, or between the part's orientation and that of the goal's
  /// pose [rad].
  double tilt = 0;
  /// Peak force of the hole's part on the part along the hole's axis, while held or at the mouth, over the
  /// steps that converged [N].
  double maxPush = 0;
  double push = 0;  ///< the same force in the last step [N]

  InsertionFit fit = {};
  physics::Pose X_IH = {};  ///< mouth of the hole in the frame of its part, as in content::Goal
  Diagnosis current = {};   ///< of the last step
  /// Of the last step of the present standstill under load; empty once the part moves again.
  std::optional<Diagnosis> standstill = {};
  TwoPointHistory twoPoint = {};
  /// Of the last step; empty unless both parts have a thread there.
  std::optional<ThreadEngagement> thread = {};

  /// True while only its tilt keeps the part short of its depth: upright the hole would stop it at its depth,
  /// and at its present tilt it can advance by no more than the depth's tolerance.
  bool limitedByTilt = false;

  bool atHole() const { return current.atHole; }
  /// The diagnosis that explains the verdict: of the standstill, else of the end.
  const Diagnosis& diagnosis() const { return standstill ? *standstill : current; }
};

/// Thresholds of push and standstill. A hand of 2000 N/m reaches the force within 0.1 mm of travel of its
/// target; rounding errors are far smaller.
inline constexpr double kPushForce = 0.2;       ///< [N]
inline constexpr double kStandstillTime = 0.1;  ///< [s]
inline constexpr double kStandstillProgress =
    2e-5;  ///< a standstill advances less within kStandstillTime [m]

/// A part whose present speed takes it out of the depth's tolerance within this time is not inserted: it
/// passes through [s].
inline constexpr double kMinDwellTime = 0.005;

/// Monitors one goal. The goal is reached while the part is in the entry region (EntryRegion), the feature's
/// origin is at depth ± depthTolerance below the mouth and within the bore's radius of its axis, the
/// feature's direction is within tiltTolerance of the direction into the hole, and the part stays
/// (kMinDwellTime), provided that this first held within the time limit. A goal with a pose needs the
/// part's frame instead: within depthTolerance along the way, within GoalPose::across of it, and turned from
/// the pose by at most tiltTolerance. A part at such a place or in a socket
/// is jammed where friction resists more than half of the push, and blocked where the surfaces do. Deeper in
/// the region, or beyond the far end of the hole, is too deep, until the tip is above the mouth's plane or in
/// the hole again.
///
/// Otherwise a part is jammed (past the lead-in) or blocked if it is at a standstill while the hole's part
/// resists with kPushForce or more, and it is held, or its feature is at the mouth (within two mouth radii of
/// the axis, one above the face) or deeper. This is determined while a hand holds it (always, if no hand ever
/// did), and stays valid after the release. Any other part that a hand held and released is released.
///
/// A goal with turns is reached, with the verdict started, while that many complete turns of both threads lie
/// side by side, aligned, and the tilt is within tolerance; with a preload or a torque, tightened while the
/// threads have that preload, after that torque. A part whose thread is crossed is cross-threaded,
/// unless the goal is reached; see ThreadWatch. A thread whose preload once exceeded the goal's proof load is
/// stripped for good.
///
/// A standstill does not count at the goal's depth, whatever the tilt, nor while only the tilt limits the
/// part (GoalResult::limitedByTilt), such as a seated screw whose head touches the face on one side only.
///
/// The diagnosis of the standstill (GoalResult::standstill) is computed again in each of its steps.
///
/// Contact forces of a step that did not converge, or in which the bodies were stopped because no acceptable
/// forces were found, are invalid. While the two parts are near each other, the resistance is then the load's
/// component into the hole (static equilibrium). It counts for the standstill, not for the peak push.
class GoalWatch {
 public:
  GoalWatch(const content::Scene& scene, int goal);

  void add(const physics::StepResult& tick);
  const GoalResult& result() const { return result_; }

 private:
  double pushAt(const InsertionPose& stand, bool held, double resistance) const;
  void updatePlacement(const physics::StepResult& tick);
  void updatePush(const physics::StepResult& tick, const InsertionPose& stand, bool held);
  void updateThread(const physics::StepResult& tick, const InsertionPose& stand);
  void updateEntryRegion(const InsertionPose& stand);
  void updateStandstill(double time, double depth, bool held, bool inHole);
  Verdict verdict(bool reached) const;

  InsertionView view_;
  EntryRegion mouth_;
  OtherHoles others_;
  std::optional<ThreadWatch> threadWatch_;
  std::vector<InsertionContactPoint> points_;  ///< of this step
  double minDepth_ = 0, maxDepth_ = 0;         ///< range of depths within the tolerance [m]
  double depthTolerance_ = 0;                  ///< [m]
  double tiltTolerance_ = 0, timeLimit_ = 0;
  double turns_ = 0, preload_ = 0, torque_ = 0, proofLoad_ = 0;  ///< as in content::Goal
  double radius_ = 0;  ///< of the bore, or tolerance across the way to a pose [m]
  bool heldByFriction_ =
      false;  ///< friction resists more than half of the push, in the last step with forces
  double boreEntryDepth_ =
      0;  ///< depth of the tip at which the part's full width is past the bore's edge [m]

  // --- state
  GoalResult result_;
  bool insertedInTime_ = false;
  bool atHole_ = false;
  bool wentThrough_ = false;  ///< the part left the hole at its far end
  bool everHeld_ = false, held_ = false;
  double lastProgressTime_ = 0, lastProgressDepth_ = 0;
  bool stuck_ = false, stuckInHole_ = false;
  bool atStandstill_ = false;  ///< stuck, and pushed in this step
};

}  // namespace tenon::runtime
