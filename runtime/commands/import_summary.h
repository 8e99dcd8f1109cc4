// The summary of tenon parts import-assembly.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "content/step/scene_draft.h"
#include "content/step/step_model.h"
#include "runtime/commands/import_matings.h"

namespace tenon::runtime {

/// Results for the summary besides the draft.
struct ImportFindings {
  std::vector<std::string> clearances;  ///< of the goals
  std::vector<std::string> unfitted;    ///< goals of parts drawn at the same size, and why they get no fit
  std::vector<std::string> tooTight;    ///< coaxial pairs without clearance
  std::set<std::pair<int, int>> tightPairs;  ///< their parts, the lower one first
  std::vector<int> withoutVolume;            ///< parts that are open surfaces, but for the fixed one
  std::size_t overlaps = 0;                  ///< joined pairs
  std::vector<std::string> staying;          ///< parts that cannot be pulled apart
  std::vector<std::string> refused;          ///< products that cannot be used, with their reasons
  AssemblyMatings matings;
};

/// Parts, goals and notes on a draft whose fixed part is `base`, and the file `out` that it is written to.
std::string importSummary(const content::StepModel& model, const content::SceneDraft& draft,
                          const ImportFindings& findings, std::size_t base, const std::string& out);

}  // namespace tenon::runtime
