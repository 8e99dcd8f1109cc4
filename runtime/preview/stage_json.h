// A live session's parts and goals as JSON, for traces.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runtime/preview/stage.h"
#include "runtime/simulation/moment.h"

namespace tenon::runtime {

/// [{goal, verdict, depth_mm, tilt_rad, push_n, max_push_n}].
nlohmann::ordered_json goalsJson(const Stage& stage, const Moment& moment);
/// {part: [x, y, z, qw, qx, qy, qz]} [m].
nlohmann::ordered_json posesJson(const Stage& stage, const DrawnState& drawn);
/// [x, y, z, qw, qx, qy, qz] [m].
nlohmann::ordered_json poseJson(const physics::Pose& X);

}  // namespace tenon::runtime
