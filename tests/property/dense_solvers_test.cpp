// Properties of every dense method on contact problems: a solution confirmed by an independent residual or
// none, the same motion from all, no dependence on the last problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "physics/solver/dense/dense_methods.h"
#include "physics/solver/lcp/baraff.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/contact_problems.h"
#include "tests/support/lcp_reference.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::ContactFamily;
using tests::ContactLoad;

constexpr unsigned kDenseSeed = 20240905;
/// Tolerance of `auto` on contact problems, relative to max|b|.
constexpr double kPromise = 1e-9;
/// Rounding allowed between a residual in double and the independent one in extended precision, relative to
/// the sum of all terms.
constexpr double kSumming = 1e-15;

std::vector<std::unique_ptr<DenseSolver>> everyMethod() {
  std::vector<std::unique_ptr<DenseSolver>> all;
  for (const std::string_view name : kDenseSolverNames) all.push_back(makeDenseSolver(name));
  all.push_back(makeDenseSolver("baraff", {.policy = NextContact::random, .seed = 7}));
  return all;
}

DenseProblem problemOf(const tests::ContactLcp& lcp) {
  DenseProblem problem;
  problem.A = lcp.A;
  problem.b = lcp.b;
  problem.tolerance = kPromise;
  return problem;
}

/// From the definition, joints and friction included; nothing of physics/.
double independentResidual(const DenseProblem& problem, const VectorXd& f) {
  VectorXd w(problem.size());
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    long double sum = problem.b[i];
    for (Eigen::Index j = 0; j < w.size(); ++j) sum += static_cast<long double>(problem.A(i, j)) * f[j];
    w[i] = static_cast<double>(sum);
  }
  double worst = 0;
  const auto add = [&](double error) {
    worst = std::isfinite(error) ? std::max(worst, std::abs(error)) : HUGE_VAL;
  };
  for (int k = 0; k < problem.size(); ++k) {
    if (!problem.frictional()) {
      add(problem.isJoint(k) ? w[k] : std::min(f[k], w[k]));
    } else if (k % 3 == 0) {
      const double mu = problem.mu[k / 3];
      add(std::min(f[k], w[k]));
      // The cone, and friction straight against the motion: |w_t| f_t + μ f_n w_t = 0 where anything moves.
      const Eigen::Vector2d ft = f.segment<2>(k + 1), wt = w.segment<2>(k + 1);
      add(std::max(0.0, ft.norm() - mu * f[k]));
      const double moves = wt.norm();
      if (moves > 1e-6) add((moves * ft + mu * std::max(0.0, f[k]) * wt).norm() / moves / (1 + 1 / moves));
    }
  }
  return worst;
}

class DenseSolversOnContacts : public testing::TestWithParam<std::tuple<ContactFamily, ContactLoad>> {};

TEST_P(DenseSolversOnContacts, autoSolvesThem) {
  const auto [family, load] = GetParam();
  std::mt19937 random(kDenseSeed);
  const auto chain = makeDenseSolver("auto");
  // Of 14 400 problems one pushed bolt without play remains, this one: forces of 10⁶ max|b| press it.
  constexpr int kUnsolved = 1091;
  const bool pushed = family == ContactFamily::zeroClearance && load == ContactLoad::physical;
  constexpr int kSizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128};
  for (int k = 0; k < 1200; ++k) {
    SCOPED_TRACE("seed " + std::to_string(kDenseSeed) + ", problem " + std::to_string(k));
    const DenseProblem problem = problemOf(tests::makeContactLcp(family, load, kSizes[k % 12], random));
    VectorXd f = VectorXd::Zero(problem.size());
    const DenseReport report = chain->solve(problem, f);
    ASSERT_GE(f.minCoeff(), 0);
    if (!report.solved) {
      ASSERT_TRUE(pushed && k == kUnsolved)
          << report.residual << " of " << problem.absoluteTolerance() << ": " << report.reason;
      continue;
    }
    ASSERT_LE(independentResidual(problem, f),
              problem.absoluteTolerance() + kSumming * (problem.b.cwiseAbs().maxCoeff() + f.sum()));
  }
}

TEST_P(DenseSolversOnContacts, noMethodReportsAWrongSolutionAndAllAgreeOnTheMotion) {
  const auto [family, load] = GetParam();
  std::mt19937 random(kDenseSeed + 1);
  const auto methods = everyMethod();
  constexpr int kSizes[] = {1, 2, 3, 4, 5, 8, 16, 32};
  for (int k = 0; k < 80; ++k) {
    const DenseProblem problem = problemOf(tests::makeContactLcp(family, load, kSizes[k % 8], random));
    const double scale = problem.b.cwiseAbs().maxCoeff();
    VectorXd motion;
    double force = 0;
    for (const auto& method : methods) {
      SCOPED_TRACE("seed " + std::to_string(kDenseSeed + 1) + ", problem " + std::to_string(k) + ", " +
                   std::string(method->name()));
      VectorXd f = VectorXd::Zero(problem.size());
      const DenseReport report = method->solve(problem, f);
      ASSERT_TRUE(f.allFinite());
      ASSERT_GE(f.minCoeff(), 0);
      if (!report.solved) {
        ASSERT_FALSE(report.reason.empty());
        continue;
      }
      ASSERT_LE(independentResidual(problem, f), problem.absoluteTolerance() + kSumming * (scale + f.sum()));
      const VectorXd w = problem.A * f + problem.b;
      if (motion.size() == 0) {
        motion = w;
        force = f.sum();
      }
      // For A ≥ 0, (f − f')ᵀ A (f − f') ≤ Σ |f − f'| 2 wanted, and A (f − f') is at most √(A_ii) times its
      // root.
      const double apart = 2 * std::sqrt((force + f.sum()) * problem.absoluteTolerance()) + 1e-12 * scale;
      ASSERT_LE((w - motion).cwiseAbs().maxCoeff(), apart);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, DenseSolversOnContacts,
                         testing::Combine(testing::Values(ContactFamily::bolt, ContactFamily::zeroClearance,
                                                          ContactFamily::stack, ContactFamily::random),
                                          testing::Values(ContactLoad::constructed, ContactLoad::degenerate,
                                                          ContactLoad::physical)),
                         [](const auto& instance) {
                           return tests::testNameOf(std::get<0>(instance.param), std::get<1>(instance.param));
                         });

MatrixXd normals(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

/// Random problems of every kind: joints, friction, asymmetry, indefiniteness, no solution.
DenseProblem anyProblem(int k, std::mt19937& random) {
  const int n = 1 + k % 9, rank = 1 + k / 9 % 9;
  DenseProblem problem;
  const MatrixXd g = normals(n, rank, random), s = normals(n, n, random);
  problem.A = g * g.transpose() + (k % 3 == 1) * (s - s.transpose());
  if (k % 5 == 4) problem.A = s;
  problem.b = normals(n, 1, random);
  if (k % 4 == 1)
    for (int i = 0; i < n; ++i) problem.joint.push_back(random() % 3 == 0);
  if (k % 4 == 2 && n % 3 == 0) problem.mu.assign(n / 3, 0.1 * static_cast<double>(random() % 10));
  return problem;
}

TEST(DenseSolvers, autoSolvesWhatLemkesAndBaraffsMethodsSolve) {
  // Indefinite and full of zeros and small integers: no method solves all.
  std::mt19937 random(kDenseSeed + 6);
  const auto chain = makeDenseSolver("auto");
  MatrixLemke lemke;
  Baraff baraff;
  int solved = 0;
  for (int k = 0; k < 6000; ++k) {
    const int n = 2 + k % 5;
    DenseProblem problem;
    problem.A = MatrixXd::NullaryExpr(n, n, [&] { return static_cast<double>(random() % 5) - 2; });
    if (k % 2 == 0) problem.A = (problem.A + problem.A.transpose()).eval();
    problem.b = normals(n, 1, random);
    VectorXd f = VectorXd::Zero(n);
    bool any = false;
    for (DenseMethod* method : {static_cast<DenseMethod*>(&lemke), static_cast<DenseMethod*>(&baraff)})
      any = any || (method->unsupported(problem).empty() && method->solve(problem, f.setZero()).solved);
    solved += any;
    const DenseReport report = chain->solve(problem, f.setZero());
    ASSERT_GE(report.solved, any) << "seed " << kDenseSeed + 6 << ", problem " << k;
    ASSERT_NE(report.reason, dense_reason::kIndefinite) << "it supports any matrix: problem " << k;
  }
  EXPECT_GT(solved, 1500);
}

TEST(DenseSolvers, reportNoWrongSolutionOnAnyKindOfProblem) {
  std::mt19937 random(kDenseSeed + 2);
  const auto methods = everyMethod();
  int solved = 0, infeasible = 0;
  for (int k = 0; k < 3000; ++k) {
    const DenseProblem problem = anyProblem(k, random);
    bool anySolved = false;
    for (const auto& method : methods) {
      if (!method->unsupported(problem).empty()) continue;
      SCOPED_TRACE("seed " + std::to_string(kDenseSeed + 2) + ", problem " + std::to_string(k) + ", " +
                   std::string(method->name()));
      VectorXd f = VectorXd::Zero(problem.size());
      const DenseReport report = method->solve(problem, f);
      ASSERT_TRUE(f.allFinite());
      if (report.solved) {
        ASSERT_LE(independentResidual(problem, f),
                  problem.absoluteTolerance() * (problem.frictional() ? 10 : 1) + 1e-12 * f.norm());
        anySolved = true;
        ++solved;
      } else {
        ASSERT_FALSE(anySolved && report.reason == dense_reason::kInfeasible);
        infeasible += report.reason == dense_reason::kInfeasible;
      }
    }
  }
  EXPECT_GT(solved, 9000);
  EXPECT_GT(infeasible, 500);
}

TEST(DenseSolvers, solveEveryFeasibleProblemWithJoints) {
  // Positive semidefinite with a solution by construction.
  std::mt19937 random(kDenseSeed + 3);
  const auto chain = makeDenseSolver("auto");
  for (int k = 0; k < 1000; ++k) {
    SCOPED_TRACE("seed " + std::to_string(kDenseSeed + 3) + ", problem " + std::to_string(k));
    DenseProblem problem;
    const int n = 2 + k % 30;
    const MatrixXd g = normals(n, 1 + k % 12, random);
    problem.A = g * g.transpose();
    VectorXd f(n), w(n);
    for (int i = 0; i < n; ++i) {
      const double size = 0.1 + static_cast<double>(random() % 100);
      const bool joint = random() % 4 == 0, pushes = random() % 2 == 0;
      problem.joint.push_back(joint);
      f[i] = joint ? size - 50 : pushes ? size : 0;
      w[i] = joint || pushes ? 0 : size;
    }
    problem.b = w - problem.A * f;
    const DenseReport report = chain->solve(problem, f);
    ASSERT_TRUE(report.solved) << report.reason << ", " << report.residual << " of "
                               << problem.absoluteTolerance();
    ASSERT_LE(independentResidual(problem, f), problem.absoluteTolerance() * (1 + 1e-6));
  }
}

TEST(DenseSolvers, autoSolvesContactsWithFriction) {
  std::mt19937 random(kDenseSeed + 4);
  const auto chain = makeDenseSolver("auto");
  int solved = 0;
  constexpr int kProblems = 500;
  for (int k = 0; k < kProblems; ++k) {
    DenseProblem problem;
    const int contacts = 1 + k % 8;
    const MatrixXd g = normals(3 * contacts, 6 + 6 * (k % 3), random);
    problem.A = g * g.transpose();
    problem.b = g * normals(g.cols(), 1, random);  // at rest is a solution
    for (int i = 0; i < contacts; ++i) problem.mu.push_back(0.1 * static_cast<double>(random() % 9));
    VectorXd f = VectorXd::Zero(problem.size());
    const DenseReport report = chain->solve(problem, f);
    solved += report.solved;
    if (report.solved) {
      ASSERT_LE(independentResidual(problem, f), 10 * problem.absoluteTolerance()) << "problem " << k;
    }
  }
  EXPECT_EQ(solved, kProblems);
}

TEST(DenseSolvers, doNotDependOnTheLastProblem) {
  std::mt19937 random(kDenseSeed + 5);
  const auto first =
      problemOf(tests::makeContactLcp(ContactFamily::stack, ContactLoad::physical, 48, random));
  const auto second =
      problemOf(tests::makeContactLcp(ContactFamily::bolt, ContactLoad::constructed, 48, random));
  DenseProblem jointed = first;
  jointed.joint.assign(48, 0);
  for (int k = 0; k < 48; k += 5) jointed.joint[k] = 1;
  const auto used = everyMethod(), fresh = everyMethod();
  for (std::size_t k = 0; k < used.size(); ++k) {
    SCOPED_TRACE(std::string(used[k]->name()));
    VectorXd f = VectorXd::Zero(48), again = f, alone = f;
    used[k]->solve(first, f);
    used[k]->solve(jointed, f);
    used[k]->solve(second, again);
    fresh[k]->solve(second, alone);
    EXPECT_EQ(again, alone);
  }
}

TEST(DenseSolvers, baraffAllocatesNothingOnceReserved) {
  // The running simulation uses it (row_system.h).
  std::mt19937 random(kDenseSeed + 5);
  const auto stack =
      problemOf(tests::makeContactLcp(ContactFamily::stack, ContactLoad::physical, 48, random));
  DenseProblem jointed = stack;
  jointed.joint.assign(48, 0);
  for (int k = 0; k < 48; k += 5) jointed.joint[k] = 1;
  Baraff baraff;
  VectorXd f = VectorXd::Zero(48);
  baraff.reserve(48);
  const auto before = tests::allocationCount();
  baraff.solve(stack, f);
  baraff.solve(jointed, f);
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
