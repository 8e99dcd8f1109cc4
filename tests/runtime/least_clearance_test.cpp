// Least clearances: none is missed although most moments are not measured, and far parts are not told.
#include "runtime/record/least_clearance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/assess/clearance_readout.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::LeastClearance;

content::Scene sceneOf(const std::vector<physics::Shape>& shapes) {
  content::Scene scene;
  for (const physics::Shape& shape : shapes) {
    content::Part part;
    part.shape = shape;
    scene.parts.push_back(std::move(part));
  }
  return scene;
}

TEST(LeastClearance, BallThatPassesABallIsNearestBesideIt) {
  const double r = 0.005, R = 0.008, beside = 0.02;
  LeastClearance clearance(sceneOf({physics::Sphere{r}, physics::Sphere{R}}));
  std::vector<Pose> X_WP = {Pose(), Pose::at({0, beside, 0})};
  for (int k = -200; k <= 200; ++k) {
    X_WP[0] = {physics::exponential({0.3 * k, 0.1 * k, 0}), {0.001 * k, 0, 0}};
    clearance.see(0, 0.01 * (k + 200), X_WP);
  }
  const auto nearest = clearance.between(0, 1);
  ASSERT_TRUE(nearest);
  EXPECT_NEAR(nearest->distance, beside - r - R, 1e-12);
  EXPECT_NEAR(nearest->time, 2, 1e-12);
  EXPECT_FALSE(clearance.between(1, 0)) << "the other one was in nobody's hand";
}

TEST(LeastClearance, WhatStayedFarAwayIsNotTold) {
  LeastClearance clearance(sceneOf({physics::Sphere{0.01}, physics::Sphere{0.01}}));
  const double apart = 0.02 + LeastClearance::kFarthest;
  clearance.see(0, 0, std::vector<Pose>{Pose(), Pose::at({apart + 1e-6, 0, 0})});
  EXPECT_FALSE(clearance.between(0, 1));
  clearance.see(0, 1, std::vector<Pose>{Pose(), Pose::at({apart - 1e-6, 0, 0})});
  ASSERT_TRUE(clearance.between(0, 1));
  EXPECT_NEAR(clearance.between(0, 1)->distance, LeastClearance::kFarthest - 1e-6, 1e-12);
}

/// Both parts tumble about; every moment is measured beside it.
TEST(LeastClearance, OfRandomWaysIsTheLeastOfAllMoments) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const auto vector = [&](double size) {
    return size * Vector3d(normal(random), normal(random), normal(random));
  };
  int told = 0;
  for (int way = 0; way < 40; ++way) {
    const content::Scene scene = sceneOf(
        {physics::Box{{0.03, 0.004, 0.006}}, physics::Box{{0.01, 0.02, 0.005}}, physics::HalfSpace{}});
    LeastClearance clearance(scene);
    runtime::ClearanceReadout readout(scene);
    std::vector<Pose> X_WP = {Pose::at({0, 0, 0.12}), Pose::at(Vector3d(0.05, 0, 0.1) + vector(0.02)),
                              Pose()};
    std::array<double, 3> least = {1, LeastClearance::kFarthest, LeastClearance::kFarthest};
    for (int k = 0; k < 200; ++k) {
      for (int body = 0; body < 2; ++body) {
        Pose& X = X_WP[static_cast<std::size_t>(body)];
        X = {(X.q * physics::exponential(vector(0.02))).normalized(), X.p + vector(0.001)};
      }
      clearance.see(0, 0.01 * k, X_WP);
      for (int other : {1, 2}) {
        const double gap = readout.gapBetween(0, other, X_WP)->distance;
        least[static_cast<std::size_t>(other)] = std::min(least[static_cast<std::size_t>(other)], gap);
      }
    }
    for (int other : {1, 2}) {
      const auto nearest = clearance.between(0, other);
      const double expected = least[static_cast<std::size_t>(other)];
      EXPECT_EQ(nearest.has_value(), expected < LeastClearance::kFarthest);
      if (!nearest) continue;
      ++told;
      // Beyond contact only that there was one is told.
      EXPECT_NEAR(std::max(nearest->distance, 0.0), std::max(expected, 0.0), 1e-12) << "way " << way;
    }
  }
  EXPECT_GT(told, 60);
}

}  // namespace
}  // namespace tenon::tests
