// The planar reference of insertions against Whitney's closed forms and the benchmark's numbers.
#include "tests/support/planar_insertion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tenon::tests {
namespace {

PlanarInsertion benchmark(double clearance_um, double friction) {
  PlanarInsertion insertion;
  insertion.clearance = clearance_um * 1e-6;
  insertion.friction = friction;
  return insertion;
}

struct Row {
  double clearance_um, friction;
  double push;  ///< [N]
};

struct TwoPointPush : testing::TestWithParam<Row> {};

TEST_P(TwoPointPush, isThatOfTheBenchmarksTable) {
  const Row& row = GetParam();
  const InsertionTruth truth = insertionTruth(benchmark(row.clearance_um, row.friction));
  EXPECT_TRUE(truth.arrives);
  EXPECT_NEAR(truth.peakPush / row.push, 1, 0.005);
}

// Rows of the table whose peak is in two-point contact.
INSTANTIATE_TEST_SUITE_P(table, TwoPointPush,
                         testing::Values(Row{100, 0.1, 2.44}, Row{20, 0, 2.14}, Row{20, 0.1, 12.12},
                                         Row{10, 0, 4.07}, Row{10, 0.1, 18.66}));

struct ChamferPush : testing::TestWithParam<Row> {};

// On the chamfer Whitney's K(x* − c/2)(1 + μ)/(1 − μ) assumes that the peg enters with the center of its tip,
// and neglects that the axial force rotates the peg about its center with arm R: exact for a thin, upright
// peg, except for the tilt by the push itself.
TEST_P(ChamferPush, ofAThinPegIsWhitneysClosedForm) {
  PlanarInsertion thin = benchmark(GetParam().clearance_um, GetParam().friction);
  thin.radius = 2e-5;
  thin.tilt = 0;
  thin.axialStiffness = 0;
  const double K =
      1 / (1 / thin.lateralStiffness + thin.centreHeight * thin.centreHeight / thin.angularStiffness);
  const double progress = (thin.top + thin.chamfer) / (thin.top + thin.depth);
  const double aside = thin.offset * (1 - progress) - thin.clearance / 2;
  const double push = K * aside * (1 + thin.friction) / (1 - thin.friction);
  EXPECT_NEAR(push / GetParam().push, 1, 0.01) << "the table's number is not this formula's";
  EXPECT_NEAR(insertionTruth(thin).peakPush / push, 1, 0.02);
}

TEST_P(ChamferPush, ofTheRealPegIsAFewPercentMore) {
  const double ratio =
      insertionTruth(benchmark(GetParam().clearance_um, GetParam().friction)).peakPush / GetParam().push;
  EXPECT_GT(ratio, 1);
  EXPECT_LT(ratio, 1.05);
}

// Rows of the table whose peak is on the chamfer.
INSTANTIATE_TEST_SUITE_P(table, ChamferPush,
                         testing::Values(Row{500, 0, 0.67}, Row{500, 0.1, 0.81}, Row{100, 0, 0.88}));

TEST(PlanarEquilibrium, inTwoPointContactMatchesWhitney) {
  const PlanarInsertion in = benchmark(20, 0.1);
  PlanarEquilibrium at = planarTarget(in, 0);
  double z = in.centreHeight + in.top;
  for (; z > in.centreHeight - 5e-3; z -= 2e-5) at = planarEquilibrium(in, z, at);
  ASSERT_TRUE(at.found);
  ASSERT_EQ(at.contacts(), 2);
  const double l = in.centreHeight - z - in.chamfer, r = in.radius, mu = in.friction;
  EXPECT_NEAR(at.tilt / (in.clearance / l), 1, 0.05);  // θ ≈ c/ℓ
  const double target = in.tilt * (1 - at.progress);
  const double F =
      in.lateralStiffness * (in.offset * (1 - at.progress) + in.centreHeight * std::sin(target) - at.x);
  const double M = in.angularStiffness * (target - at.tilt), L = in.centreHeight;
  const double N1 = (M + F * (L - l - mu * r)) / l, N2 = (M + F * (L - mu * r)) / l;
  const double push = mu * (N1 + N2) + N2 * in.clearance / l;
  EXPECT_NEAR(at.push / push, 1, 0.05);
}

TEST(InsertionTruth, reportsWhetherWedgingIsPossible) {
  EXPECT_FALSE(insertionTruth(benchmark(100, 0.1)).wedgingPossible);  // begins at ℓ = 0.25 D
  EXPECT_TRUE(insertionTruth(benchmark(100, 0.3)).wedgingPossible);
  EXPECT_TRUE(insertionTruth(benchmark(20, 0.1)).wedgingPossible);  // at 0.05 D
  EXPECT_EQ(insertionTruth(benchmark(500, 0)).twoPointDepth, 0);
}

// A peg tilted by more than √(2c/D) cannot enter a bore. On this chamfer it is tilted by 2.57°, which is
// more than fits into 9 µm: it braces itself between the chamfer and the edge across, with or without
// friction.
TEST(InsertionTruth, reportsThatATooTiltedPegStaysInTheLeadIn) {
  for (const double clearance_um : {5.0, 9.0}) {
    const InsertionTruth truth = insertionTruth(benchmark(clearance_um, 0));
    EXPECT_FALSE(truth.arrives) << clearance_um;
    EXPECT_GT(truth.peakPush, 40) << clearance_um;
  }
  PlanarInsertion straighter = benchmark(5, 0);
  straighter.offset = 0.2e-3;
  straighter.tilt /= 4;
  EXPECT_TRUE(insertionTruth(straighter).arrives);
}

}  // namespace
}  // namespace tenon::tests
