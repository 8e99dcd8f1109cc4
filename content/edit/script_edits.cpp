// See script_edits.h.
#include "content/edit/script_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/edit/json_style.h"
#include "content/edit/part_edits.h"
#include "content/parts/thread_pair.h"

namespace tenon::content {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kHandHeight = 0.1;                        ///< of the hand above the parts at the start [m]
constexpr double kTimeOfGoal = 6, kInsertionSpeed = 0.02;  ///< [s], [m/s]
constexpr double kLift_mm = 60;
constexpr double kExtraTurns = 0.5;

/// The steps for one goal.
void addSteps(const Scene& scene, const Goal& goal, Json& script) {
  const Part &part = scene.part(goal.part), &into = scene.part(goal.into);
  const std::string& feature = part.features[static_cast<std::size_t>(goal.feature)].name;
  script.push_back({{"take", part.name}});
  Json insert = {{"insert", part.name}, {"into", into.name + "/" + goal.hole}, {"feature", feature}};
  if (goal.turns > 0) insert["depth_mm"] = 0;
  script.push_back(insert);
  if (const auto threads = threadPairOf(scene, goal); threads && goal.turns > 0) {
    const double turns = goal.turns + kExtraTurns;
    script.push_back(
        {{"turns", number(turns)}, {"advance_mm", number(1e3 * turns * std::abs(threads->internal.lead()))}});
  }
  script.push_back({{"release", true}});
  script.push_back({{"lift_mm", number(kLift_mm)}});
}

}  // namespace

void setScriptOfGoals(JsonText& text, const Scene& scene) {
  Json script = Json::array();
  double duration = 1, height = 0;
  for (const Goal& goal : scene.goals) {
    const Part& part = scene.part(goal.part);
    if (goal.pose || part.motion != physics::MotionType::dynamic) continue;
    addSteps(scene, goal, script);
    duration += kTimeOfGoal + goal.depth / kInsertionSpeed + 2 * goal.turns;
    height = std::max(height, part.X_WP.p.z());
  }
  for (std::size_t k = 0; k < text.count("/hands"); ++k) text.remove(fmt::format("/hands/{}/script", k));
  std::size_t right = 0;
  while (right < text.count("/hands") && text.value(fmt::format("/hands/{}/name", right)) != "right") ++right;
  if (!text.has("/hands")) text.set("/hands", Json::array());
  if (right == text.count("/hands")) {
    const Vector3d start =
        scene.goals.empty() ? Vector3d(0, 0, 0) : scene.part(scene.goals.front().part).X_WP.p;
    const Vector3d hand(start.x(), start.y(), height + kHandHeight);
    text.append(
        "/hands",
        {{"name", "right"}, {"position", positionJson(hand, unitsPerMeter(scene.unit))}, {"script", script}});
  } else {
    text.set(fmt::format("/hands/{}/script", right), script);
  }
  if (scene.duration < duration) text.set("/duration_s", number(std::ceil(duration)));
}

}  // namespace tenon::content
