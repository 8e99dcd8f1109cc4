// The plan as text for a terminal.
#pragma once

#include <string>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// "down", "up", or a vector.
std::string directionText(const physics::Vector3d& direction, const content::Scene& scene);

/// The names of the step's parts.
std::string partsText(const PlanStep& step, const AssemblyPlan& plan);

/// "down", "down, 4.0 turns", or "down, then 2 moves".
std::string insertionText(const PlanStep& step, const content::Scene& scene);

/// All moves of a path with corners, in the order of the insertion; "" of others.
std::string legsText(const PlanStep& step, const AssemblyPlan& plan);

/// "step 1 needs a fit of at least 700 µm: …".
std::string fitText(const NeededFit& fit);

/// Why parts are named as inseparable.
std::string inseparableText(const AssemblyPlan& plan);

/// "stands", "hold pin", "fixture for pin", or "not simulated".
std::string supportText(const PlanStep& step, const AssemblyPlan& plan);

/// The hand that carries out the step: its name, "both", or "-" if none does.
std::string handText(const PlanStep& step, const AssemblyPlan& plan);

/// Steps, orders and what could not be planned.
std::string toText(const AssemblyPlan& plan);

}  // namespace tenon::runtime
