// The scene that a session began with, from the record alone.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_header.h"

namespace tenon::runtime {

/// Tells of meshes on the terminal while it reads them. Throws content::InputError.
content::Scene sceneOf(const SessionHeader& header);

/// Of the world that the session began with. Throws content::InputError.
physics::WorldOptions optionsOf(const SessionHeader& header);

/// Why this program cannot come to the same bytes; empty: it can.
std::string verificationObstacle(const SessionHeader& header);

}  // namespace tenon::runtime
