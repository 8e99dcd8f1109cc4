// Factorizations by blocks against dense ones of Eigen, and what they say where there is none.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>
#include <limits>
#include <random>

#include "physics/math/block_lu.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/coupling_graphs.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::CouplingGraph;
using Block = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}
  /// In [−1, 1).
  double next() { return static_cast<double>(random_()) / 2147483648.0 - 1; }
  Vector6 vector() {
    Vector6 v;
    for (double& x : v) x = next();
    return v;
  }
  Block block() {
    Block b;
    for (int k = 0; k < 6; ++k) b.col(k) = vector();
    return b;
  }

 private:
  std::mt19937 random_;
};

std::vector<CouplingGraph> graphs() {
  return {tests::chain(12),   tests::star(12),  tests::clique(9),
          tests::grid(6),     tests::apart(11), tests::pile(30, 1),
          tests::pile(80, 2), {"one", 1, {}},   {"two", 2, {{0, 1}, {1, 0}}}};
}

/// The same in blocks and dense: numbers without symmetry, and diagonal blocks that outweigh the others with
/// their rows in another order, so that nothing goes without exchanging rows.
MatrixXd fill(BlockLu& blocks, const BlockPattern& pattern, const CouplingGraph& graph, unsigned seed) {
  Numbers numbers(seed);
  MatrixXd dense = MatrixXd::Zero(6 * graph.bodies, 6 * graph.bodies);
  blocks.reset(pattern);
  const auto add = [&](int i, int j, const Block& block) {
    blocks.block(i, j) += block;
    dense.block<6, 6>(6 * i, 6 * j) += block;
  };
  for (const BodyCoupling& c : graph.couplings) {
    add(c.first, c.second, numbers.block());
    add(c.second, c.first, numbers.block());
  }
  for (int k = 0; k < graph.bodies; ++k) {
    const double others = dense.middleRows<6>(6 * k).cwiseAbs().rowwise().sum().maxCoeff();
    Block shifted = Block::Zero();
    for (int r = 0; r < 6; ++r) shifted(r, (r + 2) % 6) = others + 1;
    add(k, k, shifted + 0.1 * numbers.block());
  }
  return dense;
}

/// The same for a symmetric positive definite matrix: masses on the diagonal and g gᵀ for two contacts a
/// coupling, as contact forces make it. Of each pair of blocks one is added, above or below the diagonal.
MatrixXd fillSymmetric(BlockLu& blocks, const BlockPattern& pattern, const CouplingGraph& graph,
                       unsigned seed) {
  Numbers numbers(seed);
  MatrixXd dense = MatrixXd::Zero(6 * graph.bodies, 6 * graph.bodies);
  blocks.reset(pattern);
  for (int k = 0; k < graph.bodies; ++k) {
    const Vector6 mass = Vector6::Constant(1.1) + numbers.vector();
    blocks.block(k, k) += Block(mass.asDiagonal());
    dense.block<6, 6>(6 * k, 6 * k) += Block(mass.asDiagonal());
  }
  for (const BodyCoupling& c : graph.couplings) {
    for (int contact = 0; contact < 2; ++contact) {
      const Vector6 a = numbers.vector(), b = numbers.vector();
      blocks.block(c.first, c.first) += a * a.transpose();
      blocks.block(c.second, c.second) += b * b.transpose();
      if (contact == 0)
        blocks.block(c.first, c.second) += a * b.transpose();
      else
        blocks.block(c.second, c.first) += b * a.transpose();
      VectorXd g = VectorXd::Zero(dense.rows());
      g.segment<6>(6 * c.first) = a;
      g.segment<6>(6 * c.second) = b;
      dense += g * g.transpose();
    }
  }
  return dense;
}

void expectDenseSolution(const CouplingGraph& graph, BlockPattern& pattern, BlockLu& factors, unsigned seed,
                         bool symmetric) {
  SCOPED_TRACE(graph.name + ", seed " + std::to_string(seed));
  pattern.analyze(graph.bodies, graph.couplings);
  const MatrixXd dense =
      symmetric ? fillSymmetric(factors, pattern, graph, seed) : fill(factors, pattern, graph, seed);
  Numbers numbers(seed + 1000);
  VectorXd rhs(dense.rows());
  for (double& x : rhs) x = numbers.next();
  ASSERT_TRUE(factors.factorize(symmetric));
  // Twice: the factors are still there.
  for (int k = 0; k < 2; ++k) {
    VectorXd x = rhs;
    factors.solve({x.data(), static_cast<std::size_t>(x.size())});
    const VectorXd reference = dense.fullPivLu().solve(rhs);
    // Conditions are some 10² to 10³; rounding is 10⁻¹⁶ times that and the number of rows.
    EXPECT_LE((x - reference).cwiseAbs().maxCoeff(), 1e-10 * reference.cwiseAbs().maxCoeff());
    EXPECT_LE((dense * x - rhs).cwiseAbs().maxCoeff(),
              1e-13 * dense.cwiseAbs().rowwise().sum().maxCoeff() * x.cwiseAbs().maxCoeff());
  }
}

/// One pattern and one set of factors for all graphs in a row, as islands reuse them.
TEST(BlockLu, solvesAsADenseMatrixDoes) {
  BlockPattern pattern;
  BlockLu factors;
  unsigned seed = 1;
  for (const bool symmetric : {false, true, false}) {
    const auto expect = [&](const CouplingGraph& graph) {
      expectDenseSolution(graph, pattern, factors, seed++, symmetric);
    };
    for (const CouplingGraph& graph : graphs()) expect(graph);
    // Other numbers on the same graph, and a smaller graph after a larger one.
    expect(tests::pile(80, 2));
    expect(tests::pile(80, 2));
    expect(tests::chain(3));
  }
}

TEST(BlockLu, singularMatrixIsRefused) {
  const CouplingGraph graph = tests::grid(4);
  BlockPattern pattern;
  pattern.analyze(graph.bodies, graph.couplings);
  BlockLu factors;
  for (int body = 0; body < graph.bodies; ++body) {
    SCOPED_TRACE(body);
    // A row of zeros, of a matrix that is good without.
    fill(factors, pattern, graph, 1);
    ASSERT_TRUE(factors.factorize());
    fill(factors, pattern, graph, 1);
    factors.block(body, body).row(3).setZero();
    for (const BodyCoupling& c : graph.couplings) {
      if (c.first == body) factors.block(body, c.second).row(3).setZero();
      if (c.second == body) factors.block(body, c.first).row(3).setZero();
    }
    EXPECT_FALSE(factors.factorize());
    // The same of a symmetric one, with its column.
    fillSymmetric(factors, pattern, graph, 1);
    ASSERT_TRUE(factors.factorize(true));
    fillSymmetric(factors, pattern, graph, 1);
    const auto clear = [&](int i, int j) {
      factors.block(i, j).row(3).setZero();
      factors.block(j, i).col(3).setZero();
    };
    clear(body, body);
    for (const BodyCoupling& c : graph.couplings) {
      if (c.first == body) clear(body, c.second);
      if (c.second == body) clear(body, c.first);
    }
    EXPECT_FALSE(factors.factorize(true));
  }
}

/// [0 1; 1 0] by blocks: regular and indefinite, but not without exchanging rows of different bodies.
TEST(BlockLu, exchangeOfBodiesIsNeededAndReported) {
  BlockPattern pattern;
  pattern.analyze(2, std::vector<BodyCoupling>{{0, 1}});
  BlockLu factors;
  factors.reset(pattern);
  factors.block(0, 1).setIdentity();
  factors.block(1, 0).setIdentity();
  EXPECT_FALSE(factors.factorize());
  factors.reset(pattern);
  factors.block(0, 1).setIdentity();
  EXPECT_FALSE(factors.factorize(true));
}

TEST(BlockLu, whatIsNoNumberIsRefusedWhereverItStands) {
  const CouplingGraph graph = tests::grid(3);
  BlockPattern pattern;
  pattern.analyze(graph.bodies, graph.couplings);
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const BodyCoupling& c : graph.couplings) {
      for (const auto& [i, j] : {std::pair{c.first, c.second}, {c.second, c.first}, {c.first, c.first}}) {
        for (int row = 0; row < 6; ++row) {
          BlockLu factors;
          fill(factors, pattern, graph, 1);
          factors.block(i, j)(row, 2) = wrong;
          EXPECT_FALSE(factors.factorize()) << wrong << " at " << i << ", " << j << ", row " << row;
          fillSymmetric(factors, pattern, graph, 1);
          factors.block(i, j)(row, 2) = wrong;
          EXPECT_FALSE(factors.factorize(true)) << wrong << " at " << i << ", " << j << ", row " << row;
        }
      }
    }
  }
}

TEST(BlockLu, allocatesNothingOnceLargeEnough) {
  const CouplingGraph large = tests::pile(60, 1), small = tests::grid(5);
  BlockPattern largePattern, smallPattern;
  largePattern.analyze(large.bodies, large.couplings);
  smallPattern.analyze(small.bodies, small.couplings);
  BlockLu factors;
  std::vector<double> x(6 * static_cast<std::size_t>(large.bodies), 1);
  const auto solve = [&](const BlockPattern& pattern, bool symmetric) {
    factors.reset(pattern);
    const Block mass = 3 * Block::Identity(), coupling = 0.01 * Block::Ones();
    for (int k = 0; k < pattern.bodies(); ++k) {
      factors.block(k, k) += mass;
      const std::span<const BlockPattern::RowEntry> row = pattern.row(k);
      for (const auto& [column, entry] : row)
        factors.block(pattern.body(k), pattern.body(column)) += coupling;
    }
    ASSERT_TRUE(factors.factorize(symmetric));
    factors.solve(std::span(x).first(6 * static_cast<std::size_t>(pattern.bodies())));
  };
  solve(largePattern, false);
  const auto before = tests::allocationCount();
  for (const bool symmetric : {false, true}) {
    solve(smallPattern, symmetric);
    solve(largePattern, symmetric);
  }
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
