// Results of the mesh import of a scene, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// For each mesh part: size, defects, collision shape, holes and ends, a table of round faces, doubts about
/// its unit. Empty without mesh parts.
std::string meshText(const content::Scene& scene);

/// A line for each mesh file whose collision shape deviates from the mesh by more than stated, with the
/// position.
std::vector<std::string> meshWarnings(const content::Scene& scene);

/// The data of one mesh part as an object, in SI units, without the part's name.
nlohmann::ordered_json meshJson(const content::MeshShape& mesh);

/// The data of meshText() as a list, in SI units.
nlohmann::ordered_json meshJson(const content::Scene& scene);

}  // namespace tenon::runtime
