// Contacts treated as bilateral: with friction, and where sets of contacts repeat.
#include "physics/solver/bilateral_contacts.h"

#include <gtest/gtest.h>

#include "physics/math/tolerances.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kBilateralSeed = 815;

LinearContacts rough(ContactFamily family, int contacts, double mu, std::mt19937& random) {
  LinearContacts problem = makeLinearContacts(family, contacts, random);
  for (ContactRow& row : problem.rows) row.mu = mu;
  return problem;
}

TEST(BilateralContacts, needFewSetsFromZeroForcesAndOneFromTheirSolution) {
  std::mt19937 random(kBilateralSeed);
  BilateralContacts solver;
  ScaledProblem form;
  int total = 0;
  const int repeats = 50;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    form.build(makeLinearContacts(ContactFamily::stack, 20, random), kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    const LinearReport cold = solver.solve(form, y, kLinearTolerance * form.scale());
    ASSERT_TRUE(cold.solved) << "seed " << kBilateralSeed;
    total += cold.iterations;
    const LinearReport warm = solver.solve(form, y, kLinearTolerance * form.scale());
    EXPECT_TRUE(warm.solved);
    EXPECT_EQ(warm.iterations, 1);
  }
  EXPECT_LE(total, 15 * repeats) << "seed " << kBilateralSeed;
}

TEST(BilateralContacts, stickFromZeroForcesWhereStickingIsTheSolution) {
  // Boxes that only fall: no tangential load, so all four corners of each stick.
  std::mt19937 random(kBilateralSeed);
  BilateralContacts solver;
  ScaledProblem form;
  for (int repeat = 0; repeat < 20; ++repeat) {
    form.build(rough(ContactFamily::stack, 12, 0.5, random), kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    const double tolerance = kFrictionTolerance / form.largestD();
    EXPECT_TRUE(solver.solve(form, y, tolerance).solved)
        << "seed " << kBilateralSeed << ", repeat " << repeat;
    EXPECT_LE(form.naturalResidual(y), tolerance);
  }
}

TEST(BilateralContacts, reportNoSolutionThatViolatesCoulombsLaw) {
  std::mt19937 random(kBilateralSeed);
  BilateralContacts solver;
  ScaledProblem form;
  int solved = 0, problems = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (int repeat = 0; repeat < 40; ++repeat, ++problems) {
      form.build(rough(family, 8, 0.3, random), kRelativeCompliance);
      std::vector<double> y(form.size(), 0.0);
      const double tolerance = kFrictionTolerance / form.largestD();
      const LinearReport report = solver.solve(form, y, tolerance);
      for (std::size_t k = 0; k < y.size(); k += 3) ASSERT_GE(y[k], 0);
      if (!report.solved) continue;
      ++solved;
      EXPECT_LE(form.naturalResidual(y), tolerance) << "seed " << kBilateralSeed;
    }
  RecordProperty("solved", solved);
  EXPECT_GE(solved, problems / 2) << "seed " << kBilateralSeed;
}

TEST(BilateralContacts, allocateNothingOnceReserved) {
  std::mt19937 random(kBilateralSeed);
  for (const double mu : {0.0, 0.3}) {
    BilateralContacts solver;
    ScaledProblem form;
    form.build(rough(ContactFamily::bolt, 16, mu, random), kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    solver.solve(form, y, kLinearTolerance * form.scale());
    std::fill(y.begin(), y.end(), 0.0);
    const std::int64_t before = tests::allocationCount();
    solver.solve(form, y, kLinearTolerance * form.scale());
    EXPECT_EQ(tests::allocationCount() - before, 0) << mu;
  }
}

}  // namespace
}  // namespace tenon::physics
