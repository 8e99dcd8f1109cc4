// Bounding spheres of scenes, from the boxes of their meshes.
#pragma once

#include <map>
#include <memory>

#include <Eigen/Geometry>

#include "xr/render/render_scene.h"

namespace tenon::xr {

/// A sphere.
struct Bounds {
  physics::Vector3d center = physics::Vector3d::Zero();  ///< [m]
  double radius = 0.1;                                   ///< [m], > 0
};

/// A sphere about the center of all instances that encloses the corners of their boxes; the default bounds of
/// a scene without instances.
Bounds boundsOf(const RenderScene& scene);

/// Boxes of meshes, cached for scenes that follow each other.
class MeshBoxes {
 public:
  Bounds boundsOf(const RenderScene& scene);
  /// In the mesh's frame [m].
  const Eigen::AlignedBox3d& boxOf(const std::shared_ptr<const Mesh>& mesh);

 private:
  std::map<std::shared_ptr<const Mesh>, Eigen::AlignedBox3d> boxes_;
};

}  // namespace tenon::xr
