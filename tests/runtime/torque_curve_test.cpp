// Torque against angle from keyframes: hands on the screw, on its nut, and on a driver in it.
#include "runtime/assess/torque_curve.h"

#include <gtest/gtest.h>

#include <optional>

namespace tenon::runtime::torque_curve_test {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

constexpr int kBolt = 0, kNut = 1, kKey = 2;

content::ThreadPair pairOf(bool isLeftHanded) {
  content::ThreadPair pair;
  pair.external = physics::basicThread(8e-3, 1.25e-3, false, 0, 20e-3);
  pair.internal = physics::basicThread(8e-3, 1.25e-3, true, -16e-3, 0);
  pair.external.isLeftHanded = pair.internal.isLeftHanded = isLeftHanded;
  return pair;
}

content::Goal goalOf() {
  content::Goal goal;
  goal.part = kBolt;
  goal.into = kNut;
  return goal;
}

/// `angle` of the body about +z, with this torque of the only hand, which holds `held`.
Keyframe frameAt(double time, int held, double torque, const Vector3d& force = Vector3d::Zero(),
                 const Vector3d& at = Vector3d::Zero()) {
  Keyframe frame;
  frame.time = time;
  frame.bodies.resize(3);
  physics::HandState hand;
  hand.body = {held};
  hand.torque = Vector3d(0.3, -0.2, torque);
  hand.force = force;
  hand.X_CH = Pose::at(at);
  frame.hands.push_back(hand);
  return frame;
}

Pose turned(double angle) {
  return {Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), {0, 0, 0}};
}

/// The last point after this keyframe; empty if it added none.
std::optional<AngleTorque> after(TorqueCurve& curve, const Keyframe& frame, const Pose& X_WH,
                                 const Pose& X_WP) {
  const std::size_t before = curve.points().size();
  curve.add(frame, X_WH, X_WP, true);
  if (curve.points().size() == before) return std::nullopt;
  return curve.points().back();
}

SessionEvent eventAt(double time, const char* kind, int body = -1, int other = -1) {
  SessionEvent event;
  event.time = time;
  event.kind = kind;
  event.body = body;
  event.other = other;
  return event;
}

TEST(TorqueCurve, CountsTurnsOfMoreThanOneInTheDirectionThatTightens) {
  for (const bool isLeftHanded : {false, true}) {
    const double tightening = isLeftHanded ? 1 : -1;  // about +z, out of the hole
    TorqueCurve curve(pairOf(isLeftHanded), goalOf(), false);
    std::optional<AngleTorque> last;
    for (int k = 0; k <= 30; ++k)
      last = after(curve, frameAt(0.01 * k, kBolt, tightening * 0.5), turned(0), turned(tightening * k));
    ASSERT_TRUE(last);
    EXPECT_NEAR(last->angle, 30, 1e-12);
    EXPECT_NEAR(last->torque, 0.5, 1e-15);
    EXPECT_EQ(last->time, 0.3);
    last = after(curve, frameAt(0.31, kBolt, -tightening * 0.2), turned(0), turned(tightening * 29));
    ASSERT_TRUE(last);
    EXPECT_NEAR(last->angle, 29, 1e-12) << "loosened";
    EXPECT_NEAR(last->torque, -0.2, 1e-15);
  }
}

TEST(TorqueCurve, AForceBesideTheAxisIsATorque) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  const auto point = after(curve, frameAt(0, kBolt, 0, {0, -10, 0}, {0.1, 0, 0.05}), turned(0), turned(0));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->torque, 1, 1e-15);
}

TEST(TorqueCurve, ANutIsTurnedTheOtherWay) {
  TorqueCurve curve(pairOf(false), goalOf(), true);
  EXPECT_FALSE(after(curve, frameAt(0, kBolt, 1), turned(0), turned(0))) << "the bolt is fixed";
  const auto point = after(curve, frameAt(0.01, kNut, 0.4), turned(0.2), turned(0));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->angle, 0.2, 1e-12);
  EXPECT_NEAR(point->torque, 0.4, 1e-15);
}

// As from a record: all events come before the keyframes.
TEST(TorqueCurve, ADriverCountsWhileItFits) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  curve.add(eventAt(0.01, "driver-on", kKey, kBolt));
  curve.add(eventAt(0.02, "driver-off", kKey, kBolt));
  curve.add(eventAt(0.04, "driver-on", kKey, kNut));
  EXPECT_FALSE(after(curve, frameAt(0, kKey, -2), turned(0), turned(0))) << "not yet";
  const auto point = after(curve, frameAt(0.015, kKey, -2), turned(0), turned(-0.5));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->torque, 2, 1e-15);
  EXPECT_NEAR(point->angle, 0.5, 1e-12);
  EXPECT_FALSE(after(curve, frameAt(0.03, kKey, -2), turned(0), turned(-0.5))) << "drawn off";
  EXPECT_FALSE(after(curve, frameAt(0.05, kKey, -2), turned(0), turned(-0.5))) << "in another part";
}

TEST(TorqueCurve, StartsAgainWherePosesJump) {
  for (const char* kind : {"undo", "redo", "reset", "place"}) {
    TorqueCurve curve(pairOf(false), goalOf(), false);
    curve.add(eventAt(0.025, kind));
    for (int k = 0; k <= 2; ++k) curve.add(frameAt(0.01 * k, kBolt, -1), turned(0), turned(-2.0 * k), true);
    EXPECT_EQ(curve.points().size(), 3u);
    const Keyframe next = frameAt(0.03, kBolt, -1);
    curve.add(next, turned(0), turned(-0.3), true);
    ASSERT_EQ(curve.points().size(), 1u) << kind;
    EXPECT_EQ(curve.points().front().angle, 0) << kind;
  }
}

TEST(TorqueCurve, OnlyStepsThatConvergedAtTheHoleCount) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  Keyframe frame = frameAt(0, kBolt, -2);
  curve.add(frame, turned(0), turned(0), false);
  frame.converged = false;
  curve.add(frame, turned(0), turned(0), true);
  EXPECT_TRUE(curve.points().empty());
}

}  // namespace
}  // namespace tenon::runtime::torque_curve_test
