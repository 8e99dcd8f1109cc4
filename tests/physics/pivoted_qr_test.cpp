// The QR factorization with pivoting against its definition: A Π = Q R, Q orthogonal, and the rank.
#include "physics/math/pivoted_qr.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <random>

#include "tests/support/allocation_counter.h"

namespace tenon::physics::pivoted_qr_test {
namespace {

using Eigen::MatrixXd;

constexpr unsigned kSeed = 4711;

MatrixXd randomMatrix(int rows, int columns, std::mt19937& random) {
  MatrixXd m(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) m(i, j) = std::uniform_real_distribution<double>(-1, 1)(random);
  return m;
}

MatrixXd orthogonalOf(const PivotedQr& qr) {
  MatrixXd Q = MatrixXd::Identity(qr.rows(), qr.rows());
  for (int k = 0; k < qr.rows(); ++k)
    qr.applyQ(std::span(Q.col(k).data(), static_cast<std::size_t>(qr.rows())));
  return Q;
}

MatrixXd triangleOf(const PivotedQr& qr) {
  MatrixXd R = MatrixXd::Zero(qr.rows(), qr.columns());
  for (int k = 0; k < qr.columns(); ++k)
    for (int i = 0; i <= k && i < qr.rank(); ++i) R(i, k) = qr.R(i, k);
  return R;
}

void factorize(PivotedQr& qr, const MatrixXd& A, double least = 1e-9) {
  qr.reset(static_cast<int>(A.rows()), static_cast<int>(A.cols())) = A;
  qr.factorize(least);
}

/// What is left of A Π − Q R, and of Qᵀ Q − 1.
void expectFactors(const PivotedQr& qr, const MatrixXd& A, double tolerance) {
  const MatrixXd Q = orthogonalOf(qr), QR = Q * triangleOf(qr);
  EXPECT_LE((Q.transpose() * Q - MatrixXd::Identity(qr.rows(), qr.rows())).cwiseAbs().maxCoeff(), 1e-14);
  std::vector<int> pivots;
  for (int k = 0; k < qr.columns(); ++k) {
    pivots.push_back(qr.pivot(k));
    EXPECT_LE((QR.col(k) - A.col(qr.pivot(k))).norm(), tolerance) << k;
  }
  std::sort(pivots.begin(), pivots.end());
  for (int k = 0; k < qr.columns(); ++k) EXPECT_EQ(pivots[k], k);
  for (int k = 1; k < qr.rank(); ++k)
    EXPECT_LE(std::abs(qr.R(k, k)), std::abs(qr.R(k - 1, k - 1)) * (1 + 1e-12));
}

TEST(PivotedQr, multipliesToTheMatrixThatItWasMadeOf) {
  std::mt19937 random(kSeed);
  PivotedQr qr;
  for (const auto& [rows, columns] : {std::pair(6, 3), {3, 6}, {12, 12}, {1, 1}, {1, 5}, {5, 1}, {54, 40}}) {
    SCOPED_TRACE(std::to_string(rows) + " × " + std::to_string(columns));
    const MatrixXd A = randomMatrix(rows, columns, random);
    factorize(qr, A);
    EXPECT_EQ(qr.rank(), std::min(rows, columns));
    expectFactors(qr, A, 1e-13);
  }
}

TEST(PivotedQr, findsTheRankOfDependentColumns) {
  std::mt19937 random(kSeed);
  PivotedQr qr;
  for (int rank = 1; rank <= 6; ++rank) {
    SCOPED_TRACE(rank);
    const MatrixXd A = randomMatrix(12, rank, random) * randomMatrix(rank, 9, random);
    factorize(qr, A);
    EXPECT_EQ(qr.rank(), rank);
    expectFactors(qr, A, 1e-12);
  }
  MatrixXd twice = randomMatrix(6, 4, random);
  twice.col(3) = -2 * twice.col(0);
  factorize(qr, twice);
  EXPECT_EQ(qr.rank(), 3);
}

TEST(PivotedQr, takesWhatIsLongerThanTheLeastForIndependent) {
  MatrixXd A = MatrixXd::Identity(3, 2);
  A.col(1) << 1, 1e-6, 0;
  PivotedQr qr;
  factorize(qr, A, 1e-7);
  EXPECT_EQ(qr.rank(), 2);
  factorize(qr, A, 1e-5);
  EXPECT_EQ(qr.rank(), 1);
}

TEST(PivotedQr, ofAnEmptyMatrixHasRankZeroAndKeepsVectors) {
  PivotedQr qr;
  for (const MatrixXd& A : {MatrixXd(0, 0), MatrixXd(4, 0), MatrixXd(0, 4), MatrixXd(MatrixXd::Zero(4, 3))}) {
    factorize(qr, A);
    EXPECT_EQ(qr.rank(), 0);
    EXPECT_EQ(orthogonalOf(qr), MatrixXd(MatrixXd::Identity(A.rows(), A.rows())));
  }
}

TEST(PivotedQr, undoesItsOrthogonalFactorAndItsTriangle) {
  std::mt19937 random(kSeed);
  PivotedQr qr;
  factorize(qr, randomMatrix(8, 2, random) * randomMatrix(2, 5, random));
  ASSERT_EQ(qr.rank(), 2);
  const MatrixXd R = triangleOf(qr).topLeftCorner(2, 2);
  const Eigen::VectorXd x = randomMatrix(8, 1, random);
  Eigen::VectorXd y = x;
  qr.applyQ(std::span(y.data(), 8));
  EXPECT_NEAR(y.norm(), x.norm(), 1e-14);
  EXPECT_GT((y - x).norm(), 0.1);
  qr.applyQTransposed(std::span(y.data(), 8));
  EXPECT_LE((y - x).norm(), 1e-14);
  qr.solveUpper(std::span(y.data(), 2));
  EXPECT_LE((R * y.head(2) - x.head(2)).norm(), 1e-13);
  y = x;
  qr.solveTransposed(std::span(y.data(), 2));
  EXPECT_LE((R.transpose() * y.head(2) - x.head(2)).norm(), 1e-13);
}

TEST(PivotedQr, startsFromZeroAndAllocatesNothingForTheSameSize) {
  std::mt19937 random(kSeed);
  PivotedQr qr;
  factorize(qr, randomMatrix(12, 10, random));
  const MatrixXd smaller = randomMatrix(6, 8, random);
  const std::int64_t before = tests::allocationCount();
  const PivotedQr::Matrix fresh = qr.reset(12, 10);
  const double left = fresh.cwiseAbs().maxCoeff();
  factorize(qr, smaller);
  EXPECT_EQ(tests::allocationCount() - before, 0);
  EXPECT_EQ(left, 0);
  expectFactors(qr, smaller, 1e-13);
}

}  // namespace
}  // namespace tenon::physics::pivoted_qr_test
