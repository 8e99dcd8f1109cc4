// New parts for the workbench: their entries in the scene file, and a free place beside the others.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "content/model/scene.h"
#include "runtime/workbench/workbench.h"

namespace tenon::runtime {

/// A kind of part that can be added, with dimensions to start from, in the unit of the scene (here mm).
struct PartTemplate {
  std::string name;         ///< "plate", "box"
  std::string description;  ///< of the library; "" for plain shapes
  std::string field;        ///< of the part's entry: "library" or "shape"
  std::string dimensions;   ///< JSON object
};
std::vector<PartTemplate> partTemplates();

/// The dimensions of a template in another unit of length: "mm", "m" or "in".
std::string dimensionsIn(const std::string& unit, const PartTemplate& one);

/// The entry of a new part with this field, such as {"standard": "ISO 2338 8x30"}: a free name made of
/// `name`, steel, and a place on the floor beside the others. The first part beside the floor is fixed.
/// Throws content::InputError and content::MissingComponent if the part cannot be read. `progress`: of
/// reading a mesh.
nlohmann::ordered_json newPart(
    const content::Scene& scene, const std::string& name, const std::string& field,
    const nlohmann::ordered_json& value,
    const std::function<void(const std::string&)>& progress = [](const std::string&) {});

/// True if the scene has no part yet but its floor.
bool isFirstPart(const content::Scene& scene);

/// How far parts with these bounds have to be moved to stand on the floor, right of all others [m].
physics::Vector3d freePlaceOf(const content::Scene& scene, const Eigen::AlignedBox3d& bounds);

/// Adds such a part to the document and selects it.
void addNewPart(Workbench& bench, const std::string& name, const std::string& field,
                const nlohmann::ordered_json& value);

/// A position for a copy of a part, beside all others [m].
physics::Vector3d placeBeside(const content::Scene& scene, int part);

/// The "shape" of a mesh or STEP file: relative to the folder of the scene. `unit`: of STL and OBJ files.
/// Throws content::InputError if the file is not in that folder or below, or has another ending.
nlohmann::ordered_json meshShape(const std::string& file, const std::string& sceneFile,
                                 const std::string& unit);

/// True for names that end in .step, .stp, .stl, .obj, .glb or .gltf.
bool isPartFile(const std::string& file);

/// "screw" of the library's "hexagon head screw, thread to the head".
std::string nounOf(const std::string& description);

/// A name for a part from that of a file: one line of at most 40 bytes.
std::string shortName(const std::string& text);

}  // namespace tenon::runtime
