// Free coordinates under joints, against dense matrices: orthonormal directions, closing velocity, forces.
#include "physics/joint/joint_space.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <random>

#include "tests/support/allocation_counter.h"

namespace tenon::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr unsigned kJointSeed = 4711;
constexpr double kJointStep = 1e-3;

/// Bodies with random masses, joined by `joints` (a, b, equations; −1: the world).
struct Joined {
  struct Link {
    int a, b, count;
  };
  std::mt19937 random{kJointSeed};
  std::vector<Matrix6d> massFactor;
  std::vector<JointRows> joints;
  std::vector<double> free;
  JointSpace space;

  Joined(int bodies, const std::vector<Link>& links) {
    for (int k = 0; k < bodies; ++k) {
      // The upper triangle must not be read.
      Matrix6d L = sample(6, 6);
      L.diagonal() = L.diagonal().cwiseAbs().array() + 0.5;
      massFactor.push_back(L);
    }
    for (const Link& link : links) {
      JointRows joint;
      joint.a = link.a;
      joint.b = link.b;
      joint.count = link.count;
      joint.Ga = sample(6, 6);
      joint.Gb = sample(6, 6);
      joint.b0 = sample(6, 1);
      joints.push_back(joint);
    }
    const VectorXd u = sample(6 * bodies, 1);
    free.assign(u.begin(), u.end());
    build();
  }
  void build() {
    space.build(massFactor, joints);
    space.computeClosingVelocity(joints, free, kJointStep);
  }
  MatrixXd sample(int rows, int columns) {
    MatrixXd m(rows, columns);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) m(i, j) = std::uniform_real_distribution<double>(-1, 1)(random);
    return m;
  }

  int bodies() const { return static_cast<int>(massFactor.size()); }
  int equations() const {
    int count = 0;
    for (const JointRows& joint : joints) count += joint.count;
    return count;
  }
  MatrixXd L() const {
    MatrixXd all = MatrixXd::Zero(6 * bodies(), 6 * bodies());
    for (int k = 0; k < bodies(); ++k)
      all.block<6, 6>(6 * k, 6 * k) = massFactor[k].triangularView<Eigen::Lower>();
    return all;
  }
  /// G of all equations, one a column.
  MatrixXd G() const {
    MatrixXd all = MatrixXd::Zero(6 * bodies(), equations());
    int at = 0;
    for (const JointRows& joint : joints)
      for (int k = 0; k < joint.count; ++k, ++at) {
        if (joint.a >= 0) all.block<6, 1>(6 * joint.a, at) += joint.Ga.col(k);
        if (joint.b >= 0) all.block<6, 1>(6 * joint.b, at) += joint.Gb.col(k);
      }
    return all;
  }
  VectorXd b0() const {
    VectorXd all(equations());
    int at = 0;
    for (const JointRows& joint : joints)
      for (int k = 0; k < joint.count; ++k) all[at++] = joint.b0[k];
    return all;
  }
  /// ũ of all bodies.
  VectorXd velocity(const VectorXd& w) const {
    VectorXd v(6 * bodies());
    for (int k = 0; k < bodies(); ++k)
      v.segment<6>(6 * k) = space.velocity(k, std::span(w.data(), static_cast<std::size_t>(w.size())));
    return v;
  }
  VectorXd closing() const { return velocity(VectorXd::Zero(6 * space.blocks())); }
  MatrixXd Z() const {
    const int size = 6 * space.blocks();
    MatrixXd all(6 * bodies(), size);
    for (int k = 0; k < size; ++k) all.col(k) = velocity(VectorXd::Unit(size, k)) - closing();
    return all;
  }
  /// λ of all equations for the velocities `rest`.
  VectorXd forces(const VectorXd& rest) {
    std::vector<Vector6d> lambda(joints.size());
    space.forces(std::span(rest.data(), static_cast<std::size_t>(rest.size())), kJointStep, lambda);
    VectorXd all(equations());
    int at = 0;
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (int k = 0; k < joints[j].count; ++k) all[at++] = lambda[j][k];
    return all;
  }
  int rank() const {
    return static_cast<int>(
        MatrixXd(L().triangularView<Eigen::Lower>().solve(G())).colPivHouseholderQr().rank());
  }
  void repeat(std::size_t joint) {
    joints.push_back(joints[joint]);
    build();
  }
};

/// A chain from the world, a pair, a body on its own, and one held by the world alone.
Joined mixed() {
  return {7, {{-1, 0, 5}, {0, 1, 3}, {1, 2, 5}, {6, 4, 4}, {-1, 5, 6}}};
}

/// The same with redundant joints.
Joined redundant() {
  Joined it = mixed();
  it.repeat(0);
  it.repeat(2);
  it.repeat(3);
  return it;
}

void expectBasis(const Joined& it) {
  const MatrixXd Z = it.Z(), square = Z.transpose() * Z;
  double free = 0;
  for (int k = 0; k < square.rows(); ++k) {
    EXPECT_NEAR(square(k, k), square(k, k) > 0.5 ? 1 : 0, 1e-13) << k;
    free += square(k, k);
  }
  EXPECT_LE((square - MatrixXd(square.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_NEAR(free, 6 * it.bodies() - it.rank(), 1e-12);
  const MatrixXd rows = it.L().triangularView<Eigen::Lower>().solve(it.G());
  EXPECT_LE((rows.transpose() * Z).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(JointSpace, hasOrthonormalDirectionsThatSatisfyEveryJoint) {
  expectBasis(mixed());
  expectBasis(redundant());
}

TEST(JointSpace, reducesRowsByTheSameDirections) {
  for (Joined it : {mixed(), redundant()}) {
    const MatrixXd Z = it.Z();
    for (int body = 0; body < it.bodies(); ++body) {
      const Vector6d h = it.sample(6, 1);
      VectorXd reduced = VectorXd::Zero(6 * it.space.blocks());
      for (int n = 0; n < it.space.blockCount(body); ++n)
        reduced.segment<6>(6 * (it.space.firstBlock(body) + n)) = it.space.reduced(body, n, h);
      const VectorXd expected = Z.middleRows(6 * body, 6).transpose() * h;
      // Z comes as a difference from velocities some 10³ large.
      EXPECT_LE((reduced - expected).norm(), 1e-11) << body;
    }
  }
}

TEST(JointSpace, closesEveryEquationByTheShortestVelocity) {
  for (Joined it : {mixed(), redundant()}) {
    const VectorXd w = it.sample(6 * it.space.blocks(), 1);
    const VectorXd free = Eigen::Map<const VectorXd>(it.free.data(), 6 * it.bodies());
    const MatrixXd toVelocity = it.L().transpose().inverse();
    for (const VectorXd& scaled : {it.closing(), it.velocity(w)}) {
      const VectorXd u = free + toVelocity * scaled;
      EXPECT_LE((it.b0() + kJointStep * it.G().transpose() * u).cwiseAbs().maxCoeff(), 1e-10);
    }
    EXPECT_LE((it.Z().transpose() * it.closing()).cwiseAbs().maxCoeff(), 1e-13 * it.closing().norm());
  }
}

TEST(JointSpace, returnsTheForcesOfItsJoints) {
  Joined it = mixed();
  const VectorXd lambda = it.sample(it.equations(), 1);
  const VectorXd rest = kJointStep * it.L().triangularView<Eigen::Lower>().solve(it.G() * lambda);
  EXPECT_LE((it.forces(rest) - lambda).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(JointSpace, sharesForcesOfRedundantJointsByTheSmallest) {
  Joined it = redundant();
  const MatrixXd rows = it.L().triangularView<Eigen::Lower>().solve(it.G());
  const VectorXd rest = kJointStep * rows * it.sample(it.equations(), 1);
  const VectorXd lambda = it.forces(rest);
  EXPECT_LE((kJointStep * rows * lambda - rest).norm(), 1e-12 * rest.norm());
  // Smallest in units of its own row's length.
  const VectorXd lengths = rows.colwise().norm();
  const MatrixXd unit = rows * lengths.cwiseInverse().asDiagonal();
  const VectorXd smallest =
      VectorXd(unit.completeOrthogonalDecomposition().solve(rest)).cwiseQuotient(kJointStep * lengths);
  EXPECT_LE((lambda - smallest).cwiseAbs().maxCoeff(), 1e-10);
  // For a joint given twice, one half each.
  EXPECT_LE((lambda.head(5) - lambda.segment(23, 5)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(JointSpace, withoutJointsIsEachBodyItsOwnBlock) {
  Joined it(3, {});
  EXPECT_EQ(it.space.clusters(), 0);
  EXPECT_EQ(it.space.blocks(), 3);
  const VectorXd w = it.sample(18, 1);
  EXPECT_EQ(it.velocity(w), w);
  for (int body = 0; body < 3; ++body) {
    EXPECT_EQ(it.space.firstBlock(body), body);
    EXPECT_EQ(it.space.blockCount(body), 1);
    EXPECT_EQ(it.space.closingVelocity(body), Vector6d::Zero());
  }
}

TEST(JointSpace, ofAFullyConstrainedBodyHasNoBlock) {
  Joined it(2, {{-1, 1, 6}});
  EXPECT_EQ(it.space.clusters(), 1);
  EXPECT_EQ(it.space.blocks(), 1);
  EXPECT_EQ(it.space.blockCount(0), 1);
  EXPECT_EQ(it.space.blockCount(1), 0);
}

TEST(JointSpace, ignoresEquationsWithoutDirection) {
  Joined it(1, {{-1, 0, 3}});
  it.joints[0].Gb.col(1).setZero();
  it.build();
  expectBasis(it);
  const VectorXd lambda = it.forces(VectorXd::Ones(6));
  EXPECT_EQ(lambda[1], 0);
  EXPECT_TRUE(lambda.allFinite());
}

TEST(JointSpace, allocatesNothingWhenItIsBuiltAgain) {
  Joined it = redundant();
  std::vector<Vector6d> lambda(it.joints.size());
  const std::vector<double> rest(static_cast<std::size_t>(6 * it.bodies()), 1.0);
  it.space.forces(rest, kJointStep, lambda);
  const std::int64_t before = tests::allocationCount();
  it.build();
  it.space.forces(rest, kJointStep, lambda);
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

}  // namespace
}  // namespace tenon::physics
