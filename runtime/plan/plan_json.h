// The plan as a file: JSON, in the unit of the scene.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plan/plan.h"

namespace tenon::runtime {

/// Size of a plan file: enough for a plan of content::kMaxParts parts [bytes].
inline constexpr std::size_t kMaxPlanBytes = std::size_t{16} << 20;

/// Remedy for a damaged plan file.
inline constexpr const char* kPlanRemedy = "make the plan again with 'tenon plan'";

/// The text of a plan file (format: README.md).
std::string toJson(const AssemblyPlan& plan);

/// A scene with a plan merged into it.
struct PlannedScene {
  std::string text;  ///< of the scene
  /// JSON pointers into `text` whose values come from the plan, and where they are in the plan.
  std::vector<std::pair<std::string, std::string>> places;

  /// The place in the plan from which the value at `pointer` comes; empty: from the scene itself.
  std::optional<std::string> placeInPlan(const std::string& pointer) const;
};

/// The text of the scene with the plan's hands, its duration, and without time limits of goals; with the
/// plan's start poses, bench and goals for a scene that starts assembled. `sceneFile` and `planFile` are the
/// names in messages. Throws content::InputError if either is not JSON, or the plan does not match the scene.
PlannedScene applyPlan(const std::string& sceneText, const std::string& sceneFile,
                       const std::string& planText, const std::string& planFile);

/// A part of the base that the plan chose, for assembledState(); −1: it names none. Throws
/// content::InputError if it is damaged.
int planBase(const std::string& planText, const std::string& planFile, const content::Scene& scene);

/// The steps of a plan file, with what their paths need: units, grasped part, motion, travel and group.
/// `assembly`: that of the scene. Throws content::InputError if the plan is damaged or does not match.
std::vector<PlanStep> readPlanSteps(const std::string& planText, const std::string& planFile,
                                    const Assembly& assembly);

/// The numbers of the steps of a plan file, from 1, by part: of its last step. Throws content::InputError if
/// it is not JSON.
std::map<std::string, int> planSteps(const std::string& planText, const std::string& planFile);

}  // namespace tenon::runtime
