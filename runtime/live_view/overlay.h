// The 2D overlay of the image: labels, legend, springs, contact points, measurements, names.
#pragma once

#include <array>

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// The area of the image in the window [ImGui pixels].
struct ImageArea {
  float x = 0, y = 0, width = 1, height = 1;
};

/// Draws the overlay behind the panels, clipped to `area`.
void drawOverlay(const ImageArea& area, const xr::View& view, const xr::RenderScene& renderScene,
                 const SceneView& sceneView, const SimulationFrame& frame, const InterpolatedState& drawn,
                 const ViewState& state);

}  // namespace tenon::runtime
