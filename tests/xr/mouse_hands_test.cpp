// The mouse as hands: mouse states in, hand samples out.
#include "xr/hands/mouse_hands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/model/scene.h"

namespace tenon::xr {
namespace {

using physics::Quaterniond;
using physics::Vector3d;

/// Part 0 is fixed, 1 and 2 are not.
content::Scene threeParts() {
  content::Scene scene;
  scene.parts.resize(3);
  scene.parts[0].motion = physics::MotionType::fixed;
  return withTwoHands(scene);
}

/// From (0, −1, 0) towards +y, z up; the half height of the image is 0.5 m at a distance of 1 m.
View frontView() {
  View view;
  view.X_WC = {Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX())), Vector3d(0, -1, 0)};
  view.left = -1;
  view.right = 1;
  view.down = -0.5;
  view.up = 0.5;
  return view;
}

struct Mouse {
  content::Scene scene = threeParts();
  MouseHands hands{scene};
  View view = frontView();
  MouseState state;
  std::optional<PartHit> under;

  void point(const Vector3d& p_W, int part = -1) {
    const Vector3d seen = projected(view, p_W);
    state.x = seen.x();
    state.y = seen.y();
    under.reset();
    if (part >= 0) under = PartHit{part, (p_W - view.X_WC.p).norm(), p_W, -Vector3d::UnitY()};
    update();
  }
  void update() {
    hands.update(view, state, under);
    state.wheel = 0;
  }
  void press(bool down) {
    state.pull = down;
    update();
  }
  const HandSample& hand(int h = 0) const { return hands.samples()[static_cast<std::size_t>(h)]; }
};

void expectAt(const Vector3d& p, const Vector3d& expected, double tolerance = 1e-12) {
  EXPECT_LT((p - expected).norm(), tolerance) << p.transpose() << " instead of " << expected.transpose();
}

TEST(MouseHands, EverySceneHasTwoHands) {
  const content::Scene scene = threeParts();
  ASSERT_EQ(scene.hands.size(), 2u);
  EXPECT_EQ(scene.hands[0].name, "right");
  EXPECT_EQ(scene.hands[1].name, "left");
  EXPECT_EQ(withTwoHands(scene).hands.size(), 2u);
}

TEST(MouseHands, HandGraspsThePartAtThePickedPoint) {
  Mouse mouse;
  mouse.point({0.1, 0, 0.2}, 1);
  EXPECT_FALSE(mouse.hand().closed);
  mouse.press(true);
  EXPECT_TRUE(mouse.hand().closed);
  EXPECT_TRUE(mouse.hand().tracked);
  EXPECT_EQ(mouse.hand().wantedPart, 1);
  ASSERT_TRUE(mouse.hand().X_WH_closed);
  expectAt(mouse.hand().X_WH_closed->p, {0.1, 0, 0.2});
  expectAt(mouse.hand().X_WH.p, {0.1, 0, 0.2});
  mouse.press(false);
  EXPECT_FALSE(mouse.hand().closed);
}

TEST(MouseHands, FixedPartsAndEmptySpaceAreNotGrasped) {
  Mouse mouse;
  mouse.point({0, 0, 0}, 0);
  mouse.press(true);
  EXPECT_FALSE(mouse.hand().closed);
  mouse.point({0, 0, 0}, 1);
  EXPECT_FALSE(mouse.hand().closed) << "the button went down somewhere else";
  mouse.press(false);
  mouse.point({0, 0, 0});
  mouse.press(true);
  EXPECT_FALSE(mouse.hand().closed);
}

TEST(MouseHands, MotionStaysInThePlaneOfThePickedPoint) {
  Mouse mouse;
  mouse.point({0.1, 0.3, 0.2}, 1);
  mouse.press(true);
  mouse.point({-0.2, 0.3, 0.1});
  expectAt(mouse.hand().X_WH.p, {-0.2, 0.3, 0.1});
  mouse.point({-0.2, 0.3, 0.1});
  expectAt(mouse.hand().X_WH.p, {-0.2, 0.3, 0.1});
  EXPECT_TRUE(mouse.hand().X_WH.q.isApprox(Quaterniond::Identity()));
}

TEST(MouseHands, FineScalesMotionByATenth) {
  Mouse mouse;
  mouse.point({0, 0, 0}, 1);
  mouse.press(true);
  mouse.state.fine = true;
  mouse.point({0.1, 0, 0});
  expectAt(mouse.hand().X_WH.p, {0.01, 0, 0});
  mouse.state.wheel = 1;
  const double before = (mouse.hand().X_WH.p - mouse.view.X_WC.p).norm();
  mouse.update();
  EXPECT_NEAR((mouse.hand().X_WH.p - mouse.view.X_WC.p).norm() / before, std::exp(0.002), 1e-12);
}

TEST(MouseHands, WheelMovesAlongTheLineOfSightAndBack) {
  Mouse mouse;
  mouse.point({0.3, 0, 0.2}, 1);
  mouse.press(true);
  mouse.state.wheel = 3;
  mouse.update();
  const Vector3d p = mouse.hand().X_WH.p, eye = mouse.view.X_WC.p;
  EXPECT_LT((p - eye).cross(Vector3d(0.3, 0, 0.2) - eye).norm(), 1e-12);
  EXPECT_NEAR((p - eye).norm() / (Vector3d(0.3, 0, 0.2) - eye).norm(), std::exp(0.06), 1e-12);
  mouse.state.wheel = -3;
  mouse.update();
  expectAt(mouse.hand().X_WH.p, {0.3, 0, 0.2});
  mouse.state.wheel = -1000;
  mouse.update();
  EXPECT_GT(-(mouse.view.X_WC.inverse() * mouse.hand().X_WH.p).z(), mouse.view.nearPlane);
}

TEST(MouseHands, TurningIsAboutTheImagesAxesThroughTheGrip) {
  Mouse mouse;
  mouse.point({0.1, 0, 0.2}, 1);
  mouse.press(true);
  mouse.state.turn = true;
  mouse.state.x += 0.125;  // a quarter of this picture's height: a quarter turn about "up"
  mouse.update();
  expectAt(mouse.hand().X_WH.p, {0.1, 0, 0.2});
  // The side that faced the person (−y) now faces right (+x).
  expectAt(mouse.hand().X_WH.q * -Vector3d::UnitY(), Vector3d::UnitX());
  mouse.state.x -= 0.125;
  mouse.update();
  mouse.state.y += 0.25;  // downwards: the facing side goes down
  mouse.update();
  expectAt(mouse.hand().X_WH.q * -Vector3d::UnitY(), -Vector3d::UnitZ());
  mouse.state.y -= 0.25;
  mouse.update();
  mouse.state.wheel = 18;  // 90° about the line of sight, the top to the right
  mouse.update();
  expectAt(mouse.hand().X_WH.q * Vector3d::UnitZ(), Vector3d::UnitX());
}

TEST(MouseHands, CameraMotionAloneDoesNotMoveTheHand) {
  Mouse mouse;
  mouse.point({0.1, 0, 0.2}, 1);
  mouse.press(true);
  mouse.view.X_WC.p = Vector3d(0.5, -2, 0.3);
  mouse.view.X_WC.q = Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitZ())) * mouse.view.X_WC.q;
  mouse.update();
  expectAt(mouse.hand().X_WH.p, {0.1, 0, 0.2});
}

TEST(MouseHands, TheInactiveHandKeepsHolding) {
  Mouse mouse;
  mouse.point({0.1, 0, 0.2}, 1);
  mouse.press(true);
  mouse.hands.setActive(1);
  mouse.point({0.3, 0, 0.2}, 2);
  expectAt(mouse.hand(0).X_WH.p, {0.1, 0, 0.2});
  EXPECT_FALSE(mouse.hand(1).closed) << "the button is down for the first hand";
  mouse.press(false);
  EXPECT_TRUE(mouse.hand(0).closed);
  mouse.press(true);
  EXPECT_TRUE(mouse.hand(1).closed);
  EXPECT_EQ(mouse.hand(1).wantedPart, 2);
  mouse.press(false);
  EXPECT_FALSE(mouse.hand(1).closed);
  EXPECT_TRUE(mouse.hand(0).closed);
  mouse.hands.setActive(0);
  mouse.press(true);  // takes it up again where it is
  mouse.point({0.4, 0, 0.2}, -1);
  expectAt(mouse.hand(0).X_WH.p, {0.2, 0, 0.2});
  mouse.press(false);
  EXPECT_FALSE(mouse.hand(0).closed);
}

TEST(MouseHands, AfterAReleaseByKeyTheButtonMustBeReleased) {
  Mouse mouse;
  mouse.point({0.1, 0, 0.2}, 1);
  mouse.press(true);
  mouse.hands.releaseAll();
  EXPECT_FALSE(mouse.hand().closed);
  mouse.point({0.1, 0, 0.2}, 1);
  EXPECT_FALSE(mouse.hand().closed);
  mouse.press(false);
  mouse.press(true);
  EXPECT_TRUE(mouse.hand().closed);
}

TEST(MouseHands, SceneWithoutHandsIsIgnored) {
  MouseHands hands(content::Scene{});
  hands.update(frontView(), MouseState{.pull = true}, std::nullopt);
  EXPECT_EQ(hands.samples().size(), 0u);
}

}  // namespace
}  // namespace tenon::xr
