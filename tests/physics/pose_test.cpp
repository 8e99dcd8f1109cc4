// Rotations and poses against Eigen's own rotation matrices and against their algebra.
#include "physics/math/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "physics/body/body_state.h"

namespace tenon::physics::pose_test {
namespace {

using std::numbers::pi;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Vector3d vector() { return {normal_(engine_), normal_(engine_), normal_(engine_)}; }
  Vector3d direction() { return vector().normalized(); }
  Pose pose() { return {exponential(vector()), vector()}; }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

TEST(Pose, SkewIsTheCrossProduct) {
  SCOPED_TRACE("seed 1");
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Vector3d a = random.vector(), b = random.vector();
    EXPECT_LE((skew(a) * b - a.cross(b)).norm(), 1e-15 * a.norm() * b.norm());
    EXPECT_EQ(skew(a).transpose(), -skew(a));
  }
}

TEST(Pose, ExponentialIsTheRotationAboutTheAxis) {
  SCOPED_TRACE("seed 2");
  Random random(2);
  for (double angle :
       {0.0, 1e-300, 1e-17, 1e-9, 9e-5, 2e-4, 2.1e-4, 0.1, 1.0, pi / 2, 3.0, pi, 4.0, 2 * pi, 50.0}) {
    for (int k = 0; k < 50; ++k) {
      const Vector3d axis = random.direction();
      const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      const Quaterniond q = exponential(angle * axis);
      EXPECT_NEAR(q.norm(), 1, 4e-16);
      EXPECT_LE((q.toRotationMatrix() - expected).norm(), 1e-15 * (1 + angle) * 4) << "angle " << angle;
      // Small rotations keep their relative accuracy: the vector part is half the rotation vector.
      if (angle < 1e-5) {
        EXPECT_LE((2 * q.vec() - angle * axis).norm(), 1e-10 * angle);
      }
    }
  }
  EXPECT_EQ(exponential(Vector3d::Zero()).coeffs(), Quaterniond::Identity().coeffs());
}

TEST(Pose, LeftJacobianIsTheDerivativeOfTheExponential) {
  for (const double angle : {0.0, 1e-9, 5e-3, 9.99e-3, 1.001e-2, 0.3, 2.0, 6.0}) {
    const Vector3d phi = angle * Vector3d(0.48, -0.6, 0.64), change(3e-7, 5e-7, -4e-7);
    const Quaterniond turn = exponential(phi + change) * exponential(phi - change).conjugate();
    EXPECT_LE((logarithm(turn) - 2 * leftJacobian(phi) * change).norm(), 1e-14) << angle;
  }
}

TEST(Pose, LogarithmUndoesTheExponentialUpToPi) {
  SCOPED_TRACE("seed 3");
  Random random(3);
  for (double angle : {0.0,  1e-300,    1e-200,    1e-20,     1e-13,      1e-12,     1.9e-12, 2.1e-12,
                       1e-9, 1e-8,      1e-5,      1.9e-4,    2.1e-4,     0.01,      1.0,     2.0,
                       3.0,  pi - 1e-3, pi - 1e-6, pi - 1e-9, pi - 1e-12, pi - 1e-15}) {
    for (int k = 0; k < 50; ++k) {
      const Vector3d phi = angle * random.direction();
      EXPECT_LE((logarithm(exponential(phi)) - phi).norm(), 4e-16 * (1 + angle) * std::min(1.0, angle) * 4)
          << "angle " << angle;
    }
  }
}

TEST(Pose, LogarithmOfLongerTurnsTakesTheShortWayRound) {
  SCOPED_TRACE("seed 4");
  Random random(4);
  for (double angle : {pi + 1e-9, pi + 1e-3, 4.0, 5.0, 6.0, 2 * pi - 1e-6}) {
    for (int k = 0; k < 50; ++k) {
      const Vector3d axis = random.direction();
      const Vector3d phi = logarithm(exponential(angle * axis));
      EXPECT_LE(phi.norm(), pi);
      EXPECT_LE((phi - (angle - 2 * pi) * axis).norm(), 1e-14) << "angle " << angle;
    }
  }
}

TEST(Pose, LogarithmAtExactlyHalfATurnKeepsTheRotation) {
  SCOPED_TRACE("seed 5");
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const Vector3d axis = random.direction();
    const Quaterniond q(0, axis.x(), axis.y(), axis.z());
    const Vector3d phi = logarithm(q);
    EXPECT_NEAR(phi.norm(), pi, 1e-15);
    EXPECT_LE((exponential(phi).toRotationMatrix() - q.toRotationMatrix()).norm(), 2e-15);
  }
}

TEST(Pose, QuaternionsOfOppositeSignAreOneRotation) {
  SCOPED_TRACE("seed 6");
  Random random(6);
  for (int k = 0; k < 200; ++k) {
    const Quaterniond q = exponential(random.vector());
    EXPECT_EQ(logarithm(q), logarithm(Quaterniond(-q.coeffs())));
  }
}

TEST(Pose, CompositionReadsFromTheRight) {
  SCOPED_TRACE("seed 7");
  Random random(7);
  for (int k = 0; k < 100; ++k) {
    const Pose X_AB = random.pose(), X_BC = random.pose(), X_CD = random.pose();
    const Vector3d p = random.vector();
    EXPECT_LE((X_AB * X_BC * p - X_AB * (X_BC * p)).norm(), 1e-14);
    EXPECT_LE(((X_AB * X_BC) * X_CD * p - X_AB * (X_BC * X_CD) * p).norm(), 2e-14);
    EXPECT_LE((X_AB.inverse() * (X_AB * p) - p).norm(), 1e-14);
    EXPECT_LE((X_AB * X_AB.inverse() * p - p).norm(), 1e-14);
    // p_A = R p_B + origin of B in A.
    EXPECT_LE((X_AB * p - (X_AB.q.toRotationMatrix() * p + X_AB.p)).norm(), 1e-14);
  }
  const Pose quarterTurn{exponential({0, 0, pi / 2}), {1, 0, 0}};
  EXPECT_LE((quarterTurn * Vector3d(1, 0, 0) - Vector3d(1, 1, 0)).norm(), 1e-15);
}

TEST(Pose, AdvanceTurnsAboutTheOuterAxes) {
  // Already turned about z; ω along the outer x must carry the body's z axis towards −y.
  const Pose X{exponential({0, 0, pi / 2}), {1, 2, 3}};
  const Pose moved = advance(X, {0.5, 0, -1}, {pi, 0, 0}, 0.5);
  EXPECT_LE((moved.p - Vector3d(1.25, 2, 2.5)).norm(), 1e-15);
  EXPECT_LE((moved.q * Vector3d::UnitZ() - Vector3d(0, -1, 0)).norm(), 1e-15);
  EXPECT_LE((moved.q * Vector3d::UnitX() - Vector3d(0, 0, 1)).norm(), 1e-15);
}

TEST(Pose, AMillionAdvancesKeepTheUnitQuaternionAndTheAngle) {
  BodyState state;
  const Vector3d omega(3, -7, 11);
  const double dt = 1e-3;
  double worst = 0;
  for (int k = 0; k < 1000000; ++k) {
    state.X_WC = advance(state.X_WC, Vector3d(1e-3, 0, 0), omega, dt);
    worst = std::max(worst, std::abs(state.X_WC.q.norm() - 1));
  }
  EXPECT_LE(worst, 4e-16);
  // A constant ω is integrated exactly by the exponential map, whatever the step: 13 400 rad in all,
  // each step's rounding a random walk.
  const Quaterniond expected = exponential(std::fmod(1000 * omega.norm(), 4 * pi) * omega.normalized());
  EXPECT_LE(logarithm(state.X_WC.q * expected.conjugate()).norm(), 1e-10);
  EXPECT_NEAR(state.X_WC.p.x(), 1.0, 1e-9);
}

TEST(Pose, AdvanceBackReturns) {
  SCOPED_TRACE("seed 10");
  Random random(10);
  for (int k = 0; k < 100; ++k) {
    const Pose X = random.pose();
    const Vector3d v = random.vector(), omega = 10 * random.vector();
    const Pose back = advance(advance(X, v, omega, 0.1), v, omega, -0.1);
    EXPECT_LE((back.p - X.p).norm(), 1e-15 * 10);
    EXPECT_LE(logarithm(back.q * X.q.conjugate()).norm(), 2e-15);
  }
}

}  // namespace
}  // namespace tenon::physics::pose_test
