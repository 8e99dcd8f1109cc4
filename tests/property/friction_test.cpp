// Coulomb's law for every inner solver on random contacts of parts in a hand, verified by dense matrices that
// share no code with the solvers.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>

#include "physics/math/tolerances.h"
#include "physics/solver/cone_solver.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kFrictionSeed = 20241121;

/// Forces and displacements of an answer by contact.
struct Outcome {
  VectorXd force;                              ///< (n, t1, t2) by contact [N]
  VectorXd moved;                              ///< distance and sliding at the end of the step [m]
  std::vector<double> ownCompliance, largest;  ///< Δt² A_kk [m/N] by contact
};

Outcome outcomeOf(const LinearContacts& problem, const ScaledProblem& form, const std::vector<double>& y) {
  const int size = 6 * problem.bodies(), count = problem.contacts();
  MatrixXd M = MatrixXd::Zero(size, size), G = MatrixXd::Zero(size, 3 * count);
  for (int body = 0; body < problem.bodies(); ++body)
    M.block<6, 6>(6 * body, 6 * body) = problem.massFactor[body] * problem.massFactor[body].transpose();
  for (int k = 0; k < count; ++k) {
    const ContactRow& row = problem.rows[k];
    if (row.a >= 0) G.block<6, 3>(6 * row.a, 3 * k) << row.Ga, row.Ta();
    if (row.b >= 0) G.block<6, 3>(6 * row.b, 3 * k) << row.Gb, row.Tb();
  }
  Outcome outcome;
  outcome.force.resize(3 * count);
  for (int k = 0; k < 3 * count; ++k) outcome.force[k] = form.toForce(k / 3, y[k]);
  const Eigen::LDLT<MatrixXd> factor(M);
  const Eigen::Map<const VectorXd> uFree(problem.freeVelocity.data(), size);
  const VectorXd u = uFree + problem.dt * factor.solve(G * outcome.force);
  outcome.moved = problem.dt * (G.transpose() * u);
  for (int k = 0; k < count; ++k) {
    outcome.moved[3 * k] += problem.gaps[k];
    outcome.moved.segment<2>(3 * k + 1) += problem.dt * problem.rows[k].tangentialBias;
    const auto g = G.col(3 * k);
    outcome.ownCompliance.push_back(problem.dt * problem.dt * g.dot(factor.solve(g)));
  }
  return outcome;
}

/// Signorini's and Coulomb's law within `tolerance` [m], forces turned into lengths by what they move.
void expectLaw(const Outcome& outcome, const LinearContacts& problem, double tolerance,
               const std::string& name) {
  for (std::size_t k = 0; k < outcome.ownCompliance.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(3 * k);
    const double mu = problem.rows[k].mu;
    const double ownCompliance = outcome.ownCompliance[k], n = outcome.force[at], gap = outcome.moved[at];
    const double yields = kRelativeCompliance * ownCompliance * n;
    ASSERT_GE(n, 0) << name;
    ASSERT_GE(gap, -tolerance - yields) << name;
    ASSERT_LE(std::min(n * ownCompliance, gap), tolerance) << name << ": a force at a distance";
    const Eigen::Vector2d t = outcome.force.segment<2>(at + 1), slip = outcome.moved.segment<2>(at + 1);
    ASSERT_LE((t.norm() - mu * n) * ownCompliance, tolerance) << name << ": outside the cone";
    // On the cone friction opposes the sliding; inside there is none. The tangents yield like the normals.
    const double creep = tolerance + kRelativeCompliance * ownCompliance * t.norm();
    if (slip.norm() > 10 * creep) {
      ASSERT_LE((t + mu * n * slip / slip.norm()).norm() * ownCompliance,
                20 * creep * (1 + mu * n * ownCompliance / slip.norm()))
          << name << ": friction does not oppose the sliding";
    }
  }
}

template <class Solver>
class EveryFrictionalSolver : public testing::Test {
 public:
  static constexpr bool kIsNewton = !std::is_same_v<Solver, LemkeFixpoint>;
};
using FrictionalSolvers = testing::Types<ConeSolver, FischerNewton, LemkeFixpoint>;
TYPED_TEST_SUITE(EveryFrictionalSolver, FrictionalSolvers, );

LinearContacts rough(ContactFamily family, int contacts, double mu, std::mt19937& random) {
  LinearContacts problem = makeLinearContacts(family, contacts, random);
  for (ContactRow& row : problem.rows) row.mu = mu;
  return problem;
}

TYPED_TEST(EveryFrictionalSolver, satisfiesCoulombsLawOrReportsThatItDoesNot) {
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kFrictionSeed);
  int problems = 0, solved = 0;
  for (const ContactFamily family :
       {ContactFamily::bolt, ContactFamily::zeroClearance, ContactFamily::random})
    for (const int contacts : {8, 16, 32})
      for (const double mu : {0.1, 0.3, 0.8})
        for (int repeat = 0; repeat < 10; ++repeat) {
          LinearContacts problem = rough(family, contacts, mu, random);
          form.build(problem, kRelativeCompliance);
          std::vector<double> y(form.size(), 0.0);
          const LinearReport report = solver.solve(form, y, kFrictionTolerance / form.largestD());
          const std::string name = "seed " + std::to_string(kFrictionSeed) + ", " + tests::toText(family) +
                                   ", " + std::to_string(contacts) + " contacts, mu " + std::to_string(mu) +
                                   ", repeat " + std::to_string(repeat);
          for (const double entry : y) ASSERT_TRUE(std::isfinite(entry)) << name;
          ++problems;
          if (!report.solved) continue;
          ++solved;
          // Both laws are one natural residual ≤ 1e-11 m; separately, either may exceed it a few times.
          expectLaw(outcomeOf(problem, form, y), problem, 5e-11, name);
          if (this->HasFatalFailure()) return;
        }
  // From a cold start; a running world has fallback solvers and the forces of the last step.
  EXPECT_GE(solved, this->kIsNewton ? 0.99 * problems : 0.85 * problems) << "of " << problems;
}

/// Contacts of several materials, on bodies that move by themselves, and stacks of bodies.
TYPED_TEST(EveryFrictionalSolver, satisfiesCoulombsLawOnMixedAndMovingSurfacesAndStacks) {
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kFrictionSeed + 1);
  std::uniform_real_distribution<double> unit(-1, 1);
  int problems = 0, solved = 0;
  for (const ContactFamily family : {ContactFamily::bolt, ContactFamily::stack, ContactFamily::random})
    for (const int contacts : {8, 16, 32})
      for (int repeat = 0; repeat < 15; ++repeat) {
        LinearContacts problem = makeLinearContacts(family, contacts, random);
        for (ContactRow& row : problem.rows) {
          row.mu = std::max(0.0, 0.8 * unit(random));  // every other one is smooth
          const double x = unit(random), y = unit(random);
          row.tangentialBias = 0.1 * Eigen::Vector2d(x, y);
        }
        form.build(problem, kRelativeCompliance);
        if (!form.frictional()) continue;
        std::vector<double> y(form.size(), 0.0);
        const LinearReport report = solver.solve(form, y, kFrictionTolerance / form.largestD());
        const std::string name = "seed " + std::to_string(kFrictionSeed + 1) + ", " + tests::toText(family) +
                                 ", " + std::to_string(contacts) + " contacts, repeat " +
                                 std::to_string(repeat);
        ++problems;
        if (!report.solved) continue;
        ++solved;
        expectLaw(outcomeOf(problem, form, y), problem, 5e-11, name);
        if (this->HasFatalFailure()) return;
      }
  EXPECT_GE(solved, this->kIsNewton ? 0.97 * problems : 0.8 * problems) << "of " << problems;
}

TYPED_TEST(EveryFrictionalSolver, isSmoothWhereFrictionIsTiny) {
  TypeParam solver;
  std::mt19937 random(kFrictionSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    LinearContacts problem = rough(ContactFamily::bolt, 8, 0, random);
    ScaledProblem smooth, tiny;
    smooth.build(problem, kRelativeCompliance);
    for (ContactRow& row : problem.rows) row.mu = 1e-9;
    tiny.build(problem, kRelativeCompliance);
    std::vector<double> y(smooth.size(), 0.0), z(tiny.size(), 0.0);
    ASSERT_TRUE(solver.solve(smooth, y, kLinearTolerance * smooth.scale()).solved) << repeat;
    // Velocities to 1e-7 need more than the tolerance of a step.
    ASSERT_TRUE(solver.solve(tiny, z, 0.01 * kFrictionTolerance / tiny.largestD()).solved) << repeat;
    std::vector<double> v(smooth.dimension()), w(smooth.dimension());
    smooth.velocity(y, v);
    tiny.velocity(z, w);
    for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], w[k], 1e-7 * smooth.scale()) << repeat;
  }
}

TYPED_TEST(EveryFrictionalSolver, allocatesNothingOnceReserved) {
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kFrictionSeed);
  LinearContacts problem = rough(ContactFamily::bolt, 16, 0.3, random);
  LinearContacts stack = rough(ContactFamily::stack, 12, 0.3, random);
  std::vector<double> y;
  const auto solveBoth = [&] {
    for (LinearContacts* each : {&problem, &stack}) {
      form.build(*each, kRelativeCompliance);
      y.assign(form.size(), 0.0);
      solver.solve(form, y, kFrictionTolerance / form.largestD());
    }
  };
  solveBoth();
  solveBoth();
  const std::int64_t before = tests::allocationCount();
  solveBoth();
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

}  // namespace
}  // namespace tenon::physics
