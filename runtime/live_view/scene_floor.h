// A floor for live sessions of scenes that have none: what a person drops lies on what is drawn as the
// ground.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "content/model/scene.h"

namespace tenon::runtime {

/// Where a floor is below all that the scene is about: its parts at the start and where its goals want them
/// [m]. Nothing where the scene has a half-space of its own, or no goals: parts of a demonstration move where
/// they want.
std::optional<double> floorHeight(const content::Scene& scene);

/// Adds a level half-space at `height` [m], as a part with a material of its own and the friction of the
/// scene's roughest pair, to the text that `scene` was read from.
void addFloor(nlohmann::ordered_json& text, const content::Scene& scene, double height);

}  // namespace tenon::runtime
