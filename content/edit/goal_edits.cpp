// See goal_edits.h.
#include "content/edit/goal_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "content/edit/json_style.h"
#include "content/edit/part_edits.h"
#include "content/edit/scene_fields.h"

namespace tenon::content {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kDepthFraction = 0.05, kMaxDepthTolerance = 1e-3;  ///< [-], [m]
constexpr double kTiltTolerance_deg = 1;

}  // namespace

void addGoal(JsonText& text, const Scene& scene, const GoalDraft& goal) {
  const double units = unitsPerMeter(scene.unit);
  Json entry = {{"part", goal.part}, {"feature", goal.feature}, {"into", goal.into}, {"hole", goal.hole}};
  if (!goal.fit.empty()) entry["fit"] = goal.fit;
  if (goal.turns > 0) {
    entry["turns"] = number(goal.turns);
  } else {
    entry["depth"] = number(goal.depth * units);
    entry["depth_tolerance"] = number(std::min(kDepthFraction * goal.depth, kMaxDepthTolerance) * units);
  }
  entry["tilt_tolerance_deg"] = number(kTiltTolerance_deg);
  if (!text.has("/goals")) text.set("/goals", Json::array(), kSceneFields);
  text.append("/goals", entry);
}

void removeGoal(JsonText& text, std::size_t goal) {
  const std::string at = fmt::format("/goals/{}", goal);
  const Json name = text.value(at + "/name");
  text.remove(at);
  if (name.is_string()) removeFromAfter(text, name);
}

void setGoalField(JsonText& text, std::size_t goal, const std::string& field, const Json& value) {
  const std::string at = fmt::format("/goals/{}/{}", goal, field);
  if (value.is_null()) return text.remove(at);
  text.set(at, value, kGoalFields);
}

void removeFromAfter(JsonText& text, const std::string& name) {
  for (std::size_t k = 0; k < text.count("/goals"); ++k) {
    const std::string after = fmt::format("/goals/{}/after", k);
    const Json before = text.value(after);
    if (before.is_string() && before == name) text.remove(after);
    if (!before.is_array()) continue;
    for (std::size_t n = before.size(); n-- > 0;)
      if (before[n] == name) text.remove(fmt::format("{}/{}", after, n));
    if (text.count(after) == 0) text.remove(after);
  }
}

}  // namespace tenon::content
