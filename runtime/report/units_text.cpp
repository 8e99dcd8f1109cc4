// See units_text.h.
#include "runtime/report/units_text.h"

#include <fmt/format.h>

#include <numbers>

namespace tenon::runtime {

std::string millimetersText(double length) {
  return fmt::format("{:.3f} mm", length * 1e3);
}

std::string degreesText(double angle) {
  return fmt::format("{:.3f}°", angle * 180 / std::numbers::pi);
}

namespace {

/// Three significant digits, or all digits before the decimal point.
std::string threeDigits(double value) {
  return value >= 99.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace

std::string forceText(double force) {
  return threeDigits(force) + " N";
}

std::string torqueText(double torque) {
  return threeDigits(torque) + " N m";
}

std::string stiffnessText(double stiffness) {
  const double n_per_um = stiffness * 1e-6;
  return n_per_um >= 1000 ? fmt::format("{:.0f} N/µm", n_per_um) : fmt::format("{:.4g} N/µm", n_per_um);
}

std::string countText(std::int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string massText(double mass) {
  if (mass < 1) return fmt::format("{:.4g} g", mass * 1e3);
  return fmt::format("{:.4g} kg", mass);
}

}  // namespace tenon::runtime
