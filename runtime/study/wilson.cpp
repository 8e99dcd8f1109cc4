// See wilson.h.
#include "runtime/study/wilson.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

YieldInterval wilsonInterval(std::int64_t successes, std::int64_t cases) {
  if (cases == 0) return {};
  constexpr double z = 1.959963984540054;  // normal quantile at 0.975
  const auto n = static_cast<double>(cases);
  const double p = static_cast<double>(successes) / n;
  const double scale = 1 + z * z / n;
  const double center = (p + z * z / (2 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {p, std::max(0.0, center - half), std::min(1.0, center + half)};
}

}  // namespace tenon::runtime
