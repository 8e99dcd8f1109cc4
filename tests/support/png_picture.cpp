// libpng's simplified interface.
#include "tests/support/png_picture.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tenon::tests {

double PngPicture::grey(int x, int y) const {
  const std::uint8_t* const pixel = &rgb[3 * (static_cast<std::size_t>(y) * width + x)];
  return (pixel[0] + pixel[1] + pixel[2]) / 3.0;
}

PngPicture readPng(const std::string& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, file.c_str()) == 0) return {};
  image.format = PNG_FORMAT_RGB;
  PngPicture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) == 0) return {};
  return picture;
}

PictureDifference difference(const PngPicture& a, const PngPicture& b) {
  if (a.width != b.width || a.height != b.height || a.rgb.empty()) return {};
  double squares = 0, off = 0;
  for (std::size_t k = 0; k < a.rgb.size(); k += 3) {
    int most = 0;
    for (std::size_t c = k; c < k + 3; ++c) {
      const int d = std::abs(a.rgb[c] - b.rgb[c]);
      most = std::max(most, d);
      squares += d * d / (255.0 * 255.0);
    }
    off += most > 8;
  }
  const auto size = static_cast<double>(a.rgb.size());
  return {std::sqrt(squares / size), 3 * off / size};
}

}  // namespace tenon::tests
