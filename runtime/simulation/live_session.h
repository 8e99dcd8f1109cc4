// What a window or a headset needs of a running session: hands and controls in, frames out. The session runs
// in this process (LiveSimulation) or on a server.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "runtime/simulation/control.h"
#include "runtime/simulation/live_trace.h"
#include "runtime/simulation/simulation_frame.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// All members may be called at any time from one thread, such as the window's; none but finish() waits for a
/// step or the network. Controls act in the order of calls; LiveStatus::message reports a rejected one.
class LiveSession {
 public:
  LiveSession() = default;
  virtual ~LiveSession() = default;
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  // --- in ---------------------------------------------------------------------------------------------
  /// The newest samples, one for each hand of the scene, made at `sampleTime_ns` by the session's clock. The
  /// target of a holding hand moves there linearly within `moveDuration_ns`, the interval to the next samples
  /// (0: in one step).
  virtual void setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                        std::int64_t moveDuration_ns) = 0;
  /// Pose of the headset, for the record only.
  virtual void setHead(const HeadSample& head) = 0;
  /// The person is there: a frame was shown.
  virtual void reportActivity() = 0;
  virtual void enqueue(Control control) = 0;

  void play() { enqueue(PlayControl{true}); }
  void pause() { enqueue(PlayControl{false}); }
  /// Gravity, damping and restitution; `begins`: the first change of a series, which is undone as one.
  void setDynamics(const physics::Dynamics& dynamics, bool begins) {
    enqueue(DynamicsControl{dynamics, begins});
  }
  void setThruster(physics::ThrusterId thruster, bool on) { enqueue(ThrusterControl{thruster, on}); }
  void stepOnce() { enqueue(StepControl{}); }                    ///< pauses
  void setSpeed(double speed) { enqueue(SpeedControl{speed}); }  ///< 0.01…1
  /// On: the scene's scripts move its hands, always from the scene's start; later in the session this resets
  /// the scene, which can be undone. Off: setHands() moves the hands from now on.
  void setScripted(bool on) { enqueue(ScriptControl{on}); }
  void setGuidance(bool on) { enqueue(GuidanceControl{on}); }  ///< recorded as an event
  void reset() { enqueue(ResetControl{}); }                    ///< to the start; can be undone
  void undo() { enqueue(UndoControl{}); }                      ///< the last placement, or the one under way
  void redo() { enqueue(RedoControl{}); }
  /// Adds an event to trace and record.
  void mark(SessionMark mark) { enqueue(MarkControl{std::move(mark)}); }
  void setSolver(physics::SolverName solver) { enqueue(SolverControl{solver}); }
  void setRate(double rate) { enqueue(RateControl{rate}); }  ///< [Hz]
  void endRecord() { enqueue(EndRecordControl{}); }          ///< completes the record; the session continues
  /// Starts another scene, at its own rate unless `rate` > 0 [Hz].
  void setScene(std::shared_ptr<const content::Scene> scene, double rate = 0) {
    enqueue(SceneControl{std::move(scene), rate});
  }

  // --- out --------------------------------------------------------------------------------------------
  virtual FrameBuffer frameBuffer() const = 0;
  /// Returns the trace since the last call. Replaces `trace`, whose memory is reused.
  virtual void drainTrace(LiveTrace& trace) = 0;
  /// Current time of the session's clock, which all time stamps use.
  virtual std::int64_t now_ns() const = 0;

  /// Stops the session, ends the recording and returns when it is on the disk. True if the record is complete
  /// or nothing was recorded. A second call has no effect.
  virtual bool finish(const std::string& reason) = 0;
};

}  // namespace tenon::runtime
