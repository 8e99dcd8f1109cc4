// The proximal Newton method without friction: exact at once from the right contacts, and reports failure
// from wrong ones.
#include "physics/solver/proximal_newton.h"

#include <gtest/gtest.h>

#include "physics/math/tolerances.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kNewtonSeed = 815;
constexpr ProximalNewton::Options kFortySteps{1e-9, 40, 0};

TEST(ProximalNewton, endsAfterOneFactorizationFromItsOwnSolution) {
  std::mt19937 random(kNewtonSeed);
  ProximalNewton newton;
  ScaledProblem form;
  int settled = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (int repeat = 0; repeat < 50; ++repeat) {
      const LinearContacts problem = makeLinearContacts(family, 16, random);
      form.build(problem, kRelativeCompliance);
      const double tolerance = kLinearTolerance * form.scale();
      std::vector<double> y(form.size(), 0.0);
      int iterations = 0;
      if (!newton.solve(form, y, tolerance, kFortySteps, iterations)) continue;
      ++settled;
      const std::vector<double> solution = y;
      iterations = 0;
      EXPECT_TRUE(newton.solve(form, y, tolerance, kFortySteps, iterations)) << "seed " << kNewtonSeed;
      EXPECT_EQ(iterations, 1) << "seed " << kNewtonSeed << ", " << toText(family) << ", repeat " << repeat;
      for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], solution[k], tolerance);
    }
  EXPECT_GT(settled, 75) << "of 150 from no guess at all, seed " << kNewtonSeed;
}

TEST(ProximalNewton, leavesTheGuessUnchangedWhereItFails) {
  std::mt19937 random(kNewtonSeed);
  ProximalNewton newton;
  ScaledProblem form;
  int refused = 0;
  for (int repeat = 0; repeat < 50; ++repeat) {
    form.build(makeLinearContacts(ContactFamily::bolt, 64, random), kRelativeCompliance);
    std::vector<double> guess(form.size(), 0.0);
    for (std::size_t k = 0; k < guess.size(); k += 3) guess[k] = 0.25 * form.scale();
    std::vector<double> y = guess;
    int iterations = 0;
    if (newton.solve(form, y, kLinearTolerance * form.scale(), {1e-9, 1, 0}, iterations)) continue;
    ++refused;
    EXPECT_EQ(iterations, 1);
    EXPECT_EQ(y, guess) << "seed " << kNewtonSeed << ", repeat " << repeat;
  }
  EXPECT_GT(refused, 25) << "one pass from a bad guess is rarely enough, seed " << kNewtonSeed;
}

TEST(ProximalNewton, solvesASingleContactInClosedForm) {
  // One ball of mass m falls on a floor at a distance d: f = m (v/Δt − d/Δt²) if positive.
  const double mass = 0.4, v = 2, dt = 1e-3;
  for (const double gap : {0.0, 1e-3, 1.9e-3, 2.1e-3}) {
    LinearContacts problem;
    problem.dt = dt;
    problem.massFactor = {Matrix6d(std::sqrt(mass) * Matrix6d::Identity())};
    problem.freeVelocity = {0, 0, -v, 0, 0, 0};
    ContactRow row;
    row.b = 0;
    row.Ga.setZero();
    row.Gb << 0, 0, 1, 0, 0, 0;
    row.b0 = gap;
    problem.rows = {row};
    problem.gaps = {gap};
    ScaledProblem form;
    form.build(problem, kRelativeCompliance);
    std::vector<double> y{0, 0, 0};
    int iterations = 0;
    ASSERT_TRUE(ProximalNewton().solve(form, y, kLinearTolerance * form.scale(), {1e-9, 4, 0}, iterations));
    const double expected = std::max(0.0, mass * (v / dt - gap / (dt * dt)));
    // Relative to the approach force, up to the compliance of 1e-9.
    EXPECT_NEAR(form.toForce(0, y[0]), expected, 3e-9 * mass * v / dt) << gap;
  }
}

}  // namespace
}  // namespace tenon::physics
