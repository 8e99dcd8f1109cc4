// PNG by libpng's simplified interface.
#include "xr/display/image.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace tenon::xr {

namespace {

/// Of IEEE 754 binary16.
double valueOfHalf(std::uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

double encodeSrgb(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

void encodeLinearHalves(const std::uint8_t* from, std::size_t count, std::uint8_t* to) {
  for (std::size_t k = 0; k < count; ++k) {
    std::uint16_t half = 0;
    std::memcpy(&half, from + 2 * k, sizeof half);
    const double linear = std::clamp(valueOfHalf(half), 0.0, 1.0);
    to[k] = static_cast<std::uint8_t>(std::lround(255 * (k % 4 == 3 ? linear : encodeSrgb(linear))));
  }
}

std::string toPng(const Image& image) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(image.rgba.size() / 4 * 3);
  for (std::size_t k = 0; k < image.rgba.size(); ++k)
    if (k % 4 != 3) rgb.push_back(image.rgba[k]);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, rgb.data(), 0, nullptr) == 0)
    throw std::runtime_error(std::string("libpng: ") + png.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace tenon::xr
