// A table of common material names; other materials are classified by density.
#include "xr/appearance/surface_of.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "xr/appearance/palette.h"

namespace tenon::xr {

namespace {

struct NamedSurface {
  std::string_view word;  ///< in the material's name, lower case
  Surface surface;
};

/// Reflectance of metals at normal incidence, after S. Lagarde's "Memo on Fresnel equations", rounded.
const std::array<NamedSurface, 14> kNamedSurfaces{{{"alumin", {{0.91, 0.92, 0.92}, 1, 0.38}},
                                                   {"stainless", {{0.60, 0.59, 0.57}, 1, 0.26}},
                                                   {"steel", {{0.53, 0.53, 0.54}, 1, 0.30}},
                                                   {"iron", {{0.42, 0.41, 0.40}, 1, 0.48}},
                                                   {"brass", {{0.85, 0.66, 0.30}, 1, 0.28}},
                                                   {"bronze", {{0.71, 0.49, 0.28}, 1, 0.34}},
                                                   {"copper", {{0.95, 0.64, 0.54}, 1, 0.28}},
                                                   {"titan", {{0.54, 0.50, 0.45}, 1, 0.36}},
                                                   {"rubber", {{0.03, 0.03, 0.03}, 0, 0.85}},
                                                   {"oak", {{0.42, 0.24, 0.11}, 0, 0.60}},
                                                   {"wood", {{0.42, 0.24, 0.11}, 0, 0.60}},
                                                   {"stone", {{0.45, 0.43, 0.39}, 0, 0.85}},
                                                   {"concrete", {{0.42, 0.42, 0.41}, 0, 0.90}},
                                                   {"glass", {{0.70, 0.78, 0.78}, 0, 0.08, 0.35}}}};

constexpr double kMinMetalDensity =
    2600;  ///< a material of another name counts as metal from here on [kg/m³]

Surface surfaceOf(const content::Material& material) {
  std::string name = material.name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const NamedSurface& known : kNamedSurfaces)
    if (name.find(known.word) != std::string::npos) return known.surface;
  if (material.density >= kMinMetalDensity) return {{0.56, 0.56, 0.57}, 1, 0.34};
  return {{0.30, 0.33, 0.37}, 0, 0.42};
}

}  // namespace

Surface surfaceOf(const content::Scene& scene, const content::Part& part) {
  Surface surface{{0.30, 0.33, 0.37}, 0, 0.5};
  if (part.material >= 0) surface = surfaceOf(scene.materials[static_cast<std::size_t>(part.material)]);
  if (part.color)
    for (int k = 0; k < 3; ++k) surface.color[k] = decodeSrgb((*part.color)[static_cast<std::size_t>(k)]);
  return surface;
}

}  // namespace tenon::xr
