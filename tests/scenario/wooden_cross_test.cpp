// A wooden cross of six bars, by hand at 1 kHz: no step fails and no parts overlap.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/wooden_cross.h"

namespace tenon::wooden_cross_test {
namespace {

TEST(WoodenCross, LetsItsKeyOutAndInAgainWithoutOverlap) {
  tests::WoodenCross cross;
  double overlap = 0, farthest = 0;
  int contacts = 0;
  for (int k = 0; k < tests::WoodenCross::kSteps; ++k) {
    const physics::StepResult& result = cross.step(k);
    ASSERT_TRUE(result.report.converged) << "step " << k;
    contacts = std::max(contacts, result.report.contacts);
    farthest = std::max(farthest, cross.keyDisplacement());
    if (k % 20 == 0) overlap = std::max(overlap, cross.overlap());
  }
  EXPECT_LE(overlap, 1e-8);
  EXPECT_GT(contacts, 10);
  EXPECT_NEAR(farthest, tests::WoodenCross::kTravel, 2e-3);
  EXPECT_NEAR(cross.keyDisplacement(), 0, 2e-3);
}

}  // namespace
}  // namespace tenon::wooden_cross_test
