// Points on a disc and on a hemisphere by the golden angle (H. Vogel's spiral).
#include "xr/render/sky_lights.h"

#include <cmath>
#include <numbers>

namespace tenon::xr {

std::vector<SkyLight> skyLights(int keys, int sky) {
  using physics::Vector3d;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  constexpr double kDisc = 0.07;  // tangent of the key light's angular radius
  const Vector3d key = Vector3d(-0.45, -0.38, 0.81).normalized();
  const Vector3d side = key.unitOrthogonal(), up = key.cross(side);
  std::vector<SkyLight> lights;
  double sum = 0;
  for (int k = 0; k < keys; ++k) {
    const double r = keys == 1 ? 0 : kDisc * std::sqrt((k + 0.5) / keys), phi = golden * k;
    lights.push_back({(key + r * (std::cos(phi) * side + std::sin(phi) * up)).normalized(), 0});
    sum += lights.back().toward.z();
  }
  for (SkyLight& light : lights) light.share = 1 / sum;
  sum = 0;
  for (int k = 0; k < sky; ++k) {
    const double z = (k + 0.5) / sky, r = std::sqrt(1 - z * z), phi = golden * k;
    lights.push_back(
        {{r * std::cos(phi), r * std::sin(phi), z}, 0, keys + sky > kMaxWideLights ? 1 : kSkyMap});
    sum += z;
  }
  for (std::size_t k = keys; k < lights.size(); ++k) lights[k].share = 1 / sum;
  return lights;
}

}  // namespace tenon::xr
