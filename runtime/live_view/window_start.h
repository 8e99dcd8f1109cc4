// What a window of the program begins with: the person's settings, and its place on the desktop.
#pragma once

#include <optional>
#include <string>

#include "runtime/live_view/view_state.h"
#include "xr/display/window.h"

namespace tenon::runtime {

/// With the settings of the person's file; one that cannot be used is named on stderr and in the window.
ViewState initialViewState();

/// Of the size "WxH", exactly; without, as it was last.
xr::WindowGeometry windowPlacementFor(const std::optional<std::string>& size, const ViewSettings& settings);

}  // namespace tenon::runtime
