// See recorded_goals.h.
#include "runtime/record/recorded_goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/record/grasp_frame.h"

namespace tenon::runtime {

namespace {

Verdict verdictOf(std::string_view text) {
  const auto found = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                                  [&](Verdict verdict) { return toText(verdict) == text; });
  return found == kVerdicts.end() ? Verdict::pending : *found;
}

/// Index of the last event up to `tick` with `matches`; events.size() if there is none.
template <class Predicate>
std::size_t lastEvent(const std::vector<SessionEvent>& events, std::int64_t tick, const Predicate& matches) {
  for (std::size_t k = events.size(); k-- > 0;)
    if (events[k].tick <= tick && matches(events[k])) return k;
  return events.size();
}

}  // namespace

RecordedGoals::RecordedGoals(const SessionReader& session, const content::Scene& scene,
                             const std::vector<SessionEvent>& events, SessionFrames& frames)
    : session_(session), events_(events), frames_(frames), handCount_(scene.hands.size()) {
  for (int g = 0; g < static_cast<int>(scene.goals.size()); ++g) watches_.emplace_back(scene, g);
}

/// From the hand pose recorded with the grab command.
void RecordedGoals::restoreGrasps(RecordedFrame& frame) {
  if (frame.world.hands.size() > handCount_)
    session_.fail(fmt::format("tick {}", frame.tick), "has a hand_state of an unknown hand");
  frame.world.hands.resize(handCount_);
  for (std::size_t hand = 0; hand < frame.world.hands.size(); ++hand) {
    physics::HandState& state = frame.world.hands[hand];
    if (!state.body.valid()) continue;
    const auto body = static_cast<std::size_t>(state.body.value);
    state.X_CH = frame.world.bodies[body].X_WC.inverse() * state.X_WH;  // if the command is not found
    const std::size_t began = lastEvent(events_, frame.tick, [&](const SessionEvent& event) {
      return event.kind == "grab" && event.hand == static_cast<int>(hand) && event.body == state.body.value;
    });
    if (began == events_.size()) continue;
    if (!grasps_.contains(began)) grasps_[began] = graspFrame(session_, frames_, events_[began]);
    if (grasps_[began]) state.X_CH = *grasps_[began];
  }
}

GoalResult RecordedGoals::atKeyframe(std::size_t goal, const RecordedFrame& frame) const {
  GoalWatch watch = watches_[goal];
  watch.add(frame.world);
  GoalResult result = watch.result();
  if (goal >= frame.goals.size()) return result;
  const RecordedGoalState& recorded = frame.goals[goal];
  result.verdict = verdictOf(recorded.verdict);
  result.depth = recorded.depth;
  result.tilt = recorded.tilt;
  result.push = recorded.push;
  result.maxPush = recorded.maxPush;
  result.time = frame.time;
  result.standstill.reset();
  return result;
}

std::size_t RecordedGoals::lastJam(std::size_t goal, std::int64_t tick) const {
  return lastEvent(events_, tick, [&](const SessionEvent& event) {
    return event.kind == "jam" && event.goal == static_cast<int>(goal);
  });
}

const GoalResult& RecordedGoals::atJam(std::size_t goal, std::size_t jam) {
  if (const auto known = jams_.find(jam); known != jams_.end()) return known->second;
  RecordedFrame at;
  frames_.read(frames_.keyframeUpTo(events_[jam].tick), at);
  restoreGrasps(at);
  GoalResult result = atKeyframe(goal, at);
  result.verdict = verdictOf(events_[jam].text);
  result.standstill = result.current;
  return jams_.emplace(jam, std::move(result)).first->second;
}

GoalResult RecordedGoals::resultOf(std::size_t goal, const RecordedFrame& frame) {
  GoalResult result = atKeyframe(goal, frame);
  if (result.verdict != Verdict::jammed && result.verdict != Verdict::blocked) return result;
  if (const std::size_t jam = lastJam(goal, frame.tick); jam < events_.size())
    result.standstill = atJam(goal, jam).standstill;
  return result;
}

std::optional<GoalResult> RecordedGoals::lastJamOf(std::size_t goal, std::int64_t tick) {
  const std::size_t jam = lastJam(goal, tick);
  if (jam == events_.size()) return std::nullopt;
  return atJam(goal, jam);
}

}  // namespace tenon::runtime
