// The scene and world options that a session started with, from the record alone.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_header.h"

namespace tenon::runtime {

/// Parses the recorded scene; shows the progress of mesh reading on the terminal. Throws content::InputError.
content::Scene sceneOf(const SessionHeader& header);

/// The world options that the session started with. Throws content::InputError.
physics::WorldOptions optionsOf(const SessionHeader& header);

/// The reason why this program cannot reproduce the session bit for bit; "": it can.
std::string verificationObstacle(const SessionHeader& header);

}  // namespace tenon::runtime
