// The proximal Newton method without friction: exact at once from the right contacts, and reports failure
// from wrong ones.
#include "physics/solver/proximal_newton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

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
  EXPECT_GE(settled, 145) << "of 150 from no guess at all; rounding ends the others. Seed " << kNewtonSeed;
}

// The motion of a solution is unique, and no guess leads into a cycle of contacts that press.
TEST(ProximalNewton, givesTheSameMotionFromZeroAndFromADisturbedGuess) {
  std::mt19937 random(kNewtonSeed);
  std::uniform_real_distribution<double> factor(-1, 3);
  ProximalNewton newton;
  ScaledProblem form;
  int solved = 0, longSearches = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (int repeat = 0; repeat < 50; ++repeat) {
      SCOPED_TRACE(std::string(toText(family)) + ", repeat " + std::to_string(repeat));
      form.build(makeLinearContacts(family, 48, random), kRelativeCompliance);
      const double tolerance = kLinearTolerance * form.scale();
      std::vector<double> solution(form.size(), 0.0), v(form.dimension()), own(form.dimension());
      int iterations = 0;
      if (!newton.solve(form, solution, tolerance, kFortySteps, iterations)) continue;
      form.velocity(solution, v);
      for (const double wrong : {0.0, 1.0, 1e3}) {
        std::vector<double> y = solution;
        for (std::size_t k = 0; k < y.size(); k += 3)
          y[k] = std::max(0.0, factor(random) * y[k] + wrong * form.scale() * factor(random));
        iterations = 0;
        if (!newton.solve(form, y, tolerance, kFortySteps, iterations)) continue;
        ++solved;
        if (iterations > 4) ++longSearches;
        EXPECT_LE(form.naturalResidual(y), tolerance);
        form.velocity(y, own);
        for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(own[i], v[i], 1e-8 * form.scale());
      }
    }
  EXPECT_GE(solved, 440) << "of 450; rounding ends the others. Seed " << kNewtonSeed;
  EXPECT_GT(longSearches, 150) << "steps after the first, which are searched";
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
