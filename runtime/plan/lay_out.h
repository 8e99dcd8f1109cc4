// Places the parts of an assembly beside it, where hands can grasp them.
#pragma once

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Fills in `laidOut` and `bench`: units of steps that start in their places get start poses beside the
/// assembly, at rest on the scene's half-space or on one that is added at the lowest point of the assembly.
/// Without gravity they keep their orientation and height.
void layOutParts(AssemblyPlan& plan);

}  // namespace tenon::runtime
