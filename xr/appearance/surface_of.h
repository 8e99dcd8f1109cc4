// How a part looks by what it is made of.
#pragma once

#include "content/model/scene.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Of a part of a scene: metal where its material is one by name, or else is as dense as one (2600 kg/m³ and
/// more); in the part's colour where it has one, else in its material's.
Surface surfaceOf(const content::Scene& scene, const content::Part& part);

}  // namespace tenon::xr
