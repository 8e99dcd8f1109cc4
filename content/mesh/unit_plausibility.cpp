// See unit_plausibility.h.
#include "content/mesh/unit_plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::content {
namespace {

/// Largest side of a typical part [mm].
constexpr double kMaxTypicalSize_mm = 3000;

/// True if `value` is a positive multiple of `step`, to a thousandth of a step.
bool isMultiple(double value, double step) {
  return value > 0 && std::abs(value / step - std::round(value / step)) < 1e-3;
}

/// True for fractions such as 5/16, typical of inches.
bool isFraction(double value) {
  return isMultiple(value, 1.0 / 64) && !isMultiple(value, 0.05);
}

double millimetersPer(const std::string& unit) {
  if (unit == "m") return 1000;
  if (unit == "cm") return 10;
  return unit == "in" ? 25.4 : 1;
}

}  // namespace

std::string implausibleUnit(double extent, std::span<const double> diameters, const std::string& unit) {
  const double size = extent * millimetersPer(unit);
  const std::string asRead = fmt::format("read in {} it is {:.6g} mm long", unit, size);
  if (size < 0.5 && extent * 1000 <= 1e4 && unit != "m")
    return fmt::format("unit looks like meters: {}, in meters {:.4g} mm", asRead, extent * 1000);
  if (unit != "mm" && size > kMaxTypicalSize_mm)
    return fmt::format("unit looks like millimeters: {}, in millimeters {:.4g} mm", asRead, extent);
  if (diameters.empty()) return "";
  const auto count = [&](auto is) { return std::count_if(diameters.begin(), diameters.end(), is); };
  const auto majority = static_cast<std::ptrdiff_t>((diameters.size() + 1) / 2);
  if (unit == "mm" && extent < 40 && count(isFraction) >= majority)
    return fmt::format("unit looks like inches: {}, with diameters such as {:g}, a whole number of 64ths",
                       asRead, *std::find_if(diameters.begin(), diameters.end(), isFraction));
  const auto isWhole = [](double d) { return d >= 3 && isMultiple(d, 0.5); };
  if (unit == "in" && extent > 40 && count(isWhole) >= majority)
    return fmt::format("unit looks like millimeters: {}, with diameters such as {:g}", asRead,
                       *std::find_if(diameters.begin(), diameters.end(), isWhole));
  return "";
}

}  // namespace tenon::content
