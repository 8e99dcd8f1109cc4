// Initial settings and placement of a window.
#include "runtime/live_view/window_start.h"

#include "runtime/session/image_size.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

ViewState initialViewState() {
  ViewState state;
  std::string problem;
  state.settings = readSettings(settingsFile(), problem);
  if (problem.empty()) return state;
  printMessage(problem);
  state.showNotice(problem);
  return state;
}

xr::WindowGeometry windowPlacementFor(const std::optional<std::string>& size, const ViewSettings& settings) {
  if (!size) return settings.window;
  const ImageSize pixels = parseImageSize(*size);
  return {pixels.width, pixels.height, std::nullopt, std::nullopt, false, false};
}

}  // namespace tenon::runtime
