// Shows the axis that guides a held part.
#pragma once

#include <span>

#include "xr/interaction/guidance.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// Adds a line on the axis of each goal that guides a held part, from kGuidanceHeight above the mouth
/// to the goal's depth, and a caption. `held`: indices of held parts; `X_WP`: poses of all parts.
void addGuidance(RenderScene& out, std::span<const GuidedAxis> axes, std::span<const int> held,
                 std::span<const physics::Pose> X_WP);

}  // namespace tenon::xr
