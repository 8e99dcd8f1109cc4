// Actions that change only the view, in every window: camera, arrows, section, transparency, panels.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "xr/view.h"

namespace tenon::runtime {

/// Fits the camera to all parts, or to one.
using FrameParts = std::function<void(std::optional<std::size_t> part)>;

/// Performs a view action. False if `action` is not one.
bool performViewAction(Action action, ViewState& state, SceneView& sceneView, const FrameParts& frame);

/// Updates the measurement between the two selected features at these poses; clears it if fewer are selected.
void updateMeasurement(ViewState& state, SceneView& sceneView, std::span<const physics::Pose> X_WP);

/// The camera's view in an area of a window of this size [ImGui pixels].
xr::View viewIn(const ViewState& state, float left, float top, float width, float height, float windowWidth,
                float windowHeight);

}  // namespace tenon::runtime
