// See carry_out_plan.h.
#include "runtime/commands/carry_out_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan_hands.h"
#include "runtime/plan/plan_json.h"
#include "runtime/report/diagnosis_text.h"

namespace tenon::runtime {

namespace {

/// The number of the step that brings a part of the goal; 0: none does.
int stepOf(const content::Goal& goal, const LoadedScene& planned) {
  for (const int part : {goal.part, goal.into}) {
    const auto step = planned.planSteps.find(planned.scene->part(part).name);
    if (step != planned.planSteps.end()) return step->second;
  }
  return 0;
}

std::string slowSteps(const AssemblyPlan& plan) {
  std::string text;
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (plan.steps[k].isSlow) text += fmt::format("{}{}", text.empty() ? "" : ", ", k + 1);
  return text.empty() ? "" : fmt::format(", step {} inserted slowly", text);
}

}  // namespace

PlanTrial simulatePlan(const AssemblyPlan& plan, const LoadedScene& loaded, const SceneOptions& options,
                       const RunObserver& observer) {
  const LoadedScene planned = withPlan(loaded, options, toJson(plan), "the plan");
  const RunOutcome outcome = runScene(planned, {}, observer);
  PlanTrial trial;
  trial.isInterrupted = outcome.result.interrupted;
  trial.goals = static_cast<int>(outcome.result.goals.size());
  for (std::size_t k = 0; k < outcome.result.goals.size(); ++k) {
    const GoalResult& goal = outcome.result.goals[k];
    const content::Goal& of = planned.scene->goals[k];
    if (isReached(goal.verdict)) {
      ++trial.reached;
      continue;
    }
    const int step = stepOf(of, planned);
    const bool isEarlier = step > 0 && (trial.failedStep < 0 || step - 1 < trial.failedStep);
    if (!trial.failure.empty() && !isEarlier) continue;
    trial.failedStep = step - 1;
    trial.failure =
        fmt::format("{}{}: {}: {}", step > 0 ? fmt::format("step {}, ", step) : "",
                    planned.scene->part(of.part).name, toText(goal.verdict), explanationOf(goal, of));
  }
  if (outcome.result.notFinite > 0) trial.reached = std::min(trial.reached, trial.goals - 1);
  if (trial.failure.empty()) trial.failure = outcome.problem;
  return trial;
}

AssemblyPlan carriedOut(std::vector<AssemblyPlan> plans, const content::Scene& scene,
                        const std::function<PlanTrial(const AssemblyPlan&)>& simulate) {
  PartDistance distance(scene);
  std::vector<std::string> attempts;
  std::optional<AssemblyPlan> best;
  bool isOver = false;
  for (std::size_t order = 0; order < plans.size() && !isOver; ++order) {
    AssemblyPlan& plan = plans[order];
    for (int slow = 0; !isOver; ++slow) {
      const PlanTrial trial = simulate(plan);
      const bool isWhole = trial.reached == trial.goals;
      attempts.push_back(fmt::format("order {}{}: {}", order + 1, slowSteps(plan),
                                     trial.isInterrupted ? "stopped"
                                     : isWhole           ? "every goal reached"
                                                         : trial.failure));
      if (!best || trial.reached > best->carriedOut->reached) {
        best = plan;
        best->carriedOut = CarriedOut{trial.reached, trial.goals, {}};
      }
      isOver = isWhole || trial.isInterrupted;
      if (isOver || slow == kSlowSteps || trial.failedStep < 0) break;
      PlanStep& failed = plan.steps[static_cast<std::size_t>(trial.failedStep)];
      if (failed.isSlow || failed.isPressFit || !failed.hand) break;
      failed.isSlow = true;
      addHands(plan, distance);
    }
  }
  best->carriedOut->attempts = std::move(attempts);
  return std::move(*best);
}

}  // namespace tenon::runtime
