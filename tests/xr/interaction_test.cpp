// Hand samples are converted to the right commands, once each.
#include "xr/interaction/interaction.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/empty_collider.h"
#include "xr/hands/scripted_hands.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::xr {
namespace {

using physics::BodyId;
using physics::Command;
using physics::Grab;
using physics::HandId;
using physics::MoveHand;
using physics::Pose;
using physics::Quaterniond;
using physics::Release;
using physics::Vector3d;
using physics::World;

Pose at(double x, double y = 0, double z = 0, double angle = 0) {
  return {Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), Vector3d(x, y, z)};
}

/// Body 0: a fixed plate at the origin. Bodies 1 and 2: cubes of 20 mm at x = 0.2 and 0.3 m, turned,
/// with centers of mass off their origins. Two hands.
World makeWorld() {
  physics::WorldOptions options;
  options.gravity.setZero();
  World world(options, std::make_unique<tests::EmptyCollider>());
  physics::BodyDescription part;
  part.shape = physics::Box{Vector3d::Constant(0.01)};
  part.mass = physics::massProperties(part.shape, 1000);
  part.motion = physics::MotionType::fixed;
  world.addBody(part);
  part.motion = physics::MotionType::dynamic;
  part.mass.center = Vector3d(0.003, -0.002, 0.001);
  part.X_WP = at(0.2, 0, 0, 0.5);
  world.addBody(part);
  part.X_WP = at(0.3, 0, 0, -0.2);
  world.addBody(part);
  for (int h = 0; h < 2; ++h) world.addHand(physics::HandParameters(), at(0.2, 0.05 * (h + 1)));
  return world;
}

/// A world with two hands, their samples, and the resulting commands.
struct Bench {
  World world = makeWorld();
  Interaction interaction{2};
  std::vector<HandSample> samples = std::vector<HandSample>(2);

  std::vector<Command> step() {
    std::vector<Command> commands;
    interaction.commandsFor(samples, world, commands);
    for (const Command& command : commands) world.apply(command);
    world.step();
    return commands;
  }
  HandSample& hand() {
    samples[0].tracked = true;
    return samples[0];
  }
  Pose partPose(int body) {
    return world.partPose(BodyId{body}, world.stepResult().bodies[static_cast<std::size_t>(body)]);
  }
  const physics::HandState& state() { return world.stepResult().hands[0]; }
};

void expectNear(const Pose& a, const Pose& b, double tolerance) {
  EXPECT_LT((a.p - b.p).norm(), tolerance);
  EXPECT_LT(a.q.angularDistance(b.q), 10 * tolerance + 1e-7);  // angularDistance() has half the digits
}

TEST(Interaction, MovesATrackedHandInEveryStepAndAnUntrackedOneNever) {
  Bench bench;
  bench.hand().X_WH = at(0.7);
  for (int k = 0; k < 3; ++k) {
    const auto commands = bench.step();
    ASSERT_EQ(commands.size(), 1u);
    const auto& move = std::get<MoveHand>(commands[0]);
    EXPECT_EQ(move.hand, HandId{0});
    EXPECT_EQ(move.X_WH.p.x(), 0.7);
  }
}

TEST(Interaction, GrabsAndReleasesOncePerSqueeze) {
  Bench bench;
  bench.hand().X_WH = at(0.2, 0.02);
  bench.step();
  bench.hand().closed = true;
  const auto closing = bench.step();
  ASSERT_EQ(closing.size(), 2u);
  EXPECT_EQ(std::get<Grab>(closing[0]).body, BodyId{1});
  EXPECT_EQ(std::get<Grab>(closing[0]).X_WH.p, Vector3d(0.2, 0.02, 0));
  EXPECT_TRUE(std::holds_alternative<MoveHand>(closing[1]));
  EXPECT_EQ(bench.step().size(), 1u);  // still closed: only a move
  bench.hand().closed = false;
  const auto opening = bench.step();
  ASSERT_EQ(opening.size(), 2u);
  EXPECT_EQ(std::get<Release>(opening[0]).hand, HandId{0});
  EXPECT_EQ(bench.step().size(), 1u);
}

TEST(Interaction, GrabsTheNearestDynamicPartWithinTheRadius) {
  const auto grabbed = [](const Pose& X_WH) {
    Bench bench;
    bench.hand().X_WH = X_WH;
    bench.hand().closed = true;
    const auto commands = bench.step();
    return commands.size() == 2 ? std::get<Grab>(commands[0]).body.value : -1;
  };
  EXPECT_EQ(grabbed(at(0.2)), 1);              // inside
  EXPECT_EQ(grabbed(at(0.262)), 2);            // between both, nearer to the second
  EXPECT_EQ(grabbed(at(0.0)), -1);             // on the fixed plate
  EXPECT_EQ(grabbed(at(0.2, 0, 0.0599)), 1);   // 49.9 mm above the upper face
  EXPECT_EQ(grabbed(at(0.2, 0, 0.0601)), -1);  // 50.1 mm
}

TEST(Interaction, GrabsTheWantedPartAtAnyDistanceUnlessItIsFixed) {
  Bench bench;
  bench.hand().X_WH = at(5);
  bench.hand().closed = true;
  bench.hand().wantedPart = 2;
  EXPECT_EQ(std::get<Grab>(bench.step()[0]).body, BodyId{2});

  Bench fixed;
  fixed.hand().closed = true;
  fixed.hand().wantedPart = 0;
  EXPECT_EQ(fixed.step().size(), 1u);
  Bench unknown;
  unknown.hand().closed = true;
  unknown.hand().wantedPart = 17;
  EXPECT_EQ(unknown.step().size(), 1u);
}

TEST(Interaction, SwitchesWhenAClosedHandRequestsAnotherPart) {
  Bench bench;
  bench.hand().X_WH = at(0.25);
  bench.hand().closed = true;
  bench.hand().wantedPart = 1;
  bench.step();
  bench.hand().wantedPart = 2;
  const auto commands = bench.step();
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<Release>(commands[0]));
  EXPECT_EQ(std::get<Grab>(commands[1]).body, BodyId{2});
}

TEST(Interaction, KeepsTargetAndGraspWhileTrackingIsLost) {
  Bench bench;
  bench.hand().X_WH = at(0.2, 0.01);
  bench.hand().closed = true;
  bench.step();
  bench.samples[0] = HandSample();  // untracked and, for what it is worth, open
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(bench.step().empty());
  EXPECT_EQ(bench.state().body, BodyId{1});
  EXPECT_EQ(bench.state().X_WH.p, Vector3d(0.2, 0.01, 0));
  bench.hand().X_WH = at(0.2, 0.01);
  bench.hand().closed = true;  // found again, still squeezing: no second grab
  EXPECT_EQ(bench.step().size(), 1u);
}

TEST(Interaction, DoesNotRegrabALostPartBeforeItOpens) {
  Bench bench;
  bench.hand().X_WH = at(0.2);
  bench.hand().closed = true;
  bench.step();
  bench.hand().X_WH = at(9);  // far beyond the break distance
  bench.step();
  ASSERT_FALSE(bench.state().body.valid());
  bench.hand().X_WH = bench.partPose(1);
  EXPECT_EQ(bench.step().size(), 1u);
  bench.hand().closed = false;
  bench.step();
  bench.hand().closed = true;
  bench.hand().X_WH = bench.partPose(1);
  EXPECT_TRUE(std::holds_alternative<Grab>(bench.step()[0]));
}

TEST(Interaction, PartPoseIsConvertedToTheHandByTheGrip) {
  Bench bench;
  const Pose X_WH = at(0.21, 0.03, 0.01, 1.2);
  bench.hand().X_WH = X_WH;
  bench.hand().closed = true;
  const Pose X_PH = bench.partPose(1).inverse() * X_WH;
  bench.step();
  const Pose wanted = at(0.25, 0.01, -0.02, 0.9);
  bench.hand().X_WH = wanted;
  bench.hand().posesPart = true;
  for (int k = 0; k < 2000; ++k) {
    const auto commands = bench.step();
    ASSERT_EQ(commands.size(), 1u);
    expectNear(std::get<MoveHand>(commands[0]).X_WH, wanted * X_PH, 1e-12);
  }
  expectNear(bench.partPose(1), wanted, 1e-9);  // nothing in the way: the part gets there
}

TEST(Interaction, GrabWithAPartPoseClosesAtTheLastHandPose) {
  Bench bench;
  const Pose start = bench.state().X_WH, part = bench.partPose(1), wanted = at(0.2, 0.001, 0, 0.5);
  bench.hand().closed = true;
  bench.hand().wantedPart = 1;
  bench.hand().posesPart = true;
  bench.hand().X_WH = wanted;
  const auto commands = bench.step();
  ASSERT_EQ(commands.size(), 2u);
  expectNear(std::get<Grab>(commands[0]).X_WH, start, 1e-15);
  expectNear(std::get<MoveHand>(commands[1]).X_WH, wanted * (part.inverse() * start), 1e-12);
}

TEST(Interaction, PartPoseWithoutAHeldPartDoesNotMoveTheHand) {
  Bench bench;
  bench.hand().posesPart = true;
  bench.hand().X_WH = at(3);
  EXPECT_TRUE(bench.step().empty());
}

TEST(Interaction, BlendStartsAtTheHandAndEndsAtThePartPose) {
  const Pose grip = at(0.21, 0.03, 0.01, 1.2), end = at(0.3, 0.1, 0.05, -0.7);
  const auto moveAt = [&](double fraction) {
    Bench bench;
    bench.hand().X_WH = grip;
    bench.hand().closed = true;
    bench.step();
    bench.hand().X_WH = end;
    bench.hand().posesPart = true;
    bench.hand().frameBlend = FrameBlend{grip, fraction};
    return std::get<MoveHand>(bench.step()[0]).X_WH;
  };
  const Pose part = Bench().partPose(1);
  const Pose X_PH = part.inverse() * grip;
  expectNear(moveAt(0), grip, 1e-12);
  expectNear(moveAt(1), end * X_PH, 1e-12);
  // Half-way it is the part's own origin that has gone straight and half its turn.
  const Pose half = moveAt(0.5) * X_PH.inverse();
  EXPECT_LT((half.p - 0.5 * (part.p + end.p)).norm(), 1e-12);
  expectNear(half, {Quaterniond(Eigen::AngleAxisd(-0.1, Vector3d::UnitZ())), half.p}, 1e-12);
}

TEST(Interaction, BlendBackStartsAtThePartsPoseByTheLastGrip) {
  Bench bench;
  const Pose grip = at(0.21, 0.03), wanted = at(0.22, 0, 0, 0.8), away = at(0.5);
  bench.hand().X_WH = grip;
  bench.hand().closed = true;
  const Pose X_PH = bench.partPose(1).inverse() * grip;
  bench.step();
  bench.hand().closed = false;
  bench.hand().X_WH = away;
  bench.hand().frameBlend = FrameBlend{wanted, 0};
  const auto leaving = bench.step();
  ASSERT_EQ(leaving.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Release>(leaving[0]));
  expectNear(std::get<MoveHand>(leaving[1]).X_WH, wanted * X_PH, 1e-12);
  bench.hand().frameBlend = FrameBlend{wanted, 1};
  expectNear(std::get<MoveHand>(bench.step()[0]).X_WH, away, 1e-12);
}

TEST(Interaction, ClosesAtTheScriptedPoseAtAnyRate) {
  // The way-point lies between two samples; the grip must be the one of the way-point.
  content::Hand hand;
  hand.X_WH = at(0.2, 0.05);
  content::Waypoint close;
  close.time = 0.0105;
  close.X_W = at(0.2, 0.01);
  close.grab = 1;
  content::Waypoint go;
  go.time = 0.1;
  go.X_W = at(0.2, 0.3);
  hand.script = {close, go};
  Bench bench;
  Interaction interaction(2);
  const std::vector<content::Hand> both{hand, content::Hand()};
  ScriptedHands hands(both);
  std::vector<HandSample> samples;
  std::vector<Command> commands;
  hands.sample(16'000'000, samples);
  interaction.commandsFor(samples, bench.world, commands);
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(std::get<Grab>(commands[0]).X_WH.p, Vector3d(0.2, 0.01, 0));
  EXPECT_GT(std::get<MoveHand>(commands[1]).X_WH.p.y(), 0.01);
}

TEST(Interaction, AfterAnUndoClosedHandsMustOpenBeforeTheyGrabTrackedOrNot) {
  for (const bool tracked : {true, false}) {
    Bench bench;
    bench.hand().X_WH = at(0.2, 0.02);
    bench.hand().closed = true;
    bench.hand().tracked = tracked;
    bench.interaction.requireReopening(bench.samples);
    EXPECT_EQ(bench.step().size(), tracked ? 1u : 0u);
    EXPECT_EQ((bench.hand(), bench.step().size()), 1u) << "seen again";
    bench.hand().closed = false;
    bench.step();
    bench.hand().closed = true;
    const auto closing = bench.step();
    ASSERT_EQ(closing.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<Grab>(closing[0]));
  }
}

TEST(PartBounds, AreTheExtremesOfEachShape) {
  const auto expectBox = [](const physics::Shape& shape, const Vector3d& low, const Vector3d& high) {
    const Eigen::AlignedBox3d box = boundsOf(shape);
    EXPECT_LT((box.min() - low).norm() + (box.max() - high).norm(), 1e-15);
  };
  expectBox(physics::Box{{1, 2, 3}}, {-1, -2, -3}, {1, 2, 3});
  expectBox(physics::Sphere{2}, {-2, -2, -2}, {2, 2, 2});
  expectBox(physics::Cylinder{1, 4}, {-1, -1, -4}, {1, 1, 4});
  expectBox(physics::Capsule{1, 4}, {-1, -1, -5}, {1, 1, 5});
  expectBox(physics::Frustum{3, 1, 2}, {-3, -3, -2}, {3, 3, 2});
  expectBox(physics::SolidOfRevolution{{{1, 0}, {1, 2}, {3, 4}, {5, 1}, {5, 0}}}, {-4, -4, 1}, {4, 4, 5});
  expectBox(physics::BlockWithHoles{{1, 2, 3}, {}}, {-1, -2, -3}, {1, 2, 3});
  expectBox(physics::Hull{{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, -3}}}, {0, 0, -3}, {1, 2, 0});
  // A cylinder lying along x, 1 m up, in a compound within a compound.
  const Pose lying{Quaterniond(Eigen::AngleAxisd(std::acos(0.0), Vector3d::UnitY())), {0, 0, 1}};
  const physics::Compound inner{{{physics::Cylinder{1, 4}, lying}}};
  expectBox(physics::Compound{{{inner, at(10)}, {physics::Sphere{1}, at(0)}}}, {-1, -1, -1}, {14, 1, 2});
}

TEST(PartBounds, OfATiltedConeTouchItsRims) {
  // Against points of the two rims, placed without the code under test.
  const Pose tilted{Quaterniond(Eigen::AngleAxisd(0.6, Vector3d(1, 2, 0.5).normalized())), {0.1, 0.2, 0.3}};
  Eigen::AlignedBox3d rims;
  for (int k = 0; k < 100000; ++k) {
    const double phase = 2 * std::acos(-1.0) * k / 100000;
    for (const auto& [z, r] : {std::pair(-2.0, 3.0), std::pair(2.0, 0.5)})
      rims.extend(tilted * Vector3d(r * std::cos(phase), r * std::sin(phase), z));
  }
  const auto box = boundsOf(physics::Compound{{{physics::Frustum{3, 0.5, 2}, tilted}}});
  EXPECT_TRUE(box.contains(rims));
  EXPECT_LT((box.sizes() - rims.sizes()).norm(), 1e-8);
}

TEST(PartBounds, OfAHalfSpaceAreUnbounded) {
  EXPECT_FALSE(boundsOf(physics::HalfSpace()).sizes().allFinite());
}

}  // namespace
}  // namespace tenon::xr
