// Whitney's wedging condition and jamming diagram against their own geometry.
#include "runtime/assess/whitney.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace tenon::runtime {
namespace {

using Eigen::Vector2d;

constexpr double kRadius = 0.005;

Push pushAt(double fxOverFz, double momentOverRFz, double lambda, double mu) {
  const double fz = 7;
  return {.fx = fxOverFz * fz,
          .fz = fz,
          .moment = momentOverRFz * kRadius * fz,
          .radius = kRadius,
          .length = 2 * kRadius * mu * lambda,
          .mu = mu};
}

/// The corners as Whitney gives them, counter-clockwise from the lower right.
std::array<Vector2d, 4> corners(double lambda, double mu) {
  return {Vector2d(1 / mu, -(2 * lambda + 1)), Vector2d(1 / mu, -1), Vector2d(-1 / mu, 2 * lambda + 1),
          Vector2d(-1 / mu, 1)};
}

bool isInside(const std::array<Vector2d, 4>& polygon, const Vector2d& p) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector2d edge = polygon[(k + 1) % 4] - polygon[k], to = p - polygon[k];
    if (edge.x() * to.y() - edge.y() * to.x() < 0) return false;
  }
  return true;
}

TEST(JammingDiagram, IsTheParallelogramOfItsFourCorners) {
  const unsigned seed = 20240817;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  int inside = 0;
  for (int k = 0; k < 20000; ++k) {
    const double mu = 0.05 + unit(random), lambda = 0.05 + 5 * unit(random);
    const Vector2d p((2 * unit(random) - 1) * 1.2 / mu, (2 * unit(random) - 1) * 1.2 * (2 * lambda + 1));
    const bool expected = isInside(corners(lambda, mu), p);
    inside += expected ? 1 : 0;
    ASSERT_EQ(jammingPoint(pushAt(p.x(), p.y(), lambda, mu)).inside(), expected)
        << p.transpose() << " λ " << lambda << " μ " << mu;
  }
  EXPECT_GT(inside, 2000);
  EXPECT_LT(inside, 18000);
}

TEST(JammingDiagram, NamesTheSideThatIsCrossed) {
  const double lambda = 1.5, mu = 0.3;
  const auto c = corners(lambda, mu);
  const std::array<JamSide, 4> sides{JamSide::lateralPlus, JamSide::momentPlus, JamSide::lateralMinus,
                                     JamSide::momentMinus};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector2d middle = 0.5 * (c[k] + c[(k + 1) % 4]);
    const auto at = [&](double factor) {
      return jammingPoint(pushAt(factor * middle.x(), factor * middle.y(), lambda, mu));
    };
    EXPECT_TRUE(at(0.999).inside()) << k;
    EXPECT_NEAR(at(0.999).utilization, 0.999, 1e-12) << k;
    EXPECT_EQ(at(1.001).side, sides[k]) << k;
    EXPECT_NEAR(at(1.001).utilization, 1.001, 1e-12) << k;
  }
}

TEST(JammingDiagram, HasNoBadNumbersWithoutFrictionDepthOrPush) {
  EXPECT_TRUE(jammingPoint({.fx = 5, .fz = 1, .moment = 9, .radius = kRadius, .length = 0.01}).inside());
  EXPECT_EQ(jammingPoint({.fz = 1, .radius = kRadius, .mu = 0.3}).utilization, 0);
  EXPECT_EQ(jammingPoint({.fz = 1, .moment = -1, .radius = kRadius, .mu = 0.3}).side, JamSide::momentMinus);
  for (const double fz : {0.0, -1.0}) {
    const JammingPoint none = jammingPoint({.fx = 1, .fz = fz, .radius = kRadius, .length = 0.01, .mu = 0.3});
    EXPECT_EQ(none.side, JamSide::noPush);
    EXPECT_EQ(none.utilization, 0);
  }
}

TEST(Wedging, BeginsWhereTheFrictionConesContainEachOthersPoint) {
  const double mu = 0.4;
  for (const double ratio : {0.1, 0.3999, 0.4001, 1.0}) {
    const double length = ratio * 2 * kRadius;
    // Upright: the contacts lie across the bore, and their normals point at each other's side.
    const bool cones = conesContainEachOther({kRadius, 0}, {-1, 0}, mu, {-kRadius, length}, {1, 0}, mu);
    EXPECT_EQ(cones, ratio < mu) << ratio;
    EXPECT_EQ(wedgingPossible(length, 2 * kRadius, mu), ratio < mu) << ratio;
  }
}

TEST(Wedging, NeedsBothConesAndNormalsThatFaceEachOther) {
  const Vector2d p1(kRadius, 0), p2(-kRadius, 0.002);
  EXPECT_TRUE(conesContainEachOther(p1, {-1, 0}, 0.4, p2, {1, 0}, 0.4));
  EXPECT_FALSE(conesContainEachOther(p1, {-1, 0}, 0.4, p2, {1, 0}, 0.1));
  EXPECT_FALSE(conesContainEachOther(p1, {-1, 0}, 0.1, p2, {1, 0}, 0.4));
  EXPECT_FALSE(conesContainEachOther(p1, {1, 0}, 0.4, p2, {-1, 0}, 0.4));
  EXPECT_FALSE(conesContainEachOther(p1, {-1, 0}, 0.4, p1, {1, 0}, 0.4));  // no line
  EXPECT_FALSE(conesContainEachOther(p1, {0, 0}, 0.4, p2, {0, 0}, 0.4));   // no normals
  EXPECT_FALSE(wedgingPossible(0, 2 * kRadius, 0));
}

}  // namespace
}  // namespace tenon::runtime
