// Ray grab: a hand grasps the distant part it points at, and carries it on a rod.
#include "xr/interaction/ray_grab.h"

#include <gtest/gtest.h>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/interaction/interaction.h"

namespace tenon::xr::ray_grab_test {
namespace {

using physics::Pose;
using physics::Quaterniond;

/// A screw standing on its head at x = −28 mm, 38 mm high, beside a hole in a fixed plate, and one hand.
struct Bench {
  content::Scene scene = content::loadScene(tests::scenePath("bolt-in-plate"));
  PartMeshes meshes{scene};
  Picker picker{scene, meshes};
  std::vector<Pose> X_WP;
  RayGrab rays{scene, picker};
  HandSample hand;
  PointingHand pointing;

  Bench() {
    for (const content::Part& part : scene.parts) X_WP.push_back(part.X_WP);
    hand.tracked = true;
    hand.X_WH = Pose::at({-0.028, -0.5, 0.02});
    pointing.direction = Vector3d::UnitY();
    pointing.p_WShoulder = Vector3d(0, -0.9, 0.3);
  }
  const HandSample& update() {
    rays.update({&hand, 1}, {&pointing, 1}, X_WP);
    return rays.samples()[0];
  }
  const HandSample& close() {
    update();
    hand.closed = true;
    return update();
  }
};

TEST(RayGrab, OpenHandPointsAndClosingHandGraspsAtTheHitPoint) {
  Bench bench;
  EXPECT_EQ(bench.update().X_WH.p, bench.hand.X_WH.p) << "an open hand is where it is";
  ASSERT_TRUE(bench.rays.farTarget(0));
  EXPECT_EQ(bench.rays.farTarget(0)->part, 1);
  const Vector3d touched(-0.028, -0.004, 0.02);
  EXPECT_LT((bench.rays.farTarget(0)->p_W - touched).norm(), 2e-5);
  const HandSample& far = bench.close();
  EXPECT_TRUE(bench.rays.holdsFar(0));
  EXPECT_FALSE(bench.rays.farTarget(0)) << "a hand that holds points at nothing";
  EXPECT_EQ(far.wantedPart, 1);
  EXPECT_LT((far.X_WH.p - touched).norm(), 2e-5);
  bench.hand.closed = false;
  EXPECT_EQ(bench.update().X_WH.p, bench.hand.X_WH.p);
  EXPECT_EQ(bench.update().wantedPart, -1);
  EXPECT_FALSE(bench.rays.holdsFar(0));
}

TEST(RayGrab, NearPartHasPriorityOverTheRay) {
  Bench bench;
  bench.hand.X_WH.p.y() = -0.0065 - kDefaultGrabRadius + 1e-4;
  bench.update();
  EXPECT_FALSE(bench.rays.farTarget(0));
  EXPECT_EQ(bench.close().wantedPart, -1);
  EXPECT_FALSE(bench.rays.holdsFar(0));
  Bench further;
  further.hand.X_WH.p.y() = -0.0065 - kDefaultGrabRadius - 1e-4;
  further.update();
  EXPECT_TRUE(further.rays.farTarget(0));
}

TEST(RayGrab, NearTargetIsThePartThatClosingGrasps) {
  Bench bench;
  bench.hand.X_WH.p.y() = -0.0065 - kDefaultGrabRadius - 1e-4;
  bench.update();
  EXPECT_EQ(bench.rays.nearTarget(0), -1);
  bench.hand.X_WH.p.y() += 2e-4;
  bench.update();
  EXPECT_EQ(bench.rays.nearTarget(0), 1);
  bench.hand.tracked = false;
  bench.update();
  EXPECT_EQ(bench.rays.nearTarget(0), -1) << "out of sight";
  bench.hand.tracked = true;
  bench.close();
  EXPECT_EQ(bench.rays.nearTarget(0), -1) << "closed";
}

TEST(RayGrab, FixedPartsAreNotGraspedAndBlockTheRay) {
  Bench plate;
  plate.hand.X_WH.p = {0.02, 0, 0.5};
  plate.pointing.direction = -Vector3d::UnitZ();
  plate.close();
  EXPECT_FALSE(plate.rays.holdsFar(0));
  Bench behind;
  behind.hand.X_WH.p = {-0.028, 0, -0.5};
  behind.pointing.direction = Vector3d::UnitZ();
  behind.close();
  EXPECT_FALSE(behind.rays.holdsFar(0)) << "the screw stands on the plate";
  Bench away;
  away.hand.X_WH.p.y() = -0.01 - RayGrab::kMaxDistance;
  away.close();
  EXPECT_FALSE(away.rays.holdsFar(0)) << "too far";
  for (const double factor : {0.9, 1.1}) {
    Bench larger;
    larger.rays.setScale(10);
    larger.hand.X_WH.p.y() = -0.004 - factor * RayGrab::kMaxDistance / 10;
    larger.close();
    EXPECT_EQ(larger.rays.holdsFar(0), factor < 1) << "3 m of the room";
  }
}

TEST(RayGrab, RayThatMissesIsDirectedToThePart) {
  const auto takes = [](double angle) {
    Bench bench;
    const Vector3d middle(-0.028, 0, 0.019);
    bench.pointing.direction =
        physics::exponential({0, 0, angle}) * (middle - bench.hand.X_WH.p).normalized();
    bench.close();
    return bench.rays.holdsFar(0);
  };
  EXPECT_TRUE(takes(0));
  EXPECT_TRUE(takes(0.9 * RayGrab::kAssistAngle)) << "13 mm beside it";
  EXPECT_FALSE(takes(1.1 * RayGrab::kAssistAngle));
}

TEST(RayGrab, RotationSwingsThePartAndTheArmChangesTheDistance) {
  Bench bench;
  const Vector3d rod = bench.close().X_WH.p - bench.hand.X_WH.p;
  bench.hand.X_WH.q = physics::exponential({0, 0, 0.3});
  const HandSample& turned = bench.update();
  EXPECT_LT((turned.X_WH.p - bench.hand.X_WH.p - bench.hand.X_WH.q * rod).norm(), 1e-12);
  EXPECT_LT(turned.X_WH.q.angularDistance(bench.hand.X_WH.q), 1e-12) << "the part turns with the hand";
  bench.hand.X_WH.q = Quaterniond::Identity();
  const auto lengthAfter = [&](double stretched) {
    bench.hand.X_WH.p.y() = -0.5 + stretched;
    return (bench.update().X_WH.p - bench.hand.X_WH.p).norm();
  };
  EXPECT_NEAR(lengthAfter(RayGrab::kDoublingStretch), 2 * rod.norm(), 1e-12);
  EXPECT_NEAR(lengthAfter(-0.5 * RayGrab::kDoublingStretch), 0.5 * rod.norm(), 1e-12);
  EXPECT_NEAR(lengthAfter(-RayGrab::kDoublingStretch), 0, 1e-12);
  EXPECT_NEAR(lengthAfter(-1.5 * RayGrab::kDoublingStretch), 0, 1e-12) << "it is in the hand";
}

TEST(RayGrab, WalkingCarriesThePartAndALostHeadChangesNothing) {
  Bench bench;
  const Vector3d before = bench.close().X_WH.p, step(0.1, 0.4, 0);
  bench.hand.X_WH.p += step;
  *bench.pointing.p_WShoulder += step;
  EXPECT_LT((bench.update().X_WH.p - before - step).norm(), 1e-12);
  // Stretched a little, then the head is lost while the person walks on, and seen again.
  const Vector3d along = (before - Vector3d(-0.028, -0.5, 0.02)).normalized();
  bench.hand.X_WH.p += 0.1 * along;
  const double length = (bench.update().X_WH.p - bench.hand.X_WH.p).norm();
  bench.pointing.p_WShoulder.reset();
  bench.hand.X_WH.p += step;
  EXPECT_NEAR((bench.update().X_WH.p - bench.hand.X_WH.p).norm(), length, 1e-12);
}

TEST(RayGrab, UntrackedHandKeepsItsDistantPart) {
  Bench bench;
  const Vector3d before = bench.close().X_WH.p;
  bench.hand.tracked = bench.hand.closed = false;
  EXPECT_FALSE(bench.update().tracked);
  bench.hand.tracked = bench.hand.closed = true;
  EXPECT_LT((bench.update().X_WH.p - before).norm(), 1e-12);
  EXPECT_TRUE(bench.rays.holdsFar(0));
}

TEST(RayGrab, RetractedArmBringsThePartToTheHand) {
  Bench bench;
  physics::World world = content::buildWorld(bench.scene, {});
  Interaction interaction(1);
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k) {
      std::vector<physics::Command> commands;
      bench.update();
      interaction.commandsFor({bench.rays.samples().begin(), bench.rays.samples().end()}, world, commands);
      for (const physics::Command& command : commands) world.apply(command);
      world.step();
      for (int i = 0; i < 2; ++i)
        bench.X_WP[static_cast<std::size_t>(i)] =
            world.partPose({i}, world.stepResult().bodies[static_cast<std::size_t>(i)]);
    }
  };
  steps(10);
  bench.hand.closed = true;
  steps(10);
  ASSERT_EQ(world.stepResult().hands[0].body, physics::BodyId{1});
  EXPECT_LT((bench.X_WP[1].p - bench.scene.parts[1].X_WP.p).norm(), 1e-5) << "taking it moves nothing";
  for (int k = 0; k < 100; ++k) {  // up
    bench.hand.X_WH.p.z() += 0.001;
    steps(5);
  }
  EXPECT_NEAR(bench.X_WP[1].p.z(), 0.108, 0.002) << "the arm is not stretched by what is across the ray";
  for (int k = 0; k < 400; ++k) {  // back
    bench.hand.X_WH.p.y() -= 0.001;
    steps(5);
  }
  steps(200);
  EXPECT_EQ(world.stepResult().hands[0].body, physics::BodyId{1}) << "nothing broke on the way";
  EXPECT_LT((bench.X_WP[1].p - bench.hand.X_WH.p).norm(), 0.02) << "it is in the hand";
}

}  // namespace
}  // namespace tenon::xr::ray_grab_test
