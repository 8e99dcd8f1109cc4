// Gauss-Seidel with Anderson acceleration: residual, convergence against plain sweeps, Coulomb's law,
// allocations.
#include "physics/solver/gauss_seidel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/math/tolerances.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kAndersonSeed = 815;

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
  std::mt19937 random(kAndersonSeed);
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
        EXPECT_LE(form.naturalResidual(y), contacts * tolerance) << "seed " << kAndersonSeed;
      }
  EXPECT_GE(solved, problems / 3) << "seed " << kAndersonSeed;
}

TEST_F(AndersonGaussSeidelTest, convergesFasterThanPlainSweeps) {
  std::mt19937 random(kAndersonSeed);
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
  EXPECT_GE(nearer, 3 * kRepeats / 4) << "seed " << kAndersonSeed;
}

TEST_F(AndersonGaussSeidelTest, keepsFrictionInItsCone) {
  std::mt19937 random(kAndersonSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    LinearContacts problem = makeLinearContacts(ContactFamily::stack, 32, random);
    for (ContactRow& row : problem.rows) row.mu = 0.3;
    solve(problem, 0);
    for (std::size_t k = 0; k < y.size(); k += 3)
      EXPECT_LE(std::hypot(y[k + 1], y[k + 2]), 0.3 * y[k] * (1 + 1e-12)) << "seed " << kAndersonSeed;
  }
}

TEST_F(AndersonGaussSeidelTest, startsFromGuessesThatAreNotFinite) {
  std::mt19937 random(kAndersonSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 16, random);
  const LinearReport clean = solve(problem, 1e-6);
  std::vector<double> broken(form.size(), -1.0);
  broken[0] = std::numeric_limits<double>::quiet_NaN();
  const LinearReport again = sweeps.solve(form, broken, 1e-6);
  EXPECT_EQ(again.iterations, clean.iterations);
  EXPECT_EQ(broken, y);
}

TEST_F(AndersonGaussSeidelTest, allocatesNothingASecondTime) {
  std::mt19937 random(kAndersonSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::stack, 64, random);
  solve(problem, 0);
  y.assign(form.size(), 0.0);
  const std::int64_t before = tests::allocationCount();
  sweeps.solve(form, y, 0);
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

}  // namespace
}  // namespace tenon::physics
