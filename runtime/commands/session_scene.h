// The scene that a session began with, from the record alone.
#pragma once

#include "content/scene/scene.h"
#include "runtime/record/session_header.h"

namespace tenon::runtime {

/// Tells of meshes on the terminal while it reads them. Throws content::InputError.
content::Scene sceneOf(const SessionHeader& header);

}  // namespace tenon::runtime
