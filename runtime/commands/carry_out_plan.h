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

/// Simulates a plan of a loaded scene with the scene's rate and the default solver.
PlanTrial simulatePlan(const AssemblyPlan& plan, const LoadedScene& loaded, const SceneOptions& options,
                       const RunObserver& observer);

/// Tries the plans, best first, until one reaches all goals: of each, where a step fails, again with that
/// step inserted slowly, up to kSlowSteps of them. Returns the plan that reached the most goals, with what
/// was tried. `simulate` as simulatePlan(). Ends with what it has where a trial was interrupted.
AssemblyPlan carriedOut(std::vector<AssemblyPlan> plans, const content::Scene& scene,
                        const std::function<PlanTrial(const AssemblyPlan&)>& simulate);

inline constexpr int kSlowSteps = 3;

}  // namespace tenon::runtime
