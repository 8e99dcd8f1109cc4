// See unit_doubt.h.
#include "content/mesh/unit_plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::content {
namespace {

/// Largest side of a usual part [mm].
constexpr double kLargest_mm = 3000;

/// Of a whole number of steps, to a thousandth of a step.
bool isMultiple(double value, double step) {
  return value > 0 && std::abs(value / step - std::round(value / step)) < 1e-3;
}

/// 5/16 and the like: round in inches, odd as a decimal number.
bool isFraction(double value) {
  return isMultiple(value, 1.0 / 64) && !isMultiple(value, 0.05);
}

double millimetresOf(const std::string& unit) {
  if (unit == "m") return 1000;
  if (unit == "cm") return 10;
  return unit == "in" ? 25.4 : 1;
}

}  // namespace

std::string implausibleUnit(double extent, std::span<const double> diameters, const std::string& unit) {
  const double size = extent * millimetresOf(unit);
  const std::string said = fmt::format("read in {} it is {:.6g} mm long", unit, size);
  if (size < 0.5 && extent * 1000 <= 1e4 && unit != "m")
    return fmt::format("unit looks like metres: {}, in metres {:.4g} mm", said, extent * 1000);
  if (unit != "mm" && size > kLargest_mm)
    return fmt::format("unit looks like millimetres: {}, in millimetres {:.4g} mm", said, extent);
  if (diameters.empty()) return "";
  const auto count = [&](auto is) { return std::count_if(diameters.begin(), diameters.end(), is); };
  const auto most = static_cast<std::ptrdiff_t>((diameters.size() + 1) / 2);
  if (unit == "mm" && extent < 40 && count(isFraction) >= most)
    return fmt::format("unit looks like inches: {}, with diameters such as {:g}, a whole number of 64ths",
                       said, *std::find_if(diameters.begin(), diameters.end(), isFraction));
  const auto isWhole = [](double d) { return d >= 3 && isMultiple(d, 0.5); };
  if (unit == "in" && extent > 40 && count(isWhole) >= most)
    return fmt::format("unit looks like millimetres: {}, with diameters such as {:g}", said,
                       *std::find_if(diameters.begin(), diameters.end(), isWhole));
  return "";
}

}  // namespace tenon::content
