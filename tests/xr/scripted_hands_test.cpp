// Scripted hands are at their waypoints at the waypoints' times.
#include "xr/hands/scripted_hands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "xr/hands/pose_interpolation.h"

namespace tenon::xr {
namespace {

using content::Hand;
using content::Waypoint;
using content::WaypointFrame;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

constexpr std::int64_t kSecond = 1'000'000'000;

Pose pose(double x, double y, double z, double angle = 0, const Vector3d& axis = Vector3d::UnitY()) {
  return {Quaterniond(Eigen::AngleAxisd(angle, axis.normalized())), Vector3d(x, y, z)};
}

void expectSame(const Pose& a, const Pose& b) {
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(a.q.coeffs(), b.q.coeffs());
}

HandSample sampleAt(const Hand& hand, std::int64_t time_ns) {
  ScriptedHands hands(std::span(&hand, 1));
  std::vector<HandSample> samples;
  hands.sample(time_ns, samples);
  EXPECT_EQ(samples.size(), 1u);
  return samples.at(0);
}

Waypoint moveTo(double time, const Pose& X_W, WaypointFrame frame = WaypointFrame::hand) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.X_W = X_W;
  waypoint.frame = frame;
  return waypoint;
}

Waypoint grab(double time, int part) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.grab = part;
  return waypoint;
}

Waypoint release(double time) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.release = true;
  return waypoint;
}

// A rotation of several turns, which poses alone cannot express.
TEST(ScriptedHands, RotateSeveralTurnsByARotationVector) {
  Hand hand;
  hand.X_WH = pose(0, 0, 0, 0.3);
  Waypoint rotationVector = moveTo(1, pose(0, 0, -1));
  rotationVector.rotationVector = Vector3d(0, 0, -8 * 2 * std::numbers::pi);
  rotationVector.X_W->q = hand.X_WH.q;
  hand.script = {rotationVector};
  EXPECT_EQ(sampleAt(hand, kSecond).X_WH.q.coeffs(), hand.X_WH.q.coeffs());
  for (const int part : {1, 5, 31}) {  // of 64: eighths of a turn
    const Pose X = sampleAt(hand, kSecond / 64 * part).X_WH;
    const Quaterniond turned(Eigen::AngleAxisd(-part * std::numbers::pi / 4, Vector3d::UnitZ()));
    EXPECT_LT(X.q.angularDistance(turned * hand.X_WH.q), 1e-7) << part;
    EXPECT_NEAR(X.p.z(), -part / 64.0, 1e-15) << part;
  }
}

TEST(ScriptedHands, WithoutAScriptStayOpenAtTheStartPose) {
  Hand hand;
  hand.X_WH = pose(1, 2, 3, 0.4);
  for (const std::int64_t time : {std::int64_t{0}, kSecond, 1000 * kSecond}) {
    const HandSample sample = sampleAt(hand, time);
    EXPECT_TRUE(sample.tracked);
    EXPECT_FALSE(sample.closed);
    EXPECT_FALSE(sample.posesPart);
    expectSame(sample.X_WH, hand.X_WH);
  }
}

TEST(ScriptedHands, AreExactlyAtAWaypointAtItsTimeAndStayAfterTheLast) {
  Hand hand;
  hand.X_WH = pose(0, 0, 0.1);
  const Pose first = pose(0.3, -0.2, 0.7, 1.1), second = pose(0.1, 0.9, -0.7, -2.3, {1, 2, 3});
  hand.script = {moveTo(0.1, first), moveTo(1.0 / 3.0, second)};
  expectSame(sampleAt(hand, 0).X_WH, hand.X_WH);
  expectSame(sampleAt(hand, 100'000'000).X_WH, first);
  expectSame(sampleAt(hand, 333'333'333).X_WH, second);
  expectSame(sampleAt(hand, 333'333'334).X_WH, second);
  expectSame(sampleAt(hand, 86400 * kSecond).X_WH, second);
}

TEST(ScriptedHands, MoveAlongALineAndRotateAtConstantRates) {
  Hand hand;
  hand.script = {moveTo(1, pose(1, 0, 0, 0.3)), moveTo(3, pose(3, 4, -2, 1.9))};
  for (int k = 0; k <= 20; ++k) {
    const double s = k / 20.0;
    const Pose X = sampleAt(hand, kSecond + k * kSecond / 10).X_WH;
    EXPECT_LT((X.p - Vector3d(1 + 2 * s, 4 * s, -2 * s)).norm(), 1e-15);
    // About one fixed axis the angle itself must be linear in time.
    EXPECT_NEAR(2 * std::atan2(X.q.y(), X.q.w()), 0.3 + 1.6 * s, 1e-14);
    EXPECT_NEAR(X.q.norm(), 1, 1e-15);
  }
}

TEST(ScriptedHands, RotateByTheSmallerAngle) {
  Hand hand;
  hand.script = {moveTo(0, pose(0, 0, 0, 3.0)), moveTo(1, pose(0, 0, 0, -3.0))};
  const Quaterniond middle = sampleAt(hand, kSecond / 2).X_WH.q;
  EXPECT_NEAR(std::abs(middle.y()), 1, 1e-14);  // through half a turn, not through 0
}

TEST(ScriptedHands, WaitAtWaypointsWithoutAPose) {
  Hand hand;
  const Pose there = pose(1, 0, 0);
  hand.script = {moveTo(1, there), grab(2, 0), moveTo(3, pose(2, 0, 0))};
  expectSame(sampleAt(hand, 3 * kSecond / 2).X_WH, there);
  expectSame(sampleAt(hand, 2 * kSecond).X_WH, there);
  EXPECT_DOUBLE_EQ(sampleAt(hand, 5 * kSecond / 2).X_WH.p.x(), 1.5);
}

TEST(ScriptedHands, CloseAndOpenAtTheWaypointsTimeWithTheirPose) {
  Hand hand;
  const Pose there = pose(1, 0, 0);
  Waypoint arrive = moveTo(1, there);
  arrive.grab = 4;
  hand.script = {arrive, moveTo(2, pose(2, 0, 0)), release(2), grab(3, 7)};
  EXPECT_FALSE(sampleAt(hand, kSecond - 1).closed);
  for (const std::int64_t time : {kSecond, 2 * kSecond - 1}) {
    const HandSample sample = sampleAt(hand, time);
    EXPECT_TRUE(sample.closed);
    EXPECT_EQ(sample.wantedPart, 4);
    ASSERT_TRUE(sample.X_WH_closed);
    expectSame(*sample.X_WH_closed, there);
  }
  EXPECT_FALSE(sampleAt(hand, 2 * kSecond).closed);
  EXPECT_FALSE(sampleAt(hand, 3 * kSecond - 1).closed);
  EXPECT_EQ(sampleAt(hand, 3 * kSecond).wantedPart, 7);
}

TEST(ScriptedHands, LastOfSimultaneousWaypointsApplies) {
  Hand hand;
  hand.script = {moveTo(1, pose(1, 0, 0)), grab(1, 2), moveTo(1, pose(5, 0, 0))};
  EXPECT_NEAR(sampleAt(hand, kSecond - 1).X_WH.p.x(), 1, 1e-8);
  EXPECT_EQ(sampleAt(hand, kSecond).X_WH.p.x(), 5);
  EXPECT_EQ(sampleAt(hand, kSecond).X_WH_closed->p.x(), 1);  // it closed before it jumped
}

TEST(ScriptedHands, BlendBetweenAHandPoseAndAPartPose) {
  Hand hand;
  const Pose handPose = pose(1, 0, 0), partPose = pose(0, 1, 0, 0.5);
  hand.script = {moveTo(1, handPose), grab(1, 0), moveTo(3, partPose, WaypointFrame::part),
                 moveTo(4, pose(0, 2, 0), WaypointFrame::part), moveTo(5, handPose)};
  EXPECT_FALSE(sampleAt(hand, kSecond).frameBlend);
  EXPECT_FALSE(sampleAt(hand, kSecond).posesPart);

  const HandSample there = sampleAt(hand, 3 * kSecond / 2);
  EXPECT_TRUE(there.posesPart);
  ASSERT_TRUE(there.frameBlend);
  expectSame(there.frameBlend->start, handPose);
  expectSame(there.X_WH, partPose);
  EXPECT_EQ(there.frameBlend->fraction, 0.25);

  const HandSample arrived = sampleAt(hand, 3 * kSecond);
  EXPECT_TRUE(arrived.posesPart);
  EXPECT_FALSE(arrived.frameBlend);
  expectSame(arrived.X_WH, partPose);
  EXPECT_FALSE(sampleAt(hand, 7 * kSecond / 2).frameBlend);  // part to part is no crossing

  const HandSample back = sampleAt(hand, 9 * kSecond / 2);
  EXPECT_FALSE(back.posesPart);
  ASSERT_TRUE(back.frameBlend);
  expectSame(back.frameBlend->start, pose(0, 2, 0));
  expectSame(back.X_WH, handPose);
}

TEST(ScriptedHands, ReturnTheSameSamplesInAnyOrder) {
  Hand hand;
  hand.script = {moveTo(0.5, pose(1, 2, 3, 1)), grab(0.7, 0), moveTo(2, pose(-1, 0, 1, 3)), release(2)};
  const unsigned seed = 20260;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> instants(0, 3 * kSecond);
  ScriptedHands hands(std::span(&hand, 1));
  std::vector<HandSample> samples;
  for (int k = 0; k < 200; ++k) {
    const std::int64_t time = instants(random);
    hands.sample(time, samples);
    const HandSample fresh = sampleAt(hand, time);
    expectSame(samples.at(0).X_WH, fresh.X_WH);
    EXPECT_EQ(samples.at(0).closed, fresh.closed);
  }
}

TEST(ScriptedHands, ReturnOneSamplePerHandInTheScenesOrder) {
  std::vector<Hand> two(2);
  two[0].X_WH = pose(1, 0, 0);
  two[1].X_WH = pose(2, 0, 0);
  ScriptedHands hands(two);
  std::vector<HandSample> samples(5);
  hands.sample(kSecond, samples);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].X_WH.p.x(), 1);
  EXPECT_EQ(samples[1].X_WH.p.x(), 2);
}

TEST(InterpolatePose, IsExactAtBothEnds) {
  const Pose a = pose(0.1, 0.2, 0.3, 0.7, {1, 1, 0}), b = pose(-0.3, 0.4, 5, -2, {0, 1, 3});
  expectSame(interpolatePose(a, b, 0), a);
  expectSame(interpolatePose(a, b, 1), b);
}

}  // namespace
}  // namespace tenon::xr
