// The light: a key light with a soft edge, and a sky, both sampled by many directional lights with a shadow
// map each. This gives contact shadows and ambient occlusion at once.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// Tiles of the shadow atlas; the same constant is in shaders/frame.glsl.
inline constexpr int kMaxLights = 256;

/// At most this many lights are wide: their shadows are taken from filtered maps, see ShadowMoments, as those
/// of so few points of light would be hard wedges. The same constants are in shaders/frame.glsl.
inline constexpr int kMaxWideLights = 32;
inline constexpr double kSkyMap = 0.5;  ///< side of the map of a wide sky light over that of its tile [-]

struct SkyLight {
  physics::Vector3d toward;  ///< unit, from the scene to the light
  double share = 0;  ///< fraction of the irradiance that all lights of its kind give an unshaded, horizontal
                     ///< surface
  double mapSide = 1;  ///< side of its shadow map over that of its tile [-]
};

/// `keys` lights that cover the key light's disc, then `sky` lights spread evenly over the upper hemisphere,
/// both by the golden angle. The shares of each kind times the cosines sum to 1 on an unshaded, horizontal
/// surface.
std::vector<SkyLight> skyLights(int keys, int sky);

}  // namespace tenon::xr
