// Wilson's 95 % score interval of a proportion (Wilson 1927), valid also at 0 and 1.
#pragma once

#include <cstdint>

namespace tenon::runtime {

struct YieldInterval {
  double yield = 0, low = 0, high = 1;

  double width() const { return high - low; }
};

/// `successes` of `cases`; [0, 1] without cases.
YieldInterval wilsonInterval(std::int64_t successes, std::int64_t cases);

}  // namespace tenon::runtime
