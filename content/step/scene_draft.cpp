// See scene_draft.h.
#include "content/step/scene_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "content/input/limits.h"
#include "content/input/wording.h"
#include "content/step/read_step.h"

namespace tenon::content {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSteelDensity = 7850;  ///< [kg/m³]
constexpr double kDuration = 10;        ///< of a run [s]
/// Tolerance of a goal's depth: this fraction of the depth [-], at most this length [m]; tilt tolerance [°].
constexpr double kDepthFraction = 0.1, kMaxDepthTolerance = 1e-4, kTiltTolerance_deg = 1;

/// A unique name: one line, with a number appended if the name is taken.
std::string uniqueSceneName(const std::string& wanted, std::set<std::string>& taken) {
  std::string base = oneLine(wanted, kMaxNameBytes - 8);
  if (base.empty()) base = "part";
  std::string name = base;
  for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{} {}", base, number);
  return name;
}

int materialOf(const StepProduct& product, std::set<std::string>& taken, SceneDraft& draft) {
  const bool assumed = !(product.density > 0);
  const std::string wanted = assumed                    ? "steel, assumed"
                             : product.material.empty() ? "material"
                                                        : product.material;
  for (std::size_t k = 0; k < draft.materials.size(); ++k) {
    const DraftMaterial& material = draft.materials[k];
    if (material.assumed == assumed &&
        (assumed || (material.density == product.density && material.name.starts_with(oneLine(wanted, 40)))))
      return static_cast<int>(k);
  }
  draft.materials.push_back(
      {uniqueSceneName(wanted, taken), assumed ? kSteelDensity : product.density, assumed});
  return static_cast<int>(draft.materials.size()) - 1;
}

/// Puts lists of numbers on one line, for readability.
std::string vectorsOnOneLine(const std::string& json) {
  std::string text;
  for (std::size_t k = 0; k < json.size(); ++k) {
    text += json[k];
    const std::size_t first = json.find_first_not_of("\n ", k + 1);
    if (json[k] != '[' || first == std::string::npos || !std::strchr("-0123456789", json[first])) continue;
    const std::size_t end = json.find(']', first);
    for (k = first; k < end && k < json.size(); ++k) {
      if (json[k] != '\n') {
        text += json[k];
        continue;
      }
      k = json.find_first_not_of("\n ", k) - 1;
      if (k + 1 < end) text += ' ';
    }
    text += ']';
  }
  return text;
}

/// To a multiple of 10⁻⁹ for lengths [mm] and angles [°], of 10⁻¹² for components of directions [-]: without
/// the rounding errors of a computation.
constexpr double kLengthDigits = 1e9, kDirectionDigits = 1e12;
double rounded(double value, double digits) {
  return std::round(value * digits) / digits + 0.0;  // + 0: no negative zero
}

double inMillimeters(double length) {
  return rounded(length * 1e3, kLengthDigits);
}

Json inMillimeters(const Vector3d& p) {
  return {inMillimeters(p.x()), inMillimeters(p.y()), inMillimeters(p.z())};
}

Json jsonOf(const Vector3d& d) {
  const auto component = [](double c) { return rounded(c, kDirectionDigits); };
  return {component(d.x()), component(d.y()), component(d.z())};
}

/// "rotation" of a pose, if there is one.
void addRotation(const physics::Quaterniond& q, Json& pose) {
  const Eigen::AngleAxisd rotation(q);
  if (rotation.angle() == 0) return;
  pose["rotation"] = {{"axis", jsonOf(rotation.axis())},
                      {"angle_deg", rounded(rotation.angle() * 180 / std::numbers::pi, kLengthDigits)}};
}

Json jsonOf(const DraftPart& part, const SceneDraft& draft) {
  Json json = {{"name", part.name},
               {"material", draft.materials[static_cast<std::size_t>(part.material)].name},
               {"motion", part.isDynamic ? "dynamic" : "fixed"},
               {"shape", {{"kind", "mesh"}, {"file", draft.file}, {"product", part.product}}}};
  if (part.color) {
    const auto byte = [&](std::size_t k) { return static_cast<int>(std::lround(255 * (*part.color)[k])); };
    json["color"] = fmt::format("#{:02x}{:02x}{:02x}", byte(0), byte(1), byte(2));
  }
  json["position"] = inMillimeters(part.X_WP.p);
  addRotation(part.X_WP.q, json);
  return json;
}

const std::string& nameOf(const SceneDraft& draft, int part) {
  return draft.parts[static_cast<std::size_t>(part)].name;
}

Json jsonOf(const DraftGoal& goal, const SceneDraft& draft) {
  Json json = {{"part", nameOf(draft, goal.part)}};
  if (!goal.place) json["feature"] = goal.feature;
  json["into"] = nameOf(draft, goal.into);
  if (!goal.place) json["hole"] = goal.hole;
  if (goal.place) {
    json["pose"] = {{"position", inMillimeters(goal.place->X_IP.p)}};
    addRotation(goal.place->X_IP.q, json["pose"]);
    json["along"] = jsonOf(goal.place->along);
  }
  json["depth"] = inMillimeters(goal.depth);
  json["depth_tolerance"] = inMillimeters(std::min(kMaxDepthTolerance, kDepthFraction * goal.depth));
  if (goal.place) json["tolerance"] = inMillimeters(goal.place->across);
  json["tilt_tolerance_deg"] = kTiltTolerance_deg;
  if (!goal.fit.empty()) json["fit"] = goal.fit;
  if (goal.clearance_um) json["fit"] = {{"clearance_um", *goal.clearance_um}};
  return json;
}

Json jsonOf(const DraftJoint& joint, const SceneDraft& draft, std::size_t number) {
  return {{"name", fmt::format("as one {}", number)},
          {"kind", "fixed"},
          {"part", nameOf(draft, joint.part)},
          {"to", nameOf(draft, joint.to)},
          {"position", {0, 0, 0}}};
}

}  // namespace

std::vector<std::string> dropRefused(StepModel& model, const std::string& file) {
  const auto isRefused = [](const StepProduct& product) { return product.problem.has_value(); };
  const bool hasUsable = !std::all_of(model.products.begin(), model.products.end(), isRefused);
  if (!hasUsable && !model.products.empty()) requireUsable(model.products.front(), file);
  std::vector<int> places(model.products.size(), 0), newIndex;
  for (const StepInstance& instance : model.instances) ++places[static_cast<std::size_t>(instance.product)];
  std::vector<std::string> refused;
  int usable = 0;
  for (const StepProduct& product : model.products) {
    const int count = places[newIndex.size()];
    newIndex.push_back(product.problem ? -1 : usable++);
    if (product.problem)
      refused.push_back(fmt::format("product {}{} {}; {}", inQuotes(product.name),
                                    count > 1 ? fmt::format(", {} places,", count) : "",
                                    product.problem->problem, product.problem->remedy));
  }
  std::erase_if(model.products, isRefused);
  for (StepInstance& instance : model.instances)
    instance.product = newIndex[static_cast<std::size_t>(instance.product)];
  std::erase_if(model.instances, [](const StepInstance& instance) { return instance.product < 0; });
  return refused;
}

SceneDraft draftOf(const StepModel& model, const std::string& file) {
  SceneDraft draft;
  draft.title = oneLine(model.title.empty() ? "Assembly" : model.title, kMaxNameBytes);
  draft.file = file;
  std::set<std::string> names, materials;
  std::vector<int> materialByProduct;
  for (const StepProduct& product : model.products)
    materialByProduct.push_back(materialOf(product, materials, draft));
  for (const StepInstance& instance : model.instances) {
    const auto product = static_cast<std::size_t>(instance.product);
    draft.parts.push_back({uniqueSceneName(instance.name, names), model.products[product].name,
                           materialByProduct[product], instance.X_AP, instance.color, false});
  }
  return draft;
}

namespace {

/// Of all materials with each other, as far as a scene can list them.
void addFriction(const SceneDraft& draft, Json& json) {
  for (std::size_t i = 0; i < draft.materials.size(); ++i)
    for (std::size_t j = i; j < draft.materials.size() && json["material_pairs"].size() < kMaxEntries; ++j)
      json["material_pairs"].push_back({{"materials", {draft.materials[i].name, draft.materials[j].name}},
                                        {"friction", kAssumedFriction}});
}

}  // namespace

std::string toSceneJson(const SceneDraft& draft) {
  Json json = {{"tenon", 1},
               {"title", draft.title},
               {"description", draft.description},
               {"unit", "mm"},
               {"duration_s", kDuration},
               {"materials", Json::array()},
               {"parts", Json::array()}};
  for (const DraftMaterial& m : draft.materials)
    json["materials"].push_back({{"name", m.name}, {"density_kg_per_m3", m.density}});
  addFriction(draft, json);
  for (const DraftPart& part : draft.parts) json["parts"].push_back(jsonOf(part, draft));
  for (std::size_t k = 0; k < draft.joints.size(); ++k)
    json["joints"].push_back(jsonOf(draft.joints[k], draft, k + 1));
  for (const DraftGoal& goal : draft.goals) json["goals"].push_back(jsonOf(goal, draft));
  return vectorsOnOneLine(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tenon::content
