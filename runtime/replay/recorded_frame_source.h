// A recorded session at any time of it, as moments: the same that a live session shows.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "physics/world.h"
#include "runtime/record/session_frames.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

class RecordedFrameSource {
 public:
  /// `events`: of the session, in their order. Throws content::InputError where the session does not have the
  /// scene's parts, hands and goals.
  RecordedFrameSource(const SessionReader& session, std::shared_ptr<const content::Scene> scene,
                      const std::vector<SessionEvent>& events);

  /// The keyframes around this time of the session; `displayTime_ns` and `displayInterval_ns` are in its time
  /// too, so that interpolateAt() gives what is between. Throws content::InputError where the file is damaged
  /// there.
  FrameBuffer at(double time);

  SessionFrames& frames() { return frames_; }

 private:
  std::shared_ptr<const SimulationFrame> moment(std::int64_t tick);
  GoalResult goalOf(std::size_t goal, const RecordedFrame& frame);
  void holdOn(std::size_t hand, const RecordedFrame& frame, physics::HandState& state);
  bool jumpsWithin(std::int64_t after, std::int64_t upTo) const;

  const SessionReader& session_;
  std::shared_ptr<const content::Scene> scene_;
  const std::vector<SessionEvent>& events_;
  SessionFrames frames_;
  physics::World world_;            ///< for where parts are in their bodies
  std::vector<GoalWatch> watches_;  ///< that have seen nothing
  std::map<std::int64_t, std::shared_ptr<const SimulationFrame>> recent_;
  std::map<std::size_t, std::optional<physics::Pose>> grips_;    ///< X_CH, by the event that began them
  std::map<std::size_t, std::optional<Diagnosis>> standstills_;  ///< by the event of the jam
};

}  // namespace tenon::runtime
