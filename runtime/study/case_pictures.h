// Pictures of cases of a study: the part at the end of its run, beside or in its hole.
#pragma once

#include <string>

#include "runtime/study/study_case.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

class CasePictures {
 public:
  /// Throws xr::GraphicsUnavailable without a suitable Vulkan device.
  CasePictures();

  /// The end of a run as PNG, 480 × 360 pixels: a section along the axis of the decisive goal's hole, through
  /// the tip of its part, close enough to see the mouth and the tip; of a goal with a pose, along its way
  /// through the whole part.
  std::string draw(const CaseRun& run);

 private:
  xr::Offscreen display_;
};

}  // namespace tenon::runtime
