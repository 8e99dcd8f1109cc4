// See recorded_frame_source.h.
#include "runtime/replay/recorded_frame_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/model/build_world.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kMaxCachedFrames = 64;  ///< cached frames

std::int64_t nanoseconds(double time) {
  return std::llround(time * 1e9);
}

}  // namespace

RecordedFrameSource::RecordedFrameSource(const SessionReader& session,
                                         std::shared_ptr<const content::Scene> scene,
                                         const std::vector<SessionEvent>& events)
    : session_(session),
      scene_(std::move(scene)),
      events_(events),
      frames_(session),
      world_(content::buildWorld(*scene_, {})),
      goals_(session, *scene_, events, frames_) {
  if (session.bodies().size() != scene_->parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  if (session.hands().size() != scene_->hands.size())
    session.fail("hand", "does not have the hands of the session's scene");
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
  goals_.restoreGrasps(frame);
  for (std::size_t g = 0; g < scene_->goals.size(); ++g)
    simulationFrame->goals.push_back(goals_.resultOf(g, frame));
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

}  // namespace tenon::runtime
