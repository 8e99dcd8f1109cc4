// See display.h.
#include "tests/support/xr_faults/display.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

std::optional<Display> wantedDisplay() {
  std::istringstream in(valueOf("display"));
  Display display;
  if (in >> display.width >> display.height >> display.rate) return display;
  return std::nullopt;
}

void setFields(XrView* eyes) {
  std::istringstream in(valueOf("fov"));
  float left = 0, right = 0, down = 0, up = 0;
  if (!(in >> left >> right >> down >> up)) return;
  eyes[0].fov = {std::atan(left), std::atan(right), std::atan(up), std::atan(down)};
  eyes[1].fov = {std::atan(-right), std::atan(-left), std::atan(up), std::atan(down)};
}

void setSize(const Display& display, XrViewConfigurationView& view) {
  view.recommendedImageRectWidth = display.width;
  view.recommendedImageRectHeight = display.height;
  view.maxImageRectWidth = std::max(view.maxImageRectWidth, display.width);
  view.maxImageRectHeight = std::max(view.maxImageRectHeight, display.height);
}

void setTimes(const Display& display, XrTime& shown, XrFrameState& state) {
  const auto period = static_cast<XrDuration>(1e9 / display.rate);
  if (shown == 0) shown = state.predictedDisplayTime - period;
  const XrDuration ahead = state.predictedDisplayTime - shown;
  shown += std::max<XrDuration>((ahead + period - 1) / period, 1) * period;
  state.predictedDisplayTime = shown;
  state.predictedDisplayPeriod = period;
}

}  // namespace tenon::faults
