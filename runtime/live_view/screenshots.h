// Pictures of a window that become files: with F12, or after so many frames, for tests and documents.
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
  /// After `frames` pictures that count the last of them becomes `file`. Throws content::InputError where
  /// that cannot be written.
  Screenshots(std::int64_t frames, std::optional<std::string> file);

  /// The next picture becomes a file of its own in `folder`, named by the time of day.
  void requestScreenshot(std::string folder = "");
  /// Whether the next picture is one that keep() wants; `counts`: towards the frames.
  bool wants(bool counts) const;
  /// Throws xr::GraphicsUnavailable where the command line's picture cannot be read from the display; what is
  /// wrong with another is told in `state`.
  void keep(const std::optional<xr::Image>& picture, ViewState& state);
  /// A picture that counts was shown.
  void count() { ++counted_; }
  std::int64_t counted() const { return counted_; }

 private:
  std::int64_t frames_ = 0, counted_ = 0;
  std::optional<std::string> name_;
  std::optional<AtomicFile> file_;  ///< until it is written
  bool snap_ = false;
  std::string folder_;
};

}  // namespace tenon::runtime
