// Formulas of WCAG 2.1, Machado 2009 and CIE 15.
#include "tests/support/contrast.h"

#include <algorithm>
#include <cmath>

namespace tenon::tests {

namespace {

Eigen::Vector3d linear(xr::Color color) {
  const Eigen::Vector3d srgb(color.red / 255.0, color.green / 255.0, color.blue / 255.0);
  return srgb.unaryExpr(
      [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); });
}

double luminance(xr::Color color) {
  return Eigen::Vector3d(0.2126, 0.7152, 0.0722).dot(linear(color));
}

Eigen::Matrix3d simulation(Eye eye) {
  Eigen::Matrix3d M = Eigen::Matrix3d::Identity();
  if (eye == Eye::protanope)
    M << 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998;
  if (eye == Eye::deuteranope)
    M << 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881;
  if (eye == Eye::tritanope)
    M << 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900;
  return M;
}

Eigen::Vector3d lab(const Eigen::Vector3d& rgb) {
  Eigen::Matrix3d toXyz;
  toXyz << 0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.0721750, 0.0193339, 0.1191920, 0.9503041;
  const Eigen::Vector3d white(0.95047, 1, 1.08883);
  const Eigen::Vector3d f = (toXyz * rgb).cwiseQuotient(white).unaryExpr([](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  });
  return {116 * f.y() - 16, 500 * (f.x() - f.y()), 200 * (f.y() - f.z())};
}

}  // namespace

double contrast(xr::Color a, xr::Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

xr::Color blended(xr::Color above, double opacity, xr::Color below) {
  const auto mix = [&](int a, int b) {
    return static_cast<std::uint8_t>(std::lround(opacity * a + (1 - opacity) * b));
  };
  return {mix(above.red, below.red), mix(above.green, below.green), mix(above.blue, below.blue)};
}

double distance(xr::Color a, xr::Color b, Eye eye) {
  const auto seen = [&](xr::Color color) {
    return lab((simulation(eye) * linear(color)).cwiseMax(0.0).cwiseMin(1.0));
  };
  return (seen(a) - seen(b)).norm();
}

}  // namespace tenon::tests
