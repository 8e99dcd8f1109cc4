// Parts and goals of a frame as JSON, for traces.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// [{goal, verdict, depth_mm, tilt_rad, push_n, max_push_n}].
nlohmann::ordered_json goalsJson(const SceneView& sceneView, const SimulationFrame& frame);
/// {part: [x, y, z, qw, qx, qy, qz]} [m].
nlohmann::ordered_json posesJson(const SceneView& sceneView, const InterpolatedState& drawn);
/// [x, y, z, qw, qx, qy, qz] [m].
nlohmann::ordered_json poseJson(const physics::Pose& X);

}  // namespace tenon::runtime
