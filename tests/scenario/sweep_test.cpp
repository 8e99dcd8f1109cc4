// A few cases of the stability sweep (tests/bench/sweep has all of them): nothing explodes, tunnels or
// overlaps, whatever the fit, the friction, the rate and the misalignment.
#include <gtest/gtest.h>

#include "tests/bench/sweep/sweep.h"

namespace tenon::bench {
namespace {

constexpr std::uint64_t kSeed = 2024;
constexpr int kCases = 12;

struct Sweep : testing::TestWithParam<int> {};

TEST_P(Sweep, keepsToGeometryAndEnergyInEveryStep) {
  const SweepCase which = sweepCase(kSeed, GetParam());
  SCOPED_TRACE(commandOf(which));
  const SweepOutcome outcome = runSweepCase(which);
  EXPECT_GT(outcome.steps, 200);
  for (const std::string& failure : outcome.failures) ADD_FAILURE() << failure;
  RecordProperty("overlap_nm", std::to_string(outcome.penetration * 1e9));
  RecordProperty("verdict", std::string(toText(outcome.verdict)));
}

INSTANTIATE_TEST_SUITE_P(cases, Sweep, testing::Range(0, kCases));

TEST(SweepWatch, seesAnOverlap) {
  // The watch itself: with nothing let pass, rounding alone is too deep.
  const SweepCase which{.clearance_um = 100, .rate = 200, .tilt_deg = 2, .offset_mm = 1};
  EXPECT_FALSE(runSweepCase(which, -1).failures.empty());
}

TEST(SweepCases, areTheSameEveryTimeAndCoverTheirRanges) {
  double least = 1e9, most = -1e9;
  for (int k = 0; k < 2000; ++k) {
    const SweepCase a = sweepCase(1, k), b = sweepCase(1, k);
    EXPECT_EQ(commandOf(a), commandOf(b));
    EXPECT_NE(commandOf(a), commandOf(sweepCase(2, k)));
    least = std::min(least, a.clearance_um);
    most = std::max(most, a.clearance_um);
    EXPECT_GE(a.rate, 90);
    EXPECT_LE(a.rate, 2000);
    EXPECT_LT(std::abs(a.offset_mm), 1.5 + a.clearance_um / 2000);
  }
  EXPECT_LT(least, -19);
  EXPECT_GT(most, 900);
}

}  // namespace
}  // namespace tenon::bench
