// Initial state of a window: stored settings and placement on the desktop.
#pragma once

#include <optional>
#include <string>

#include "runtime/live_view/view_state.h"
#include "xr/display/window.h"

namespace tenon::runtime {

/// Loads the stored settings; an invalid file is reported on stderr and in the window.
ViewState initialViewState();

/// The placement with exactly the size "WxH", or the stored placement.
xr::WindowGeometry windowPlacementFor(const std::optional<std::string>& size, const ViewSettings& settings);

}  // namespace tenon::runtime
