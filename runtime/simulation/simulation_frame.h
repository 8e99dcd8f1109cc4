// What a live session shows of itself: moments, and the state of things between two of them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/step_record.h"

namespace tenon::runtime {

/// How a live session goes.
struct LiveStatus {
  bool paused = true;
  bool scripted = false;     ///< the scene's scripts move the hands
  bool scriptEnded = false;  ///< and their last way-point is over
  bool guidance = false;     ///< hands are helped on their way into holes
  bool recording = false;    ///< and the recording goes on
  bool recordingEndedEarly = false;
  double speed = 1;    ///< simulated time to the clock's, as asked for [-]
  double rate = 1000;  ///< [Hz]
  physics::SolverName solver = physics::SolverName::automatic;

  /// Steps done to steps that were due, over the last second of playing; 1 where none were [-].
  double achievedRatio = 1;
  std::int64_t steps = 0;  ///< done while playing, since the session began
  std::int64_t droppedSteps =
      0;                      ///< that were due and never done: simulated time fell behind the clock by these
  std::int64_t overruns = 0;  ///< steps that took longer than a step lasts by the clock
  std::int64_t backlog_ns = 0;  ///< by how much the last step began late, still to be made up for
  double publishTime_us = 0, meanPublishTime_us = 0,
         maxPublishTime_us = 0;  ///< the making and passing on of a moment

  int undoable = 0, redoable = 0;
  std::string undoText, redoText;  ///< what would be undone, redone: "screw placed by right"
  std::string message;             ///< why the last thing asked for was refused, or what failed; or ""
  int messages = 0;                ///< counts them
  /// Why no step could be done any more, until one can: "the simulation has stopped: …"; or "".
  std::string failure;
};

/// One step's outcome, as a value that never changes once it is shown.
struct SimulationFrame {
  std::int64_t number = 0;  ///< counts moments
  std::shared_ptr<const content::Scene> scene;
  StepRecord record;                ///< tick, commands, hand samples, how the goals stand, time of the step
  std::vector<GoalResult> goals;    ///< with diagnosis: explanationOf() puts it in words
  std::vector<physics::Pose> X_WP;  ///< of the parts' frames
  std::int64_t time_ns = 0;         ///< simulated, since the start
  std::int64_t displayTime_ns = 0;  ///< when it is to be seen, by the session's clock
  std::int64_t displayInterval_ns = 0;  ///< how long the way there from the moment before is to be seen
  std::int64_t published_ns = 0;        ///< when it was passed on
  std::int64_t sampleTime_ns = -1;      ///< of the newest hand samples that are in it; −1: none
  bool discontinuous = false;  ///< reset, undo, another scene: nothing leads here from the moment before
  LiveStatus status;
};

/// The last two. Never null once a session has begun; `before` is `after` where nothing leads there.
struct FrameBuffer {
  std::shared_ptr<const SimulationFrame> before, after;
};

/// A hand between two moments.
struct InterpolatedHand {
  physics::Pose X_WH;                                      ///< target: where the real hand is
  int part = -1;                                           ///< held; −1: none
  physics::Vector3d anchor_W = physics::Vector3d::Zero();  ///< the grabbed point, on the part [m]
  physics::Pose X_WA;  ///< the hand as it would be without stretch: the physical hand, at `anchor_W`
  physics::Vector3d force = physics::Vector3d::Zero();   ///< of the spring, on the part [N]
  physics::Vector3d torque = physics::Vector3d::Zero();  ///< [N m]
};

struct InterpolatedState {
  double fraction = 1;              ///< of the way from `before` to `after`
  std::vector<physics::Pose> X_WP;  ///< of the parts' frames
  std::vector<InterpolatedHand> hands;
};

/// What is to be seen at `time_ns` by the session's clock; not before `before`, not after `after`. Replaces
/// `out`.
void interpolateAt(const FrameBuffer& frameBuffer, std::int64_t time_ns, InterpolatedState& out);

/// FrameBuffer for their memory: what nobody looks at any more is filled anew.
class FramePool : public std::enable_shared_from_this<FramePool> {
 public:
  /// To be filled in; comes back by itself when the last pointer to it goes, on whatever thread.
  std::shared_ptr<SimulationFrame> acquire();
  std::size_t spares() const;

 private:
  static constexpr std::size_t kSpares = 64;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SimulationFrame>> spares_;
};

}  // namespace tenon::runtime
