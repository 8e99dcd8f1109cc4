// Texts at places of the world, as sheets that face the head: what the desktop writes in pixels is written
// here in metres of the room.
#pragma once

#include "runtime/vr/room.h"
#include "xr/display/panel_ui.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

inline constexpr int kLabelsHeight = 256;     ///< of the image of panels, below the menu [pixels]
inline constexpr double kTextHeight = 0.012;  ///< height of a line of text [m]

/// Writes the picture's labels into the image of panels, in ImGui's present picture, and adds a panel for
/// each. Those for which the image has no room are left out.
void addLabels(const Room& room, const physics::Pose& X_SHead, const xr::PanelUi& ui,
               xr::RenderScene& picture);

}  // namespace tenon::runtime
