// The exploded state and its animation: parts are apart, on the lines of their insertions, and end assembled.
#include "runtime/plan/explode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/plan/make_plan.h"
#include "runtime/plan/path_check.h"
#include "tests/runtime/plan/plan_scene.h"

namespace tenon::tests {
namespace {

using content::Scene;
using physics::Box;
using physics::Vector3d;
using runtime::AssemblyPlan;
using runtime::Explosion;

/// A base, a plate on it, and a block on the plate.
Scene tower() {
  Scene scene = emptyScene();
  addPart(scene, "base", Box{{0.03, 0.03, 0.005}}, Vector3d::Zero());
  addPart(scene, "plate", Box{{0.02, 0.02, 0.002}}, {0, 0, 0.007});
  addPart(scene, "block", Box{{0.01, 0.01, 0.01}}, {0, 0, 0.019});
  return scene;
}

struct Exploded {
  AssemblyPlan plan;
  Explosion explosion;
};

Exploded explodedOf(const Scene& scene) {
  Exploded exploded;
  exploded.plan = runtime::makePlan(scene, {});
  runtime::PartDistance distance(scene);
  exploded.explosion = runtime::explosionOf(exploded.plan, distance);
  return exploded;
}

TEST(Explode, keepsTheOrderAlongADirection) {
  const Scene scene = tower();
  const Exploded exploded = explodedOf(scene);
  ASSERT_EQ(exploded.plan.steps.size(), 2u);
  const Scene apart = runtime::explodedScene(exploded.plan, exploded.explosion);
  ASSERT_EQ(apart.parts.size(), 5u);  // and a line for each of the two
  std::vector<Eigen::AlignedBox3d> boxes;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(apart.parts[k].X_WP.p.head<2>().norm(), 0, 1e-9);
    boxes.push_back(runtime::worldBounds(apart.parts[k], apart.parts[k].X_WP));
  }
  EXPECT_GT(boxes[1].min().z(), boxes[0].max().z() + 1e-3);
  EXPECT_GT(boxes[2].min().z(), boxes[1].max().z() + 1e-3);
  for (std::size_t k = 3; k < 5; ++k) EXPECT_EQ(apart.parts[k].motion, physics::MotionType::fixed);
}

TEST(Explode, animatesTheStepsInTheirOrder) {
  const Scene scene = tower();
  const Exploded exploded = explodedOf(scene);
  const auto motions = runtime::assemblyAnimation(exploded.plan, exploded.explosion);
  ASSERT_EQ(motions.size(), 3u);
  EXPECT_EQ(motions[0].times.size(), 1u);  // the base stays
  for (const std::size_t part : {1u, 2u}) {
    EXPECT_TRUE(std::is_sorted(motions[part].times.begin(), motions[part].times.end()));
    EXPECT_EQ(std::adjacent_find(motions[part].times.begin(), motions[part].times.end()),
              motions[part].times.end());
    EXPECT_LT((motions[part].poses.back().p - scene.parts[part].X_WP.p).norm(), 1e-12);
    EXPECT_GT((motions[part].poses.front().p - scene.parts[part].X_WP.p).norm(), 1e-3);
  }
  // The block starts when the plate is in place.
  const auto arrival = [&](std::size_t part) {
    for (std::size_t k = 0; k < motions[part].times.size(); ++k)
      if ((motions[part].poses[k].p - scene.parts[part].X_WP.p).norm() < 1e-12) return motions[part].times[k];
    return 0.0;
  };
  const auto departure = [&](std::size_t part) {
    std::size_t k = 0;
    while ((motions[part].poses[k + 1].p - motions[part].poses[0].p).norm() < 1e-12) ++k;
    return motions[part].times[k];
  };
  EXPECT_GE(departure(2), arrival(1) - 1e-9);
}

TEST(Explode, turnsAScrewByItsThread) {
  const Scene scene = tower();
  Exploded exploded = explodedOf(scene);
  // As if the block were a screw of 8.5 turns.
  exploded.plan.steps[1].motion.pitch = 1e-3;
  exploded.plan.steps[1].motion.thread = 8.5e-3;
  exploded.plan.steps[1].travel = 0.015;
  exploded.explosion[1] = {0, 0, 0.05};
  const auto motion = runtime::assemblyAnimation(exploded.plan, exploded.explosion)[2];
  double turned = 0;
  for (std::size_t k = 1; k < motion.times.size(); ++k) {
    const double turn = motion.poses[k].q.angularDistance(motion.poses[k - 1].q);
    EXPECT_LT(turn, 3.1416 / 2 + 1e-6);
    const double travel = motion.poses[k - 1].p.z() - motion.poses[k].p.z();
    if (motion.poses[k - 1].p.z() < 0.019 + 8.5e-3 + 1e-9) {
      EXPECT_NEAR(turn, 2 * 3.14159265358979 * travel / 1e-3, 1e-6);
      turned += turn;
    }
  }
  EXPECT_NEAR(turned, 8.5 * 2 * 3.14159265358979, 1e-6);
  EXPECT_LT(motion.poses.back().q.angularDistance(physics::Quaterniond::Identity()), 1e-9);
}

}  // namespace
}  // namespace tenon::tests
