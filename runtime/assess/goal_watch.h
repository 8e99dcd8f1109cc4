// One goal of a scene, watched tick by tick: is the part in its hole?
#pragma once

#include <optional>
#include <string_view>

#include "content/scene/scene.h"
#include "physics/world.h"
#include "runtime/assess/jam_diagnosis.h"

namespace tenon::runtime {

enum class Verdict {
  inserted,  ///< at depth, aligned, within the time limit, and still so at the end
  jammed,    ///< in the hole with its full width, but stuck short of the depth while pushed
  blocked,   ///< pushed, but its full width never got past the lead-in
  pending,   ///< time ended before it was decided, or it was inserted too late
  released,  ///< let go before it was inserted
};

std::string_view toText(Verdict verdict);

struct GoalResult {
  int goal = -1;  ///< index into Scene::goals
  Verdict verdict = Verdict::pending;
  double depth = 0;  ///< of the feature's origin below the mouth plane, at the end [m]
  double time = 0;   ///< when it was first inserted, else the time of the last tick [s]
  double tilt = 0;   ///< between feature axis and hole axis, at the end [rad]
  /// Peak resistance of the hole's part along the hole's axis, while held or at the mouth, over the ticks
  /// that converged [N].
  double maxPush = 0;
  double push = 0;  ///< the resistance in the last tick [N]

  InsertionFit fit = {};
  Diagnosis now = {};  ///< of the last tick
  /// Of the last tick in which it was pushed and stood still, until it moves on.
  std::optional<Diagnosis> stop = {};
  TwoPointHistory twoPoint = {};

  /// What a verdict is explained by: the standstill, else the end.
  const Diagnosis& diagnosis() const { return stop ? *stop : now; }
};

/// What makes a push a push, and a standstill a standstill. A hand of 2000 N/m that is asked to go
/// on builds up the force in 0.1 mm; rounding is far below.
inline constexpr double kPushForce = 0.2;            ///< [N]
inline constexpr double kStandstillTime = 0.1;       ///< [s]
inline constexpr double kStandstillProgress = 2e-5;  ///< less than this in kStandstillTime [m]

/// Watches one goal. It is reached as long as the feature's origin is at least depth − depthTolerance
/// below the mouth, the part's other end no deeper than depth (what went right through is not in its hole),
/// the origin within the hole's radius of its axis, and the feature's direction within tiltTolerance of the
/// way into the hole; it counts where this was first so within the time limit.
///
/// Otherwise, where the part is held, or its feature is at the mouth (within two mouth radii of the axis, one
/// above the face) or deeper, and it stands still while the hole's part resists by kPushForce or more, it is
/// jammed (past the lead-in) or blocked. That is found out while a hand holds it (or always, where no
/// hand ever did) and stays true once it is let go. Else a part that was let go is released.
///
/// What the standstill is put down to (GoalResult::stop) is looked at anew in each tick of it.
///
/// The forces of a tick that did not converge, or in which the bodies were stopped for want of any, mean
/// nothing. There the resistance is taken to be what the load pushes into the hole, where the two parts are
/// near each other: that of a part that stands still. It counts for the standstill, not for the peak push.
class GoalWatch {
 public:
  GoalWatch(const content::Scene& scene, int goal);

  void add(const physics::Tick& tick);
  const GoalResult& result() const { return result_; }

 private:
  double pushAt(const Stand& stand, bool held, double resistance) const;
  void watchPush(const physics::Tick& tick, const Stand& stand, bool held);
  void watchStandstill(double time, bool held, bool inHole);
  Verdict verdict(bool reached) const;

  InsertionView view_;
  std::vector<TouchPoint> points_;  ///< of this tick
  double depth_ = 0, deepest_ = 0;  ///< least and greatest depth that count [m]
  double tiltTolerance_ = 0, timeLimit_ = 0;
  double radius_ = 0;  ///< of the bore [m]
  double mouth_ = 0;   ///< radius of the lead-in at the mouth [m]
  double inBore_ = 0;  ///< depth of the tip at which the part's full width is past the bore's edge [m]

  // --- what has happened
  GoalResult result_;
  bool insertedInTime_ = false;
  bool everHeld_ = false, held_ = false;
  double lastProgressTime_ = 0, lastProgressDepth_ = 0;
  bool stuck_ = false, stuckInHole_ = false;
  bool atStandstill_ = false;  ///< stuck, and pushed in this very tick
};

}  // namespace tenon::runtime
