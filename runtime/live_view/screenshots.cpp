// See kept_pictures.h.
#include "runtime/live_view/screenshots.h"

#include <utility>

#include "content/reader/load_scene.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::runtime {

Screenshots::Screenshots(std::int64_t frames, std::optional<std::string> file)
    : frames_(frames), name_(std::move(file)) {
  if (name_) file_.emplace(*name_);
}

void Screenshots::requestScreenshot(std::string folder) {
  snap_ = true;
  folder_ = std::move(folder);
}

bool Screenshots::wants(bool counts) const {
  return snap_ || (file_ && counts && frames_ > 0 && counted_ + 1 >= frames_);
}

void Screenshots::keep(const std::optional<xr::Image>& picture, ViewState& state) {
  const std::string unreadable = "this display does not let its pictures be read; use tenon render";
  if (!snap_) {
    if (!picture) throw xr::GraphicsUnavailable(unreadable);
    file_->commit(xr::toPng(*picture));
    file_.reset();
    say("picture written to " + *name_);
    return;
  }
  snap_ = false;
  if (!picture) return state.say("No picture: " + unreadable);
  const std::string file = uniqueFileName(folder_, ".png");
  try {
    AtomicFile(file).commit(xr::toPng(*picture));
    state.say("Picture saved as " + file);
  } catch (const content::InputError& error) {
    state.say(error.what());
  }
}

}  // namespace tenon::runtime
