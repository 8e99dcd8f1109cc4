// How much room the instances of a scene take.
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

/// Round the corners of each mesh's own box, about the middle of all of them; the default without instances.
Bounds boundsOf(const RenderScene& scene);

/// The same for pictures that follow each other: remembers the boxes of the meshes that it has seen last.
class MeshBoxes {
 public:
  Bounds boundsOf(const RenderScene& scene);
  /// Of one mesh, in its own frame [m].
  const Eigen::AlignedBox3d& boxOf(const std::shared_ptr<const content::DisplayMesh>& mesh);

 private:
  std::map<std::shared_ptr<const content::DisplayMesh>, Eigen::AlignedBox3d> boxes_;
};

}  // namespace tenon::xr
