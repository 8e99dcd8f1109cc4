// Parts that a person's head is in, which would hide everything else.
#pragma once

#include <span>
#include <vector>

#include "runtime/live_view/scene_view.h"

namespace tenon::runtime {

/// The parts whose closed display mesh contains the point, at poses `X_WP`. A hole is not part of the inside.
std::vector<int> partsAround(const SceneView& sceneView, std::span<const physics::Pose> X_WP,
                             const physics::Vector3d& p_W);

}  // namespace tenon::runtime
