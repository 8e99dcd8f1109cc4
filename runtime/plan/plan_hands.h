// The steps of a plan as scripts of hands: grasp, lift, carry, approach, insert, turn, release.
#pragma once

#include "runtime/plan/part_distance.h"
#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Fills in the hands with their scripts, the times and remarks of the steps, the laid-out parts and the
/// places of groups, instead of those that the plan had. One hand brings the parts; the other one holds what
/// does not stand. Groups are built at free places, where fixtures hold them, and carried as one. Steps from
/// the first one on that hands cannot carry out have no script, and a remark says why. Call it with the steps
/// in their order.
void addHands(AssemblyPlan& plan, PartDistance& distance);

}  // namespace tenon::runtime
