// Guidance reduces the misalignment of a part near its hole, smoothly, and changes nothing else.
#include "xr/interaction/guidance.h"

#include <gtest/gtest.h>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/interaction/guidance_lines.h"

namespace tenon::xr {
namespace {

using physics::Pose;
using physics::Vector3d;

/// The axis of the screw in bolt-in-plate.json, 30 mm long under its head, at the plate's origin.
GuidedAxis screwAxis() {
  const auto axes = guidedAxes(content::loadScene(tests::scenePath("bolt-in-plate")));
  EXPECT_EQ(axes.size(), 1U);
  return axes[0];
}

const Pose kPlate = Pose::at({0, 0, -0.01});

/// The pose of the screw with its tip at a point, tilted about y.
Pose tipAt(const Vector3d& p, double tilt = 0) {
  Pose X;
  X.q = physics::exponential({0, tilt, 0});
  X.p = p - X.q * Vector3d(0, 0, -0.030);
  return X;
}

Vector3d tipOf(const Pose& X_WP) {
  return X_WP * Vector3d(0, 0, -0.030);
}

double tiltOf(const Pose& X_WP) {
  return std::acos(std::min(1.0, (X_WP.q * Vector3d::UnitZ()).z()));
}

TEST(Guidance, ReducesTheMisalignmentNearTheAxis) {
  const GuidedAxis axis = screwAxis();
  const Pose led = guidedPose(axis, tipAt({0.001, -0.0005, 0.001}, 0.02), kPlate, 1);
  EXPECT_NEAR(tipOf(led).x(), 0.0002, 1e-5);
  EXPECT_NEAR(tipOf(led).y(), -0.0001, 1e-5);
  EXPECT_NEAR(tipOf(led).z(), 0.001, 1e-12) << "nothing is pushed in";
  EXPECT_NEAR(tiltOf(led), 0.004, 2e-4);
  const Pose half = guidedPose(axis, tipAt({0.001, 0, 0.001}), kPlate, 0.5);
  EXPECT_NEAR(tipOf(half).x(), 0.0006, 1e-5);
}

TEST(Guidance, IsZeroOutsideItsRangeAndContinuousAtItsLimit) {
  const GuidedAxis axis = screwAxis();
  for (const Pose& X :
       {tipAt({kGuidanceRadius, 0, 0.001}), tipAt({0.001, 0, kGuidanceHeight}),
        tipAt({0.001, 0, 0.001}, kGuidanceTilt), tipAt({0.001, 0, -0.030 - kGuidanceHeight})}) {
    EXPECT_EQ(guidanceWeight(axis, X, kPlate), 0);
    EXPECT_EQ(guidedPose(axis, X, kPlate, 1).p, X.p);
  }
  const Pose inside = tipAt({0.999 * kGuidanceRadius, 0, 0.001});
  EXPECT_LT((guidedPose(axis, inside, kPlate, 1).p - inside.p).norm(), 1e-6);
  const Pose turned = tipAt({0.001, 0, 0.001}, 3.0);
  EXPECT_EQ(guidanceWeight(axis, turned, kPlate), 0) << "a screw that stands on its head is not turned over";
}

TEST(Guidance, IsMonotonicInTheMisalignment) {
  const GuidedAxis axis = screwAxis();
  double before = -1, beforeTilt = -1;
  for (int k = 0; k <= 300; ++k) {
    const double share = k / 250.0;
    const double beside = tipOf(guidedPose(axis, tipAt({share * kGuidanceRadius, 0, 0.001}), kPlate, 1)).x();
    EXPECT_GT(beside, before);
    before = beside;
    const double tilt = tiltOf(guidedPose(axis, tipAt({0, 0, 0.001}, share * kGuidanceTilt), kPlate, 1));
    EXPECT_GT(tilt, beforeTilt);
    beforeTilt = tilt;
  }
}

TEST(Guidance, KeepsTheRotationAboutTheAxis) {
  const GuidedAxis axis = screwAxis();
  Pose X = tipAt({0.001, 0, 0.001});
  X.q = physics::exponential({0, 0, 1.2});
  X.p = Vector3d(0.001, 0, 0.001) - X.q * Vector3d(0, 0, -0.030);
  EXPECT_LT(guidedPose(axis, X, kPlate, 1).q.angularDistance(X.q), 1e-9);
}

/// The screw held over its hole with an offset of 3 mm. A second hole may be 10 mm away.
struct Held {
  content::Scene scene;
  physics::World world;
  Guidance guidance{scene};
  const Pose grip = Pose::at({0.003, 0, 0.040});

  static content::Scene sceneOf(bool twoHoles) {
    content::Scene out = content::loadScene(tests::scenePath("bolt-in-plate"));
    content::Goal second = out.goals.at(0);
    second.X_IH.p.x() += 0.010;
    if (twoHoles) out.goals.push_back(second);
    return out;
  }
  explicit Held(bool twoHoles = false) : scene(sceneOf(twoHoles)), world(content::buildWorld(scene, {})) {
    world.apply(physics::SetPose{{1}, tipAt({0.003, 0, 0.002})});
    world.apply(physics::Grab{{0}, {1}, grip});
    world.step();
  }
  Vector3d sentTo() { return sentTo(grip); }
  /// After other commands.
  Vector3d sentTo(const Pose& X_WH, std::vector<physics::Command> commands = {}) {
    commands.emplace_back(physics::MoveHand{{0}, X_WH});
    guidance.apply(world, commands);
    for (const physics::Command& command : commands) world.apply(command);
    world.step();
    return std::get<physics::MoveHand>(commands.back()).X_WH.p;
  }
  double beside() { return tipOf(world.partPose({1}, world.stepResult().bodies[1])).x(); }
};

TEST(Guidance, RampsUpOnlyWhileEnabled) {
  Held held;
  for (int k = 0; k < 100; ++k) EXPECT_EQ(held.sentTo(), held.grip.p) << "off, as it is at first";
  held.guidance.setEnabled(true);
  double before = held.grip.p.x();
  for (int k = 0; k < 1000; ++k) {
    const double x = held.sentTo().x();
    EXPECT_LE(x, before);
    EXPECT_LT(before - x, 2e-5) << "no part jumps";
    before = x;
  }
  EXPECT_LT(held.beside(), 0.001);
  held.guidance.setEnabled(false);
  for (int k = 0; k < 501; ++k) {
    const double x = held.sentTo().x();
    EXPECT_GE(x, before);
    EXPECT_LT(x - before, 2e-5) << "nor when it goes";
    before = x;
  }
  EXPECT_EQ(held.sentTo(), held.grip.p);
}

TEST(Guidance, IsContinuousBetweenTwoHoles) {
  Held held(/*twoHoles=*/true);
  held.guidance.setEnabled(true);
  Pose hand = held.grip;
  Vector3d before = hand.p;
  const auto go = [&](double step, int steps) {
    for (int k = 0; k < steps; ++k) {
      hand.p.x() += step;
      const Vector3d now = held.sentTo(hand);
      ASSERT_LT((now - before).norm(), 8e-5) << "at " << hand.p.x();
      before = now;
    }
  };
  go(0, 1000);
  EXPECT_LT(before.x(), 0.001) << "led to the first one";
  go(1e-5, 600);
  go(0, 1000);
  EXPECT_GT(before.x(), hand.p.x() + 0.0005) << "led to the second one";
  go(-1e-5, 700);
  go(0, 1000);
  EXPECT_LT(before.x(), 0.001);
}

TEST(Guidance, RestartsForANewGraspAndContinuesForARegrasp) {
  Held kept, anew;
  for (Held* const held : {&kept, &anew}) {
    held->guidance.setEnabled(true);
    for (int k = 0; k < 1500; ++k) held->sentTo();
  }
  const Pose X_WH = kept.world.stepResult().hands[0].X_WH;
  const Vector3d on = kept.sentTo(kept.grip, {physics::Grab{{0}, {1}, X_WH}});
  EXPECT_LT((on - X_WH.p).norm(), 2e-4) << "the other hand has released it";
  const Vector3d again = anew.sentTo(anew.grip, {physics::Release{{0}}, physics::Grab{{0}, {1}, anew.grip}});
  EXPECT_EQ(again, anew.grip.p) << "it is where it was taken";
}

TEST(Guidance, IgnoresEmptyHandsAndOtherParts) {
  Held held;
  held.guidance.setEnabled(true);
  for (int k = 0; k < 600; ++k) held.sentTo();
  std::vector<physics::Command> commands{physics::Release{{0}}, physics::MoveHand{{0}, held.grip}};
  held.guidance.apply(held.world, commands);
  EXPECT_EQ(std::get<physics::MoveHand>(commands[1]).X_WH.p, held.grip.p);
}

TEST(Guidance, SceneShowsTheActiveAxis) {
  const std::vector<GuidedAxis> axes{screwAxis()};
  const auto shown = [&](const Pose& X_WP, std::vector<int> held) {
    RenderScene picture;
    const std::vector<Pose> poses{kPlate, X_WP};
    addGuidance(picture, axes, held, poses);
    EXPECT_EQ(picture.captions.size(), picture.arrows.size());
    return picture.arrows;
  };
  const auto led = shown(tipAt({0.001, 0, 0.001}), {1});
  ASSERT_EQ(led.size(), 1U);
  EXPECT_LT(led[0].tail.head<2>().norm(), 1e-12);
  EXPECT_NEAR(led[0].tail.z() + led[0].vector.z(), -0.030, 1e-12);
  EXPECT_TRUE(shown(tipAt({0.001, 0, 0.001}), {}).empty()) << "no hand holds it";
  EXPECT_TRUE(shown(tipAt({0.1, 0, 0.001}), {1}).empty()) << "too far";
}

}  // namespace
}  // namespace tenon::xr
