// The dual active set method on problems with known solutions, and where there is none.
#include "physics/solver/dual_active_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/math/tolerances.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

/// z = b + H ũ, row k of H in column k of `rows`.
ScaledProblem scaledOf(const Eigen::MatrixXd& rows, const Eigen::VectorXd& b) {
  ScaledProblem scaled;
  scaled.build(rows, b, {});
  return scaled;
}

TEST(DualActiveSet, findsForcesAMillionTimesTheLoad) {
  // Two walls that face each other up to 1e-6 resist a push of 1 across: each with 1/2e-6.
  constexpr double kLean = 1e-6;
  Eigen::MatrixXd rows(2, 3);
  rows << 1, -1, 0, kLean, kLean, 1;
  const ScaledProblem scaled = scaledOf(rows, Eigen::Vector3d(-kLean, -kLean, 1));
  std::vector<double> y(3, 0.0);
  int iterations = 0;
  // The sum of forces of 5e5 is rounded to 1e-10.
  EXPECT_TRUE(DualActiveSet().solve(scaled, y, 1e-9, iterations));
  EXPECT_NEAR(y[0] * kLean, 0.5, 1e-6);
  EXPECT_NEAR(y[1] * kLean, 0.5, 1e-6);
  EXPECT_EQ(y[2], 0);
}

TEST(DualActiveSet, removesARowThatLaterOnesMakeNeedless) {
  // Row 0 is added first, as the most violated; rows 1 and 2, 60° on either side of it, then lift it to 0.8:
  // ũ = (1.8, 0) = 1.8 (h_1 + h_2).
  const double side = std::sqrt(0.75);
  Eigen::MatrixXd rows(2, 3);
  rows << 1, 0.5, 0.5, 0, side, -side;
  const ScaledProblem scaled = scaledOf(rows, Eigen::Vector3d(-1, -0.9, -0.9));
  std::vector<double> y(3, 0.0);
  int iterations = 0;
  EXPECT_TRUE(DualActiveSet().solve(scaled, y, 1e-14, iterations));
  EXPECT_EQ(y[0], 0);
  EXPECT_NEAR(y[1], 1.8, 1e-14);
  EXPECT_NEAR(y[2], 1.8, 1e-14);
  EXPECT_GT(iterations, 3) << "a step that removes a row";
}

TEST(DualActiveSet, reportsFailureWhereNoSolutionExistsAndStaysFinite) {
  Eigen::MatrixXd rows(1, 2);
  rows << 1, -1;
  const ScaledProblem scaled = scaledOf(rows, Eigen::Vector2d(-1, -1));
  std::vector<double> y(2, 0.0);
  int iterations = 0;
  EXPECT_FALSE(DualActiveSet().solve(scaled, y, 1e-9, iterations));
  for (const double entry : y) EXPECT_TRUE(std::isfinite(entry) && entry >= 0) << entry;
}

TEST(DualActiveSet, allocatesNothingOnceReserved) {
  std::mt19937 random(7);
  ScaledProblem scaled;
  scaled.build(tests::makeLinearContacts(tests::ContactFamily::stack, 32, random), 0);
  DualActiveSet dual;
  std::vector<double> y(scaled.size(), 0.0);
  int iterations = 0;
  const double tolerance = kLinearTolerance * scaled.scale();
  EXPECT_TRUE(dual.solve(scaled, y, tolerance, iterations));
  const auto before = tests::allocationCount();
  EXPECT_TRUE(dual.solve(scaled, y, tolerance, iterations));
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
