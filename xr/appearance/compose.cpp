// Meshes and surfaces of parts, and the ground they stand on.
#include "xr/appearance/compose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "xr/appearance/surface_of.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

/// The cell of the ground's grid: 1, 10, 100 … mm, several tens of them over the scene.
double cellFor(double radius) {
  return std::pow(10.0, std::floor(std::log10(std::max(radius, 1e-4)) - 0.5));
}

/// "10 mm", "1 m".
std::string lengthText(double metres) {
  const bool small = metres < 0.9995;
  std::string text = std::to_string(std::lround(small ? metres * 1e3 : metres));
  return metres < 0.9e-3 ? "0.1 mm" : text + (small ? " mm" : " m");
}

}  // namespace

PartMeshes::PartMeshes(const content::Scene& scene) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    const content::Part& part = scene.parts[k];
    if (std::holds_alternative<physics::HalfSpace>(part.shape)) {
      meshes_.push_back(nullptr);
    } else if (part.displayMesh) {
      meshes_.push_back(part.displayMesh);
    } else {
      meshes_.push_back(std::make_shared<const content::DisplayMesh>(content::displayMeshOf(part.shape)));
    }
  }
}

RenderScene compose(const content::Scene& scene, const PartMeshes& meshes,
                    std::span<const physics::Pose> poses) {
  RenderScene out;
  double ground = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    const content::Part& part = scene.parts[k];
    if (meshes.of(k)) {
      // Most edges of the pieces that a mesh file was cut into are none of the part's.
      const bool pieces = part.mesh && std::holds_alternative<physics::Compound>(part.shape);
      out.instances.push_back({meshes.of(k), poses[k], surfaceOf(scene, part), static_cast<int>(k), !pieces});
    } else if ((poses[k].q * physics::Vector3d::UnitZ()).z() > 0.999) {
      ground = std::max(ground, poses[k].p.z());
    }
  }
  if (!std::isfinite(ground)) return out;
  out.ground = Ground{ground, cellFor(boundsOf(out).radius)};
  out.captions.push_back({"grid " + lengthText(out.ground->cell), std::nullopt});
  return out;
}

}  // namespace tenon::xr
