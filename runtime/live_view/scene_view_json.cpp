// Goals and poses as JSON.
#include "runtime/live_view/scene_view_json.h"

#include <nlohmann/json.hpp>

namespace tenon::runtime {

namespace {
using Json = nlohmann::ordered_json;
}  // namespace

Json goalsJson(const SceneView& sceneView, const SimulationFrame& frame) {
  Json goals = Json::array();
  for (std::size_t k = 0; k < frame.goals.size() && k < sceneView.scene->goals.size(); ++k) {
    const GoalResult& goal = frame.goals[k];
    goals.push_back({{"goal", sceneView.goalName(k)},
                     {"verdict", toText(goal.verdict)},
                     {"depth_mm", 1e3 * goal.depth},
                     {"tilt_rad", goal.tilt},
                     {"push_n", goal.push},
                     {"max_push_n", goal.maxPush}});
  }
  return goals;
}

Json poseJson(const physics::Pose& X) {
  return {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
}

Json posesJson(const SceneView& sceneView, const InterpolatedState& drawn) {
  Json poses = Json::object();
  for (std::size_t k = 0; k < sceneView.scene->parts.size(); ++k)
    poses[sceneView.scene->parts[k].name] = poseJson(drawn.X_WP[k]);
  return poses;
}

}  // namespace tenon::runtime
