// Fuzzes the settings of the preview: any bytes give either valid window settings or none.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/live_view/view_settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto settings = tenon::runtime::settingsFrom(std::string(reinterpret_cast<const char*>(data), size));
  if (!settings) return 0;
  constexpr int kMaxPixels = 16384;
  const tenon::xr::WindowGeometry& place = settings->window;
  if (place.width < 1 || place.width > kMaxPixels || place.height < 1 || place.height > kMaxPixels)
    std::abort();
  if (place.x.has_value() != place.y.has_value()) std::abort();
  if (place.x && (std::abs(*place.x) > kMaxPixels || std::abs(*place.y) > kMaxPixels)) std::abort();
  return 0;
}
