// What is written and drawn over the picture, in its own pixels: labels, legend, springs, contact points,
// measurements, names.
#pragma once

#include <array>

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// Where the picture is [pixels of the interface: left, top, width, height].
struct ImageArea {
  float x = 0, y = 0, width = 1, height = 1;
};

/// Draws behind the panels, within the area.
void drawOverlay(const ImageArea& area, const xr::View& view, const xr::RenderScene& picture,
                 const SceneView& sceneView, const SimulationFrame& moment, const InterpolatedState& drawn,
                 const ViewState& state);

}  // namespace tenon::runtime
