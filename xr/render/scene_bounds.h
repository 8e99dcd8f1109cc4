// How much room the instances of a scene take.
#pragma once

#include "xr/render/render_scene.h"

namespace tenon::xr {

/// A sphere.
struct Bounds {
  physics::Vector3d centre = physics::Vector3d::Zero();  ///< [m]
  double radius = 0.1;                                   ///< [m], > 0
};

/// Round the corners of each mesh's own box, about the middle of all of them; the default without instances.
Bounds boundsOf(const RenderScene& scene);

}  // namespace tenon::xr
