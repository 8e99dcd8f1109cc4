// PNG files as tests see them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::tests {

struct PngPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top
};

/// An empty picture where the file is no PNG.
PngPicture readPng(const std::string& file);

/// The same of a file in PPM (P6, 8 bits).
PngPicture readPpm(const std::string& file);

/// How far two pictures are apart, in 1/255.
struct PictureDifference {
  double mean = 255;   ///< over all channels of all pixels; 255 where sizes differ
  double worst = 255;  ///< of the means of blocks of 8 × 8 pixels, so that an edge a pixel off counts little
};

PictureDifference difference(const PngPicture& a, const PngPicture& b);

/// The share of black pixels in a column.
double blackShare(const PngPicture& picture, int x);

/// In what a picture differs from tests/runtime/golden/NAME.png; then it is kept. "": in nothing that counts.
/// Drivers and processors differ by some pixels along edges and shadows; a part, label or arrow that is
/// missing, moved or of another colour changes whole blocks by more than a tenth of the range.
std::string unlikeGolden(const std::string& name, const std::string& file);

}  // namespace tenon::tests
