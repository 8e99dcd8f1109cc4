// Where groups are built aside: at free places beside everything else.
#pragma once

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Fills in `buildPlaces`: each group is built in the orientation of the assembled state, moved to the
/// nearest side of all parts and insertions at which nothing is, and upwards until its insertions from below
/// are above the bench or the scene's half-space. A side at which it would reach into a half-space that does
/// not face upwards is not free; if none is left, a remark of the group's first step says so. Call it after
/// layOutParts().
void placeGroups(AssemblyPlan& plan);

}  // namespace tenon::runtime
