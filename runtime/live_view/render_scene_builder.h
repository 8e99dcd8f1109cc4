// Builds the render scene of a frame: interpolated parts, forces, section, transparency, targets.
#pragma once

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

class RenderSceneBuilder {
 public:
  xr::RenderScene build(const SceneView& sceneView, const SimulationFrame& frame,
                        const InterpolatedState& drawn, const ViewState& state);

 private:
  void chooseScale(double maxForce, double time, double radius);

  xr::ForceScale scale_;       ///< of the force arrows
  double recentMaxForce_ = 0;  ///< exponentially decaying [N]
  double time_ = 0;            ///< simulated, of the previous frame [s]
};

}  // namespace tenon::runtime
