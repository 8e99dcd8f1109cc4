// Frames of a recorded session at any time, in the form of a live session.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "physics/world.h"
#include "runtime/record/recorded_goals.h"
#include "runtime/record/session_frames.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

class RecordedFrameSource {
 public:
  /// `events`: of the session, in order. Throws content::InputError if parts, hands or goals of session and
  /// scene differ.
  RecordedFrameSource(const SessionReader& session, std::shared_ptr<const content::Scene> scene,
                      const std::vector<SessionEvent>& events);

  /// The keyframes around a session time, for interpolateAt(); `displayTime_ns` and `displayInterval_ns` are
  /// in session time. Throws content::InputError if the file is damaged there.
  FrameBuffer at(double time);

  SessionFrames& frames() { return frames_; }

 private:
  std::shared_ptr<const SimulationFrame> frameAt(std::int64_t tick);
  bool hasDiscontinuity(std::int64_t after, std::int64_t upTo) const;

  const SessionReader& session_;
  std::shared_ptr<const content::Scene> scene_;
  const std::vector<SessionEvent>& events_;
  SessionFrames frames_;
  physics::World world_;  ///< for the transforms between bodies and parts
  RecordedGoals goals_;
  std::map<std::int64_t, std::shared_ptr<const SimulationFrame>> cache_;
};

}  // namespace tenon::runtime
