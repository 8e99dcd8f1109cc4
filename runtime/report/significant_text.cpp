// See significant_text.h.
#include "runtime/report/significant_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

std::string significantText(double value, double resolution) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < resolution) return fmt::format("< {:g}", resolution);
  const auto placesOf = [](double x) { return -static_cast<int>(std::floor(std::log10(x) + 1e-9)); };
  const int places = std::min(placesOf(size) + 2, placesOf(resolution));
  return fmt::format("{:.{}f}", value, std::max(places, 0));
}

std::string significantLengthText(double length, double resolution_um) {
  if (length == 0) return "0 mm";
  if (std::abs(length) < 1e-3) return significantText(length * 1e6, resolution_um) + " µm";
  return significantText(length * 1e3, 1e-3) + " mm";
}

}  // namespace tenon::runtime
