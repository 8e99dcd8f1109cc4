// From a live session to a picture: parts between two moments, forces, section, glass, targets.
#pragma once

#include "runtime/preview/preview_state.h"
#include "runtime/preview/stage.h"
#include "runtime/simulation/moment.h"

namespace tenon::runtime {

class LivePicture {
 public:
  xr::RenderScene picture(const Stage& stage, const Moment& moment, const DrawnState& drawn,
                          const PreviewState& state);

 private:
  void chooseScale(double greatest, double time, double radius);

  xr::ForceScale scale_;  ///< of force arrows
  double lately_ = 0;     ///< greatest force of the last seconds, fading [N]
  double time_ = 0;       ///< simulated, of the picture before [s]
};

}  // namespace tenon::runtime
