// Boxes of meshes, by their positions.
#include "xr/render/scene_bounds.h"

#include <algorithm>
#include <array>

namespace tenon::xr {

Bounds boundsOf(const RenderScene& scene) {
  return MeshBoxes().boundsOf(scene);
}

const Eigen::AlignedBox3d& MeshBoxes::boxOf(const std::shared_ptr<const content::DisplayMesh>& mesh) {
  const auto [at, fresh] = boxes_.try_emplace(mesh);
  if (fresh)
    for (const physics::Vector3d& p : mesh->positions) at->second.extend(p);
  return at->second;
}

Bounds MeshBoxes::boundsOf(const RenderScene& scene) {
  Eigen::AlignedBox3d all;
  std::vector<physics::Vector3d> corners;
  for (const Instance& instance : scene.instances) {
    if (!instance.affectsBounds) continue;
    const Eigen::AlignedBox3d& box = boxOf(instance.mesh);
    if (box.isEmpty()) continue;
    for (int k = 0; k < 8; ++k) {
      corners.push_back(instance.X_WM * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
      all.extend(corners.back());
    }
  }
  Bounds bounds;
  if (corners.empty()) return bounds;
  bounds.center = all.center();
  bounds.radius = 1e-6;
  for (const physics::Vector3d& p : corners)
    bounds.radius = std::max(bounds.radius, (p - bounds.center).norm());
  return bounds;
}

}  // namespace tenon::xr
