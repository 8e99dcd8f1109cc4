// The plan as text for a terminal.
#pragma once

#include <string>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// "down", "up", or a vector.
std::string directionText(const physics::Vector3d& direction, const content::Scene& scene);

/// The names of the step's parts.
std::string partsText(const PlanStep& step, const AssemblyPlan& plan);

/// "stands", "hold pin", "fixture for pin", or "not simulated".
std::string supportText(const PlanStep& step, const AssemblyPlan& plan);

/// Steps, orders and what could not be planned.
std::string toText(const AssemblyPlan& plan);

}  // namespace tenon::runtime
