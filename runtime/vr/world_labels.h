// Labels at world positions, as panels that face the head.
#pragma once

#include "runtime/vr/room.h"
#include "xr/display/panel_ui.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

inline constexpr int kLabelsHeight = 256;     ///< height of the label area in the panel image [pixels]
inline constexpr double kTextHeight = 0.012;  ///< height of a line of text [m]

/// Draws the labels of `renderScene` into the panel image (the current ImGui frame) and adds a panel for
/// each. Omits labels that do not fit into the image.
void addLabels(const Room& room, const physics::Pose& X_SHead, const xr::PanelUi& ui,
               xr::RenderScene& renderScene);

}  // namespace tenon::runtime
