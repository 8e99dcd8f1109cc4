// Conversions of the palette's colors.
#include "xr/appearance/palette.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::xr {

double decodeSrgb(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

Eigen::Vector3d linearOf(Color color) {
  return {decodeSrgb(color.red / 255.0), decodeSrgb(color.green / 255.0), decodeSrgb(color.blue / 255.0)};
}

std::string hexOf(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

}  // namespace tenon::xr
