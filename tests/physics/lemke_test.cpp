// Lemke's method on problems of known solvability, and against enumeration of every basis.
#include "physics/math/lemke.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>

#include "tests/support/allocation_counter.h"
#include "tests/support/contact_problems.h"
#include "tests/support/lcp_reference.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::ContactFamily;
using tests::ContactLcp;
using tests::ContactLoad;

// Largest residual of a problem reported as solved, relative to max|b|.
constexpr double kPromise = 1e-9;

void expectSolved(const MatrixXd& A, const VectorXd& b, const VectorXd& f) {
  EXPECT_LE(tests::naturalResidual(A, b, f), kPromise * b.cwiseAbs().maxCoeff());
  EXPECT_GE(f.minCoeff(), 0);
}

MatrixXd randomLcpMatrix(Eigen::Index rows, Eigen::Index columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

class LemkeOnContacts : public testing::TestWithParam<std::tuple<ContactFamily, ContactLoad>> {};

TEST_P(LemkeOnContacts, SolvesEveryProblemWithAKnownSolution) {
  const auto [family, load] = GetParam();
  SCOPED_TRACE("seed 12, " + tests::toText(family) + ", " + tests::toText(load));
  std::mt19937 random(12);
  Lemke lemke;
  constexpr int kProblems = 2000;
  constexpr int kSizes[] = {4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 128};
  const bool pushed = load == ContactLoad::physical;
  int givenUp = 0;
  for (int k = 0; k < kProblems && !HasFailure(); ++k) {
    SCOPED_TRACE("problem " + std::to_string(k));
    ContactLcp problem =
        tests::makeContactLcp(family, load, std::min(pushed ? 64 : 128, kSizes[k % 11]), random);
    // A pushed bolt without play may need forces of 1e6 max|b| and more, where rounding alone exceeds
    // this; the compliance that a step gives every contact makes that rare.
    if (pushed) problem.A.diagonal().array() += kRelativeCompliance;
    VectorXd f(problem.b.size());
    const LemkeResult result = lemke.solve(problem.A, problem.b, f);
    if (result.outcome == LemkeOutcome::solved) {
      expectSolved(problem.A, problem.b, f);
    } else {
      ++givenUp;
    }
    EXPECT_NEAR(result.residual, tests::naturalResidual(problem.A, problem.b, f), 1e-13 * (1 + f.sum()));
  }
  EXPECT_LE(givenUp, pushed ? kProblems / 100 : 0);
}

INSTANTIATE_TEST_SUITE_P(Families, LemkeOnContacts,
                         testing::Combine(testing::Values(ContactFamily::bolt, ContactFamily::zeroClearance,
                                                          ContactFamily::stack, ContactFamily::random),
                                          testing::Values(ContactLoad::constructed, ContactLoad::degenerate,
                                                          ContactLoad::physical)),
                         [](const auto& instance) {
                           return tests::testNameOf(std::get<0>(instance.param), std::get<1>(instance.param));
                         });

TEST(Lemke, FindsTheOneSolutionOfAPMatrix) {
  SCOPED_TRACE("seed 21");
  std::mt19937 random(21);
  Lemke lemke;
  for (int k = 0; k < 2000; ++k) {
    const int n = 1 + k % 8;
    // A positive definite symmetric part and any skew part: a P-matrix, not symmetric.
    const MatrixXd g = randomLcpMatrix(n, n, random), skewed = randomLcpMatrix(n, n, random);
    const MatrixXd A = g * g.transpose() + 0.1 * MatrixXd::Identity(n, n) + 2 * (skewed - skewed.transpose());
    const VectorXd b = randomLcpMatrix(n, 1, random);
    const auto expected = tests::allSolutions(A, b, 1e-9);
    ASSERT_EQ(expected.size(), 1u) << "problem " << k;
    VectorXd f(n);
    ASSERT_EQ(lemke.solve(A, b, f).outcome, LemkeOutcome::solved) << "problem " << k;
    ASSERT_LE((f - expected[0]).norm(), 1e-9 * (1 + expected[0].norm())) << "problem " << k;
  }
}

TEST(Lemke, FindsOneOfTheSolutionsOfASingularMatrix) {
  SCOPED_TRACE("seed 22");
  std::mt19937 random(22);
  Lemke lemke;
  int solvable = 0, unsolvable = 0;
  for (int k = 0; k < 2000; ++k) {
    const int n = 2 + k % 7;
    const MatrixXd g = randomLcpMatrix(n, 1 + k % n, random), skewed = randomLcpMatrix(n, n, random);
    // Positive semidefinite; every other one with a skew part.
    const MatrixXd A = g * g.transpose() + (k % 2) * (skewed - skewed.transpose());
    const VectorXd b = randomLcpMatrix(n, 1, random);
    const bool solutionExists = !tests::allSolutions(A, b, 1e-9).empty();
    VectorXd f(n);
    const LemkeResult result = lemke.solve(A, b, f);
    ++(solutionExists ? solvable : unsolvable);
    ASSERT_EQ(result.outcome, solutionExists ? LemkeOutcome::solved : LemkeOutcome::rayTermination)
        << "problem " << k << ", residual " << result.residual;
    if (solutionExists) expectSolved(A, b, f);
  }
  EXPECT_GT(solvable, 200);
  EXPECT_GT(unsolvable, 200);
}

TEST(Lemke, SolvesSmallIntegerProblemsFullOfTies) {
  SCOPED_TRACE("seed 23");
  std::mt19937 random(23);
  std::uniform_int_distribution<int> entry(-1, 1);
  Lemke lemke;
  int solvable = 0;
  for (int k = 0; k < 4000; ++k) {
    const int n = 2 + k % 7;
    const MatrixXd g = MatrixXd::NullaryExpr(n, 2, [&] { return double(entry(random)); });
    const MatrixXd A = g * g.transpose();
    const VectorXd b = VectorXd::NullaryExpr(n, [&] { return double(entry(random)); });
    const bool solutionExists = !tests::allSolutions(A, b, 1e-9).empty();
    VectorXd f(n);
    const LemkeResult result = lemke.solve(A, b, f);
    solvable += solutionExists;
    ASSERT_EQ(result.outcome, solutionExists ? LemkeOutcome::solved : LemkeOutcome::rayTermination)
        << "problem " << k << "\nA\n"
        << A << "\nb " << b.transpose();
  }
  EXPECT_GT(solvable, 500);
  EXPECT_LT(solvable, 3500);
}

TEST(Lemke, DoesNotCycleWhereAllRatiosTie) {
  const MatrixXd A = (MatrixXd(3, 3) << 1, 2, 0, 0, 1, 2, 2, 0, 1).finished();
  const VectorXd b = VectorXd::Constant(3, -1);
  VectorXd f(3);
  const LemkeResult result = Lemke().solve(A, b, f);
  EXPECT_EQ(result.outcome, LemkeOutcome::solved);
  EXPECT_LE((f - VectorXd::Constant(3, 1.0 / 3)).norm(), 1e-15);
  EXPECT_LE(result.pivots, 8);
}

TEST(Lemke, EndsInARayBetweenWallsThatWouldHaveToOverlap) {
  SCOPED_TRACE("seed 24");
  std::mt19937 random(24);
  Lemke lemke;
  for (int k = 0; k < 1000; ++k) {
    const ContactLcp problem = tests::makeInfeasibleLcp(2 + k % 40, random);
    VectorXd f(problem.b.size());
    const LemkeResult result = lemke.solve(problem.A, problem.b, f);
    ASSERT_EQ(result.outcome, LemkeOutcome::rayTermination) << "problem " << k;
    ASSERT_TRUE(f.allFinite());
    ASSERT_GE(f.minCoeff(), 0);
    ASSERT_NEAR(result.residual, tests::naturalResidual(problem.A, problem.b, f), 1e-9 * (1 + f.norm()));
  }
}

TEST(Lemke, PositiveRightSideNeedsNoForce) {
  VectorXd f = VectorXd::Constant(3, 7);
  const LemkeResult result = Lemke().solve(MatrixXd::Identity(3, 3), VectorXd::Constant(3, 0.5), f);
  EXPECT_EQ(result.outcome, LemkeOutcome::solved);
  EXPECT_EQ(result.pivots, 0);
  EXPECT_EQ(f, VectorXd::Zero(3));
}

TEST(Lemke, NoRowsAreSolved) {
  VectorXd f(0);
  const LemkeResult result = Lemke().solve(MatrixXd(0, 0), VectorXd(0), f);
  EXPECT_EQ(result.outcome, LemkeOutcome::solved);
  EXPECT_EQ(result.residual, 0);
}

TEST(Lemke, ZeroMatrixIsARayOrSolvedByZero) {
  VectorXd f(2);
  EXPECT_EQ(Lemke().solve(MatrixXd::Zero(2, 2), VectorXd::Zero(2), f).outcome, LemkeOutcome::solved);
  EXPECT_EQ(Lemke().solve(MatrixXd::Zero(2, 2), VectorXd::Constant(2, -1), f).outcome,
            LemkeOutcome::rayTermination);
}

TEST(Lemke, StopsAtThePivotLimitAndReportsIt) {
  SCOPED_TRACE("seed 25");
  std::mt19937 random(25);
  const ContactLcp problem = tests::makeContactLcp(ContactFamily::stack, ContactLoad::physical, 32, random);
  VectorXd f(problem.b.size());
  const LemkeResult result = Lemke().solve(problem.A, problem.b, f, {.firstPivots = 3, .pivotsPerRow = 0});
  EXPECT_EQ(result.outcome, LemkeOutcome::pivotLimit);
  EXPECT_LE(result.pivots, 4);
  EXPECT_TRUE(f.allFinite());
}

TEST(Lemke, InfiniteOrUndefinedInputIsRejectedAndLeavesZeroForce) {
  Lemke lemke;
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    MatrixXd A = MatrixXd::Identity(2, 2);
    VectorXd b = VectorXd::Constant(2, -1), f(2);
    b[1] = -bad;
    EXPECT_EQ(lemke.solve(A, b, f).outcome, LemkeOutcome::numerical);
    EXPECT_EQ(f, VectorXd::Zero(2));
    b[1] = -1;
    A(0, 1) = bad;
    EXPECT_EQ(lemke.solve(A, b, f).outcome, LemkeOutcome::numerical);
    EXPECT_EQ(f, VectorXd::Zero(2));
  }
}

TEST(Lemke, OneRunDoesNotDependOnTheLast) {
  SCOPED_TRACE("seed 26");
  std::mt19937 random(26);
  Lemke used;
  for (int k = 0; k < 200; ++k) {
    const ContactLcp problem =
        tests::makeContactLcp(ContactFamily(k % 4), ContactLoad(k % 3), 4 + k % 60, random);
    VectorXd f(problem.b.size()), g(problem.b.size());
    used.solve(problem.A, problem.b, f);
    Lemke().solve(problem.A, problem.b, g);
    ASSERT_EQ(f, g) << "problem " << k;
  }
}

TEST(Lemke, AllocatesNothingAfterReserve) {
  SCOPED_TRACE("seed 27");
  std::mt19937 random(27);
  Lemke lemke;
  lemke.reserve(128);
  for (int k = 0; k < 60; ++k) {
    ContactLcp problem =
        tests::makeContactLcp(ContactFamily(k % 4), ContactLoad(k % 3), k < 4 ? 128 : 64, random);
    if (k % 5 == 0) problem.A.diagonal().array() += kRelativeCompliance;
    VectorXd f(problem.b.size());
    const auto before = tests::allocationCount();
    lemke.solve(problem.A, problem.b, f);
    ASSERT_EQ(tests::allocationCount(), before) << "problem " << k;
  }
  // The counter does count.
  const auto before = tests::allocationCount();
  Lemke().reserve(8);
  EXPECT_GT(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
