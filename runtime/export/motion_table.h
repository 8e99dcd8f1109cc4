// A session's motion as one table: a row for each stored time, columns for all parts, hands and goals.
#pragma once

#include <functional>
#include <string>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Appends CSV to `sink`. Reads the session, which must not have been read before, and calls `progress` with
/// the time [s] of each row. Columns: tick, session_s; for each part its name and px_m … qz, the pose of its
/// own frame in the world; for each hand holds, force and torque on the held part; for each goal verdict,
/// depth, tilt and push. Throws as SessionReader.
void writeMotionTable(SessionReader& session, const content::Scene& scene, const physics::World& world,
                      const std::function<void(double)>& progress,
                      const std::function<void(const std::string&)>& sink);

}  // namespace tenon::runtime
