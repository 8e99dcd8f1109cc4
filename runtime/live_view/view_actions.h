// What keys and buttons change of the view alone, in every window: camera, arrows, section, glass, panels.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "xr/view.h"

namespace tenon::runtime {

/// Shows all parts, or one.
using FrameParts = std::function<void(std::optional<std::size_t> part)>;

/// False: the action has to do with something else.
bool performViewAction(Action action, ViewState& state, SceneView& sceneView, const FrameParts& frame);

/// What the features that are measured are apart with the parts at these poses; nothing where there are not
/// two.
void updateMeasurement(ViewState& state, SceneView& sceneView, std::span<const physics::Pose> X_WP);

/// The camera's view in an area of a window of this size [pixels of the interface].
xr::View viewIn(const ViewState& state, float left, float top, float width, float height, float windowWidth,
                float windowHeight);

}  // namespace tenon::runtime
