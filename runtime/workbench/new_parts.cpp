// See new_parts.h.
#include "runtime/workbench/new_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/edit/json_style.h"
#include "content/edit/json_text.h"
#include "content/edit/part_edits.h"
#include "content/input/wording.h"
#include "content/parts/parametric_part.h"
#include "content/reader/load_scene.h"
#include "content/recognize/recognized_cache.h"
#include "runtime/workbench/bench_reading.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Pose;
using physics::Vector3d;
namespace fs = std::filesystem;

constexpr double kGap = 0.02;  ///< between a new part and the others [m]

constexpr std::array<std::pair<const char*, const char*>, 7> kLibraryParts{{
    {"plate", R"({"kind": "plate", "size": [80, 60, 40],
                 "holes": [{"name": "hole", "at": [0, 0], "diameter": 8.4, "chamfer": 0.5}]})"},
    {"flange", R"({"kind": "flange", "width": 130, "thickness": 15, "bore": 50,
                  "holes": [{"name": "screw", "screw": "M8", "circle": {"count": 4, "diameter": 100}}]})"},
    {"bracket", R"({"kind": "bracket", "width": 60, "depth": 50, "height": 60, "thickness": 8,
                   "base_holes": [{"name": "base", "screw": "M6", "at": [0, 0]}]})"},
    {"bushing", R"({"kind": "bushing", "bore": 10, "outer": 16, "length": 20, "chamfer": 0.5})"},
    {"bearing", R"({"kind": "bearing", "bore": 20, "outer": 47, "width": 14, "chamfer": 1})"},
    {"shaft", R"({"kind": "shaft", "steps": [[30, 20], [20, 40]], "chamfer": 1})"},
    {"driver", R"({"kind": "driver", "bit": "key", "width": 6, "torque_limit_nm": 8, "ratchet": true})"},
}};

Eigen::AlignedBox3d placedBox(const content::Part& part, const Pose& X_WP) {
  const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
  Eigen::AlignedBox3d placed;
  if (box.isEmpty() || !box.min().allFinite()) return placed;
  for (int corner = 0; corner < 8; ++corner)
    placed.extend(X_WP * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  return placed;
}

bool isFloor(const content::Part& part) {
  return std::holds_alternative<physics::HalfSpace>(part.shape);
}

/// The height on which new parts stand [m].
double floorHeightOf(const content::Scene& scene) {
  double height = 0;
  for (const content::Part& part : scene.parts)
    if (isFloor(part)) height = part.X_WP.p.z();
  return height;
}

Eigen::AlignedBox3d boundsOfParts(const content::Scene& scene) {
  Eigen::AlignedBox3d all;
  for (const content::Part& part : scene.parts)
    if (!isFloor(part)) all.extend(placedBox(part, part.X_WP));
  return all;
}

/// The part of an entry as a scene of its own has it.
content::Part partOf(const Json& entry, const content::Scene& scene,
                     const std::function<void(const std::string&)>& progress) {
  content::JsonText text(emptyBench(), scene.file);
  text.set("/unit", scene.unit);
  content::addPart(text, entry);
  content::MeshReadOptions meshes;
  meshes.cacheFolder = content::userCacheFolder();
  meshes.progress = progress;
  return content::parseScene(text.text(), scene.file, {}, meshes, content::SceneChecks::entries).parts.back();
}

/// Screws stand on their heads.
bool standsOnItsHead(const content::Part& part) {
  for (const char* screw : {"ISO 4762", "ISO 4014", "ISO 4017"})
    if (part.libraryName.starts_with(screw)) return true;
  return false;
}

/// Multiplies all lengths; counts, angles and torques stay.
void scaleLengths(Json& value, double factor) {
  if (value.is_number()) value = content::number(value.get<double>() * factor);
  for (auto& [name, child] : value.items())
    if (value.is_structured() && name != "count" && name != "start_deg" && name != "torque_limit_nm")
      scaleLengths(child, factor);
}

std::string endingOfFile(const std::string& file) {
  std::string ending = fs::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

}  // namespace

std::vector<PartTemplate> partTemplates() {
  std::vector<PartTemplate> all{
      {"box", "cuboid", "shape", R"({"kind": "box", "size": [40, 30, 20]})"},
      {"cylinder", "cylinder along z", "shape", R"({"kind": "cylinder", "diameter": 20, "length": 30})"}};
  for (const auto& [name, dimensions] : kLibraryParts)
    for (const content::ParametricKind& kind : content::parametricKinds())
      if (kind.name == name) all.push_back({kind.name, kind.description, "library", dimensions});
  return all;
}

std::string dimensionsIn(const std::string& unit, const PartTemplate& one) {
  Json dimensions = Json::parse(one.dimensions);
  if (unit != "mm") scaleLengths(dimensions, content::unitsPerMeter(unit) / content::unitsPerMeter("mm"));
  return dimensions.dump();
}

void addNewPart(Workbench& bench, const std::string& name, const std::string& field, const Json& value) {
  bench.waitForReader();
  const Json entry = newPart(bench.newestScene(), name, field, value);
  const std::string chosen = entry["name"];
  bench.addEntry("add " + chosen, [&](content::JsonText& text) { content::addPart(text, entry); });
  bench.selectNamed(chosen);
}

bool isFirstPart(const content::Scene& scene) {
  return std::all_of(scene.parts.begin(), scene.parts.end(), isFloor);
}

Vector3d freePlaceOf(const content::Scene& scene, const Eigen::AlignedBox3d& box) {
  const Eigen::AlignedBox3d all = boundsOfParts(scene);
  if (box.isEmpty()) return Vector3d::Zero();
  Vector3d p(-box.center().x(), -box.center().y(), floorHeightOf(scene) - box.min().z());
  if (!all.isEmpty()) {
    p.x() = all.max().x() + kGap - box.min().x();
    p.y() += all.center().y();
  }
  const auto rounded = [](double x) { return std::round(x * 1e4) / 1e4; };
  return {rounded(p.x()), rounded(p.y()), p.z()};
}

Json newPart(const content::Scene& scene, const std::string& name, const std::string& field,
             const Json& value, const std::function<void(const std::string&)>& progress) {
  std::vector<std::string> names;
  for (const content::Part& part : scene.parts) names.push_back(part.name);
  const bool first = isFirstPart(scene);
  Json entry = {{"name", content::freeName(name, names)},
                {"material", scene.materials.empty() ? "steel" : scene.materials.front().name}};
  if (first) entry["motion"] = "fixed";
  entry[field] = value;
  const content::Part part = partOf(entry, scene, progress);
  const physics::Quaterniond q =
      standsOnItsHead(part) && !first ? physics::Quaterniond(0, 0, 1, 0) : physics::Quaterniond::Identity();
  entry["position"] = content::positionJson(freePlaceOf(scene, placedBox(part, {q, Vector3d::Zero()})),
                                            content::unitsPerMeter(scene.unit));
  if (q.w() == 0) entry["rotation"] = {{"axis", {0, 1, 0}}, {"angle_deg", 180}};
  return entry;
}

Vector3d placeBeside(const content::Scene& scene, int part) {
  const content::Part& original = scene.part(part);
  const Eigen::AlignedBox3d box = placedBox(original, original.X_WP), all = boundsOfParts(scene);
  Vector3d p = original.X_WP.p;
  if (!box.isEmpty()) p.x() += std::round((all.max().x() + kGap - box.min().x()) * 1e4) / 1e4;
  return p;
}

Json meshShape(const std::string& file, const std::string& sceneFile, const std::string& unit) {
  std::error_code none;
  const fs::path folder = fs::weakly_canonical(fs::absolute(sceneFile, none).parent_path(), none);
  const fs::path relative = fs::weakly_canonical(file, none).lexically_relative(folder);
  if (!isPartFile(file))
    throw content::InputError(file, "", "is no file of a part", "give a STEP, STL, OBJ, GLB or glTF file");
  if (relative.empty() || *relative.begin() == "..")
    throw content::InputError(file, "", "is not in the folder of the scene or below",
                              "copy it to " + folder.string());
  Json shape = {{"kind", "mesh"}, {"file", relative.generic_string()}};
  const std::string ending = endingOfFile(file);
  if (ending == ".stl" || ending == ".obj") shape["unit"] = unit;
  return shape;
}

bool isPartFile(const std::string& file) {
  constexpr std::array kEndings{".step", ".stp", ".stl", ".obj", ".glb", ".gltf"};
  return std::find(kEndings.begin(), kEndings.end(), endingOfFile(file)) != kEndings.end();
}

std::string nounOf(const std::string& description) {
  const std::string words = description.substr(0, description.find(','));
  return words.substr(words.rfind(' ') + 1);
}

std::string shortName(const std::string& text) {
  constexpr std::size_t kMaxBytes = 40;
  const std::string name = content::oneLine(text, kMaxBytes);
  return name.empty() ? "part" : name;
}

}  // namespace tenon::runtime
