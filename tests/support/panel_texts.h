// What Dear ImGui wrote in a picture of panels: each glyph with its place, to see what covers what.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "xr/appearance/palette.h"

struct ImDrawData;

namespace tenon::tests {

struct Glyph {
  float left = 0, top = 0, right = 0, bottom = 0;  ///< as far as it is not clipped [pixels]
  xr::Color color;                                 ///< as if it were opaque
  double opacity = 1;                              ///< 0…1
  /// Below its left, middle and right, over a black and over a white image.
  std::array<xr::Color, 6> grounds;
  std::string window;  ///< of ImGui that it is in

  float area() const { return (right - left) * (bottom - top); }
  bool isIn(const std::array<float, 4>& box) const {
    return left >= box[0] && top >= box[1] && right <= box[2] && bottom <= box[3];
  }
};

/// All glyphs of which something can be seen within a picture's size.
std::vector<Glyph> glyphsOf(const ImDrawData& data);

/// Pairs of glyphs that cover each other by more than a quarter of the smaller one, as text: what is where.
/// Empty where all can be read.
std::string overprints(const std::vector<Glyph>& glyphs);

}  // namespace tenon::tests
