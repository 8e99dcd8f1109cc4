// See kept_pictures.h.
#include "runtime/preview/kept_pictures.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "content/scene/load_scene.h"
#include "xr/display/no_graphics.h"

namespace tenon::runtime {

KeptPictures::KeptPictures(std::int64_t frames, std::optional<std::string> file)
    : frames_(frames), name_(std::move(file)) {
  if (name_) file_.emplace(*name_);
}

void KeptPictures::snap(std::string folder) {
  snap_ = true;
  folder_ = std::move(folder);
}

bool KeptPictures::wants(bool counts) const {
  return snap_ || (file_ && counts && frames_ > 0 && counted_ + 1 >= frames_);
}

void KeptPictures::keep(const std::optional<xr::Picture>& picture, PreviewState& state) {
  const std::string unreadable = "this display does not let its pictures be read; use tenon render";
  if (!snap_) {
    if (!picture) throw xr::NoGraphics(unreadable);
    file_->commit(xr::toPng(*picture));
    file_.reset();
    fmt::print(stderr, "tenon: picture written to {}\n", *name_);
    return;
  }
  snap_ = false;
  if (!picture) return state.say("No picture: " + unreadable);
  const std::string file = fmt::format("{}tenon-{:%Y%m%d-%H%M%S}.png", folder_.empty() ? "" : folder_ + "/",
                                       fmt::localtime(std::time(nullptr)));
  try {
    AtomicFile(file).commit(xr::toPng(*picture));
    state.say("Picture saved as " + file);
  } catch (const content::InputError& error) {
    state.say(error.what());
  }
}

}  // namespace tenon::runtime
