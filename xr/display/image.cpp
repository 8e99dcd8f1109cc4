// PNG by libpng's simplified interface.
#include "xr/display/image.h"

#include <png.h>

#include <stdexcept>

namespace tenon::xr {

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
