// Least clearances: none is missed although most frames are not measured, and far parts are not reported.
#include "runtime/assess/clearance_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "runtime/report/clearance_readout.h"
#include "tests/support/share.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::ClearanceTracker;

content::Scene sceneOf(const std::vector<physics::Shape>& shapes) {
  content::Scene scene;
  for (const physics::Shape& shape : shapes) {
    content::Part part;
    part.shape = shape;
    scene.parts.push_back(std::move(part));
  }
  return scene;
}

TEST(ClearanceTracker, BallThatPassesABallIsNearestBesideIt) {
  const double r = 0.005, R = 0.008, beside = 0.02;
  ClearanceTracker clearance(sceneOf({physics::Sphere{r}, physics::Sphere{R}}));
  std::vector<Pose> X_WP = {Pose(), Pose::at({0, beside, 0})};
  for (int k = -200; k <= 200; ++k) {
    X_WP[0] = {physics::exponential({0.3 * k, 0.1 * k, 0}), {0.001 * k, 0, 0}};
    clearance.update(0, 0.01 * (k + 200), X_WP);
  }
  const auto nearest = clearance.between(0, 1);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->distance, beside - r - R, 1e-12);
  EXPECT_NEAR(nearest->time, 2, 1e-12);
  EXPECT_FALSE(clearance.between(1, 0)) << "no hand held the other one";
}

TEST(ClearanceTracker, PartThatStayedFarAwayIsNotReported) {
  ClearanceTracker clearance(sceneOf({physics::Sphere{0.01}, physics::Sphere{0.01}}));
  const double apart = 0.02 + ClearanceTracker::kMaxDistance;
  clearance.update(0, 0, std::vector<Pose>{Pose(), Pose::at({apart + 1e-6, 0, 0})});
  EXPECT_FALSE(clearance.between(0, 1));
  clearance.update(0, 1, std::vector<Pose>{Pose(), Pose::at({apart - 1e-6, 0, 0})});
  ASSERT_TRUE(clearance.between(0, 1));
  EXPECT_NEAR(clearance.between(0, 1)->distance, ClearanceTracker::kMaxDistance - 1e-6, 1e-12);
}

/// Of parts that tumble about, shapes of several pieces and off their origins among them, each moment
/// measured beside.
TEST(ClearanceTracker, OnRandomPathsIsTheLeastOfAllFrames) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const auto vector = [&](double size) -> Vector3d {
    return size * Vector3d(normal(random), normal(random), normal(random));
  };
  const physics::SolidOfRevolution peg{
      {{-0.03, 0}, {-0.03, 0.003}, {-0.029, 0.004}, {0, 0.004}, {0, 0.0065}, {0.008, 0.0065}, {0.008, 0}}};
  const physics::Compound aside{{{physics::Box{{0.03, 0.004, 0.006}}, Pose::at({0.05, 0, 0})},
                                 {physics::Sphere{0.006}, Pose::at({0.05, 0.02, 0})}}};
  const content::Scene scene =
      sceneOf({physics::Box{{0.03, 0.004, 0.006}}, peg, aside, physics::HalfSpace{}});
  int reported = 0;
  for (int path = 0; path < 40 / test::kShare; ++path) {
    const int held = path % 3;
    ClearanceTracker clearance(scene);
    runtime::ClearanceReadout readout(scene);
    std::vector<Pose> X_WP(4);
    for (std::size_t k = 0; k < 3; ++k)
      X_WP[k] = {physics::exponential(vector(1)),
                 Vector3d(0.04 * static_cast<double>(k), 0, 0.12) + vector(0.03)};
    std::array<double, 4> least;
    least.fill(ClearanceTracker::kMaxDistance);
    for (int k = 0; k < 200; ++k) {
      for (int body = 0; body < 3; ++body) {
        Pose& X = X_WP[static_cast<std::size_t>(body)];
        X = {(X.q * physics::exponential(vector(0.02))).normalized(), X.p + vector(0.001)};
      }
      clearance.update(held, 0.01 * k, X_WP);
      for (int other = 0; other < 4; ++other) {
        if (other == held) continue;
        double& shortest = least[static_cast<std::size_t>(other)];
        shortest = std::min(shortest,
                            readout.gapBetween(std::min(held, other), std::max(held, other), X_WP)->distance);
      }
    }
    for (int other = 0; other < 4; ++other) {
      if (other == held) continue;
      const auto nearest = clearance.between(held, other);
      const double expected = least[static_cast<std::size_t>(other)];
      EXPECT_EQ(nearest.has_value(), expected < ClearanceTracker::kMaxDistance);
      if (!nearest) continue;
      ++reported;
      // After a contact only its occurrence is reported.
      EXPECT_NEAR(std::max(nearest->distance, 0.0), std::max(expected, 0.0), 1e-9) << "path " << path;
    }
  }
  EXPECT_GT(reported, 80 / test::kShare);
}

TEST(ClearanceTracker, PairThatIsLeftOutIsNotMeasured) {
  ClearanceTracker clearance(sceneOf({physics::Sphere{0.01}, physics::Sphere{0.01}, physics::Sphere{0.01}}));
  clearance.exclude(0, 1);
  clearance.update(0, 0, std::vector<Pose>{Pose(), Pose::at({0.03, 0, 0}), Pose::at({0, 0.04, 0})});
  EXPECT_FALSE(clearance.between(0, 1));
  ASSERT_TRUE(clearance.between(0, 2));
  EXPECT_NEAR(clearance.between(0, 2)->distance, 0.02, 1e-12);
}

}  // namespace
}  // namespace tenon::tests
