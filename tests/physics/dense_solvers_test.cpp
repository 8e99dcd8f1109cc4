// Each dense method on problems solved by hand and on its known hard cases.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>

#include "physics/solver/dense/dense_methods.h"
#include "physics/solver/gauss_seidel.h"
#include "physics/solver/lcp/baraff.h"
#include "tests/support/contact_problems.h"
#include "tests/support/lcp_reference.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Solvers = std::vector<std::unique_ptr<DenseSolver>>;

Solvers everyMethod() {
  Solvers all;
  for (const std::string_view name : kDenseSolverNames) all.push_back(makeDenseSolver(name));
  for (const NextContact policy : {NextContact::minAccel, NextContact::random, NextContact::preOrdered})
    all.push_back(makeDenseSolver("baraff", {.policy = policy}));
  return all;
}

DenseProblem problemOf(MatrixXd A, VectorXd b) {
  DenseProblem problem;
  problem.A = std::move(A);
  problem.b = std::move(b);
  return problem;
}

MatrixXd matrix(int n, std::initializer_list<double> entries) {
  MatrixXd m(n, n);
  auto next = entries.begin();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = *next++;
  return m;
}

VectorXd vector(std::initializer_list<double> entries) {
  return Eigen::Map<const VectorXd>(entries.begin(), static_cast<Eigen::Index>(entries.size()));
}

/// Calls `check` with every method that supports `problem`, its report and its f.
template <class Check>
void forEveryMethod(const DenseProblem& problem, Check check) {
  for (const auto& method : everyMethod()) {
    if (!method->unsupported(problem).empty()) continue;
    SCOPED_TRACE(std::string(method->name()));
    VectorXd f = VectorXd::Zero(problem.size());
    const DenseReport report = method->solve(problem, f);
    EXPECT_TRUE(f.allFinite());
    EXPECT_EQ(report.solved, report.reason.empty()) << report.reason;
    check(*method, report, f);
  }
}

void expectEveryMethodFinds(const DenseProblem& problem, const VectorXd& expected) {
  forEveryMethod(problem, [&](DenseSolver&, const DenseReport& report, const VectorXd& f) {
    EXPECT_TRUE(report.solved) << report.reason;
    EXPECT_LE((f - expected).cwiseAbs().maxCoeff(), 1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
        << f.transpose();
  });
}

TEST(DenseSolvers, findTheSolutionOfTwoRowsInEachOfTheFourCases) {
  const MatrixXd A = matrix(2, {2, 1, 1, 2});
  expectEveryMethodFinds(problemOf(A, vector({-3, -3})), vector({1, 1}));
  expectEveryMethodFinds(problemOf(A, vector({-1, 1})), vector({0.5, 0}));
  expectEveryMethodFinds(problemOf(A, vector({1, -1})), vector({0, 0.5}));
  expectEveryMethodFinds(problemOf(A, vector({1, 2})), vector({0, 0}));
}

TEST(DenseSolvers, solveRowsOfVeryDifferentScale) {
  // The problem above with f in units of D: A = D A' D, b = D b', f = D⁻¹ f'.
  const VectorXd d = vector({1e-4, 30});
  const MatrixXd A = d.asDiagonal() * matrix(2, {2, 1, 1, 2}) * d.asDiagonal();
  DenseProblem problem = problemOf(A, d.cwiseProduct(vector({-3, -3})));
  problem.tolerance = 1e-13;
  forEveryMethod(problem, [&](DenseSolver&, const DenseReport& report, const VectorXd& f) {
    EXPECT_TRUE(report.solved) << report.residual;
    EXPECT_NEAR(f[0] * d[0], 1, 1e-3);
    EXPECT_NEAR(f[1] * d[1], 1, 1e-3);
  });
}

TEST(DenseSolvers, keepJointRowsAtZeroWithForcesOfEitherSign) {
  DenseProblem problem = problemOf(matrix(3, {2, 1, 0.5, 1, 2, 0.5, 0.5, 0.5, 1}), vector({1, -3, -1}));
  problem.joint = {1, 1, 0};
  expectEveryMethodFinds(problem, vector({-1.8, 2.2, 0.8}));
}

TEST(DenseSolvers, solveRedundantJoints) {
  DenseProblem problem = problemOf(matrix(3, {1, 1, 1, 1, 1, 1, 1, 1, 2}), vector({-1, -1, -3}));
  problem.joint = {1, 1, 0};
  forEveryMethod(problem, [](DenseSolver&, const DenseReport& report, const VectorXd& f) {
    EXPECT_TRUE(report.solved) << report.reason;
    EXPECT_NEAR(f[0] + f[1], -1, 1e-7);
    EXPECT_NEAR(f[2], 2, 1e-7);
  });
}

TEST(DenseSolvers, reportContradictingJoints) {
  DenseProblem problem = problemOf(MatrixXd::Ones(2, 2), vector({1, -1}));
  problem.joint = {1, 1};
  forEveryMethod(
      problem, [](DenseSolver&, const DenseReport& report, const VectorXd&) { EXPECT_FALSE(report.solved); });
  VectorXd f = VectorXd::Zero(2);
  EXPECT_EQ(makeDenseSolver("auto")->solve(problem, f).reason, dense_reason::kInfeasible);
}

/// Every method by name, as `tenon solve` calls it.
void expectAllReportInfeasible(const DenseProblem& problem) {
  for (const std::string_view name : kDenseSolverNames) {
    VectorXd f = VectorXd::Zero(problem.size());
    const DenseReport report = makeDenseSolver(name)->solve(problem, f);
    EXPECT_FALSE(report.solved) << name;
    EXPECT_EQ(report.reason, dense_reason::kInfeasible) << name;
  }
}

TEST(DenseSolvers, proveThatJointsContradictEachOther) {
  DenseProblem problem = problemOf(matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({-1, -2, -1}));
  problem.joint = {1, 1, 0};
  expectAllReportInfeasible(problem);
}

TEST(DenseSolvers, proveThatJointsHoldAContactBelowZero) {
  // w_1 = w_0 − 1/2.
  DenseProblem problem = problemOf(MatrixXd::Ones(2, 2), vector({1, 0.5}));
  problem.joint = {1, 0};
  expectAllReportInfeasible(problem);
}

TEST(DenseSolvers, countRefinementAsIterations) {
  const DenseProblem problem = problemOf(matrix(2, {2, 1, 1, 2}), vector({-3, -3}));
  FactorizedProblem factorized;
  ASSERT_TRUE(factorized.build(problem));
  VectorXd f = VectorXd::Zero(2);
  int iterations = 1;
  EXPECT_TRUE(factorized.refine(problem, 1e-12, f, iterations));
  EXPECT_EQ(iterations, 4) << "no row, one row, both";
}

TEST(DenseSolvers, splitJointsWhoseBlockIsSingularInAnAsymmetricMatrix) {
  // w_0 = f_1 − 1 = 0, 0 ≤ f_1 ⟂ w_1 = 2 f_1 − f_0 ≥ 0.
  DenseProblem problem = problemOf(matrix(2, {0, 1, -1, 2}), vector({-1, 0}));
  problem.joint = {1, 0};
  VectorXd f = VectorXd::Zero(2);
  EXPECT_TRUE(MatrixLemke().solve(problem, f).solved);
  EXPECT_NEAR(f[0], 2, 1e-12);
  EXPECT_NEAR(f[1], 1, 1e-12);
}

TEST(DenseSolvers, shareTheLoadOfATableOnFourLegs) {
  MatrixXd A(4, 4);
  const double x[] = {-1, -1, 1, 1}, y[] = {-1, 1, -1, 1};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) A(i, j) = 1 + x[i] * x[j] + y[i] * y[j];
  forEveryMethod(problemOf(A, VectorXd::Constant(4, -1)),
                 [&](DenseSolver&, const DenseReport& report, const VectorXd& f) {
                   EXPECT_TRUE(report.solved) << report.reason;
                   EXPECT_NEAR(f.sum(), 1, 1e-7);
                   EXPECT_GE(f.minCoeff(), 0);
                 });
  Baraff baraff;
  VectorXd f = VectorXd::Zero(4);
  EXPECT_TRUE(baraff.solve(problemOf(A, VectorXd::Constant(4, -1)), f).solved);
  EXPECT_LE(baraff.statistics().unwantedAccel, 1e-12);
  EXPECT_EQ(baraff.statistics().unwantedForce, 0);
}

TEST(DenseSolvers, solveMurtysExponentialExampleOrReportTheLimit) {
  for (const int n : {4, 8, 12, 16}) {
    SCOPED_TRACE(n);
    MatrixXd A = MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) A(i, j) = 2;
    forEveryMethod(problemOf(A, VectorXd::Constant(n, -1)),
                   [&](DenseSolver&, const DenseReport& report, const VectorXd& f) {
                     EXPECT_TRUE(report.solved || report.reason == dense_reason::kLimit) << report.reason;
                     EXPECT_LE(report.iterations, 2 * (100 + 20 * n) + 10);
                     if (!report.solved) return;
                     EXPECT_NEAR(f[0], 1, 1e-8);
                     EXPECT_NEAR(f.sum(), 1, 1e-8);
                   });
    VectorXd f = VectorXd::Zero(n);
    EXPECT_TRUE(makeDenseSolver("auto")->solve(problemOf(A, VectorXd::Constant(n, -1)), f).solved);
  }
}

TEST(DenseSolvers, doNotCycleWhereLemkeWithoutLexicographyDoes) {
  expectEveryMethodFinds(problemOf(matrix(2, {1, 0.5, 0.5, 1}), vector({-1, -1})),
                         VectorXd::Constant(2, 2.0 / 3));
  // All ratios tie in each pivot.
  VectorXd f = VectorXd::Zero(3);
  const DenseProblem problem = problemOf(matrix(3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), VectorXd::Constant(3, -1));
  for (const std::string_view name : {"lemke-fixpoint", "auto"}) {
    EXPECT_TRUE(makeDenseSolver(name)->solve(problem, f).solved) << name;
    EXPECT_LE((f - VectorXd::Constant(3, 1.0 / 3)).norm(), 1e-8) << name;
  }
}

TEST(DenseSolvers, reportInfeasibleWhereNoForceSatisfiesAllRows) {
  forEveryMethod(problemOf(matrix(2, {1, -1, -1, 1}), vector({-1, -1})),
                 [](DenseSolver& method, const DenseReport& report, const VectorXd&) {
                   EXPECT_FALSE(report.solved);
                   const bool proves = method.name() != "gauss-seidel" && method.name() != "fischer-newton" &&
                                       method.name() != "bilateral-newton";
                   EXPECT_TRUE(!proves || report.reason.substr(0, 10) == "infeasible") << report.reason;
                 });
}

TEST(DenseSolvers, reportTheDiagnosisOfASingleRow) {
  forEveryMethod(problemOf(matrix(1, {-1}), vector({-1})),
                 [](DenseSolver&, const DenseReport& report, const VectorXd&) {
                   EXPECT_EQ(report.reason, dense_reason::kInfeasible);
                 });
  DenseProblem joint = problemOf(matrix(1, {0}), vector({1}));
  joint.joint = {1};
  forEveryMethod(joint, [](DenseSolver&, const DenseReport& report, const VectorXd&) {
    EXPECT_EQ(report.reason, dense_reason::kInfeasible);
  });
  // Feasible, as f_1 = 1 shows, but f_0 can grow without raising its row, and f_1 w_1 = f_1². A method with a
  // specific reason reports it; the chain of all methods reports the diagnosis of the row.
  const DenseProblem unbounded = problemOf(matrix(2, {0, 1, 0, 1}), vector({-1, 0}));
  VectorXd f = VectorXd::Zero(2);
  EXPECT_EQ(makeDenseSolver("auto")->solve(unbounded, f).reason, dense_reason::kUnbounded);
  const std::string_view reason = MatrixLemke().solve(unbounded, f).reason;
  EXPECT_EQ(reason.substr(0, 14), "ended in a ray") << reason;
}

TEST(DenseSolvers, keepADependentJointOfAnIndefiniteMatrixWithAnIndependentRow) {
  // w_0 = 2 f_1 − 2 f_2 − 1 = 0, which A_JJ = 0 alone does not show.
  DenseProblem problem = problemOf(matrix(3, {0, 2, -2, 2, -1, -2, -2, -2, -1}), vector({-1, 0, 2}));
  problem.joint = {1, 0, 0};
  VectorXd f = VectorXd::Zero(3);
  EXPECT_TRUE(MatrixLemke().solve(problem, f).solved);
  EXPECT_LE((f - vector({0.375, 7.0 / 12, 1.0 / 12})).norm(), 1e-8) << f.transpose();
}

TEST(DenseSolvers, findForcesAMillionTimesTheLoad) {
  // Two contacts that face each other up to 1e-6 resist a push of 1 across: 0.5e6 each. A third is far away.
  constexpr double kLean = 1e-6;
  Eigen::Matrix<double, 2, 3> g;
  g << 1, -1, 0, kLean, kLean, 1;
  DenseProblem problem = problemOf(g.transpose() * g, g.transpose() * Eigen::Vector2d(0, -1));
  problem.b[2] = 1;
  problem.A(2, 0) = problem.A(0, 2) = problem.A(1, 2) = problem.A(2, 1) = 0;
  problem.tolerance = 1e-9;
  Solvers methods;
  for (const std::string_view name : {"proximal-newton", "bilateral-newton", "auto"})
    methods.push_back(makeDenseSolver(name));
  for (const auto& method : methods) {
    VectorXd f = VectorXd::Zero(3);
    const DenseReport report = method->solve(problem, f);
    EXPECT_TRUE(report.solved) << method->name() << ": " << report.reason;
    EXPECT_NEAR(f[0] * kLean, 0.5, 0.01);
    EXPECT_NEAR(f[1] * kLean, 0.5, 0.01);
    EXPECT_EQ(f[2], 0);
  }
}

TEST(DenseSolvers, proveOnlyInfeasibleProblemsInfeasible) {
  const DenseProblem walls = problemOf(matrix(2, {1, -1, -1, 1}), vector({-1, -1}));
  EXPECT_TRUE(provesInfeasible(walls, vector({1, 1})));
  EXPECT_FALSE(provesInfeasible(walls, vector({1, 0})));
  EXPECT_FALSE(provesInfeasible(walls, vector({-1, -1})));
  EXPECT_FALSE(provesInfeasible(walls, vector({0, 0})));
  EXPECT_FALSE(provesInfeasible(walls, vector({std::nan(""), 1})));
  EXPECT_FALSE(provesInfeasible(problemOf(walls.A, vector({-1, 1})), vector({1, 1})));
}

TEST(DenseSolvers, rejectProblemsTheyDoNotSupport) {
  const DenseProblem asymmetric = problemOf(matrix(2, {2, 1, -1, 2}), vector({-1, -1}));
  DenseProblem friction = problemOf(MatrixXd::Identity(3, 3), vector({-1, 0, 0}));
  friction.mu = {0.3};
  DenseProblem asymmetricFriction = friction;
  asymmetricFriction.A(0, 1) = 0.5;
  for (const std::string_view name : kDenseSolverNames) {
    SCOPED_TRACE(name);
    const auto method = makeDenseSolver(name);
    const bool anyMatrix = name == "lemke-fixpoint" || name == "auto";
    EXPECT_EQ(method->unsupported(asymmetric), anyMatrix ? "" : dense_reason::kNotSymmetric);
    EXPECT_EQ(method->unsupported(friction), name == "baraff" ? dense_reason::kFriction : "");
    EXPECT_FALSE(method->unsupported(asymmetricFriction).empty());
  }
  EXPECT_EQ(MatrixLemke().unsupported(friction), dense_reason::kSymmetricFriction);
  VectorXd f = VectorXd::Zero(2);
  for (const std::string_view name : {"proximal-newton", "gauss-seidel", "bilateral-newton"})
    EXPECT_EQ(makeDenseSolver(name)->solve(problemOf(matrix(2, {1, 2, 2, 1}), vector({-1, -1})), f).reason,
              dense_reason::kIndefinite);
}

TEST(DenseSolvers, solveAnIndefiniteMatrixByLemkesMethod) {
  // f = (2, 0): w = (0, 1).
  const DenseProblem problem = problemOf(matrix(2, {1, 2, 2, 1}), vector({-2, -3}));
  for (const std::string_view name : {"lemke-fixpoint", "auto"}) {
    VectorXd f = VectorXd::Zero(2);
    const DenseReport report = makeDenseSolver(name)->solve(problem, f);
    EXPECT_TRUE(report.solved) << name << ": " << report.reason;
  }
}

TEST(DenseSolvers, giveNoForceToARowThatNothingMoves) {
  expectEveryMethodFinds(problemOf(matrix(2, {1, 0, 0, 0}), vector({-1, 3})), vector({1, 0}));
}

TEST(DenseSolvers, holdAContactByJointsAlone) {
  // The joint fixes what the contact would move: its w is 2 whatever the forces.
  DenseProblem problem = problemOf(matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({-1, 1, -4}));
  problem.joint = {1, 0, 0};
  expectEveryMethodFinds(problem, vector({1, 0, 4}));
}

TEST(DenseSolvers, findStickingAndSlidingFriction) {
  DenseProblem problem = problemOf(MatrixXd::Identity(3, 3), vector({-10, 3, -1}));
  problem.mu = {0.5};
  expectEveryMethodFinds(problem, vector({10, -3, 1}));
  // Pushed by 30 against μ f_n = 2: slides with 28.
  problem.mu = {0.2};
  problem.b = vector({-10, 30, 0});
  expectEveryMethodFinds(problem, vector({10, -2, 0}));
  problem.b = vector({1, 30, 0});
  expectEveryMethodFinds(problem, vector({0, 0, 0}));
  problem.mu = {0};
  problem.b = vector({-10, 30, 5});
  expectEveryMethodFinds(problem, vector({10, 0, 0}));
}

TEST(DenseSolvers, rejectNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    DenseProblem problem = problemOf(MatrixXd::Identity(3, 3), vector({-1, -1, -1}));
    problem.b[1] = bad;
    forEveryMethod(problem, [](DenseSolver&, const DenseReport& report, const VectorXd&) {
      EXPECT_FALSE(report.solved);
    });
    problem.b[1] = -1;
    problem.A(0, 2) = bad;
    forEveryMethod(problem, [](DenseSolver&, const DenseReport& report, const VectorXd&) {
      EXPECT_FALSE(report.solved);
    });
  }
  for (const double huge : {1e300, 1e-300})
    forEveryMethod(problemOf(huge * matrix(2, {2, 1, 1, 2}), vector({-1, -1})),
                   [](DenseSolver&, const DenseReport&, const VectorXd&) {});
}

TEST(DenseSolvers, solveAProblemWithoutRowsOrWithoutLoad) {
  forEveryMethod(problemOf(MatrixXd(0, 0), VectorXd(0)), [](DenseSolver&, const DenseReport& report,
                                                            const VectorXd&) { EXPECT_TRUE(report.solved); });
  expectEveryMethodFinds(problemOf(MatrixXd::Identity(2, 2), VectorXd::Zero(2)), VectorXd::Zero(2));
}

// --- Baraff's policies and statistics --------------------------------------------------------------------

TEST(DenseBaraff, treatsContactsInTheOrderOfItsPolicy) {
  // Treated first, contact 0 gets force that it loses when contact 1 is treated: three steps. In the other
  // order contact 1 lifts it: one step.
  const DenseProblem problem = problemOf(matrix(2, {1, 0.9, 0.9, 1}), vector({-0.1, -1}));
  const auto steps = [&](BaraffOptions options) {
    VectorXd f = VectorXd::Zero(2);
    const DenseReport report = Baraff(options).solve(problem, f);
    EXPECT_TRUE(report.solved);
    return report.iterations;
  };
  EXPECT_EQ(steps({.policy = NextContact::preOrdered}), 3);
  EXPECT_EQ(steps({.policy = NextContact::preOrdered, .order = {1, 0}}), 1);
  EXPECT_EQ(steps({.policy = NextContact::preOrdered, .order = {7, -2, 1, 1}}), 1) << "no rows, and twice";
  EXPECT_EQ(steps({.policy = NextContact::hybrid, .order = {0, 1}}), 1) << "the most negative acceleration";
  EXPECT_EQ(steps({.policy = NextContact::minAccel}), 1);
  int first = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const int drawn = steps({.policy = NextContact::random, .seed = seed});
    EXPECT_EQ(drawn, steps({.policy = NextContact::random, .seed = seed})) << "seed " << seed;
    first += drawn == 3;
  }
  EXPECT_GT(first, 5);
  EXPECT_LT(first, 35);
}

/// Forces of two equal joints, of which one is redundant: the one that is treated first carries all.
VectorXd forcesOfTwins(const BaraffOptions& options, double b0 = -1) {
  DenseProblem problem = problemOf(matrix(3, {1, 1, 0, 1, 1, 0, 0, 0, 1}), vector({b0, b0, -1}));
  problem.joint = {1, 1, 0};
  VectorXd f = VectorXd::Zero(3);
  EXPECT_TRUE(Baraff(options).solve(problem, f).solved);
  EXPECT_NEAR(f[0] + f[1], -b0, 1e-15);
  EXPECT_NEAR(f[2], 1, 1e-15);
  return f;
}

TEST(DenseBaraff, treatsJointsInRandomOrderOrInThatGiven) {
  int first = 0, changed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const VectorXd f = forcesOfTwins({.seed = seed});
    EXPECT_EQ(f, forcesOfTwins({.seed = seed})) << "seed " << seed;
    first += f[0] > 0.5;
    // Another load is another draw: no joint is neglected in every step.
    changed += (f[0] > 0.5) != (forcesOfTwins({.seed = seed}, -1.0000001)[0] > 0.5);
  }
  for (const int count : {first, changed}) {
    EXPECT_GT(count, 5);
    EXPECT_LT(count, 35);
  }
  EXPECT_EQ(forcesOfTwins({.policy = NextContact::minAccel}), vector({1, 0, 1}));
  EXPECT_EQ(forcesOfTwins({.policy = NextContact::preOrdered}), vector({1, 0, 1}));
  EXPECT_EQ(forcesOfTwins({.policy = NextContact::preOrdered, .order = {2, 1}}), vector({0, 1, 1}));
}

TEST(DenseBaraff, leavesMoreAccelerationAtDeferredContactsThanAtOthers) {
  // Rows 0 and 1 are equal but for 2e-10 in b: row 1 depends on row 0 when its turn comes and is deferred.
  // Its acceleration of −2e-10 is less than a deferred contact may keep. Alone, it would be treated.
  const DenseProblem twins = problemOf(matrix(2, {1, 1, 1, 1}), vector({-1, -1 - 2e-10}));
  VectorXd f = VectorXd::Zero(2);
  Baraff ordered({.policy = NextContact::preOrdered});
  EXPECT_TRUE(ordered.solve(twins, f).solved);
  EXPECT_EQ(f, vector({1, 0}));
  EXPECT_EQ(ordered.statistics().redundant, 1);
  const DenseProblem apart = problemOf(matrix(2, {1, 0, 0, 1}), vector({-1, -2e-10}));
  f.setZero();
  EXPECT_TRUE(ordered.solve(apart, f).solved);
  EXPECT_EQ(f[1], 2e-10);
}

TEST(DenseBaraff, defersRedundantContactsUntilTheOthersAreTreated) {
  // Contact 1 depends on 0. Once 2 has lifted body and both, neither is needed.
  const DenseProblem problem =
      problemOf(matrix(3, {1, 1, 0.8, 1, 1, 0.8, 0.8, 0.8, 1}), vector({-0.5, -0.6, -1}));
  Baraff baraff({.policy = NextContact::preOrdered});
  VectorXd f = VectorXd::Zero(3);
  EXPECT_TRUE(baraff.solve(problem, f).solved);
  EXPECT_NEAR((f - vector({0, 0, 1})).norm(), 0, 1e-12);
  EXPECT_GE(baraff.statistics().redundant, 1);
}

/// Flip-flops, deferred contacts and failures over degenerate stacks.
struct BaraffTotals {
  int flipFlops = 0, deferred = 0, failed = 0;
};

BaraffTotals totalsOnStacks(BaraffOptions options) {
  std::mt19937 random(1);
  Baraff baraff(options);
  BaraffTotals totals;
  for (int k = 0; k < 600; ++k) {
    const auto lcp = tests::makeContactLcp(tests::ContactFamily::stack, tests::ContactLoad::degenerate,
                                           2 + k % 40, random);
    VectorXd f = VectorXd::Zero(lcp.b.size());
    totals.failed += !baraff.solve(problemOf(lcp.A, lcp.b), f).solved;
    totals.flipFlops += baraff.statistics().flipFlops;
    totals.deferred += baraff.statistics().deferred;
  }
  return totals;
}

TEST(DenseBaraff, detectsFlipFlopsAndDefersTheirContacts) {
  const BaraffTotals patient = totalsOnStacks({.policy = NextContact::preOrdered});
  EXPECT_GT(patient.flipFlops, 0);
  EXPECT_EQ(patient.deferred, 0);  // the least index rule ends them
  EXPECT_EQ(patient.failed, 0);
  const BaraffTotals deferring = totalsOnStacks({.policy = NextContact::preOrdered, .flipFlops = 0});
  EXPECT_GT(deferring.deferred, 0);
  EXPECT_EQ(deferring.failed, 0);
  // By the most negative acceleration, fewer contacts are treated that need no force: fewer flip-flops.
  const BaraffTotals hybrid = totalsOnStacks({.flipFlops = 0});
  EXPECT_LT(hybrid.flipFlops, deferring.flipFlops);
  EXPECT_EQ(hybrid.failed, 0);
}

TEST(DenseBaraff, countsRedundantContacts) {
  DenseProblem joints = problemOf(matrix(3, {1, 1, 1, 1, 1, 1, 1, 1, 2}), vector({-1, -1, -3}));
  joints.joint = {1, 1, 0};
  Baraff baraff;
  VectorXd f = VectorXd::Zero(3);
  EXPECT_TRUE(baraff.solve(joints, f).solved);
  EXPECT_EQ(baraff.statistics().redundant, 1);
  EXPECT_EQ(f[1], 0);
  std::mt19937 random(1);
  int solved = 0;
  for (int k = 0; k < 300; ++k) {
    const auto lcp = tests::makeContactLcp(tests::ContactFamily::zeroClearance, tests::ContactLoad::physical,
                                           2 + k % 40, random);
    f = VectorXd::Zero(lcp.b.size());
    solved += baraff.solve(problemOf(lcp.A, lcp.b), f).solved && baraff.statistics().redundant > 0;
  }
  EXPECT_GT(solved, 0);
}

TEST(DenseBaraff, measuresTheUnwantedAccelerationOfItsAnswer) {
  Baraff baraff;
  VectorXd f = VectorXd::Zero(2);
  EXPECT_FALSE(baraff.solve(problemOf(matrix(2, {1, -1, -1, 1}), vector({-1, -1})), f).solved);
  EXPECT_NEAR(baraff.statistics().unwantedAccel, 2, 1e-12);  // the other wall, once one is held
  std::mt19937 random(1);
  int pulling = 0, failed = 0;
  for (int k = 0; k < 300; ++k) {
    const auto lcp = tests::makeContactLcp(tests::ContactFamily::zeroClearance, tests::ContactLoad::physical,
                                           2 + k % 40, random);
    DenseProblem problem = problemOf(lcp.A, lcp.b);
    problem.tolerance = 1e-9;
    f = VectorXd::Zero(problem.size());
    const bool solved = baraff.solve(problem, f).solved;
    const BaraffStatistics& found = baraff.statistics();
    const double unwanted = std::max(found.unwantedAccel, found.unwantedForce);
    EXPECT_TRUE(solved ? unwanted <= 2 * problem.absoluteTolerance()
                       : unwanted >= 0.5 * problem.absoluteTolerance())
        << "problem " << k << ": " << unwanted << " of " << problem.absoluteTolerance();
    failed += !solved;
    pulling += found.unwantedForce > problem.absoluteTolerance();
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(pulling, 0);
}

// --- Gauss-Seidel against Baraff -------------------------------------------------------------------------

// Gauss-Seidel against the direct method below five contacts within ten sweeps: the number of digits depends
// on how strongly the contacts couple. Compared are the accelerations, as forces of redundant contacts are
// not unique. The counts are those of physics/solver/lcp/README.md.
TEST(DenseGaussSeidel, agreesWithBaraffBelowFiveContactsAsFarAsTenSweepsGo) {
  constexpr unsigned kAgreementSeed = 31;
  constexpr int kEach = 1000;
  std::mt19937 random(kAgreementSeed);
  FactorizedMethod tenSweeps("ten sweeps",
                             std::make_unique<ProjectedGaussSeidel>(SweepOptions{.sweeps = 10}));
  const auto toTheEnd = makeDenseSolver("gauss-seidel");
  Baraff baraff;
  for (int contacts = 1; contacts <= 4; ++contacts) {
    SCOPED_TRACE("seed 31, contacts " + std::to_string(contacts));
    int toThousandth = 0, toMillionth = 0;
    for (int k = 0; k < kEach; ++k) {
      const auto load = k % 2 == 0 ? tests::ContactLoad::constructed : tests::ContactLoad::physical;
      const auto lcp = tests::makeContactLcp(tests::ContactFamily::random, load, contacts, random);
      const DenseProblem problem = problemOf(lcp.A, lcp.b);
      VectorXd direct = VectorXd::Zero(problem.size()), swept = direct;
      ASSERT_TRUE(baraff.solve(problem, direct).solved) << "problem " << k;
      const auto apart = [&] {
        return (problem.A * (swept - direct)).cwiseAbs().maxCoeff() / problem.b.cwiseAbs().maxCoeff();
      };
      tenSweeps.solve(problem, swept);
      toThousandth += apart() <= 1e-3;
      toMillionth += apart() <= 1e-6;
      ASSERT_TRUE(toTheEnd->solve(problem, swept).solved) << "problem " << k;
      ASSERT_LE(apart(), 1e-6) << "problem " << k;
    }
    // One contact is exact at once; four agree to 1e-3 in seven cases of ten.
    constexpr int kToThousandth[] = {1000, 930, 840, 690}, kToMillionth[] = {1000, 870, 710, 530};
    EXPECT_GE(toThousandth, kToThousandth[contacts - 1]);
    EXPECT_GE(toMillionth, kToMillionth[contacts - 1]);
  }
}

}  // namespace
}  // namespace tenon::physics
