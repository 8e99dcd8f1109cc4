// What is written and drawn over the picture, in its own pixels: labels, legend, springs, contact points,
// measurements, names.
#pragma once

#include <array>

#include "runtime/preview/preview_state.h"
#include "runtime/preview/stage.h"
#include "runtime/simulation/moment.h"

namespace tenon::runtime {

/// Where the picture is [pixels of the interface: left, top, width, height].
struct PictureArea {
  float x = 0, y = 0, width = 1, height = 1;
};

/// Draws behind the panels, within the area.
void drawOverlay(const PictureArea& area, const xr::View& view, const xr::RenderScene& picture,
                 const Stage& stage, const Moment& moment, const DrawnState& drawn,
                 const PreviewState& state);

}  // namespace tenon::runtime
