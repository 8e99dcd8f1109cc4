// The floor height, and the JSON text of the floor part.
#include "runtime/live_view/scene_floor.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/live_view/scene_view.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Pose;

constexpr double kFloorGap = 0.001;  ///< gap below the lowest part, relative to the size of the scene [-]

Eigen::AlignedBox3d boxAt(const content::Part& part, const Pose& X_WP) {
  const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
  Eigen::AlignedBox3d placed;
  if (box.isEmpty()) return placed;
  for (int corner = 0; corner < 8; ++corner)
    placed.extend(X_WP * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  return placed;
}

/// "floor", with a number if the name is used.
template <class List>
std::string freeName(const List& named) {
  const auto isUsed = [&](const std::string& name) {
    return std::any_of(named.begin(), named.end(), [&](const auto& one) { return one.name == name; });
  };
  std::string name = "floor";
  for (int k = 2; isUsed(name); ++k) name = "floor " + std::to_string(k);
  return name;
}

/// Units of length of the scene file per meter.
double unitsPerMeter(const Json& text) {
  const std::string unit = text.value("unit", "mm");
  return unit == "m" ? 1 : unit == "in" ? 1 / 0.0254 : 1000;
}

}  // namespace

std::optional<double> floorHeight(const content::Scene& scene) {
  const bool hasGround = std::any_of(scene.parts.begin(), scene.parts.end(), [](const content::Part& part) {
    return std::holds_alternative<physics::HalfSpace>(part.shape);
  });
  if (hasGround || scene.goals.empty()) return std::nullopt;
  Eigen::AlignedBox3d all;
  std::vector<Pose> X_WP;
  for (const content::Part& part : scene.parts) {
    all.extend(boxAt(part, part.X_WP));
    X_WP.push_back(part.X_WP);
  }
  // In the order of the goals, because a part may be inserted into a part that was inserted before.
  for (const content::Goal& goal : scene.goals) {
    const auto part = static_cast<std::size_t>(goal.part);
    X_WP[part] = targetOf(scene, goal, X_WP);
    all.extend(boxAt(scene.parts[part], X_WP[part]));
  }
  if (all.isEmpty()) return std::nullopt;
  return all.min().z() - kFloorGap * all.diagonal().norm();
}

void addFloor(Json& text, const content::Scene& scene, double height) {
  double friction = 0;
  for (const content::MaterialPair& pair : scene.pairs) friction = std::max(friction, pair.friction);
  const std::string material = freeName(scene.materials);
  text["materials"].push_back({{"name", material}, {"density_kg_per_m3", 1000}});
  if (friction > 0)
    for (const content::Material& other : scene.materials)
      text["material_pairs"].push_back({{"materials", {material, other.name}}, {"friction", friction}});
  text["parts"].push_back({{"name", freeName(scene.parts)},
                           {"material", material},
                           {"motion", "fixed"},
                           {"shape", {{"kind", "half_space"}}},
                           {"position", {0, 0, height * unitsPerMeter(text)}}});
}

}  // namespace tenon::runtime
