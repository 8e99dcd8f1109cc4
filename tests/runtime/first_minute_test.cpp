// Aids of a person's first minute: parts around the head, clearances below a pixel, parts held a hair short.
#include <gtest/gtest.h>

#include <cmath>

#include "content/reader/load_scene.h"
#include "runtime/live_view/held_short.h"
#include "runtime/vr/head_inside.h"
#include "runtime/vr/scale_advice.h"
#include "tests/runtime/goal_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::GoalResult;
using runtime::SimulationFrame;
using runtime::Verdict;

TEST(PartsAround, AreThoseWhoseMaterialContainsThePoint) {
  const runtime::SceneView sceneView(std::make_shared<const content::Scene>(goalScene()));
  std::vector<Pose> X_WP;
  for (const content::Part& part : sceneView.scene->parts) X_WP.push_back(part.X_WP);
  X_WP[1] = Pose::at({5, 5, 5});
  const auto partsAt = [&](const Vector3d& p_P) {
    return runtime::partsAround(sceneView, X_WP, X_WP[0] * p_P);
  };
  // The plate of 100 x 100 x 40 mm has a hole of radius 5 mm through (10, -20) mm.
  EXPECT_EQ(partsAt({-0.02, 0.03, 0.001}), std::vector{0});
  EXPECT_EQ(partsAt({0.049, -0.049, -0.019}), std::vector{0});
  EXPECT_TRUE(partsAt({0, 0, 0.021}).empty()) << "above it";
  EXPECT_TRUE(partsAt({0.051, 0, 0}).empty()) << "beside it";
  EXPECT_TRUE(partsAt({0.01, -0.02, 0.003}).empty()) << "in the hole";
  EXPECT_EQ(runtime::partsAround(sceneView, X_WP, X_WP[1] * Vector3d(0.001, 0.002, 0.02)), std::vector{1});
  X_WP[1] = X_WP[0];
  EXPECT_EQ(runtime::partsAround(sceneView, X_WP, X_WP[0] * Vector3d(0.001, 0.002, 0.011)),
            (std::vector{0, 1}));
}

TEST(ScaleAdvice, OffersAScaleWhereAClearanceIsBelowAPixel) {
  xr::View eye;
  eye.left = -1;
  eye.right = 1;
  // 1.1 m wide at an arm's length of 0.55 m, in 2000 pixels.
  EXPECT_NEAR(runtime::pixelWidth(eye, 2000), 0.55e-3, 1e-9);
  EXPECT_TRUE(runtime::isScaleOffered(0.5e-3, 1, 0.55e-3));
  EXPECT_FALSE(runtime::isScaleOffered(0.6e-3, 1, 0.55e-3));
  EXPECT_FALSE(runtime::isScaleOffered(0.5e-3, 2, 0.55e-3)) << "1 mm as displayed";
  EXPECT_FALSE(runtime::isScaleOffered(1e-6, 5, 0.55e-3)) << "it is enlarged already";
  EXPECT_FALSE(runtime::isScaleOffered(std::nullopt, 1, 0.55e-3));
}

TEST(ScaleAdvice, UsesTheSmallestClearanceOfOpenGoals) {
  SimulationFrame frame;
  EXPECT_FALSE(runtime::smallestClearance(frame));
  for (const double peg : {4.9e-3, 4.8e-3, 5.1e-3}) {
    GoalResult goal;
    goal.fit.boreRadius = 5e-3;
    goal.fit.pegRadius = peg;
    frame.goals.push_back(goal);
  }
  EXPECT_NEAR(*runtime::smallestClearance(frame), 0.2e-3, 1e-12) << "without the interference fit";
  frame.goals[0].verdict = Verdict::inserted;
  EXPECT_NEAR(*runtime::smallestClearance(frame), 0.4e-3, 1e-12);
}

/// A jammed peg of goalScene() at this depth, whose hand pulls so far into the hole.
SimulationFrame jammedAt(double depth, double pull) {
  const auto scene = std::make_shared<const content::Scene>(goalScene());
  SimulationFrame frame;
  frame.scene = scene;
  frame.record.tick = tickOf(*scene, {.depth = depth, .push = 0.5});
  frame.X_WP = {scene->parts[0].X_WP, scene->parts[1].X_WP};
  physics::HandState& hand = frame.record.tick.hands[0];
  const Vector3d inward = -(scene->parts[0].X_WP.q * Vector3d::UnitZ());
  hand.X_CH = Pose::at({0.002, 0.001, 0.01});
  hand.X_WH = Pose::at(frame.record.tick.bodies[1].X_WC * hand.X_CH.p + pull * inward);
  GoalResult result;
  result.verdict = Verdict::jammed;
  result.depth = depth;
  frame.goals = {result};
  return frame;
}

TEST(HeldShort, IsAPartThatItsHandPullsNoDeeper) {
  // The goal is 20 ± 0.1 mm deep.
  EXPECT_TRUE(runtime::isHeldShort(jammedAt(0.0196, 0.0001), 0));
  EXPECT_FALSE(runtime::isHeldShort(jammedAt(0.0196, 0.0005), 0)) << "pushed to its place, it jams";
  EXPECT_FALSE(runtime::isHeldShort(jammedAt(0.0150, 0.0001), 0)) << "far from its place, it jams";
  SimulationFrame free = jammedAt(0.0196, 0.0001);
  free.record.tick.hands[0].body = {};
  EXPECT_FALSE(runtime::isHeldShort(free, 0)) << "no hand holds it";
  SimulationFrame inserted = jammedAt(0.0199, 0);
  inserted.goals[0].verdict = Verdict::inserted;
  EXPECT_FALSE(runtime::isHeldShort(inserted, 0));
}

}  // namespace
}  // namespace tenon::tests
