// See dynamic_resolution.h.
#include "xr/display/dynamic_resolution.h"

namespace tenon::xr {

void DynamicResolution::add(double time, double period) {
  if (!(time > 0 && period > 0)) return;
  const auto change = [&](std::size_t index) {
    index_ = index;
    slowFrames_ = fastFrames_ = 0;
  };
  slowFrames_ = time > kSlowShare * period ? slowFrames_ + 1 : 0;
  if (slowFrames_ >= kSlowFrames && index_ + 1 < kScales.size()) return change(index_ + 1);
  if (index_ == 0) return;
  const double ratio = kScales[index_ - 1] / scale();
  fastFrames_ = time * ratio * ratio < kFastShare * period ? fastFrames_ + 1 : 0;
  if (fastFrames_ >= kFastFrames) change(index_ - 1);
}

}  // namespace tenon::xr
