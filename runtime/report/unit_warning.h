// Checks the sizes of a scene's parts against the unit of its file.
#pragma once

#include <string>

#include "content/model/scene.h"

namespace tenon::runtime {

/// A warning about "unit" if the largest part in that unit is longer than 10 m or shorter than 0.5 mm, with
/// the probable unit; empty: none. Meshes and library parts have units of their own.
std::string unitWarning(const content::Scene& scene);

}  // namespace tenon::runtime
