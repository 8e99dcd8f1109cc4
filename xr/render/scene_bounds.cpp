// Boxes of meshes, by their positions.
#include "xr/render/scene_bounds.h"

#include <algorithm>
#include <array>

namespace tenon::xr {

Bounds boundsOf(const RenderScene& scene) {
  return MeshBoxes().boundsOf(scene);
}

Bounds MeshBoxes::boundsOf(const RenderScene& scene) {
  Eigen::AlignedBox3d all;
  std::vector<physics::Vector3d> corners;
  for (const Instance& instance : scene.instances) {
    if (!instance.counts) continue;
    const auto [at, fresh] = boxes_.try_emplace(instance.mesh);
    if (fresh)
      for (const physics::Vector3d& p : instance.mesh->positions) at->second.extend(p);
    if (at->second.isEmpty()) continue;
    for (int k = 0; k < 8; ++k) {
      corners.push_back(instance.X_WM * at->second.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
      all.extend(corners.back());
    }
  }
  Bounds bounds;
  if (corners.empty()) return bounds;
  bounds.centre = all.center();
  bounds.radius = 1e-6;
  for (const physics::Vector3d& p : corners)
    bounds.radius = std::max(bounds.radius, (p - bounds.centre).norm());
  return bounds;
}

}  // namespace tenon::xr
