// A headset's display in the place of the runtime's, as the line `display` of fault_list.h gives it: Monado's
// null compositor has 320 x 240 pixels and 20 frames a second.
#pragma once

#include <openxr/openxr.h>

#include <cstdint>
#include <optional>

namespace tenon::faults {

struct Display {
  std::uint32_t width = 0, height = 0;  ///< of an eye [pixels]
  double rate = 0;                      ///< [Hz]
};

/// The display that is wanted now.
std::optional<Display> wantedDisplay();

/// Sets the fields of view of both eyes where there is a line `fov`.
void setFields(XrView* eyes);

/// Recommends its number of pixels.
void setSize(const Display& display, XrViewConfigurationView& view);

/// The display shows at equal intervals: a frame is for the first of these times that the runtime reaches.
/// `shown`: the time of the frame before, 0 at first.
void setTimes(const Display& display, XrTime& shown, XrFrameState& state);

}  // namespace tenon::faults
