// See place_text.h.
#include "runtime/report/place_text.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "runtime/report/units_text.h"

namespace tenon::runtime {

std::string lengthText(double length) {
  if (std::abs(length) < 1e-10) return "0 mm";
  return std::abs(length) < 1e-4 ? smallLengthText(length) : fmt::format("{:.2f} mm", length * 1e3);
}

std::string angleText(double angle) {
  const double degrees = angle * 180 / std::numbers::pi;
  return std::abs(degrees) < 1e-5 ? "0°" : fmt::format("{:.3g}°", degrees);
}

std::string depthText(double depth) {
  return depth < 0 ? lengthText(-depth) + " above the mouth" : lengthText(depth) + " deep";
}

}  // namespace tenon::runtime
