// How much clearance a step that fails would need, by simulations with wider holes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/commands/carry_out_plan.h"

namespace tenon::runtime {

/// Why no clearance is tried for the step `failed` (index), in words; "": it goes into a round hole.
std::string noFitText(const AssemblyPlan& plan, int failed);

/// Tries clearances up to 1 mm for the holes of the step `failed` (index) of a plan, then halves the last
/// interval, to a tenth of the clearance. `simulate` as simulateWider(). Empty: the step has no round hole,
/// or a trial was interrupted.
std::optional<NeededFit> neededFit(
    const AssemblyPlan& plan, int failed,
    const std::function<PlanTrial(const AssemblyPlan&, int last, const AddedClearance&)>& simulate);

}  // namespace tenon::runtime
