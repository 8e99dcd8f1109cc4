// Names of a hand's controls as the runtime reports them. Without OpenXR's headers.
#pragma once

#include <array>
#include <string>

#include "xr/openxr/interaction_profiles.h"

namespace tenon::xr {

/// In the user's language; changes with the connected device.
struct ControlNames {
  std::string profile;  ///< interaction profile, "/interaction_profiles/oculus/touch_controller"; "": none
  std::string device;   ///< "Oculus Touch Controller"; "": unknown
  std::array<std::string, kHandActionCount> inputs;  ///< by HandAction, "Squeeze"; "": not bound

  const std::string& of(HandAction action) const { return inputs[static_cast<std::size_t>(action)]; }
  bool operator==(const ControlNames&) const = default;
};

}  // namespace tenon::xr
