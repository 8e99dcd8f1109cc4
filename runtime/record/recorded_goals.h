// States of goals in a record, with what is not recorded: grasps from the grab commands, causes of a
// standstill from the contacts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/session_events.h"
#include "runtime/record/session_frames.h"

namespace tenon::runtime {

class RecordedGoals {
 public:
  /// `events`: of the session, in order. All must outlive this.
  RecordedGoals(const SessionReader& session, const content::Scene& scene,
                const std::vector<SessionEvent>& events, SessionFrames& frames);

  /// Gives the frame all hands of the scene, and those that hold something their grasp frames X_CH.
  void restoreGrasps(RecordedFrame& frame);
  /// Verdict, pose and push as recorded, contacts and loads at this keyframe. The standstill of a part that
  /// is stuck is that at its last jam.
  GoalResult resultOf(std::size_t goal, const RecordedFrame& frame);
  /// That at the goal's last jam up to this tick; empty without one.
  std::optional<GoalResult> lastJamOf(std::size_t goal, std::int64_t tick);

 private:
  std::size_t lastJam(std::size_t goal, std::int64_t tick) const;
  GoalResult atKeyframe(std::size_t goal, const RecordedFrame& frame) const;
  const GoalResult& atJam(std::size_t goal, std::size_t jam);

  const SessionReader& session_;
  const std::vector<SessionEvent>& events_;
  SessionFrames& frames_;
  std::size_t handCount_;
  std::vector<GoalWatch> watches_;                              ///< in their initial state
  std::map<std::size_t, std::optional<physics::Pose>> grasps_;  ///< X_CH, by grab event
  std::map<std::size_t, GoalResult> jams_;                      ///< by jam event
};

}  // namespace tenon::runtime
