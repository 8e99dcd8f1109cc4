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
  double greatestForce_ = 0;  ///< of late [N]
  double shownForce_ = 0;     ///< that sets the arrows' scale [N]
};

}  // namespace tenon::runtime
