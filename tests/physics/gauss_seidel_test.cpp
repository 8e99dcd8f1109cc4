// Gauss-Seidel on linearized contacts: plain sweeps, their accuracy and each of the rules that stop them; and
// with Anderson acceleration.
#include "physics/solver/gauss_seidel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/math/tolerances.h"
#include "physics/solver/fischer_newton.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kSweepSeed = 4711;
constexpr ContactFamily kFamilies[] = {ContactFamily::bolt, ContactFamily::zeroClearance,
                                       ContactFamily::stack, ContactFamily::random};

double toleranceOf(const ScaledProblem& form) {
  return ProjectedGaussSeidel::kSweepTolerance / form.largestD();
}

std::vector<double> motionOf(const LinearContacts& problem, const ScaledProblem& form,
                             const std::vector<double>& y) {
  std::vector<double> v(form.dimension()), u;
  form.velocity(y, v);
  form.toVelocity(problem, v, u);
  return u;
}

/// Largest difference of the distances that two motions lead to [m].
double difference(const LinearContacts& problem, const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (const ContactRow& row : problem.rows)
    largest = std::max(largest, std::abs(problem.distance(row, a) - problem.distance(row, b)));
  return largest;
}

struct ProjectedGaussSeidelTest : testing::Test {
  ScaledProblem form;
  std::vector<double> y;

  LinearReport solve(const LinearContacts& problem, const SweepOptions& options) {
    form.build(problem, kRelativeCompliance);
    y.assign(form.size(), 0.0);
    ProjectedGaussSeidel solver(options);
    return solver.solve(form, y, toleranceOf(form));
  }
  LinearContacts bolt(int contacts) {
    std::mt19937 random(kSweepSeed);
    return makeLinearContacts(ContactFamily::bolt, contacts, random);
  }
};

TEST_F(ProjectedGaussSeidelTest, agreesWithFischerNewtonOnEveryFamily) {
  std::mt19937 random(kSweepSeed);
  FischerNewton fischer;
  int solved = 0, problems = 0;
  for (const ContactFamily family : kFamilies)
    for (int contacts = 4; contacts <= 32; contacts *= 2)
      for (int repeat = 0; repeat < 10; ++repeat, ++problems) {
        const LinearContacts problem = makeLinearContacts(family, contacts, random);
        const LinearReport report = solve(problem, {});
        for (const double force : y) ASSERT_TRUE(std::isfinite(force) && force >= 0);
        if (!report.solved) continue;
        ++solved;
        EXPECT_LE(form.naturalResidual(y), toleranceOf(form));
        std::vector<double> exact(form.size(), 0.0);
        ASSERT_TRUE(fischer.solve(form, exact, kLinearTolerance * form.scale()).solved);
        // Distances to some 10⁻¹⁰ m determine the motion up to the condition of the touching contacts.
        EXPECT_LE(difference(problem, motionOf(problem, form, y), motionOf(problem, form, exact)), 2e-8)
            << "seed " << kSweepSeed << ", " << toText(family) << ", " << contacts << " contacts";
      }
  RecordProperty("solved", solved);
  EXPECT_GE(solved, 7 * problems / 10) << "seed " << kSweepSeed;
}

TEST_F(ProjectedGaussSeidelTest, obeysCoulombsLaw) {
  std::mt19937 random(kSweepSeed);
  int solved = 0, problems = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (int repeat = 0; repeat < 10; ++repeat, ++problems) {
      LinearContacts problem = makeLinearContacts(family, 8, random);
      for (ContactRow& row : problem.rows) row.mu = 0.3;
      const LinearReport report = solve(problem, {});
      if (!report.solved) continue;
      ++solved;
      EXPECT_LE(form.naturalResidual(y), toleranceOf(form));
      for (std::size_t k = 0; k < y.size(); k += 3)
        EXPECT_LE(std::hypot(y[k + 1], y[k + 2]), 0.3 * y[k] * (1 + 1e-12)) << "outside the cone";
    }
  EXPECT_GE(solved, 8 * problems / 10) << "seed " << kSweepSeed;
}

TEST_F(ProjectedGaussSeidelTest, fromItsOwnSolutionNeedsOneSweep) {
  const LinearContacts problem = bolt(8);
  const LinearReport cold = solve(problem, {});
  ASSERT_TRUE(cold.solved);
  ASSERT_GT(cold.iterations, 3);
  ProjectedGaussSeidel solver;
  const LinearReport warm = solver.solve(form, y, toleranceOf(form));
  EXPECT_TRUE(warm.solved);
  EXPECT_EQ(warm.iterations, 1);
}

TEST_F(ProjectedGaussSeidelTest, stopsByItsToleranceWhereNoOtherRuleIsSet) {
  const LinearReport report = solve(bolt(8), {});
  EXPECT_TRUE(report.solved);
  EXPECT_FALSE(report.stopped);
  EXPECT_EQ(report.statistics.stoppedByTolerance, 1);
  EXPECT_EQ(report.statistics.sweeps, report.iterations);
}

TEST_F(ProjectedGaussSeidelTest, stopsAfterTheGivenNumberOfSweeps) {
  const LinearReport report = solve(bolt(32), {.sweeps = 3});
  EXPECT_FALSE(report.solved);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.statistics.stoppedBySweeps, 1);
}

TEST_F(ProjectedGaussSeidelTest, stopsWhereForcesChangeByLessThanTheOption) {
  const LinearReport coarse = solve(bolt(32), {.change = 0.05});
  EXPECT_FALSE(coarse.solved);
  EXPECT_TRUE(coarse.stopped);
  EXPECT_EQ(coarse.statistics.stoppedByChange, 1);
  const LinearReport fine = solve(bolt(32), {.change = 1e-4});
  EXPECT_TRUE(fine.stopped);
  EXPECT_GT(fine.iterations, coarse.iterations);
}

TEST_F(ProjectedGaussSeidelTest, stopsAtTheTimeLimit) {
  // A budget that every sweep exceeds: nothing here depends on the machine.
  const LinearReport report = solve(bolt(32), {.time_us = 1e-9});
  EXPECT_FALSE(report.solved);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.statistics.stoppedByTime, 1);
}

TEST_F(ProjectedGaussSeidelTest, failsAtTheSweepLimitWhichIsNoOption) {
  std::mt19937 random(kSweepSeed);
  const LinearContacts pressed = tests::makePressedContacts(8, random);
  const LinearReport report = solve(pressed, {});
  EXPECT_FALSE(report.solved);
  EXPECT_FALSE(report.stopped);
  EXPECT_EQ(report.iterations, ProjectedGaussSeidel::kMaxSweeps);
  for (const double force : y) EXPECT_TRUE(std::isfinite(force) && force >= 0);
}

TEST_F(ProjectedGaussSeidelTest, rejectsNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), -HUGE_VAL}) {
    LinearContacts problem = bolt(16);
    problem.rows[5].b0 = bad;
    EXPECT_FALSE(solve(problem, {}).solved) << bad;
    for (const double force : y) EXPECT_TRUE(std::isfinite(force) && force >= 0) << bad;
  }
  const LinearContacts problem = bolt(8);
  form.build(problem, kRelativeCompliance);
  y.assign(form.size(), std::nan(""));
  ProjectedGaussSeidel solver;
  EXPECT_TRUE(solver.solve(form, y, toleranceOf(form)).solved) << "a guess that is not finite is ignored";
}

TEST_F(ProjectedGaussSeidelTest, allocatesNothingOnceReserved) {
  const LinearContacts problem = bolt(16);
  form.build(problem, kRelativeCompliance);
  ProjectedGaussSeidel solver;
  y.assign(form.size(), 0.0);
  solver.solve(form, y, toleranceOf(form));
  std::fill(y.begin(), y.end(), 0.0);
  const std::int64_t before = tests::allocationCount();
  solver.solve(form, y, toleranceOf(form));
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

struct AndersonGaussSeidelTest : testing::Test {
  ScaledProblem form;
  std::vector<double> y;
  AndersonGaussSeidel sweeps;

  LinearReport solve(const LinearContacts& problem, double tolerance) {
    form.build(problem, kRelativeCompliance);
    y.assign(form.size(), 0.0);
    return sweeps.solve(form, y, tolerance);
  }
};

TEST_F(AndersonGaussSeidelTest, solvedMeansThatTheResidualIsSmall) {
  std::mt19937 random(kSweepSeed);
  int solved = 0, problems = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (int contacts = 4; contacts <= 64; contacts *= 2)
      for (int repeat = 0; repeat < 10; ++repeat, ++problems) {
        const LinearContacts problem = makeLinearContacts(family, contacts, random);
        form.build(problem, kRelativeCompliance);
        const double tolerance = 1e-6 * form.scale();
        const LinearReport report = solve(problem, tolerance);
        for (const double force : y) ASSERT_TRUE(std::isfinite(force) && force >= 0);
        if (!report.solved) continue;
        ++solved;
        // The change by a contact's force in the last sweep was its residual before; other contacts moved it
        // since.
        EXPECT_LE(form.naturalResidual(y), contacts * tolerance) << "seed " << kSweepSeed;
      }
  EXPECT_GE(solved, problems / 3) << "seed " << kSweepSeed;
}

TEST_F(AndersonGaussSeidelTest, convergesFasterThanPlainSweeps) {
  std::mt19937 random(kSweepSeed);
  int nearer = 0;
  constexpr int kRepeats = 20;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 64, random);
    solve(problem, 0);
    const double led = form.naturalResidual(y);
    y.assign(form.size(), 0.0);
    ProjectedGaussSeidel({.sweeps = AndersonGaussSeidel::kMaxSweeps}).solve(form, y, 0);
    if (led < 0.9 * form.naturalResidual(y)) ++nearer;
  }
  EXPECT_GE(nearer, 3 * kRepeats / 4) << "seed " << kSweepSeed;
}

TEST_F(AndersonGaussSeidelTest, keepsFrictionInItsCone) {
  std::mt19937 random(kSweepSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    LinearContacts problem = makeLinearContacts(ContactFamily::stack, 32, random);
    for (ContactRow& row : problem.rows) row.mu = 0.3;
    solve(problem, 0);
    for (std::size_t k = 0; k < y.size(); k += 3)
      EXPECT_LE(std::hypot(y[k + 1], y[k + 2]), 0.3 * y[k] * (1 + 1e-12)) << "seed " << kSweepSeed;
  }
}

TEST_F(AndersonGaussSeidelTest, startsFromGuessesThatAreNotFinite) {
  std::mt19937 random(kSweepSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 16, random);
  const LinearReport clean = solve(problem, 1e-6);
  std::vector<double> broken(form.size(), -1.0);
  broken[0] = std::numeric_limits<double>::quiet_NaN();
  const LinearReport again = sweeps.solve(form, broken, 1e-6);
  EXPECT_EQ(again.iterations, clean.iterations);
  EXPECT_EQ(broken, y);
}

TEST_F(AndersonGaussSeidelTest, allocatesNothingASecondTime) {
  std::mt19937 random(kSweepSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 64, random);
  solve(problem, 0);
  y.assign(form.size(), 0.0);
  const std::int64_t before = tests::allocationCount();
  sweeps.solve(form, y, 0);
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

}  // namespace
}  // namespace tenon::physics
