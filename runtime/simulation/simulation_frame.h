// Published frames of a live session, and interpolation between two of them.
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

/// Status of a live session.
struct LiveStatus {
  bool paused = true;
  bool pausedByInactivity = false;  ///< resumes by itself: see LiveOptions::inactivityTimeout_ns
  bool scripted = false;            ///< the scene's scripts move the hands
  bool scriptEnded = false;         ///< their last waypoint has passed
  bool guidance = false;            ///< hands are aligned with holes
  bool recording = false;           ///< a recording is running
  bool recordingEndedEarly = false;
  double speed = 1;    ///< set ratio of simulated time to the clock's [-]
  double rate = 1000;  ///< [Hz]
  physics::SolverName solver = physics::SolverName::automatic;
  physics::Dynamics dynamics;  ///< of the next step

  /// Ratio of computed to due steps over the last second of playing; 1 if none were due [-].
  double achievedRatio = 1;
  std::int64_t steps = 0;         ///< computed while playing, since the session began
  std::int64_t droppedSteps = 0;  ///< due but dropped: simulated time fell behind the clock by these
  std::int64_t overruns = 0;      ///< steps whose computation took longer than the step by the clock
  std::int64_t backlog_ns = 0;    ///< delay of the last step that can still be made up
  double publishTime_us = 0, meanPublishTime_us = 0,
         maxPublishTime_us = 0;  ///< time to fill and publish a frame

  int undoable = 0, redoable = 0;
  std::string undoText, redoText;  ///< next undo and redo: "screw placed by right"
  std::string message;             ///< why the last control was rejected or failed; or ""
  int messages = 0;                ///< number of messages
  /// Why steps fail at present: "the simulation has stopped: …"; or "".
  std::string failure;
  bool ended = false;  ///< the session is over, for the reason in `failure`: no control continues it

  /// Paused until the user continues, also after a failure.
  bool isPausedByUser() const { return paused && !pausedByInactivity; }
};

/// Result of one step, immutable once published.
struct SimulationFrame {
  std::int64_t number = 0;  ///< running number
  std::shared_ptr<const content::Scene> scene;
  StepRecord record;                    ///< result, commands, hand samples, goals, step time
  std::vector<GoalResult> goals;        ///< with diagnosis; text: explanationOf()
  std::vector<physics::Pose> X_WP;      ///< of the parts' frames
  std::int64_t time_ns = 0;             ///< simulated, since the start
  std::int64_t displayTime_ns = 0;      ///< display time by the session's clock
  std::int64_t displayInterval_ns = 0;  ///< duration of the interpolation from the previous frame
  std::int64_t published_ns = 0;        ///< time of publication
  std::int64_t sampleTime_ns = -1;      ///< of the newest hand samples in it; −1: none
  bool discontinuous = false;  ///< reset, undo, another scene: no interpolation from the previous frame
  bool sampled = false;        ///< between it and the previous frame are steps whose contacts are unknown
  LiveStatus status;
};

/// The last two frames, never null once a session has begun. Without interpolation `before` equals `after`.
struct FrameBuffer {
  std::shared_ptr<const SimulationFrame> before, after;
};

/// A hand between two frames.
struct InterpolatedHand {
  physics::Pose X_WH;                                      ///< target: pose of the real hand
  int part = -1;                                           ///< held; −1: none
  physics::Vector3d anchor_W = physics::Vector3d::Zero();  ///< the grabbed point, on the part [m]
  physics::Pose X_WA;  ///< the physical hand: pose without stretch, at `anchor_W`
  physics::Vector3d force = physics::Vector3d::Zero();   ///< of the spring, on the part [N]
  physics::Vector3d torque = physics::Vector3d::Zero();  ///< [N m]
};

struct InterpolatedState {
  double fraction = 1;              ///< interpolation parameter from `before` to `after`
  std::vector<physics::Pose> X_WP;  ///< of the parts' frames
  std::vector<InterpolatedHand> hands;
};

/// State to display at `time_ns` by the session's clock, clamped to `before` and `after`. Replaces
/// `out`.
void interpolateAt(const FrameBuffer& frameBuffer, std::int64_t time_ns, InterpolatedState& out);

/// Pool of frames: reuses the memory of released ones.
class FramePool : public std::enable_shared_from_this<FramePool> {
 public:
  /// A frame to fill in; it returns to the pool when its last pointer is released, on any thread.
  std::shared_ptr<SimulationFrame> acquire();
  std::size_t spares() const;

 private:
  static constexpr std::size_t kSpares = 64;

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SimulationFrame>> spares_;
};

}  // namespace tenon::runtime
