// Properties of every inner solver on linearized contact problems: a solution that a dense reference
// confirms, the same motion from all, no false report of success, finite results, no allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "physics/math/tolerances.h"
#include "physics/solver/bilateral_contacts.h"
#include "physics/solver/cone_solver.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::denseOutcome;
using tests::DenseOutcome;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kLinearSeed = 20240611;
constexpr std::array kFamilies{ContactFamily::bolt, ContactFamily::zeroClearance, ContactFamily::stack,
                               ContactFamily::random};

struct Answer {
  LinearReport report;
  std::vector<double> y, f;
};

Answer solveBy(LinearSolver& solver, const ScaledProblem& form) {
  Answer answer;
  answer.y.assign(form.size(), 0.0);
  answer.report = solver.solve(form, answer.y, kLinearTolerance * form.scale());
  for (int k = 0; k < form.contacts(); ++k) answer.f.push_back(form.toForce(k, answer.y[3 * k]));
  return answer;
}

bool allFiniteAndNotNegative(const std::vector<double>& y) {
  return std::all_of(y.begin(), y.end(), [](double x) { return std::isfinite(x) && x >= 0; });
}

/// Calls `check` for problems of 4 to 128 contacts of all families.
void forAllProblems(const std::function<void(LinearContacts&, const std::string&)>& check) {
  std::mt19937 random(kLinearSeed);
  for (const ContactFamily family : kFamilies)
    for (int contacts = 4; contacts <= 128; contacts *= 2)
      for (int repeat = 0; repeat < 20; ++repeat) {
        LinearContacts problem = makeLinearContacts(family, contacts, random);
        check(problem, "seed " + std::to_string(kLinearSeed) + ", " + tests::toText(family) + ", " +
                           std::to_string(problem.contacts()) + " contacts, repeat " +
                           std::to_string(repeat));
      }
}

template <class Solver>
class EveryLinearSolver : public testing::Test {};
using Solvers = testing::Types<ConeSolver, FischerNewton, LemkeFixpoint, BilateralContacts>;
TYPED_TEST_SUITE(EveryLinearSolver, Solvers, );

TYPED_TEST(EveryLinearSolver, solvesContactProblemsAsADenseReferenceConfirms) {
  TypeParam solver;
  ScaledProblem form;
  forAllProblems([&](LinearContacts& problem, const std::string& name) {
    form.build(problem, kRelativeCompliance);
    const Answer answer = solveBy(solver, form);
    EXPECT_TRUE(answer.report.solved) << name;
    ASSERT_TRUE(allFiniteAndNotNegative(answer.y)) << name;
    // Rounding of the reference: forces of scale 1 and a dense inverse.
    const double rounding = 1e-12 * form.scale();
    EXPECT_LE(denseOutcome(problem, answer.f, kRelativeCompliance).residual,
              kLinearTolerance * form.scale() + rounding)
        << name;
  });
}

TYPED_TEST(EveryLinearSolver, startsFromAnyGuess) {
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kLinearSeed);
  forAllProblems([&](LinearContacts& problem, const std::string& name) {
    form.build(problem, kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    for (std::size_t k = 0; k < y.size(); k += 3)
      y[k] = std::uniform_real_distribution<double>(0, form.scale())(random);
    EXPECT_TRUE(solver.solve(form, y, kLinearTolerance * form.scale()).solved) << name;
    EXPECT_LE(form.naturalResidual(y), kLinearTolerance * form.scale()) << name;
  });
}

TYPED_TEST(EveryLinearSolver, reportsFailureWhereNoSolutionExistsAndStaysFinite) {
  // Without compliance a pressed body has no solution; each solver must report that.
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kLinearSeed);
  for (int contacts = 4; contacts <= 128; contacts *= 2)
    for (int repeat = 0; repeat < 10; ++repeat) {
      const LinearContacts problem = tests::makePressedContacts(contacts, random);
      form.build(problem, 0);
      const Answer answer = solveBy(solver, form);
      EXPECT_FALSE(answer.report.solved) << "seed " << kLinearSeed << ", " << contacts << " contacts";
      EXPECT_TRUE(allFiniteAndNotNegative(answer.y))
          << "seed " << kLinearSeed << ", " << contacts << " contacts";
    }
}

TYPED_TEST(EveryLinearSolver, sharesAnOverlapBetweenTheWallsThatPressABody) {
  // With compliance the pressed body has exactly one answer: the walls push alike.
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kLinearSeed);
  for (int contacts = 4; contacts <= 128; contacts *= 2)
    for (int repeat = 0; repeat < 10; ++repeat) {
      const LinearContacts problem = tests::makePressedContacts(contacts, random);
      form.build(problem, kRelativeCompliance);
      const Answer answer = solveBy(solver, form);
      ASSERT_TRUE(allFiniteAndNotNegative(answer.y))
          << "seed " << kLinearSeed << ", " << contacts << " contacts";
      const double residual = denseOutcome(problem, answer.f, kRelativeCompliance).residual;
      // Forces here are the overlap divided by ε = 1e-9, and so is their rounding: too much for the
      // tolerance, so no solver needs to report success.
      EXPECT_LE(residual, (answer.report.solved ? kLinearTolerance : 1e-5) * form.scale())
          << "seed " << kLinearSeed << ", " << contacts << " contacts";
    }
}

TYPED_TEST(EveryLinearSolver, rejectsNumbersThatAreNotFinite) {
  TypeParam solver;
  ScaledProblem form;
  std::mt19937 random(kLinearSeed);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    LinearContacts problem = makeLinearContacts(ContactFamily::bolt, 16, random);
    form.build(problem, kRelativeCompliance);
    const double tolerance = kLinearTolerance * form.scale();
    problem.rows[5].b0 = bad;
    form.build(problem, kRelativeCompliance);
    std::vector<double> y(form.size(), 0.0);
    const LinearReport report = solver.solve(form, y, tolerance);
    // A contact infinitely far away has no effect; the other cases cannot be solved.
    EXPECT_FALSE(report.solved && !(bad > 0)) << bad;
    EXPECT_TRUE(allFiniteAndNotNegative(y)) << bad;
  }
}

TYPED_TEST(EveryLinearSolver, allocatesNothingOnceReserved) {
  TypeParam solver;
  ScaledProblem form;
  std::vector<LinearContacts> problems;
  forAllProblems([&](LinearContacts& problem, const std::string&) { problems.push_back(problem); });
  std::vector<double> y(768);
  const auto solveAll = [&] {
    for (const LinearContacts& problem : problems) {
      form.build(problem, kRelativeCompliance);
      y.assign(form.size(), 0.0);
      solver.solve(form, y, kLinearTolerance * form.scale());
    }
  };
  solveAll();
  const std::int64_t before = tests::allocationCount();
  solveAll();
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

TEST(LinearSolvers, agreeOnTheMotionAndOnTheSumsOfForces) {
  FischerNewton fischer;
  LemkeFixpoint lemke;
  BilateralContacts bilateral;
  ScaledProblem form;
  double worstVelocity = 0, worstWrench = 0;
  forAllProblems([&](LinearContacts& problem, const std::string& name) {
    form.build(problem, kRelativeCompliance);
    const DenseOutcome a = denseOutcome(problem, solveBy(fischer, form).f, kRelativeCompliance);
    const Eigen::Map<const Eigen::VectorXd> uFree(problem.freeVelocity.data(), a.u.size());
    for (LinearSolver* other : std::initializer_list<LinearSolver*>{&lemke, &bilateral}) {
      const DenseOutcome b = denseOutcome(problem, solveBy(*other, form).f, kRelativeCompliance);
      const double velocity = (a.u - b.u).lpNorm<Eigen::Infinity>() / uFree.lpNorm<Eigen::Infinity>();
      const double wrench = (a.wrench - b.wrench).norm() / std::max(1e-3, a.wrench.norm());
      worstVelocity = std::max(worstVelocity, velocity);
      worstWrench = std::max(worstWrench, wrench);
      EXPECT_LE(velocity, 1e-9) << name;
      EXPECT_LE(wrench, 1e-9) << name;
    }
  });
  RecordProperty("worstVelocity", std::to_string(worstVelocity));
}

TEST(AllocationCounter, countsEveryKindOfAllocation) {
  const std::int64_t before = tests::allocationCount();
  delete new volatile int(1);
  const std::int64_t afterNew = tests::allocationCount();
  EXPECT_EQ(afterNew - before, 1);
  Eigen::VectorXd vector(1000);
  vector.setOnes();
  EXPECT_EQ(tests::allocationCount() - afterNew, 1) << vector.sum();
}

}  // namespace
}  // namespace tenon::physics
