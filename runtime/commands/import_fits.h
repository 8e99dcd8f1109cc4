// Fits of the goals of an imported assembly whose walls are drawn at the same size.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "content/step/scene_draft.h"
#include "runtime/commands/import_summary.h"

namespace tenon::runtime {

/// The fit of parts that are drawn at the same size.
struct FitChoice {
  std::string fit;                     ///< class, as "H7/g6"
  std::optional<double> clearance_um;  ///< instead [µm]

  /// For the summary.
  std::string text() const;
  void addTo(content::DraftGoal& goal) const;
};

/// Gives the goals of guided pairs without a gap the fit that is chosen, as far as their walls can take it.
/// Goal k of the draft is that of findings.matings.guided[k]. `parse` reads the JSON text of a scene and
/// throws InputError if it is invalid.
void addWallFits(const FitChoice& choice, const std::function<void(const std::string&)>& parse,
                 content::SceneDraft& draft, ImportFindings& findings);

}  // namespace tenon::runtime
