// See compose.h.
#include "xr/appearance/compose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "xr/appearance/surface_of.h"
#include "xr/render/scene_bounds.h"

namespace tenon::xr {

namespace {

/// The cell of the ground's grid [m]: a power of ten, with some tens of cells across the scene.
double cellFor(double radius) {
  return std::pow(10.0, std::floor(std::log10(std::max(radius, 1e-4)) - 0.5));
}

/// "10 mm", "1 m".
std::string lengthText(double meters) {
  const bool small = meters < 0.9995;
  std::string text = std::to_string(std::lround(small ? meters * 1e3 : meters));
  return meters < 0.9e-3 ? "0.1 mm" : text + (small ? " mm" : " m");
}

}  // namespace

Mesh renderMesh(const content::DisplayMesh& mesh) {
  return {mesh.positions, mesh.normals, mesh.triangles};
}

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
    renderMeshes_.push_back(meshes_.back() ? std::make_shared<const Mesh>(renderMesh(*meshes_.back()))
                                           : nullptr);
  }
}

RenderScene compose(const content::Scene& scene, const PartMeshes& meshes,
                    std::span<const physics::Pose> poses) {
  RenderScene out;
  double ground = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    const content::Part& part = scene.parts[k];
    if (meshes.of(k)) {
      out.instances.push_back(
          {meshes.renderMeshOf(k), poses[k], surfaceOf(scene, part), static_cast<int>(k)});
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
