// A scene as it is shown and touched: what the window needs of it, made once.
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

/// Where the part of a goal is to be, turned about the hole's axis as it is now.
physics::Pose targetOf(const content::Scene& scene, const content::Goal& goal,
                       std::span<const physics::Pose> X_WP);

struct SceneView {
  explicit SceneView(std::shared_ptr<const content::Scene> itsScene);

  /// Corners of the boxes of parts [world, m]; of one part, or of all that can be seen.
  std::vector<physics::Vector3d> corners(std::span<const physics::Pose> X_WP,
                                         std::optional<std::size_t> part) const;
  /// "screw into plate/hole", or the goal's own name.
  std::string goalName(std::size_t goal) const;

  std::shared_ptr<const content::Scene> scene;
  xr::PartMeshes meshes;
  xr::Picker picker;
  ClearanceReadout readout;
  xr::MouseHands hands;
  std::vector<Eigen::AlignedBox3d> boxes;  ///< of the parts, in their frames; empty: nothing to see
  Eigen::AlignedBox3d room;                ///< of all parts at the start [world, m]
  std::optional<xr::Ground> ground;        ///< as at the start: its grid is not to jump
  std::vector<bool> seeThrough;            ///< by part
};

}  // namespace tenon::runtime
