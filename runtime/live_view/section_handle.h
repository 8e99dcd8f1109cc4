// The section plane in the image: its outline, and a handle that moves it.
#pragma once

#include "runtime/live_view/panels.h"

namespace tenon::runtime {

/// Ends of the section's range along its axis [mm]: those of the parts at the start.
std::array<double, 2> sectionRange(const SceneView& sceneView, int axis);

/// Draws outline and handle of the section, if there is one, and performs drags of the handle.
void drawSectionHandle(PanelContext& context, const ImageArea& area);

}  // namespace tenon::runtime
