// Two hands on one part: forces add up, and the part does not move when one hand releases it.
#include <gtest/gtest.h>

#include <memory>

#include "tests/support/empty_collider.h"
#include "xr/interaction/interaction.h"

namespace tenon::xr {
namespace {

using physics::Grab;
using physics::Pose;
using physics::Release;
using physics::Vector3d;

/// A cube of 20 mm and 63 g at the origin, nothing else, and two hands that do not carry its weight.
class TwoHands {
 public:
  explicit TwoHands(const Vector3d& gravity = Vector3d::Zero()) : world_(makeWorld(gravity)) {
    for (HandSample& sample : samples) sample.tracked = true;
    samples[0].X_WH = Pose::at({-0.01, 0, 0});
    samples[1].X_WH = Pose::at({0.01, 0, 0});
  }

  std::vector<physics::Command> step() {
    std::vector<physics::Command> commands;
    interaction_.commandsFor(samples, world_, commands);
    for (const physics::Command& command : commands) world_.apply(command);
    world_.step();
    return commands;
  }
  void settle(int steps = 1000) {
    for (int k = 0; k < steps; ++k) step();
  }
  Vector3d place() const { return world_.stepResult().bodies[0].X_WC.p; }
  const physics::HandState& hand(std::size_t k) const { return world_.stepResult().hands[k]; }

  std::vector<HandSample> samples = std::vector<HandSample>(2);

 private:
  static physics::World makeWorld(const Vector3d& gravity) {
    physics::WorldOptions options;
    options.gravity = gravity;
    physics::World world(options, std::make_unique<tests::EmptyCollider>());
    physics::BodyDescription cube;
    cube.shape = physics::Box{Vector3d::Constant(0.01)};
    cube.mass = physics::massProperties(cube.shape, 7850);
    world.addBody(cube);
    physics::HandParameters parameters;
    parameters.carriesWeight = false;
    for (int h = 0; h < 2; ++h) world.addHand(parameters, Pose::at({0.02 * h - 0.01, 0, 0}));
    return world;
  }

  physics::World world_;
  Interaction interaction_{2};
};

TEST(TwoHands, ForcesOfBothAddUp) {
  const Vector3d gravity(0, 0, -9.81);
  // Held 10 mm beside its middle, it turns as well as sinks.
  const double weight = 7850 * 8e-6 * 9.81, sag = weight * (1 / 2000.0 + 0.01 * 0.01 / 2);
  TwoHands bench(gravity);
  bench.samples[0].closed = true;
  bench.settle();
  EXPECT_NEAR(bench.hand(0).force.z(), weight, 1e-9);
  EXPECT_NEAR(bench.place().z(), -sag, 0.01 * sag);
  bench.samples[1].closed = true;
  // The second one takes it as it hangs, unstretched, and bears only what comes from now on.
  bench.settle();
  EXPECT_EQ(bench.hand(0).body, bench.hand(1).body);
  EXPECT_NEAR((bench.hand(0).force + bench.hand(1).force).z(), weight, 1e-9);
  for (HandSample& sample : bench.samples) sample.X_WH.p.z() += 0.01;
  bench.settle();
  EXPECT_NEAR((bench.hand(0).force + bench.hand(1).force).z(), weight, 1e-9);
  EXPECT_NEAR(bench.place().z(), 0.01 - sag, 0.01 * sag) << "both lift it";
}

TEST(TwoHands, PartDoesNotJumpWhenOneHandReleasesIt) {
  TwoHands bench;
  for (HandSample& sample : bench.samples) sample.closed = true;
  bench.step();
  ASSERT_TRUE(bench.hand(0).body.valid() && bench.hand(1).body.valid()) << "the second hand takes it too";
  // They pull apart by 20 mm and twist it against each other.
  bench.samples[0].X_WH.p += Vector3d(-0.01, 0, 0.004);
  bench.samples[1].X_WH.p += Vector3d(0.01, 0, 0);
  bench.samples[1].X_WH.q = physics::exponential({0.2, 0, 0});
  bench.settle();
  ASSERT_GT(bench.hand(1).force.norm(), 10);
  const Vector3d before = bench.place();
  bench.samples[0].closed = false;
  const auto commands = bench.step();
  ASSERT_GE(commands.size(), 3U);
  EXPECT_EQ(std::get<Grab>(commands[0]).hand, physics::HandId{1});
  EXPECT_TRUE(std::holds_alternative<Release>(commands[1]));
  double furthest = 0;
  for (int k = 0; k < 1000; ++k) {
    bench.step();
    furthest = std::max(furthest, (bench.place() - before).norm());
  }
  EXPECT_LT(furthest, 1e-5);
  EXPECT_FALSE(bench.hand(0).body.valid());
  EXPECT_TRUE(bench.hand(1).body.valid());
  // From there it goes with the hand, as far as that goes.
  bench.samples[1].X_WH.p += Vector3d(0, 0.05, 0);
  bench.settle();
  EXPECT_LT((bench.place() - before - Vector3d(0, 0.05, 0)).norm(), 1e-5);
}

TEST(TwoHands, RemainingHandKeepsPushing) {
  TwoHands bench({0, 0, -9.81});
  for (HandSample& sample : bench.samples) {
    sample.closed = true;
    sample.X_WH.p.z() = 0;
  }
  bench.settle();
  const double half = bench.hand(1).force.z();
  ASSERT_GT(half, 0.1);
  bench.samples[0].closed = false;
  for (const physics::Command& command : bench.step())
    EXPECT_FALSE(std::holds_alternative<Grab>(command)) << "it would drop what it bears";
  bench.settle();
  EXPECT_NEAR(bench.hand(1).force.z(), 2 * half, 1e-9) << "the weight is all its own now";
}

TEST(TwoHands, PartIsPassedFromHandToHandAndBack) {
  TwoHands bench;
  bench.samples[0].closed = true;
  bench.settle(10);
  for (int turn = 0; turn < 4; ++turn) {
    const std::size_t from = turn % 2, to = 1 - from;
    const Vector3d before = bench.place();
    bench.samples[to].closed = true;
    bench.settle(10);
    bench.samples[from].closed = false;
    bench.settle(10);
    EXPECT_LT((bench.place() - before).norm(), 1e-9);
    EXPECT_TRUE(bench.hand(to).body.valid());
    EXPECT_FALSE(bench.hand(from).body.valid());
    bench.samples[to].X_WH.p.y() += 0.01;
    bench.samples[from].X_WH.p.y() += 0.01;
    bench.settle();
    EXPECT_LT((bench.place() - before - Vector3d(0, 0.01, 0)).norm(), 1e-6);
  }
}

TEST(TwoHands, UntrackedHandKeepsThePartThatTheOtherReleases) {
  TwoHands bench;
  for (HandSample& sample : bench.samples) sample.closed = true;
  bench.step();
  bench.samples[0].X_WH.p.x() -= 0.02;
  bench.settle();
  const Vector3d before = bench.place();
  bench.samples[1] = HandSample();
  bench.samples[0].closed = false;
  bench.settle();
  EXPECT_LT((bench.place() - before).norm(), 1e-5);
  EXPECT_TRUE(bench.hand(1).body.valid());
}

}  // namespace
}  // namespace tenon::xr
