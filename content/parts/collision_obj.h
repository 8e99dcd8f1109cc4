// Exports the collision shapes of a scene as OBJ.
#pragma once

#include <string>

#include "content/model/scene.h"

namespace tenon::content {

/// The parts of the scene in their start poses as one OBJ in the scene's unit: one object per part, one group
/// per shape, as displayMeshOf(); blocks with faceted holes by their convex parts. Half-spaces are omitted.
std::string collisionObj(const Scene& scene);

}  // namespace tenon::content
