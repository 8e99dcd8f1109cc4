// See kept_pictures.h.
#include "runtime/preview/kept_pictures.h"

#include <utility>

#include "content/scene/load_scene.h"
#include "runtime/commands/output_files.h"
#include "runtime/commands/terminal.h"
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
    say("picture written to " + *name_);
    return;
  }
  snap_ = false;
  if (!picture) return state.say("No picture: " + unreadable);
  const std::string file = freshName(folder_, ".png");
  try {
    AtomicFile(file).commit(xr::toPng(*picture));
    state.say("Picture saved as " + file);
  } catch (const content::InputError& error) {
    state.say(error.what());
  }
}

}  // namespace tenon::runtime
