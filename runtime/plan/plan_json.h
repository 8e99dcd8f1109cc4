// The plan as a file: JSON, in the unit of the scene.
#pragma once

#include <map>
#include <string>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// The text of a plan file (format: README.md).
std::string toJson(const AssemblyPlan& plan);

/// The text of the scene with the plan's hands, its duration, and without time limits of goals; with the
/// plan's start poses, bench and goals for a scene that starts assembled. `sceneFile` and `planFile` are the
/// names in messages. Throws content::InputError if either is not JSON, or the plan does not match the scene.
std::string applyPlan(const std::string& sceneText, const std::string& sceneFile, const std::string& planText,
                      const std::string& planFile);

/// The numbers of the steps of a plan file, from 1, by part: of its last step. Throws content::InputError if
/// it is not JSON.
std::map<std::string, int> planSteps(const std::string& planText, const std::string& planFile);

}  // namespace tenon::runtime
