// A snapshot holds everything that later steps depend on: after restore() they repeat every byte.
#include <gtest/gtest.h>

#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"
#include "tests/support/yard.h"

namespace tenon::physics {
namespace {

using tests::numbersOf;
using tests::Yard;

using Story = std::vector<std::vector<double>>;

Story tell(Yard& yard, int steps) {
  Story story;
  for (int k = 0; k < steps; ++k) story.push_back(numbersOf(yard.step()));
  return story;
}

struct SnapshotTest : testing::TestWithParam<SolverName> {
  WorldOptions options{.solver = GetParam()};
};

TEST_P(SnapshotTest, givesTheSameBytesAgainMidContactAndInTheHand) {
  Yard yard(options);
  bool pressed = false;
  for (int at = 0; at < 6; ++at) {
    yard.run(31);
    for (const ContactForce& contact : yard.world.stepResult().contacts)
      pressed = pressed || (contact.force > 0 && contact.contact.j == yard.held);
    const auto snapshot = yard.world.snapshot();
    const std::uint64_t hash = yard.world.stateHash();
    const std::vector<double> tick = numbersOf(yard.world.stepResult());
    const Story first = tell(yard, 60);
    yard.world.restore(*snapshot);
    EXPECT_EQ(yard.world.stateHash(), hash);
    EXPECT_EQ(numbersOf(yard.world.stepResult()), tick);
    EXPECT_EQ(tell(yard, 60), first) << "from step " << yard.world.stepResult().step - 60;
  }
  EXPECT_TRUE(pressed) << "no snapshot was taken while the held part was pressed to the floor";
}

TEST_P(SnapshotTest, restoresIntoAnotherWorldOfTheSameSetUp) {
  Yard yard(options), other(options);
  yard.run(90);
  const auto snapshot = yard.world.snapshot();
  const Story first = tell(yard, 60);
  other.run(7);
  other.world.restore(*snapshot);
  EXPECT_EQ(tell(other, 60), first);
}

TEST_P(SnapshotTest, givesTheSameBytesAgainWithFriction) {
  Yard yard(options, 0.4);
  bool rubbed = false;
  for (int at = 0; at < 4; ++at) {
    yard.run(45);
    for (const ContactForce& contact : yard.world.stepResult().contacts)
      rubbed = rubbed || contact.friction.norm() > 0;
    const auto snapshot = yard.world.snapshot();
    const Story first = tell(yard, 40);
    yard.world.restore(*snapshot);
    EXPECT_EQ(tell(yard, 40), first) << "from step " << yard.world.stepResult().step - 40;
  }
  EXPECT_TRUE(rubbed);
}

TEST_P(SnapshotTest, keepsQueuedCommands) {
  Yard yard(options);
  yard.run(40);
  yard.world.apply(Release{yard.hand});
  const auto snapshot = yard.world.snapshot();
  yard.world.step();
  EXPECT_FALSE(yard.world.stepResult().hands[0].body.valid());
  const std::vector<double> first = numbersOf(yard.world.stepResult());
  yard.run(20);
  yard.world.restore(*snapshot);
  yard.world.step();
  EXPECT_EQ(numbersOf(yard.world.stepResult()), first);
}

TEST_P(SnapshotTest, dropsCommandsGivenAfterIt) {
  Yard yard(options);
  yard.run(40);
  const auto snapshot = yard.world.snapshot();
  yard.world.apply(Release{yard.hand});
  yard.world.restore(*snapshot);
  yard.step();
  EXPECT_TRUE(yard.world.stepResult().hands[0].body.valid());
}

INSTANTIATE_TEST_SUITE_P(solvers, SnapshotTest, tests::everySolverAndBaraff(), tests::solverTestName);

TEST(Snapshot, ofAnotherWorldIsRefused) {
  Yard yard({});
  World empty({}, std::make_unique<tests::ExactCollider>());
  const auto snapshot = yard.world.snapshot();
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
