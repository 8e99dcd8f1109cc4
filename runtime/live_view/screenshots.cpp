// Writes images of the window to files.
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
  requested_ = true;
  folder_ = std::move(folder);
}

bool Screenshots::isCaptureDue(bool counts) const {
  return requested_ || (file_ && counts && frames_ > 0 && counted_ + 1 >= frames_);
}

void Screenshots::save(const std::optional<xr::Image>& image, ViewState& state) {
  const std::string unreadable = "this display does not support reading images; use tenon render";
  if (!requested_) {
    if (!image) throw xr::GraphicsUnavailable(unreadable);
    file_->commit(xr::toPng(*image));
    file_.reset();
    printMessage("image written to " + *name_);
    return;
  }
  requested_ = false;
  if (!image) return state.showNotice("No image: " + unreadable);
  const std::string file = uniqueFileName(folder_, ".png");
  try {
    AtomicFile(file).commit(xr::toPng(*image));
    state.showNotice("Image saved as " + file);
  } catch (const content::InputError& error) {
    state.showNotice(error.what());
  }
}

}  // namespace tenon::runtime
