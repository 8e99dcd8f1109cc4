// Fuzzing of the preview's settings: whatever the bytes, a window that a desktop can open, or none.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/preview/preview_settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto settings = tenon::runtime::settingsFrom(std::string(reinterpret_cast<const char*>(data), size));
  if (!settings) return 0;
  constexpr int kMostPixels = 16384;
  const tenon::xr::WindowPlace& place = settings->window;
  if (place.width < 1 || place.width > kMostPixels || place.height < 1 || place.height > kMostPixels)
    std::abort();
  if (place.x.has_value() != place.y.has_value()) std::abort();
  if (place.x && (std::abs(*place.x) > kMostPixels || std::abs(*place.y) > kMostPixels)) std::abort();
  return 0;
}
