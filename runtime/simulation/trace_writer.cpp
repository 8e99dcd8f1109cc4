// See trace_writer.h.
#include "runtime/simulation/trace_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::runtime {

namespace {

constexpr double kVisibleDepth = 1e-5;                         ///< visible change of a goal's curve [m]
constexpr double kVisiblePush = 0.02;                          ///< ... [N]
constexpr double kVisibleTurn = 0.003, kVisibleTorque = 0.01;  ///< ... [turns], [N m]

}  // namespace

SessionEvents TraceWriter::watchEvents() {
  return {[this](const SessionEvent& event) { trace_.events.push_back(event); },
          [this](const ContactEpisode& episode) { trace_.episodes.push_back(episode); }};
}

void TraceWriter::endScene() {
  events_.finish();
  events_ = watchEvents();
}

void TraceWriter::addEvent(const char* kind, const std::string& text, double time) {
  SessionEvent event;
  event.tick = stepsDone_;
  event.time = time;
  event.kind = kind;
  event.text = text;
  trace_.events.push_back(std::move(event));
}

void TraceWriter::addStep(const StepRecord& record, std::span<const GoalResult> goals, double lateness_us) {
  events_.add(++stepsDone_, record);
  const physics::StepResult& tick = record.tick;
  const std::int64_t time_ns = std::llround(tick.time * 1e9);
  trace_.steps.push_back({.time_ns = time_ns,
                          .step_us = record.step_us,
                          .lateness_us = lateness_us,
                          .residual = tick.report.residual,
                          .penetration = tick.report.penetration,
                          .contacts = tick.report.contacts,
                          .linearizations = tick.report.linearizations,
                          .converged = tick.report.converged});
  for (std::size_t g = 0; g < record.goals.size(); ++g) {
    if (!goals[g].atHole()) continue;
    const GoalState& goal = record.goals[g];
    GoalPoint& last = lastPoints_[g];
    GoalPoint point{.goal = static_cast<int>(g), .time_ns = time_ns, .depth = goal.depth, .push = goal.push};
    if (const auto& thread = goals[g].thread) {
      point.hasThread = true;
      point.driven = thread->driven;
      point.torque = thread->torque;
    }
    const bool same =
        last.goal >= 0 && std::abs(point.depth - last.depth) < kVisibleDepth &&
        std::abs(point.push - last.push) < std::max(kVisiblePush, 0.01 * last.push) &&
        std::abs(point.driven - last.driven) < kVisibleTurn &&
        std::abs(point.torque - last.torque) < std::max(kVisibleTorque, 0.01 * std::abs(last.torque));
    if (same) continue;
    last = point;
    trace_.goals.push_back(last);
  }
}

}  // namespace tenon::runtime
