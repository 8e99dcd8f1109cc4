// The user's hands as hands of the scene: closing, opening, and loss of tracking.
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

TEST(XrHands, MapToTheScenesHandsByName) {
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

TEST(XrHands, SqueezeHasHysteresis) {
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

TEST(XrHands, UntrackedHandKeepsItsState) {
  XrHands hands(sceneWithHands({"right"}));
  hands.update(rightAt({1, 2, 3}, 1), Pose());
  hands.update(rightAt({7, 7, 7}, 0, /*tracked=*/false), Pose());
  EXPECT_FALSE(hands.samples()[0].tracked);
  EXPECT_TRUE(hands.samples()[0].closed) << "or it would drop what it holds";
  hands.update(rightAt({1, 2, 3.02}, 1), Pose());
  EXPECT_TRUE(hands.samples()[0].tracked);
  EXPECT_TRUE(hands.samples()[0].closed);
  EXPECT_EQ(hands.samples()[0].X_WH.p.z(), 3.02);
}

TEST(XrHands, TriggerScalesMotionByATenthWithoutAJumpOnRelease) {
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
  EXPECT_FALSE(hands.isMotionScaled(XrHands::kRight));
  expectAt(at(0.2, 0.2, 1, 0), 0.2, 0.2);
  expectAt(at(0.3, 0.3, 1, 0.9), 0.3, 0.3);  // the trigger is pulled here
  EXPECT_TRUE(hands.isMotionScaled(XrHands::kRight));
  expectAt(at(0.4, 0.5, 1, 0.5), 0.31, 0.32);  // it trembles
  expectAt(at(0.5, 0.3, 1, 0.1), 0.32, 0.30);  // released here
  EXPECT_FALSE(hands.isMotionScaled(XrHands::kRight));
  expectAt(at(0.6, 0.4, 1, 0), 0.42, 0.40);
  expectAt(at(0.6, 0.4, 1, 1), 0.42, 0.40);
  expectAt(at(0.7, 0.4, 1, 1), 0.43, 0.40);
  expectAt(at(0.7, 0.4, 0, 1), 0.7, 0.4);  // open: where it is
  // Once round and on, finely: a tenth of that.
  at(0, 0, 1, 1);
  for (int k = 1; k <= 80; ++k) at(0, 0.1 * k, 1, 1);
  expectAt(at(0, 8, 1, 1), 0, 0.8);
}

TEST(XrHands, MotionScaleIsClampedToATenthToOne) {
  XrHands hands(sceneWithHands({"right"}));
  const auto moved = [&](double scale) {
    hands.setMotionScale(scale);
    const auto at = [&](double x, double squeeze) {
      std::array<Controller, 2> controllers = rightAt({x, 0, 0}, squeeze);
      controllers[XrHands::kRight].trigger = 1;
      hands.update(controllers, Pose());
      return hands.samples()[0].X_WH.p.x();
    };
    at(0, 0);
    at(0, 1);
    return at(1, 1);
  };
  EXPECT_NEAR(moved(0.1), 0.1, 1e-12);
  EXPECT_NEAR(moved(0.25), 0.25, 1e-12);
  EXPECT_NEAR(moved(1), 1, 1e-12);
  EXPECT_NEAR(moved(7), 1, 1e-12) << "never coarser than the hand";
  EXPECT_NEAR(moved(0), XrHands::kMinMotionScale, 1e-12);
}

TEST(XrHands, ClosedHandTrackedAgainElsewhereKeepsItsOffset) {
  XrHands hands(sceneWithHands({"right"}));
  const auto at = [&](double x, double squeeze, bool tracked = true) {
    hands.update(rightAt({x, 0, 0}, squeeze, tracked), Pose::at({0, 5, 0}));
    return hands.samples()[0].X_WH.p.x();
  };
  at(0, 0);
  at(0, 1);
  at(0, 0, false);
  EXPECT_EQ(at(0.3, 1), 0) << "it goes on from where it was";
  EXPECT_NEAR(at(0.4, 1), 0.1, 1e-12);
  EXPECT_EQ(at(0.4, 0), 0.4) << "open it is where it is";
  at(0.4, 1);
  at(0.4, 1, false);
  EXPECT_EQ(at(0.4 + 0.9 * XrHands::kMaxJump, 1), 0.4 + 0.9 * XrHands::kMaxJump) << "a step like any other";
  at(0, 0, false);
  EXPECT_EQ(at(2, 0), 2) << "an open hand is just there";
}

TEST(XrHands, OpenHandTrackedAgainClosedHasNoOffset) {
  const auto at = [](XrHands& hands, double x, double squeeze, bool tracked, HandOrigin origin) {
    std::array<Controller, 2> controllers = rightAt({x, 0, 0}, squeeze, tracked);
    controllers[XrHands::kRight].origin = origin;
    hands.update(controllers, Pose());
    return hands.samples()[0].X_WH.p.x();
  };
  for (const HandOrigin origin : {HandOrigin::controller, HandOrigin::bareHand}) {
    XrHands hands(sceneWithHands({"right"}));
    at(hands, 0, 0, true, HandOrigin::controller);
    at(hands, 0, 0, false, HandOrigin::controller);
    EXPECT_EQ(at(hands, 0.3, 1, true, origin), 0.3) << "or it would take what is where it was";
    EXPECT_EQ(at(hands, 0.4, 1, true, origin), 0.4);
    XrHands unseen(sceneWithHands({"right"}));
    at(unseen, 0, 0, false, HandOrigin::controller);
    EXPECT_EQ(at(unseen, 2, 1, true, origin), 2) << "it never was anywhere";
  }
}

TEST(XrHands, GrabRadiusAndJumpLimitAreLengthsOfTheRoom) {
  for (const double scale : {1.0, 10.0}) {
    XrHands hands(sceneWithHands({"right"}));
    hands.setScale(scale);
    EXPECT_NEAR(hands.samples()[0].grabRadius, kDefaultGrabRadius / scale, 1e-15);
    const auto at = [&](double roomX, bool tracked = true) {
      hands.update(rightAt({roomX / scale, 0, 0}, 1, tracked), Pose());
      return scale * hands.samples()[0].X_WH.p.x();
    };
    hands.update(rightAt(Vector3d::Zero(), 0), Pose());
    at(0);
    at(0, false);
    EXPECT_NEAR(at(0.9 * XrHands::kMaxJump), 0.9 * XrHands::kMaxJump, 1e-12) << "a step like any other";
    at(0, false);
    EXPECT_NEAR(at(2 * XrHands::kMaxJump), 0.9 * XrHands::kMaxJump, 1e-12) << "it goes on from where it was";
  }
}

TEST(XrHands, HandThatChangesItsDeviceStaysClosedUntilTheNewOneHasClosed) {
  XrHands hands(sceneWithHands({"right"}));
  const auto at = [&](HandOrigin origin, double x, double squeeze) {
    std::array<Controller, 2> controllers = rightAt({x, 0, 0}, squeeze);
    controllers[XrHands::kRight].origin = origin;
    hands.update(controllers, Pose());
    return hands.samples()[0].X_WH.p.x();
  };
  constexpr auto kController = HandOrigin::controller, kBare = HandOrigin::bareHand;
  at(kController, 0, 0);
  at(kController, 0, 1);
  EXPECT_EQ(at(kBare, 0.02, 0), 0) << "a grip between the fingers is not one about a handle";
  EXPECT_TRUE(hands.samples()[0].closed);
  EXPECT_NEAR(at(kBare, 0.12, 0.3), 0.1, 1e-12);
  EXPECT_TRUE(hands.samples()[0].closed) << "it never was closed there";
  at(kBare, 0.12, 0.7);
  at(kBare, 0.12, 0.3);
  EXPECT_FALSE(hands.samples()[0].closed);
  EXPECT_EQ(at(kController, 0.5, 0), 0.5);
  EXPECT_FALSE(hands.samples()[0].closed) << "an open one has nothing to hold on to";
}

}  // namespace
}  // namespace tenon::xr
