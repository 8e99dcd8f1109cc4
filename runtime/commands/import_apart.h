// Start poses of an imported assembly in which parts with goals are out of their holes and places.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/step/scene_draft.h"

namespace tenon::runtime {

/// Moves each part with a goal out of its holes along their axes, until its tip is `distance` [m] before the
/// hole farthest out. Joined parts move together, and parts inserted into a moved part move along with it. A
/// part that would overlap another one then stays. `scene`: the parts at their poses in the assembly; `base`:
/// the part that never moves. Returns a line for each part that stays.
std::vector<std::string> pullApart(const content::Scene& scene, std::size_t base, double distance,
                                   content::SceneDraft& draft);

}  // namespace tenon::runtime
