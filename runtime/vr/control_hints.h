// What the controls of the connected controllers do, in the runtime's names.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/vr/locomotion.h"
#include "xr/openxr/control_names.h"

namespace tenon::runtime {

/// A line of the controls card: "Teleport", "Thumbstick forward".
struct ControlHint {
  std::string effect, control;

  bool operator==(const ControlHint&) const = default;
};

/// The name of the device of the right hand, or of the left one; "No controller" without both.
std::string deviceText(const std::array<xr::ControlNames, 2>& controls);

/// One line for each function that has an input on this device. Without a device: the gestures of bare hands.
std::vector<ControlHint> controlHints(const std::array<xr::ControlNames, 2>& controls,
                                      const Comfort& comfort);

}  // namespace tenon::runtime
