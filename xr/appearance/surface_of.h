// The surface of a part, from its material.
#pragma once

#include "content/model/scene.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Metal if the material's name is that of a metal, or of an unknown name if its density is at least 2600
/// kg/m³. In the part's color if it has one, else in the material's.
Surface surfaceOf(const content::Scene& scene, const content::Part& part);

}  // namespace tenon::xr
