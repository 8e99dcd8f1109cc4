// See window_start.h.
#include "runtime/preview/window_start.h"

#include "runtime/commands/picture_size.h"
#include "runtime/commands/terminal.h"

namespace tenon::runtime {

PreviewState stateWithSettings() {
  PreviewState state;
  std::string problem;
  state.settings = readSettings(settingsFile(), problem);
  if (problem.empty()) return state;
  say(problem);
  state.say(problem);
  return state;
}

xr::WindowPlace placeFor(const std::optional<std::string>& size, const PreviewSettings& settings) {
  if (!size) return settings.window;
  const PictureSize pixels = pictureSize(*size);
  return {pixels.width, pixels.height, std::nullopt, std::nullopt, false, false};
}

}  // namespace tenon::runtime
