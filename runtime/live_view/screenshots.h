// Saves frames of a window as PNG files: with F12, or after --frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/live_view/view_state.h"
#include "runtime/session/atomic_file.h"
#include "xr/display/image.h"

namespace tenon::runtime {

class Screenshots {
 public:
  /// The last of `frames` counted frames is saved as `file`. Throws content::InputError if it cannot be
  /// written.
  Screenshots(std::int64_t frames, std::optional<std::string> file);

  /// Saves the next frame in `folder`, named by date and time.
  void requestScreenshot(std::string folder = "");
  /// True if the next frame must be captured for save(); `counts`: it counts towards `frames`.
  bool isCaptureDue(bool counts) const;
  /// Saves a captured frame. Throws xr::GraphicsUnavailable if the command line's image cannot be read from
  /// the display; errors with other images are shown in `state`.
  void save(const std::optional<xr::Image>& image, ViewState& state);
  /// Call after each shown frame that counts.
  void countFrame() { ++counted_; }
  std::int64_t counted() const { return counted_; }

 private:
  std::int64_t frames_ = 0, counted_ = 0;
  std::optional<std::string> name_;
  std::optional<AtomicFile> file_;  ///< open until it is written
  bool requested_ = false;
  std::string folder_;
};

}  // namespace tenon::runtime
