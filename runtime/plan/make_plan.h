// Makes the plan of an assembly: order, paths, supports, hands.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

struct PlanSettings {
  /// True once the time is over: the plan is then the best so far.
  std::function<bool()> stop = [] { return false; };
  /// True once searches for paths with corners end: what needs one then counts as inseparable.
  std::function<bool()> stopSearch = [] { return false; };
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// The plans of the scene's assembled state by the orders that were found, best first; at least one. They
/// borrow `scene`. Throws as assembledState().
std::vector<AssemblyPlan> makePlans(const content::Scene& scene, const PlanSettings& settings);
/// The best of them.
AssemblyPlan makePlan(const content::Scene& scene, const PlanSettings& settings);

}  // namespace tenon::runtime
