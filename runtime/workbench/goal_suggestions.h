// Which parts could go into which holes: proposals for goals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/edit/goal_edits.h"
#include "content/model/scene.h"

namespace tenon::runtime {

struct GoalSuggestion {
  content::GoalDraft goal;
  double clearance = 0;  ///< diametral [m]
};

/// The goal of a feature and a hole, with a depth: where the part is stopped, by its head or the bottom of
/// the hole; else the end of the hole or of the part, whichever comes first. Drawn at the same diameter, it
/// gets the fit H7/g6. Two matching threads: three turns.
content::GoalDraft goalDraft(const content::Scene& scene, int part, int feature, int into,
                             const content::HoleSite& mouth);

/// One goal for each part with an end that fits into a hole: the hole with the least clearance, of equal ones
/// the nearest. Every hole and every part occurs once, and none that has a goal already; of the two parts at
/// least one can move. At most a third of the diameter wider than the part.
std::vector<GoalSuggestion> suggestGoals(const content::Scene& scene);

}  // namespace tenon::runtime
