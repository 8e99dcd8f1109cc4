// Fischer-Burmeister Newton in its hard cases: more contacts than degrees of freedom, pairs with
// neither force nor gap, and forces of very different size.
#include "physics/solver/fischer_newton.h"

#include <gtest/gtest.h>

#include "physics/math/tolerances.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kFischerSeed = 99;

/// Solves from zero forces; returns the iterations.
int solveCold(const LinearContacts& problem, const char* what) {
  FischerNewton solver;
  ScaledProblem form;
  form.build(problem, kRelativeCompliance);
  std::vector<double> y(form.size(), 0.0);
  const LinearReport report = solver.solve(form, y, kLinearTolerance * form.scale());
  EXPECT_TRUE(report.solved) << what << ", seed " << kFischerSeed;
  EXPECT_LE(form.naturalResidual(y), kLinearTolerance * form.scale()) << what << ", seed " << kFischerSeed;
  return report.iterations;
}

TEST(FischerNewton, needsFewIterationsHoweverManyContacts) {
  std::mt19937 random(kFischerSeed);
  for (const int contacts : {8, 64, 512}) {
    int total = 0;
    const int repeats = 20;
    for (int repeat = 0; repeat < repeats; ++repeat)
      total += solveCold(makeLinearContacts(ContactFamily::bolt, contacts, random), "bolt");
    EXPECT_LE(total, 40 * repeats) << contacts << " contacts, seed " << kFischerSeed;
  }
}

TEST(FischerNewton, solvesWhereEveryContactIsListedTwice) {
  std::mt19937 random(kFischerSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    LinearContacts problem = makeLinearContacts(ContactFamily::bolt, 24, random);
    const std::vector<ContactRow> rows = problem.rows;
    problem.rows.insert(problem.rows.end(), rows.begin(), rows.end());
    solveCold(problem, "doubled contacts");
  }
}

TEST(FischerNewton, solvesWhereAllForcesAndGapsAreZero) {
  // u_free = 0 and all gaps 0: f = 0 and δ = 0 at once, everywhere degenerate. Then the least motion.
  std::mt19937 random(kFischerSeed);
  LinearContacts problem = makeLinearContacts(ContactFamily::zeroClearance, 32, random);
  problem.freeVelocity.assign(6, 0.0);
  solveCold(problem, "nothing moves");
  problem.freeVelocity[0] = 1e-12;
  solveCold(problem, "hardly anything moves");
}

TEST(FischerNewton, solvesBodiesOfVeryDifferentMass) {
  // A part of 1 g between a floor and parts of 20 kg.
  std::mt19937 random(kFischerSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    LinearContacts problem = makeLinearContacts(ContactFamily::stack, 20, random);
    for (int body = 0; body < problem.bodies(); ++body)
      problem.massFactor[body] *= std::sqrt(body % 2 == 0 ? 2e-3 : 40);
    solveCold(problem, "heavy on light");
  }
}

TEST(FischerNewton, isIndependentOfTheUnitOfForce) {
  // Masses times 2^40 and 2^-40: exact scalings, so the same bits but for the power of two.
  std::mt19937 random(kFischerSeed);
  const LinearContacts problem = makeLinearContacts(ContactFamily::bolt, 32, random);
  const auto forces = [](LinearContacts scaled, double scale) {
    for (Matrix6d& L : scaled.massFactor) L *= scale;
    FischerNewton solver;
    ScaledProblem form;
    form.build(scaled, kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    EXPECT_TRUE(solver.solve(form, y, kLinearTolerance * form.scale()).solved) << "seed " << kFischerSeed;
    for (int k = 0; k < form.contacts(); ++k) y[3 * k] = form.toForce(k, y[3 * k]) / (scale * scale);
    return y;
  };
  const std::vector<double> one = forces(problem, 1);
  EXPECT_EQ(one, forces(problem, 0x1p20));
  EXPECT_EQ(one, forces(problem, 0x1p-20));
}

}  // namespace
}  // namespace tenon::physics
