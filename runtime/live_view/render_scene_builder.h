// From a live session to a picture: parts between two moments, forces, section, glass, targets.
#pragma once

#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

class RenderSceneBuilder {
 public:
  xr::RenderScene picture(const SceneView& sceneView, const SimulationFrame& moment,
                          const InterpolatedState& drawn, const ViewState& state);

 private:
  void chooseScale(double greatest, double time, double radius);

  xr::ForceScale scale_;  ///< of force arrows
  double lately_ = 0;     ///< greatest force of the last seconds, fading [N]
  double time_ = 0;       ///< simulated, of the picture before [s]
};

}  // namespace tenon::runtime
