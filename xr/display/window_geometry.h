// Position and size of a window on the desktop: plain data.
#pragma once

#include <optional>

namespace tenon::xr {

/// In screen coordinates of the desktop.
struct WindowGeometry {
  int width = 1280, height = 720;
  std::optional<int> x, y;  ///< none: chosen by the desktop
  bool maximized = false;
  bool fits = true;  ///< reduces the size to that of the desktop; else the size is exact
};

}  // namespace tenon::xr
