// Guidance as it is shown: the axis that leads a held part.
#pragma once

#include <span>

#include "xr/interaction/guidance.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Adds a violet line on the axis of each goal whose part a hand holds and that leads it, from as far out as
/// guidance reaches to the depth, and a caption that says what it is. `held` are parts, `X_WP` poses of all.
void addGuidance(RenderScene& out, std::span<const GuidedAxis> axes, std::span<const int> held,
                 std::span<const physics::Pose> X_WP);

}  // namespace tenon::xr
