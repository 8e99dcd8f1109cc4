// See training.h.
#include "runtime/vr/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tenon::runtime {

namespace {

bool isReachedAt(const SimulationFrame& frame, std::size_t goal) {
  return goal < frame.goals.size() && isReached(frame.goals[goal].verdict);
}

std::string countsText(const TrainingResult& result) {
  return fmt::format("{:.1f} s, wrong parts {}, jams {}, dropped {}", result.time, result.wrongParts,
                     result.jams, result.drops);
}

/// The next step without a plan: the first open goal whose predecessors are done, with all goals of its part.
TrainingStep nextByGoals(const content::Scene& scene, const std::vector<bool>& done) {
  const auto isPossible = [&](std::size_t g) {
    const content::Goal& goal = scene.goals[g];
    return std::all_of(goal.after.begin(), goal.after.end(), [&](int before) {
      return done[static_cast<std::size_t>(before)] ||
             scene.goals[static_cast<std::size_t>(before)].part == goal.part;
    });
  };
  std::size_t first = done.size();
  for (std::size_t g = done.size(); g-- > 0;)
    if (!done[g] && (isPossible(g) || first == done.size())) first = g;
  TrainingStep step{{scene.goals[first].part}, {}};
  for (std::size_t g = 0; g < done.size(); ++g)
    if (!done[g] && scene.goals[g].part == step.parts[0]) step.goals.push_back(g);
  return step;
}

}  // namespace

std::vector<TrainingStep> trainingSteps(const content::Scene& scene,
                                        const std::map<std::string, int>& planSteps) {
  std::map<int, TrainingStep> planned;
  std::vector<bool> done(scene.goals.size(), false);
  for (std::size_t g = 0; g < scene.goals.size(); ++g) {
    const int part = scene.goals[g].part;
    const auto number = planSteps.find(scene.part(part).name);
    if (number == planSteps.end()) continue;
    TrainingStep& step = planned[number->second];
    if (std::find(step.parts.begin(), step.parts.end(), part) == step.parts.end()) step.parts.push_back(part);
    step.goals.push_back(g);
    done[g] = true;
  }
  std::vector<TrainingStep> steps;
  for (auto& [number, step] : planned) steps.push_back(std::move(step));
  while (std::find(done.begin(), done.end(), false) != done.end()) {
    steps.push_back(nextByGoals(scene, done));
    for (const std::size_t g : steps.back().goals) done[g] = true;
  }
  return steps;
}

Training::Training(std::shared_ptr<const content::Scene> scene, const std::map<std::string, int>& planSteps)
    : scene_(std::move(scene)), steps_(trainingSteps(*scene_, planSteps)) {
  restart();
}

void Training::restart() {
  results_.assign(steps_.size(), {});
  completed_.assign(steps_.size(), false);
  current_ = steps_.empty() ? std::nullopt : std::optional<std::size_t>(0);
  released_.clear();
  time_ns_.reset();
}

bool Training::belongsToStep(int part) const {
  const std::vector<int>& parts = steps_[*current_].parts;
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

void Training::count(const SessionEvent& event) {
  if (event.kind == "reset") return restart();
  const bool grasps = event.kind == "grab", releases = event.kind == "release" || event.kind == "lost";
  if (grasps) held_[event.hand] = event.body;
  if (releases) held_.erase(event.hand);
  if (!current_) return;
  TrainingResult& result = results_[*current_];
  if (event.kind == "jam") ++result.jams;
  if (grasps && !belongsToStep(event.body)) ++result.wrongParts;
  if (grasps && released_.erase(event.body) > 0) ++result.drops;
  const bool isHeld =
      std::any_of(held_.begin(), held_.end(), [&](const auto& hand) { return hand.second == event.body; });
  if (releases && belongsToStep(event.body) && !isHeld) released_.insert(event.body);
}

std::vector<SessionMark> Training::update(const SimulationFrame& frame,
                                          std::span<const SessionEvent> events) {
  std::vector<SessionMark> marks;
  for (const SessionEvent& event : events) count(event);
  if (current_ && time_ns_)
    results_[*current_].time +=
        1e-9 * static_cast<double>(std::max<std::int64_t>(frame.time_ns - *time_ns_, 0));
  time_ns_ = frame.time_ns;
  const auto isComplete = [&](const TrainingStep& step) {
    return std::all_of(step.goals.begin(), step.goals.end(),
                       [&](std::size_t goal) { return isReachedAt(frame, goal); });
  };
  const auto next = std::find_if_not(steps_.begin(), steps_.end(), isComplete);
  const auto index = static_cast<std::size_t>(next - steps_.begin());
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (completed_[k] || !isComplete(steps_[k])) continue;
    completed_[k] = true;
    marks.push_back({"training", fmt::format("step {} of {}, {}: {}", k + 1, steps_.size(), nameOf(steps_[k]),
                                             countsText(results_[k]))});
  }
  const auto before = std::exchange(current_, next == steps_.end() ? std::nullopt : std::optional(index));
  if (current_ != before) released_.clear();
  return marks;
}

std::string Training::nameOf(const TrainingStep& step) const {
  std::string text;
  for (const int part : step.parts) text += (text.empty() ? "" : ", ") + scene_->part(part).name;
  return text;
}

std::string Training::taskText() const {
  if (!current_) return "Training: all steps done";
  return fmt::format("Step {} of {}: {}", *current_ + 1, steps_.size(), nameOf(steps_[*current_]));
}

std::string Training::correction(const SimulationFrame& frame) const {
  if (!current_) return "";
  for (const physics::HandState& hand : frame.record.tick.hands)
    if (hand.body.valid() && !belongsToStep(hand.body.value))
      return fmt::format("This step needs {}", nameOf(steps_[*current_]));
  return "";
}

std::string Training::summary() const {
  TrainingResult all;
  for (const TrainingResult& one : results_) {
    all.time += one.time;
    all.wrongParts += one.wrongParts;
    all.jams += one.jams;
    all.drops += one.drops;
  }
  return fmt::format("training: {} of {} steps in {}", std::count(completed_.begin(), completed_.end(), true),
                     steps_.size(), countsText(all));
}

}  // namespace tenon::runtime
