// The plan as one HTML page without scripts or other files.
#pragma once

#include <string>
#include <vector>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Pictures of the assembly, exploded and after each step.
struct PlanPictures {
  std::string exploded;          ///< bytes of a PNG file, or none
  std::vector<std::string> png;  ///< bytes of PNG files, as many as steps; or none
  std::string why;               ///< reason if there are none, or ""
};

/// Order, directions, supports, Gantt chart of the hands, alternatives.
std::string planPage(const AssemblyPlan& plan, const PlanPictures& pictures);

}  // namespace tenon::runtime
