// Adds a floor to scenes without one in interactive sessions, so that dropped parts rest on the drawn ground.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "content/model/scene.h"

namespace tenon::runtime {

/// The height of a floor below all parts at their start and target poses [m]. std::nullopt if the scene has a
/// half-space, or no goals (a demonstration).
std::optional<double> floorHeight(const content::Scene& scene);

/// Adds a horizontal half-space at `height` [m] to the scene text: a part with its own material and the
/// largest friction coefficient of the scene.
void addFloor(nlohmann::ordered_json& text, const content::Scene& scene, double height);

}  // namespace tenon::runtime
