// A person's hands become the scene's: closing, opening, and being out of sight.
#include "xr/hands/xr_hands.h"

#include <gtest/gtest.h>

namespace tenon::xr {
namespace {

using physics::Pose;
using physics::Vector3d;

content::Scene sceneWithHands(const std::vector<std::string>& names) {
  content::Scene scene;
  for (const std::string& name : names)
    scene.hands.push_back({.name = name, .parameters = {}, .X_WH = {}, .script = {}});
  return scene;
}

std::array<Controller, 2> rightAt(const Vector3d& p_S, double squeeze, bool tracked = true) {
  std::array<Controller, 2> controllers;
  controllers[XrHands::kRight] = {tracked, Pose::at(p_S), squeeze};
  return controllers;
}

TEST(XrHands, GoToTheSceneHandsOfTheirNames) {
  XrHands hands(sceneWithHands({"robot", "right", "left"}));
  EXPECT_EQ(hands.handOf(XrHands::kRight), 1);
  EXPECT_EQ(hands.handOf(XrHands::kLeft), 2);
  hands.update(rightAt({1, 2, 3}, 0), Pose::at({10, 0, 0}));
  ASSERT_EQ(hands.samples().size(), 3U);
  EXPECT_FALSE(hands.samples()[0].tracked);
  EXPECT_TRUE(hands.samples()[1].tracked);
  EXPECT_FALSE(hands.samples()[2].tracked);
  EXPECT_TRUE(hands.samples()[1].X_WH.p.isApprox(Vector3d(11, 2, 3)));
}

TEST(XrHands, GripThatTremblesNeitherTakesNorLoses) {
  XrHands hands(sceneWithHands({"right"}));
  const auto closedAfter = [&](double squeeze) {
    hands.update(rightAt(Vector3d::Zero(), squeeze), Pose());
    return hands.samples()[0].closed;
  };
  EXPECT_FALSE(closedAfter(0.5)) << "on the way to closed";
  EXPECT_TRUE(closedAfter(0.65));
  EXPECT_TRUE(closedAfter(0.5)) << "on the way to open";
  EXPECT_TRUE(closedAfter(0.41));
  EXPECT_FALSE(closedAfter(0.39));
  EXPECT_FALSE(closedAfter(0.59));
}

TEST(XrHands, HandOutOfSightStaysAsItWas) {
  XrHands hands(sceneWithHands({"right"}));
  hands.update(rightAt({1, 2, 3}, 1), Pose());
  hands.update(rightAt({7, 7, 7}, 0, /*tracked=*/false), Pose());
  EXPECT_FALSE(hands.samples()[0].tracked);
  EXPECT_TRUE(hands.samples()[0].closed) << "or it would drop what it holds";
  hands.update(rightAt({1, 2, 4}, 1), Pose());
  EXPECT_TRUE(hands.samples()[0].tracked);
  EXPECT_TRUE(hands.samples()[0].closed);
  EXPECT_EQ(hands.samples()[0].X_WH.p.z(), 4);
}

TEST(XrHands, TriggerMakesMotionATenthAndNothingJumpsWhenItIsLetGo) {
  XrHands hands(sceneWithHands({"right"}));
  const auto at = [&](double x, double angle, double squeeze, double trigger) {
    std::array<Controller, 2> controllers = rightAt({x, 0, 0}, squeeze);
    controllers[XrHands::kRight].X_SH.q = physics::exponential({0, angle, 0});
    controllers[XrHands::kRight].trigger = trigger;
    hands.update(controllers, Pose::at({0, 5, 0}));
    return hands.samples()[0].X_WH;
  };
  const auto expectAt = [](const Pose& X, double x, double angle) {
    EXPECT_LT((X.p - Vector3d(x, 5, 0)).norm(), 1e-12);
    EXPECT_LT((physics::logarithm(X.q) - Vector3d(0, angle, 0)).norm(), 1e-12);
  };
  expectAt(at(0.1, 0.2, 0, 1), 0.1, 0.2);  // an open hand is where it is
  EXPECT_FALSE(hands.isFine(XrHands::kRight));
  expectAt(at(0.2, 0.2, 1, 0), 0.2, 0.2);
  expectAt(at(0.3, 0.3, 1, 0.9), 0.3, 0.3);  // the trigger is pulled here
  EXPECT_TRUE(hands.isFine(XrHands::kRight));
  expectAt(at(0.4, 0.5, 1, 0.5), 0.31, 0.32);  // it trembles
  expectAt(at(0.5, 0.3, 1, 0.1), 0.32, 0.30);  // let go here
  EXPECT_FALSE(hands.isFine(XrHands::kRight));
  expectAt(at(0.6, 0.4, 1, 0), 0.42, 0.40);
  expectAt(at(0.6, 0.4, 1, 1), 0.42, 0.40);
  expectAt(at(0.7, 0.4, 1, 1), 0.43, 0.40);
  expectAt(at(0.7, 0.4, 0, 1), 0.7, 0.4);  // open: where it is
  // Once round and on, finely: a tenth of that.
  at(0, 0, 1, 1);
  for (int k = 1; k <= 80; ++k) at(0, 0.1 * k, 1, 1);
  expectAt(at(0, 8, 1, 1), 0, 0.8);
}

}  // namespace
}  // namespace tenon::xr
