// A loop on all processors: each item once, in ranges that do not depend on the machine, and its exceptions.
#include "physics/math/parallel_for.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::physics {
namespace {

TEST(ParallelFor, VisitsEachItemOnceInRangesOfTheGrain) {
  constexpr std::size_t kGrain = 7;
  for (const std::size_t count : {0u, 1u, 6u, 7u, 8u, 1000u}) {
    std::vector<int> visits(count, 0);
    parallelFor(count, kGrain, [&](std::size_t first, std::size_t last) {
      EXPECT_EQ(first % kGrain, 0u);
      EXPECT_EQ(last, std::min(count, first + kGrain));
      for (std::size_t k = first; k < last; ++k) ++visits[k];
    });
    EXPECT_EQ(visits, std::vector<int>(count, 1));
  }
}

TEST(ParallelFor, ThrowsTheExceptionOfTheFirstRangeAfterTheLast) {
  std::atomic<int> calls{0};
  const auto task = [&](std::size_t first, std::size_t) {
    ++calls;
    if (first == 3 || first == 40) throw std::runtime_error(std::to_string(first));
  };
  try {
    parallelFor(100, 1, task);
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "3");
  }
  EXPECT_EQ(calls, 100);
}

}  // namespace
}  // namespace tenon::physics
