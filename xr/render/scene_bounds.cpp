// See scene_bounds.h.
#include "xr/render/scene_bounds.h"

#include <algorithm>
#include <array>

namespace tenon::xr {

Bounds boundsOf(const RenderScene& scene) {
  return MeshBoxes().boundsOf(scene);
}

const Eigen::AlignedBox3d& MeshBoxes::boxOf(const std::shared_ptr<const Mesh>& mesh) {
  const auto [found, inserted] = boxes_.try_emplace(mesh);
  if (inserted)
    for (const physics::Vector3d& p : mesh->positions) found->second.extend(p);
  return found->second;
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
