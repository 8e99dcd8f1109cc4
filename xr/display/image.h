// An image in memory, and its encoding as PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::xr {

/// Rows from the top, pixels from the left, RGBA with one byte each, sRGB.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The sRGB encoding of a linear value, both 0…1 (IEC 61966-2-1).
double encodeSrgb(double linear);
/// Encodes linear RGBA as 16-bit floats, `count` channels, with one byte each: values below 0 as 0, above 1
/// as 255.
void encodeLinearHalves(const std::uint8_t* from, std::size_t count, std::uint8_t* to);

/// The bytes of a PNG file without alpha. Throws std::runtime_error if libpng fails.
std::string toPng(const Image& image);

}  // namespace tenon::xr
