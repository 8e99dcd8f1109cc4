// Carries out plans in the simulation; where one fails, slower insertion and other orders are tried.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/session/run_scene.h"

namespace tenon::runtime {

/// What the simulation of a plan has shown.
struct PlanTrial {
  int reached = 0, goals = 0;  ///< not all are reached by a motion whose numbers become infinite
  int failedStep = -1;  ///< first of AssemblyPlan::steps (index) whose goal was not reached; −1: none
  std::string failure;  ///< "step 3, screw: jammed: why"
  bool isInterrupted = false;
};

/// Holes of goals that are wider than in the scene.
struct AddedClearance {
  std::vector<int> goals;  ///< indices into Scene::goals
  double clearance = 0;    ///< added to each, diametral [m]
};

/// Simulates a plan of a loaded scene with the scene's rate and the default solver.
PlanTrial simulatePlan(const AssemblyPlan& plan, const LoadedScene& loaded, const SceneOptions& options,
                       const RunObserver& observer);
/// The same with wider holes, until the step `last` (index) has ended. A trial without goals: a hole cannot
/// be that wide.
PlanTrial simulateWider(const AssemblyPlan& plan, int last, const AddedClearance& added,
                        const LoadedScene& loaded, const SceneOptions& options, const RunObserver& observer);

/// Tries the plans, best first, until one reaches all goals: of each, where a step fails, again with that
/// step inserted slowly, what was built aside first in two hands if both are free, up to kSlowSteps times,
/// and then with fixtures for all that does not stand. A plan for which `simulate` throws content::InputError
/// reaches no goal. Returns the plan that reached the most goals, with what was tried, and with the clearance
/// that its first step that failed would need, if `widened` is given. `simulate` and `widened` as
/// simulatePlan() and simulateWider(). Ends with what it has where a trial was interrupted.
AssemblyPlan carriedOut(
    std::vector<AssemblyPlan> plans, const content::Scene& scene,
    const std::function<PlanTrial(const AssemblyPlan&)>& simulate,
    const std::function<PlanTrial(const AssemblyPlan&, int last, const AddedClearance&)>& widened = {});

inline constexpr int kSlowSteps = 3;

}  // namespace tenon::runtime
