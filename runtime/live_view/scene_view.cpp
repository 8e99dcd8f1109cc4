// Bounding boxes of parts, names and target poses of goals.
#include "runtime/live_view/scene_view.h"

#include <fmt/format.h>

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

SceneView::SceneView(std::shared_ptr<const content::Scene> itsScene)
    : scene(std::move(itsScene)),
      meshes(*scene),
      picker(*scene, meshes),
      readout(*scene),
      hands(*scene),
      boxes(scene->parts.size()),
      seeThrough(scene->parts.size(), false) {
  std::vector<Pose> poses;
  for (std::size_t k = 0; k < scene->parts.size(); ++k) {
    poses.push_back(scene->parts[k].X_WP);
    if (meshes.of(k))
      for (const Vector3d& p : meshes.of(k)->positions) boxes[k].extend(p);
  }
  for (const Vector3d& p : corners(poses, std::nullopt)) startBounds.extend(p);
  ground = xr::compose(*scene, meshes, poses).ground;
}

std::vector<Vector3d> SceneView::corners(std::span<const Pose> X_WP, std::optional<std::size_t> part) const {
  std::vector<Vector3d> all;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (boxes[k].isEmpty() || (part && *part != k)) continue;
    for (int c = 0; c < 8; ++c)
      all.push_back(X_WP[k] * boxes[k].corner(static_cast<Eigen::AlignedBox3d::CornerType>(c)));
  }
  return all;
}

std::string SceneView::goalName(std::size_t index) const {
  const content::Goal& goal = scene->goals[index];
  if (!goal.name.empty()) return goal.name;
  return fmt::format("{} into {}/{}", scene->part(goal.part).name, scene->part(goal.into).name, goal.hole);
}

Pose targetOf(const content::Scene& scene, const content::Goal& goal, std::span<const Pose> X_WP) {
  const auto part = static_cast<std::size_t>(goal.part), into = static_cast<std::size_t>(goal.into);
  const content::AxisFeature& feature = scene.parts[part].features[static_cast<std::size_t>(goal.feature)];
  if (goal.pose) return X_WP[into] * goal.pose->X_IP;
  const Pose X_WH = X_WP[into] * goal.X_IH;
  const Vector3d inward = -(X_WH.q * Vector3d::UnitZ());
  const physics::Quaterniond upright = physics::shortestRotation(X_WP[part].q * feature.direction, inward);
  Pose X;
  X.q = (upright * X_WP[part].q).normalized();
  X.p = X_WH.p + goal.depth * inward - X.q * feature.origin;
  return X;
}

}  // namespace tenon::runtime
