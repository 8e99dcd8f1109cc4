// What parts are for collision, as a mesh to look at.
#pragma once

#include <string>

#include "content/model/scene.h"

namespace tenon::content {

/// Every part of the scene at its start as one OBJ in the scene's unit: an object a part, a group a shape.
/// Round shapes get 96 facets with their corners on the circle, blocks the facets that other blocks meet;
/// endless half-spaces are left out.
std::string collisionObj(const Scene& scene);

}  // namespace tenon::content
