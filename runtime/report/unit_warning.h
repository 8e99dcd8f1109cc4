// Whether the sizes of a scene's parts suit the unit that its file says.
#pragma once

#include <string>

#include "content/model/scene.h"

namespace tenon::runtime {

/// A warning about "unit" where the largest part that is measured in it is longer than 10 m or shorter than
/// 0.5 mm, with the unit that was probably meant; empty: none. Meshes and library parts have units of their
/// own.
std::string unitWarning(const content::Scene& scene);

}  // namespace tenon::runtime
