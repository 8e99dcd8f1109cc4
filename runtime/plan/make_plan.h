// Makes the plan of an assembly: order, paths, supports, hands.
#pragma once

#include <functional>
#include <string>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

struct PlanSettings {
  /// True once the time is over: the plan is then the best so far.
  std::function<bool()> stop = [] { return false; };
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// The plan of the scene's assembled state. Borrows `scene`. Throws as assembledState().
AssemblyPlan makePlan(const content::Scene& scene, const PlanSettings& settings);

}  // namespace tenon::runtime
