// A snapshot holds everything that later steps depend on: after restore() they repeat every byte.
#include <gtest/gtest.h>

#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"
#include "tests/support/many_islands.h"

namespace tenon::physics {
namespace {

using tests::ManyIslands;
using tests::numbersOf;

using Story = std::vector<std::vector<double>>;

Story recordOf(ManyIslands& scene, int steps) {
  Story story;
  for (int k = 0; k < steps; ++k) story.push_back(numbersOf(scene.step()));
  return story;
}

struct SnapshotTest : testing::TestWithParam<SolverName> {
  WorldOptions options{.solver = GetParam()};
};

TEST_P(SnapshotTest, givesTheSameBytesAgainMidContactAndInTheHand) {
  ManyIslands scene(options);
  bool pressed = false;
  for (int at = 0; at < 6; ++at) {
    scene.run(31);
    for (const ContactForce& contact : scene.world.stepResult().contacts)
      pressed = pressed || (contact.force > 0 && contact.contact.j == scene.held);
    const auto snapshot = scene.world.snapshot();
    const std::uint64_t hash = scene.world.stateHash();
    const std::vector<double> tick = numbersOf(scene.world.stepResult());
    const Story first = recordOf(scene, 60);
    scene.world.restore(*snapshot);
    EXPECT_EQ(scene.world.stateHash(), hash);
    EXPECT_EQ(numbersOf(scene.world.stepResult()), tick);
    EXPECT_EQ(recordOf(scene, 60), first) << "from step " << scene.world.stepResult().step - 60;
  }
  EXPECT_TRUE(pressed) << "no snapshot was taken while the held part was pressed to the floor";
}

TEST_P(SnapshotTest, restoresIntoAnotherWorldOfTheSameSetUp) {
  ManyIslands scene(options), other(options);
  scene.run(90);
  const auto snapshot = scene.world.snapshot();
  const Story first = recordOf(scene, 60);
  other.run(7);
  other.world.restore(*snapshot);
  EXPECT_EQ(recordOf(other, 60), first);
}

TEST_P(SnapshotTest, givesTheSameBytesAgainWithFriction) {
  ManyIslands scene(options, 0.4);
  bool rubbed = false;
  for (int at = 0; at < 4; ++at) {
    scene.run(45);
    for (const ContactForce& contact : scene.world.stepResult().contacts)
      rubbed = rubbed || contact.friction.norm() > 0;
    const auto snapshot = scene.world.snapshot();
    const Story first = recordOf(scene, 40);
    scene.world.restore(*snapshot);
    EXPECT_EQ(recordOf(scene, 40), first) << "from step " << scene.world.stepResult().step - 40;
  }
  EXPECT_TRUE(rubbed);
}

TEST_P(SnapshotTest, keepsQueuedCommands) {
  ManyIslands scene(options);
  scene.run(40);
  scene.world.apply(Release{scene.hand});
  const auto snapshot = scene.world.snapshot();
  scene.world.step();
  EXPECT_FALSE(scene.world.stepResult().hands[0].body.valid());
  const std::vector<double> first = numbersOf(scene.world.stepResult());
  scene.run(20);
  scene.world.restore(*snapshot);
  scene.world.step();
  EXPECT_EQ(numbersOf(scene.world.stepResult()), first);
}

TEST_P(SnapshotTest, dropsCommandsGivenAfterIt) {
  ManyIslands scene(options);
  scene.run(40);
  const auto snapshot = scene.world.snapshot();
  scene.world.apply(Release{scene.hand});
  scene.world.restore(*snapshot);
  scene.step();
  EXPECT_TRUE(scene.world.stepResult().hands[0].body.valid());
}

INSTANTIATE_TEST_SUITE_P(solvers, SnapshotTest, tests::everySolverAndBaraff(), tests::solverTestName);

TEST(Snapshot, ofAnotherWorldIsRefused) {
  ManyIslands scene({});
  World empty({}, std::make_unique<tests::ExactCollider>());
  const auto snapshot = scene.world.snapshot();
  EXPECT_THROW(empty.restore(*snapshot), std::invalid_argument);
}

TEST(Snapshot, ofAWorldWithOtherJointsIsRefused) {
  const auto made = [](bool joined) {
    World world({}, std::make_unique<tests::ExactCollider>());
    BodyDescription ball;
    ball.shape = Sphere{0.01};
    ball.mass = massProperties(ball.shape, 1000);
    const BodyId body = world.addBody(ball);
    JointDescription joint;
    joint.kind = JointKind::ball;
    joint.j = body;
    if (joined) world.addJoint(joint);
    return world;
  };
  World with = made(true), without = made(false);
  EXPECT_THROW(without.restore(*with.snapshot()), std::invalid_argument);
  EXPECT_THROW(with.restore(*without.snapshot()), std::invalid_argument);
  EXPECT_NO_THROW(with.restore(*made(true).snapshot()));
}

}  // namespace
}  // namespace tenon::physics
