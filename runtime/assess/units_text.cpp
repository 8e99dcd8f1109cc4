// SI to text.
#include "runtime/assess/units_text.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace tenon::runtime {

std::string smallLengthText(double length) {
  const double size = std::abs(length);
  if (size == 0) return "0";
  if (size < 1e-12) return fmt::format("{:.1g} nm", length * 1e9);
  if (size < 0.9995e-6) return fmt::format("{:.3g} nm", length * 1e9);
  if (size < 0.9995e-3) return fmt::format("{:.3g} µm", length * 1e6);
  return fmt::format("{:.4g} mm", length * 1e3);
}

std::string millimetresText(double length) {
  return fmt::format("{:.3f} mm", length * 1e3);
}

std::string degreesText(double angle) {
  return fmt::format("{:.3f}°", angle * 180 / std::numbers::pi);
}

std::string forceText(double force) {
  if (force == 0) return "0 N";
  if (force >= 99.95) return fmt::format("{:.0f} N", force);
  return fmt::format("{:.3g} N", force);
}

std::string massText(double mass) {
  if (mass < 1) return fmt::format("{:.4g} g", mass * 1e3);
  return fmt::format("{:.4g} kg", mass);
}

}  // namespace tenon::runtime
