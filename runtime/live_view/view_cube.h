// The view cube in the corner of the image: its faces, edges and corners turn the view.
#pragma once

#include "runtime/live_view/panels.h"

namespace tenon::runtime {

/// Draws the cube and performs clicks on it and drags of it.
void drawViewCube(PanelContext& context, const ImageArea& area);

}  // namespace tenon::runtime
