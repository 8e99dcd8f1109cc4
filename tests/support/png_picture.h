// PNG files as tests see them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::tests {

struct PngPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top

  /// Mean of red, green and blue at a pixel, 0…255.
  double grey(int x, int y) const;
};

/// An empty picture where the file is no PNG.
PngPicture readPng(const std::string& file);

struct PictureDifference {
  double rmse = 1;  ///< over all channels, of 0…1; 1 where sizes differ
  double off = 1;   ///< share of pixels of which a channel differs by more than 8 of 255
};

PictureDifference difference(const PngPicture& a, const PngPicture& b);

}  // namespace tenon::tests
