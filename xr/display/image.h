// An image in memory, and its encoding as PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::xr {

/// Rows from the top, pixels from the left, RGBA with one byte each, sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The bytes of a PNG file without alpha. Throws std::runtime_error if libpng fails.
std::string toPng(const Image& image);

}  // namespace tenon::xr
