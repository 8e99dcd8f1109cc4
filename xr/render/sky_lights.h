// Where light comes from: a key light with a soft edge, and a sky. Many lights with a shadow each stand for
// both, which gives contact shadows and ambient occlusion in one.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// As shaders/frame.glsl has it: tiles of the shadow atlas.
inline constexpr int kMaxLights = 256;

struct SkyLight {
  physics::Vector3d toward;  ///< unit, from the scene to the light
  double share = 0;          ///< of the irradiance of an open, level surface by all lights of its kind
};

/// `keys` lights that cover the key light's disc, then `sky` ones spread evenly over the upper half of the
/// sphere (both by the golden angle). The shares of each kind, times the cosines, sum up to 1 on an open,
/// level surface.
std::vector<SkyLight> skyLights(int keys, int sky);

}  // namespace tenon::xr
