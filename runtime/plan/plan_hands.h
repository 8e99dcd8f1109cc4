// The steps of a plan as scripts of hands: grasp, lift, carry, approach, insert, turn, release.
#pragma once

#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Fills in the hands with their scripts, the times and remarks of the steps and the laid-out parts, in place
/// of those the plan had. One hand brings the
/// parts; the other one holds what does not stand. Steps from the first group that is built aside on have no
/// script. Call it with the steps in their order.
void addHands(AssemblyPlan& plan, PartDistance& distance);

}  // namespace tenon::runtime
