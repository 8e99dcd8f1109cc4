// What the hands of a session did, as scripts in steps relative to parts and holes.
#pragma once

#include <functional>
#include <string>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// A JSON file with "hands" as a scene file has them, for `--script`: grasps become "take", motions into the
/// hole of a goal "insert", all others the fewest waypoints within 0.5 mm. Undone motions are left out. Reads
/// `session` from its start; `scene` and `world` are those of its start. `progress` gets the time read [s].
/// Throws content::InputError for invalid data.
std::string handScript(SessionReader& session, const content::Scene& scene, const physics::World& world,
                       const std::function<void(double)>& progress);

}  // namespace tenon::runtime
