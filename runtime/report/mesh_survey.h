// What was found in the mesh files of a scene, for people and programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// For each part that is a mesh: its size, what is wrong with it, what it became, its holes and ends, a table
/// of round faces; doubts about its unit. Empty where there is none.
std::string meshText(const content::Scene& scene);

/// A line for each mesh file whose collision shape lies further off the mesh than what is stated, with the
/// place.
std::vector<std::string> meshWarnings(const content::Scene& scene);

/// What meshText() says, as a list, in SI units.
nlohmann::ordered_json meshJson(const content::Scene& scene);

}  // namespace tenon::runtime
