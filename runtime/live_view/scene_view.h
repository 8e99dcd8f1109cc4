// The data that interactive views derive from a scene, computed once: meshes, picking, bounds, hands.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "runtime/report/clearance_readout.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/pick.h"
#include "xr/hands/mouse_hands.h"

namespace tenon::runtime {

/// The target pose of a goal's part, with its current rotation about the hole's axis.
physics::Pose targetOf(const content::Scene& scene, const content::Goal& goal,
                       std::span<const physics::Pose> X_WP);

struct SceneView {
  explicit SceneView(std::shared_ptr<const content::Scene> itsScene);

  /// Corners of the bounding boxes of all visible parts, or of one part [world, m].
  std::vector<physics::Vector3d> corners(std::span<const physics::Pose> X_WP,
                                         std::optional<std::size_t> part) const;
  /// "screw into plate/hole", or the goal's own name.
  std::string goalName(std::size_t goal) const;

  std::shared_ptr<const content::Scene> scene;
  xr::PartMeshes meshes;
  xr::Picker picker;
  ClearanceReadout readout;
  xr::MouseHands hands;
  std::vector<Eigen::AlignedBox3d> boxes;  ///< of the parts, in part frames; empty: no mesh
  Eigen::AlignedBox3d startBounds;         ///< of all parts at the start [world, m]
  std::optional<xr::Ground> ground;        ///< of the start poses, so that its grid stays fixed
  std::vector<bool> seeThrough;            ///< by part
};

}  // namespace tenon::runtime
