// Reconstructs what is not recorded: grasps from the grab commands, stop reasons from the contacts.
#include "runtime/replay/recorded_frame_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/model/build_world.h"
#include "runtime/record/grasp_frame.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kMaxCachedFrames = 64;  ///< cached frames

std::int64_t nanoseconds(double time) {
  return std::llround(time * 1e9);
}

Verdict verdictOf(const std::string& text) {
  for (const Verdict verdict : kVerdicts)
    if (toText(verdict) == text) return verdict;
  return Verdict::pending;
}

/// Index of the last event up to `tick` with `matches`; events.size() if there is none.
template <class Predicate>
std::size_t lastEvent(const std::vector<SessionEvent>& events, std::int64_t tick, const Predicate& matches) {
  for (std::size_t k = events.size(); k-- > 0;)
    if (events[k].tick <= tick && matches(events[k])) return k;
  return events.size();
}

}  // namespace

RecordedFrameSource::RecordedFrameSource(const SessionReader& session,
                                         std::shared_ptr<const content::Scene> scene,
                                         const std::vector<SessionEvent>& events)
    : session_(session),
      scene_(std::move(scene)),
      events_(events),
      frames_(session),
      world_(content::buildWorld(*scene_, {})) {
  if (session.bodies().size() != scene_->parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  if (session.hands().size() != scene_->hands.size())
    session.fail("hand", "does not have the hands of the session's scene");
  for (int g = 0; g < static_cast<int>(scene_->goals.size()); ++g) watches_.emplace_back(*scene_, g);
}

FrameBuffer RecordedFrameSource::at(double time) {
  const std::int64_t every = frames_.keyframeEvery(), last = frames_.lastKeyframe();
  const std::int64_t from = frames_.keyframeUpTo(frames_.tickAt(time));
  const std::shared_ptr<const SimulationFrame> before = frameAt(from);
  const std::int64_t to = std::min(from + every, last);
  if (to == from || nanoseconds(time) <= before->displayTime_ns) return {before, before};
  if (hasDiscontinuity(from, to)) return {before, before};
  return {before, frameAt(to)};
}

bool RecordedFrameSource::hasDiscontinuity(std::int64_t after, std::int64_t upTo) const {
  // Events are in the order of their ticks.
  auto at = std::upper_bound(events_.begin(), events_.end(), after,
                             [](std::int64_t tick, const SessionEvent& event) { return tick < event.tick; });
  for (; at != events_.end() && at->tick <= upTo; ++at)
    if (at->kind == "reset" || at->kind == "undo" || at->kind == "redo" || at->kind == "place") return true;
  return false;
}

std::shared_ptr<const SimulationFrame> RecordedFrameSource::frameAt(std::int64_t tick) {
  if (const auto known = cache_.find(tick); known != cache_.end()) return known->second;
  RecordedFrame frame;
  frames_.read(tick, frame);
  const auto simulationFrame = std::make_shared<SimulationFrame>();
  simulationFrame->number = tick;
  simulationFrame->scene = scene_;
  simulationFrame->sampled = true;
  simulationFrame->status.scripted = true;  // no part can be pulled
  for (std::size_t k = 0; k < frame.world.bodies.size(); ++k)
    simulationFrame->X_WP.push_back(world_.partPose({static_cast<int>(k)}, frame.world.bodies[k]));
  if (frame.world.hands.size() > scene_->hands.size())
    session_.fail(fmt::format("tick {}", tick), "has a hand_state of an unknown hand");
  frame.world.hands.resize(scene_->hands.size());
  for (std::size_t h = 0; h < frame.world.hands.size(); ++h) restoreGrasp(h, frame, frame.world.hands[h]);
  for (std::size_t g = 0; g < watches_.size(); ++g) simulationFrame->goals.push_back(goalOf(g, frame));
  simulationFrame->record.tick = std::move(frame.world);
  simulationFrame->record.step_us = frame.step_us;
  for (const GoalResult& g : simulationFrame->goals)
    simulationFrame->record.goals.push_back({g.verdict, g.depth, g.tilt, g.push, g.maxPush});
  simulationFrame->displayTime_ns = simulationFrame->time_ns = nanoseconds(frame.time);
  simulationFrame->displayInterval_ns =
      tick == 0
          ? 0
          : simulationFrame->displayTime_ns - nanoseconds(frames_.timeOf(tick - frames_.keyframeEvery()));
  if (cache_.size() >= kMaxCachedFrames) cache_.clear();
  cache_[tick] = simulationFrame;
  return simulationFrame;
}

/// Restores the grasp frame X_CH from the hand pose recorded with the grab command.
void RecordedFrameSource::restoreGrasp(std::size_t hand, const RecordedFrame& frame,
                                       physics::HandState& state) {
  if (!state.body.valid()) return;
  const auto body = static_cast<std::size_t>(state.body.value);
  state.X_CH = frame.world.bodies[body].X_WC.inverse() * state.X_WH;  // if the command is not found
  const std::size_t began = lastEvent(events_, frame.tick, [&](const SessionEvent& event) {
    return event.kind == "grab" && event.hand == static_cast<int>(hand) && event.body == state.body.value;
  });
  if (began == events_.size()) return;
  if (!grasps_.contains(began)) grasps_[began] = graspFrame(session_, frames_, events_[began]);
  if (grasps_[began]) state.X_CH = *grasps_[began];
}

GoalResult RecordedFrameSource::goalOf(std::size_t goal, const RecordedFrame& frame) {
  GoalWatch watch = watches_[goal];
  watch.add(frame.world);
  GoalResult result = watch.result();
  if (goal >= frame.goals.size()) return result;
  const RecordedGoalState& recordedGoal = frame.goals[goal];
  result.verdict = verdictOf(recordedGoal.verdict);
  result.depth = recordedGoal.depth;
  result.tilt = recordedGoal.tilt;
  result.push = recordedGoal.push;
  result.maxPush = recordedGoal.maxPush;
  result.time = frame.time;
  result.standstill.reset();
  if (result.verdict != Verdict::jammed && result.verdict != Verdict::blocked) return result;
  const std::size_t jam = lastEvent(events_, frame.tick, [&](const SessionEvent& event) {
    return event.kind == "jam" && event.goal == static_cast<int>(goal);
  });
  if (jam == events_.size()) return result;
  if (!standstills_.contains(jam)) {
    GoalWatch then = watches_[goal];
    RecordedFrame at;
    frames_.read(frames_.keyframeUpTo(events_[jam].tick), at);
    then.add(at.world);
    standstills_[jam] = then.result().current;
  }
  result.standstill = standstills_[jam];
  return result;
}

}  // namespace tenon::runtime
