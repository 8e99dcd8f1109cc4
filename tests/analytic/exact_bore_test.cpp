// ExactBore, the geometry that measures overlap in insertions, against closed forms.
#include "tests/support/exact_bore.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;

constexpr double kTolerance = 1e-12;

PegAndBore benchmarkPeg(double clearance) {
  PegAndBore fit;
  fit.boreRadius = fit.pegRadius + clearance / 2;
  return fit;
}

TEST(ExactBore, pegOffTheAxisOverlapsByItsExcessOffset) {
  const PegAndBore fit = benchmarkPeg(20e-6);
  for (const double phase : {0.0, 0.1, 2.0})
    EXPECT_NEAR(overlap(fit, Pose::at({13e-6 * std::cos(phase), 13e-6 * std::sin(phase), -10e-3})), 3e-6,
                kTolerance);
  EXPECT_EQ(overlap(fit, Pose::at({9.9e-6, 0, -10e-3})), 0);
}

TEST(ExactBore, pegOnTheChamferOverlapsPerpendicularToIt) {
  const PegAndBore fit = benchmarkPeg(20e-6);
  // At −0.5 mm the cone is 1 mm wider than the bore.
  EXPECT_NEAR(overlap(fit, Pose::at({1.01e-3 + 7e-6, 0, -0.5e-3})), 7e-6 / std::sqrt(2), kTolerance);
  EXPECT_EQ(overlap(fit, Pose::at({1.0099e-3, 0, -0.5e-3})), 0);
}

TEST(ExactBore, tiltedPegMeetsTheEdgeOfTheBore) {
  const PegAndBore fit = benchmarkPeg(100e-6);
  const double tilt = 0.03;
  const Pose X{physics::exponential({0, tilt, 0}), {0, 0, -3e-3}};
  // The edge (Rb, −1.5 mm) against the shank, in the plane of tilt.
  const double across = fit.boreRadius * std::cos(tilt) - 1.5e-3 * std::sin(tilt);
  ASSERT_LT(across, fit.pegRadius + 1e-4);
  EXPECT_NEAR(overlap(fit, X), std::max(0.0, fit.pegRadius - across), kTolerance);
  const Pose aside{X.q, X.p + Vector3d(50e-6, 0, 0)};
  EXPECT_NEAR(overlap(fit, aside), fit.pegRadius - across + 50e-6 * std::cos(tilt), kTolerance);
}

TEST(ExactBore, detectsAPegInTheFace) {
  EXPECT_NEAR(overlap(benchmarkPeg(1e-4), Pose::at({20e-3, 0, -0.2e-3})), 0.2e-3, kTolerance);
  EXPECT_EQ(overlap(benchmarkPeg(1e-4), Pose::at({20e-3, 0, 0.2e-3})), 0);
}

TEST(ExactBore, returnsNanForNan) {
  EXPECT_TRUE(std::isnan(overlap(benchmarkPeg(1e-4), Pose::at({std::nan(""), 0, 0}))));
}

}  // namespace
}  // namespace tenon::tests
