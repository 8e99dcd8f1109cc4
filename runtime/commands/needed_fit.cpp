// See needed_fit.h.
#include "runtime/commands/needed_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "content/input/wording.h"
#include "runtime/assess/insertion_fit.h"

namespace tenon::runtime {

namespace {

/// Added clearances that are tried first [m].
constexpr std::array kAdded{5e-6, 10e-6, 20e-6, 50e-6, 100e-6, 200e-6, 500e-6, 1e-3};
/// The answer is given to whole micrometers, and to this share of itself.
constexpr double kMicrometer = 1e-6, kPrecision = 0.1;

/// The goals with a hole that the step brings together.
std::vector<int> goalsOf(const AssemblyPlan& plan, const PlanStep& step) {
  const Assembly& assembly = plan.assembly;
  std::vector<int> goals;
  for (std::size_t k = 0; k < assembly.scene->goals.size(); ++k) {
    const content::Goal& goal = assembly.scene->goals[k];
    const auto isMoved = [&](int part) {
      return std::find(step.units.begin(), step.units.end(), assembly.unitOf(part)) != step.units.end();
    };
    if (!goal.pose && (isMoved(goal.part) || isMoved(goal.into))) goals.push_back(static_cast<int>(k));
  }
  return goals;
}

}  // namespace

std::string noFitText(const AssemblyPlan& plan, int failed) {
  const PlanStep& step = plan.steps[static_cast<std::size_t>(failed)];
  if (!goalsOf(plan, step).empty()) return "";
  return fmt::format(
      "step {}: no fit is suggested, because {} goes into no round hole that could be made wider", failed + 1,
      content::inQuotes(plan.assembly.scene->part(step.lead).name));
}

std::optional<NeededFit> neededFit(
    const AssemblyPlan& plan, int failed,
    const std::function<PlanTrial(const AssemblyPlan&, int last, const AddedClearance&)>& simulate) {
  const content::Scene& scene = *plan.assembly.scene;
  const std::vector<int> goals = goalsOf(plan, plan.steps[static_cast<std::size_t>(failed)]);
  if (goals.empty()) return std::nullopt;
  const content::Goal& goal = scene.goals[static_cast<std::size_t>(goals.front())];
  NeededFit fit;
  fit.step = failed;
  fit.part = scene.part(goal.part).name;
  fit.hole = goal.hole;
  fit.into = scene.part(goal.into).name;
  if (const InsertionFit now = insertionFitOf(scene, goal); now.known()) fit.present = now.clearance();
  bool isPossible = true;
  const auto passes = [&](double added) {
    const PlanTrial trial = simulate(plan, failed, {goals, added});
    isPossible = !trial.isInterrupted && trial.goals > 0;
    return isPossible && (trial.failedStep < 0 || trial.failedStep > failed);
  };
  double enough = 0;
  for (const double added : kAdded) {
    const bool isEnough = passes(added);
    if (!isPossible) break;
    if (isEnough) {
      enough = added;
      break;
    }
    fit.notEnough = added;
  }
  while (isPossible && enough > 0) {
    const double middle = std::round(0.5 * (fit.notEnough + enough) / kMicrometer) * kMicrometer;
    if (enough - fit.notEnough <= std::max(kMicrometer, kPrecision * enough) || middle <= fit.notEnough ||
        middle >= enough)
      break;
    (passes(middle) ? enough : fit.notEnough) = middle;
  }
  if (!isPossible && enough == 0 && fit.notEnough == 0) return std::nullopt;
  if (enough > 0) fit.added = enough;
  return fit;
}

}  // namespace tenon::runtime
