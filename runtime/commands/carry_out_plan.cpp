// See carry_out_plan.h.
#include "runtime/commands/carry_out_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "content/input/input_error.h"
#include "content/reader/read_fits.h"
#include "runtime/commands/needed_fit.h"
#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan_hands.h"
#include "runtime/plan/plan_json.h"
#include "runtime/report/diagnosis_text.h"

namespace tenon::runtime {

namespace {

/// Simulated time after the end of a step [s].
constexpr double kAfterStep = 0.5;

/// The number of the step that brings a part of the goal; 0: none does.
int stepOf(const content::Goal& goal, const LoadedScene& planned) {
  for (const int part : {goal.part, goal.into}) {
    const auto step = planned.planSteps.find(planned.scene->part(part).name);
    if (step != planned.planSteps.end()) return step->second;
  }
  return 0;
}

/// What is other than in the first attempt.
std::string changesOf(const AssemblyPlan& plan) {
  std::vector<std::size_t> slow, both;
  for (std::size_t k = 0; k < plan.steps.size(); ++k) {
    if (plan.steps[k].isSlow) slow.push_back(k + 1);
    if (plan.steps[k].isSecondAdded) both.push_back(k + 1);
  }
  const auto textOf = [](const std::vector<std::size_t>& steps, const char* how) {
    if (steps.empty()) return std::string();
    return fmt::format(", {} {} {}", steps.size() == 1 ? "step" : "steps", fmt::join(steps, ", "), how);
  };
  const bool isFixed = std::any_of(plan.steps.begin(), plan.steps.end(),
                                   [](const PlanStep& step) { return step.isLeaningFixed; });
  return std::string(isFixed ? ", fixtures for all that does not stand" : "") +
         textOf(both, "carried by two hands") + textOf(slow, "inserted slowly");
}

/// True if no hand holds anything before the step (index).
bool areHandsFree(const AssemblyPlan& plan, std::size_t step) {
  while (step > 0)
    if (plan.steps[--step].group == 0) return plan.steps[step].held.empty();
  return true;
}

/// Makes a step (index) that failed easier, with new scripts; false: it cannot be. What one hand carries as
/// one is carried by two if both are free, with the heaviest unit that it did not hold; then it is inserted
/// slowly.
bool makeEasier(AssemblyPlan& plan, std::size_t failed, PartDistance& distance) {
  PlanStep& step = plan.steps[failed];
  if (!step.hand) return false;
  if (step.carriers.size() == 1 && step.legs.empty() && step.motion.pitch == 0 &&
      areHandsFree(plan, failed)) {
    std::vector<int> others = step.units;
    std::erase(others, step.carriers.front());
    step.carriers.push_back(plan.assembly.heaviestOf(others));
    step.isSecondAdded = true;
    addHands(plan, distance);
    if (step.hand) return true;
    step.carriers.pop_back();
    step.isSecondAdded = false;
    addHands(plan, distance);
  }
  if (step.isSlow || step.isPressFit) return false;
  step.isSlow = true;
  addHands(plan, distance);
  return true;
}

/// Gives what only leans on a hand or a fixture one of its own, with new scripts: both yield under its
/// weight. False: nothing does.
bool fixLeaning(AssemblyPlan& plan, PartDistance& distance) {
  bool isAny = false;
  for (PlanStep& step : plan.steps) {
    if (step.leaning.empty()) continue;
    step.unsupported.insert(step.unsupported.end(), step.leaning.begin(), step.leaning.end());
    std::sort(step.unsupported.begin(), step.unsupported.end());
    step.leaning.clear();
    step.isLeaningFixed = isAny = true;
  }
  if (isAny) addHands(plan, distance);
  return isAny;
}

/// Of a plan that the reader of scenes rejects: nothing is reached, for its reason.
PlanTrial rejectedTrial(const AssemblyPlan& plan, const content::Scene& scene, const std::string& reason) {
  const nlohmann::json json = nlohmann::json::parse(toJson(plan));
  PlanTrial trial;
  trial.goals = static_cast<int>(scene.goals.size() + (json.contains("goals") ? json["goals"].size() : 0));
  trial.failure = reason;
  return trial;
}

PlanTrial trialOf(const LoadedScene& planned, const RunSettings& settings, const RunObserver& observer) {
  const RunOutcome outcome = runScene(planned, settings, observer);
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
    trial.failure = fmt::format("{}{}: {}", step > 0 ? fmt::format("step {}, ", step) : "",
                                planned.scene->part(of.part).name, verdictAndExplanation(goal, of));
  }
  if (outcome.result.notFinite > 0) trial.reached = std::min(trial.reached, trial.goals - 1);
  if (trial.failure.empty()) trial.failure = outcome.problem;
  return trial;
}

}  // namespace

PlanTrial simulatePlan(const AssemblyPlan& plan, const LoadedScene& loaded, const SceneOptions& options,
                       const RunObserver& observer) {
  return trialOf(withPlan(loaded, options, toJson(plan), "the plan"), {}, observer);
}

PlanTrial simulateWider(const AssemblyPlan& plan, int last, const AddedClearance& added,
                        const LoadedScene& loaded, const SceneOptions& options, const RunObserver& observer) {
  LoadedScene planned = withPlan(loaded, options, toJson(plan), "the plan");
  content::Scene scene = *planned.scene;
  for (const int goal : added.goals)
    if (!content::addClearance(scene, scene.goals[static_cast<std::size_t>(goal)], added.clearance))
      return {};
  planned.scene = std::make_shared<const content::Scene>(std::move(scene));
  RunSettings settings;
  settings.duration = plan.steps[static_cast<std::size_t>(last)].end + kAfterStep;
  return trialOf(planned, settings, observer);
}

AssemblyPlan carriedOut(
    std::vector<AssemblyPlan> plans, const content::Scene& scene,
    const std::function<PlanTrial(const AssemblyPlan&)>& simulate,
    const std::function<PlanTrial(const AssemblyPlan&, int last, const AddedClearance&)>& widened) {
  PartDistance distance(scene);
  std::vector<std::string> attempts;
  std::optional<AssemblyPlan> best;
  int failedStep = -1;  // of the best
  bool isOver = false, isInterrupted = false;
  for (std::size_t order = 0; order < plans.size() && !isOver; ++order) {
    AssemblyPlan& plan = plans[order];
    for (int slow = 0; !isOver; ++slow) {
      PlanTrial trial;
      try {
        trial = simulate(plan);
      } catch (const content::InputError& error) {
        trial = rejectedTrial(plan, scene, error.what());
      }
      const bool isWhole = trial.reached == trial.goals;
      attempts.push_back(fmt::format("order {}{}: {}", order + 1, changesOf(plan),
                                     trial.isInterrupted ? "stopped"
                                     : isWhole           ? "every goal reached"
                                                         : trial.failure));
      if (!best || trial.reached > best->carriedOut->reached) {
        best = plan;
        best->carriedOut = CarriedOut{trial.reached, trial.goals, {}, {}, {}};
        failedStep = trial.failedStep;
      }
      isInterrupted = trial.isInterrupted;
      isOver = isWhole || isInterrupted;
      if (isOver || trial.failedStep < 0) break;
      const bool isEasier =
          slow < kSlowSteps && makeEasier(plan, static_cast<std::size_t>(trial.failedStep), distance);
      if (!isEasier && !fixLeaning(plan, distance)) break;
    }
  }
  best->carriedOut->attempts = std::move(attempts);
  if (widened && failedStep >= 0 && !isInterrupted) {
    best->carriedOut->noFit = noFitText(*best, failedStep);
    best->carriedOut->fit = neededFit(*best, failedStep, widened);
  }
  return std::move(*best);
}

}  // namespace tenon::runtime
