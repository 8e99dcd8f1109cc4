// How an external thread stands in the internal thread of its goal: from poses and contacts of the steps.
#pragma once

#include <vector>

#include "content/parts/thread_pair.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

enum class ThreadPhase {
  apart,    ///< not at the mouth, or without contact there
  atMouth,  ///< in contact, but not by a complete turn, and not crossed
  started,  ///< at least one complete turn of both lies side by side, aligned
  crossed,  ///< tilted by more than the play of the flanks permits, and it does not follow its helix
};

std::string_view toText(ThreadPhase phase);  ///< as in JSON: "at-mouth"

/// State after a step.
struct ThreadEngagement {
  physics::Thread external, internal;
  bool isMatching = true;  ///< pitch, starts and hand are the same
  /// Largest tilt at which two aligned threads have play: at the pitch diameter d₂ the flanks have an axial
  /// play of (D₂ − d₂) tan β, which a tilt of (D₂ − d₂) tan β / d₂ takes up on opposite sides [rad].
  double freeTilt = 0;

  ThreadPhase phase = ThreadPhase::apart;
  double turns = 0;       ///< complete turns of both threads that lie side by side; 0: none
  double tilt = 0;        ///< between the axes [rad]
  double force = 0;       ///< sum of the contacts' normal forces inside the hole [N]
  double driven = 0;      ///< turns in the direction that screws in, since the first contact
  double preload = 0;     ///< axial force with which the threads pull the part into the hole [N]; 0: none
  double maxPreload = 0;  ///< largest `preload` so far, of steps that converged [N]
  double torque = 0;      ///< of the hands about the hole's axis, positive where it tightens [N m]
  double maxTorque = 0;   ///< largest `torque` since the threads began to pull [N m]
  double tightening = 0;  ///< `driven` since then [turns]
  double boundAt = 0;     ///< `driven` when it began to bind
  double boundDepth = 0;  ///< of the tip then [m]

  bool isCrossed() const { return phase == ThreadPhase::crossed; }
  /// Complete turns without crossing, of threads that match [-].
  double startedTurns() const { return phase == ThreadPhase::started && isMatching ? turns : 0; }
};

/// Follows one goal's pair of threads.
///
/// Crossed: for kStandstillTime the threads press on each other, the tilt exceeds kTiltFactor times the free
/// tilt, and one of these holds: complete turns lie side by side; a quarter of a turn was driven since the
/// first contact, and over the last one the advance differs from that of the helix by more than half; a hand
/// turns the part with kTurningTorque, and it stands still. It stays so until the tilt is free again or the
/// thread is apart.
class ThreadWatch {
 public:
  /// Tilt above which aligned threads are excluded, by free tilts [-]: single flanks at the mouth permit a
  /// little more than the closed form for full turns.
  static constexpr double kTiltFactor = 1.5;

  /// Less than fingers take to turn a screw that is free [N m].
  static constexpr double kTurningTorque = 0.02;
  /// A thread that turns by less within kStandstillTime stands still [turns].
  static constexpr double kStandstillTurns = 0.005;

  explicit ThreadWatch(const content::ThreadPair& threads);

  /// X_HP: of the external thread's part in the frame of the hole. `torque`: of the hands on that part about
  /// the hole's axis, counter-clockwise seen from outside [N m]. `converged`: the forces of this step count
  /// for the largest preload.
  void add(double time, const physics::Pose& X_HP, const InsertionPose& stand,
           const std::vector<InsertionContactPoint>& points, double torque, bool converged);
  const ThreadEngagement& state() const { return state_; }

 private:
  void measure(const physics::Pose& X_IE);
  void follow(double yaw, double depth);
  void load(const std::vector<InsertionContactPoint>& points, double torque, bool converged);
  bool isBinding(double time) const;

  content::ThreadPair threads_;
  ThreadEngagement state_;
  bool isInHole_ = false;  ///< the axis of the external thread runs through the internal one
  bool hasTouched_ = false;
  double lastYaw_ = 0;
  double drivenToSeat_ = 0;                ///< `driven` when the threads began to pull
  double lastDriven_ = 0, lastDepth_ = 0;  ///< at the last quarter of a turn
  bool follows_ = true;                    ///< its advance over the last quarter was that of the helix
  double turnedAt_ = 0, turnedTo_ = 0;     ///< time [s] and `driven` of the last progress
  bool isBinding_ = false;
  double freeSince_ = 0;  ///< time at which it was last not binding [s]
};

}  // namespace tenon::runtime
