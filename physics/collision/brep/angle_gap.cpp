// See angle_gap.h.
#include "physics/collision/brep/angle_gap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::physics::brep {

std::optional<std::array<double, 2>> largestGap(std::vector<std::array<double, 2>> covered) {
  constexpr double kAround = 2 * std::numbers::pi, kNoGap = 1e-6;
  for (auto& [low, high] : covered) {
    const double shift = kAround * std::floor(low / kAround);
    low -= shift;
    high -= shift;
  }
  std::sort(covered.begin(), covered.end());
  std::optional<std::array<double, 2>> gap;
  double end = covered.front()[1];
  for (const auto& [low, high] : covered) end = std::max(end, high - kAround);
  const double first = end;
  const auto consider = [&](double from, double to) {
    if (to - from > (gap ? (*gap)[1] - (*gap)[0] : kNoGap)) gap = {from, to};
  };
  end = std::max(first, 0.0);
  consider(first, covered.front()[0]);
  for (const auto& [low, high] : covered) {
    if (low > end) consider(end, low);
    end = std::max(end, high);
  }
  consider(end, covered.front()[0] + kAround);
  return gap;
}

}  // namespace tenon::physics::brep
