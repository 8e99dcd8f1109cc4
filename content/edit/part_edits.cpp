// See part_edits.h.
#include "content/edit/part_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>

#include "content/edit/goal_edits.h"
#include "content/edit/json_style.h"
#include "content/edit/scene_fields.h"
#include "content/model/part_holes.h"

namespace tenon::content {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSteelDensity = 7850;   ///< [kg/m³]
constexpr double kOiledFriction = 0.12;  ///< Coulomb's μ of lightly oiled steel [-]
constexpr double kSamePosition = 1e-12;  ///< coordinates closer than this are equal [m]
constexpr double kSameRotation = 1e-12;  ///< rotations closer than this are equal [rad]

std::string entryOf(const Scene& scene, int part) {
  return fmt::format("/parts/{}", scene.part(part).fileEntry);
}

bool isText(const Json& value, const std::string& text) {
  return value.is_string() && value.get<std::string>() == text;
}

/// Removes the elements of an array that `matches`; returns how many.
template <class Matches>
int removeElements(JsonText& text, const std::string& array, const Matches& matches) {
  int removed = 0;
  for (std::size_t k = text.count(array); k-- > 0;) {
    const std::string at = fmt::format("{}/{}", array, k);
    if (!matches(text.value(at))) continue;
    text.remove(at);
    ++removed;
  }
  return removed;
}

/// The hole of the part that "part/hole" in a script's step names; empty if it names another part. Names may
/// contain slashes.
std::optional<std::string> holeOfPlace(const Json& place, const Part& part) {
  for (const HoleSite& mouth : mouthsOf(part))
    if (isText(place, part.name + "/" + mouth.name)) return mouth.name;
  return std::nullopt;
}

/// True if a step of a script names the part.
bool stepNames(const Json& step, const Part& part) {
  if (!step.is_object()) return false;
  for (const char* field : {"grab", "take", "insert"})
    if (step.contains(field) && isText(step[field], part.name)) return true;
  for (const char* field : {"into", "above"})
    if (step.contains(field) && holeOfPlace(step[field], part)) return true;
  return false;
}

/// All parts of an entry, more than one with "count".
std::vector<const Part*> partsOfEntry(const Scene& scene, int part) {
  std::vector<const Part*> parts;
  for (const Part& other : scene.parts)
    if (other.fileEntry == scene.part(part).fileEntry) parts.push_back(&other);
  return parts;
}

bool hasExpression(const Json& value) {
  if (value.is_string()) return value.get<std::string>().starts_with("=");
  return value.is_structured() && std::any_of(value.begin(), value.end(), &hasExpression);
}

void renameIn(JsonText& text, const std::string& pointer, const std::string& from, const std::string& to) {
  if (isText(text.value(pointer), from)) text.set(pointer, to);
}

void renameInSteps(JsonText& text, const std::string& script, const Part& from, const std::string& to) {
  for (std::size_t k = 0; k < text.count(script); ++k) {
    const std::string step = fmt::format("{}/{}", script, k);
    for (const char* field : {"grab", "take", "insert"}) renameIn(text, step + "/" + field, from.name, to);
    for (const char* field : {"into", "above"})
      if (const auto hole = holeOfPlace(text.value(step + "/" + field), from))
        text.set(step + "/" + field, to + "/" + *hole);
  }
}

/// An index into the array of objects with this "name", or its size.
std::size_t indexOfName(const JsonText& text, const std::string& array, const std::string& name) {
  std::size_t k = 0;
  while (k < text.count(array) && !isText(text.value(fmt::format("{}/{}/name", array, k)), name)) ++k;
  return k;
}

/// Creates a top-level array if it is missing.
void requireArray(JsonText& text, const std::string& name) {
  if (!text.has("/" + name)) text.set("/" + name, Json::array(), kSceneFields);
}

}  // namespace

std::string freeName(const std::string& wanted, const std::vector<std::string>& taken) {
  std::string name = wanted;
  for (int number = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++number)
    name = fmt::format("{} {}", wanted, number);
  return name;
}

double unitsPerMeter(const std::string& unit) {
  return unit == "m" ? 1 : unit == "in" ? 1 / 0.0254 : 1000;
}

Json positionJson(const Vector3d& p, double unitsPerMeter) {
  return {number(p.x() * unitsPerMeter), number(p.y() * unitsPerMeter), number(p.z() * unitsPerMeter)};
}

Json rotationJson(const physics::Quaterniond& q) {
  Eigen::AngleAxisd rotation(q.normalized());
  // Axes that are mostly negative are written the other way round.
  if (rotation.axis().sum() < 0) rotation = {-rotation.angle(), -rotation.axis()};
  if (rotation.angle() < -std::numbers::pi + 1e-12) rotation.angle() += 2 * std::numbers::pi;
  return {{"axis", {number(rotation.axis().x()), number(rotation.axis().y()), number(rotation.axis().z())}},
          {"angle_deg", number(rotation.angle() * 180 / std::numbers::pi)}};
}

void addPart(JsonText& text, const Json& entry) {
  const std::string material = entry.value("material", "");
  if (!material.empty() && indexOfName(text, "/materials", material) == text.count("/materials"))
    addMaterial(text, material, kSteelDensity);
  requireArray(text, "parts");
  text.append("/parts", entry);
}

std::string removePart(JsonText& text, const Scene& scene, int part) {
  const std::vector<const Part*> parts = partsOfEntry(scene, part);
  const auto isOne = [&](const Json& value) {
    return std::any_of(parts.begin(), parts.end(), [&](const Part* one) { return isText(value, one->name); });
  };
  const auto namesOne = [&](const Json& one, const char* other) {
    return one.is_object() && (isOne(one.value("part", Json())) || isOne(one.value(other, Json())));
  };
  std::vector<std::string> removed;
  const auto count = [&](int number, const char* what) {
    if (number > 0) removed.push_back(fmt::format("{} {}{}", number, what, number == 1 ? "" : "s"));
  };
  std::vector<std::string> goalNames;
  count(removeElements(text, "/goals",
                       [&](const Json& goal) {
                         const bool goes = namesOne(goal, "into");
                         if (goes && goal.contains("name")) goalNames.push_back(goal["name"]);
                         return goes;
                       }),
        "goal");
  for (const std::string& name : goalNames) removeFromAfter(text, name);
  count(removeElements(text, "/joints", [&](const Json& joint) { return namesOne(joint, "to"); }), "joint");
  for (std::size_t h = 0; h < text.count("/hands"); ++h) {
    const std::string hand = fmt::format("/hands/{}", h);
    const Json script = text.value(hand + "/script");
    const bool concerned =
        script.is_array() && std::any_of(script.begin(), script.end(), [&](const Json& step) {
          return std::any_of(parts.begin(), parts.end(),
                             [&](const Part* one) { return stepNames(step, *one); });
        });
    if (!concerned) continue;
    text.remove(hand + "/script");
    removed.push_back("the script of " + text.value(hand).value("name", ""));
  }
  text.remove(entryOf(scene, part));
  std::string all;
  for (const std::string& one : removed) all += (all.empty() ? "" : ", ") + one;
  return all;
}

void duplicatePart(JsonText& text, const Scene& scene, int part, const std::string& name, const Pose& X_WP) {
  Json entry = text.value(entryOf(scene, part));
  // An expression of "index" has no value without "count".
  const bool turnsWithIndex = entry.erase("count") > 0 && hasExpression(entry.value("rotation", Json()));
  if (turnsWithIndex) entry["rotation"] = rotationJson(X_WP.q);
  entry["name"] = name;
  text.append("/parts", entry);
  // The place of the copy, as a member behind those that a person writes first.
  const std::string copy = fmt::format("/parts/{}", text.count("/parts") - 1);
  text.set(copy + "/position", positionJson(X_WP.p, unitsPerMeter(scene.unit)), kPartFields);
}

void renamePart(JsonText& text, const Scene& scene, int part, const std::string& name) {
  const std::string entry = entryOf(scene, part), base = text.value(entry).value("name", "");
  text.set(entry + "/name", name);
  for (const Part* const old : partsOfEntry(scene, part)) {
    const std::string from = old->name, to = name + from.substr(std::min(base.size(), from.size()));
    for (std::size_t k = 0; k < text.count("/goals"); ++k)
      for (const char* field : {"part", "into"})
        renameIn(text, fmt::format("/goals/{}/{}", k, field), from, to);
    for (std::size_t k = 0; k < text.count("/joints"); ++k)
      for (const char* field : {"part", "to"})
        renameIn(text, fmt::format("/joints/{}/{}", k, field), from, to);
    for (std::size_t k = 0; k < text.count("/hands"); ++k)
      renameInSteps(text, fmt::format("/hands/{}/script", k), *old, to);
  }
}

void setPose(JsonText& text, const Scene& scene, int part, const Pose& X_WP) {
  const std::string entry = entryOf(scene, part);
  const Pose& old = scene.part(part).X_WP;
  const Json position = positionJson(X_WP.p, unitsPerMeter(scene.unit));
  if (!text.has(entry + "/position")) {
    if ((X_WP.p - old.p).norm() > kSamePosition) text.set(entry + "/position", position, kPartFields);
  } else {
    for (int k = 0; k < 3; ++k)
      if (std::abs(X_WP.p[k] - old.p[k]) > kSamePosition)
        text.set(fmt::format("{}/position/{}", entry, k), position[static_cast<std::size_t>(k)]);
  }
  if (old.q.angularDistance(X_WP.q) < kSameRotation) return;
  if (X_WP.q.angularDistance(physics::Quaterniond::Identity()) < kSameRotation)
    return text.remove(entry + "/rotation");
  text.set(entry + "/rotation", rotationJson(X_WP.q), kPartFields);
}

void setPartField(JsonText& text, const Scene& scene, int part, const std::string& field, const Json& value) {
  const std::string at = entryOf(scene, part) + "/" + field;
  if (value.is_null()) return text.remove(at);
  text.set(at, value, kPartFields);
}

void addMaterial(JsonText& text, const std::string& material, double density) {
  setDensity(text, material, density);
  for (std::size_t k = 0; k < text.count("/materials"); ++k) {
    const Json other = text.value(fmt::format("/materials/{}/name", k));
    if (other.is_string()) setFriction(text, other.get<std::string>(), material, kOiledFriction);
  }
}

void setDensity(JsonText& text, const std::string& material, double density) {
  requireArray(text, "materials");
  const std::size_t index = indexOfName(text, "/materials", material);
  if (index == text.count("/materials"))
    return text.append("/materials", {{"name", material}, {"density_kg_per_m3", number(density)}});
  text.set(fmt::format("/materials/{}/density_kg_per_m3", index), number(density));
}

void setFriction(JsonText& text, const std::string& a, const std::string& b, double friction) {
  requireArray(text, "material_pairs");
  for (std::size_t k = 0; k < text.count("/material_pairs"); ++k) {
    const std::string pair = fmt::format("/material_pairs/{}", k);
    const Json first = text.value(pair + "/materials/0"), second = text.value(pair + "/materials/1");
    if ((isText(first, a) && isText(second, b)) || (isText(first, b) && isText(second, a)))
      return text.set(pair + "/friction", number(friction));
  }
  text.append("/material_pairs", {{"materials", {a, b}}, {"friction", number(friction)}});
}

}  // namespace tenon::content
