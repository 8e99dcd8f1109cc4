// Checks of commands from outside that depend on the scene; World::apply() would refuse the same ones later.
#pragma once

#include "content/model/scene.h"

namespace tenon::runtime {

/// Throws content::InputError for a part that is not dynamic. `command`: its name in the message.
void requireMovable(const content::Scene& scene, const char* command, int part);

/// Throws content::InputError for a part that SetPose cannot place: not dynamic, or with a joint.
void requirePlaceable(const content::Scene& scene, int part);

}  // namespace tenon::runtime
