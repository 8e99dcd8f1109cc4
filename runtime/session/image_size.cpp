// Parses "WIDTHxHEIGHT".
#include "runtime/session/image_size.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "content/reader/load_scene.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

constexpr int kMinImageSide = 16;  ///< [pixels]

/// Width or height; 0 if `digits` is not a valid one.
int parseSide(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && value >= kMinImageSide && value <= xr::Offscreen::kMaxPixels ? value : 0;
}

}  // namespace

ImageSize parseImageSize(const std::string& text) {
  const auto cross = text.find('x');
  if (cross != std::string::npos) {
    const std::string_view all = text;
    const ImageSize size{parseSide(all.substr(0, cross)), parseSide(all.substr(cross + 1))};
    if (size.width > 0 && size.height > 0) return size;
  }
  throw content::InputError("--size", text, "is not a size in pixels",
                            fmt::format("write it as WIDTHxHEIGHT, each from {} to {}, such as 1280x720",
                                        kMinImageSide, xr::Offscreen::kMaxPixels));
}

}  // namespace tenon::runtime
