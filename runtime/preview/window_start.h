// What a window of the program begins with: the person's settings, and its place on the desktop.
#pragma once

#include <optional>
#include <string>

#include "runtime/preview/preview_state.h"
#include "xr/display/window.h"

namespace tenon::runtime {

/// With the settings of the person's file; one that cannot be used is named on stderr and in the window.
PreviewState stateWithSettings();

/// Of the size "WxH", exactly; without, as it was last.
xr::WindowPlace placeFor(const std::optional<std::string>& size, const PreviewSettings& settings);

}  // namespace tenon::runtime
