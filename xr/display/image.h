// A picture in memory, and as a PNG file's bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::xr {

/// Rows from the top, pixels from the left; red, green, blue and opacity, a byte each, sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The bytes of a PNG file without opacity. Throws std::runtime_error where libpng fails.
std::string toPng(const Image& picture);

}  // namespace tenon::xr
