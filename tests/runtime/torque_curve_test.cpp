// Torque against angle from keyframes: hands on the screw, on its nut, and on a driver in it.
#include "runtime/assess/torque_curve.h"

#include <gtest/gtest.h>

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

TEST(TorqueCurve, CountsTurnsOfMoreThanOneInTheDirectionThatTightens) {
  for (const bool isLeftHanded : {false, true}) {
    const double way = isLeftHanded ? 1 : -1;  // about +z, out of the hole
    TorqueCurve curve(pairOf(isLeftHanded), goalOf(), false);
    std::optional<AngleTorque> last;
    for (int k = 0; k <= 30; ++k)
      last = curve.add(frameAt(0.01 * k, kBolt, way * 0.5), Pose::at(Vector3d::Zero()), turned(way * k));
    ASSERT_TRUE(last);
    EXPECT_NEAR(last->angle, 30, 1e-12);
    EXPECT_NEAR(last->torque, 0.5, 1e-15);
    EXPECT_EQ(last->time, 0.3);
    last = curve.add(frameAt(0.31, kBolt, -way * 0.2), Pose::at(Vector3d::Zero()), turned(way * 29));
    EXPECT_NEAR(last->angle, 29, 1e-12) << "loosened";
    EXPECT_NEAR(last->torque, -0.2, 1e-15);
  }
}

TEST(TorqueCurve, AForceBesideTheAxisIsATorque) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  const auto point =
      curve.add(frameAt(0, kBolt, 0, {0, -10, 0}, {0.1, 0, 0.05}), Pose::at(Vector3d::Zero()), turned(0));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->torque, 1, 1e-15);
}

TEST(TorqueCurve, ANutIsTurnedTheOtherWay) {
  TorqueCurve curve(pairOf(false), goalOf(), true);
  EXPECT_FALSE(curve.add(frameAt(0, kBolt, 1), turned(0), turned(0))) << "the bolt is fixed";
  const auto point = curve.add(frameAt(0.01, kNut, 0.4), turned(0.2), turned(0));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->angle, 0.2, 1e-12);
  EXPECT_NEAR(point->torque, 0.4, 1e-15);
}

TEST(TorqueCurve, ADriverCountsWhileItFits) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  EXPECT_FALSE(curve.add(frameAt(0, kKey, -2), turned(0), turned(0)));
  SessionEvent event;
  event.kind = "driver-on";
  event.body = kKey;
  event.other = kBolt;
  curve.add(event);
  const auto point = curve.add(frameAt(0.01, kKey, -2), turned(0), turned(-0.5));
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->torque, 2, 1e-15);
  EXPECT_NEAR(point->angle, 0.5, 1e-12);
  event.kind = "driver-off";
  curve.add(event);
  EXPECT_FALSE(curve.add(frameAt(0.02, kKey, -2), turned(0), turned(-0.5)));
}

TEST(TorqueCurve, ForcesOfAStepThatDidNotConvergeAreNone) {
  TorqueCurve curve(pairOf(false), goalOf(), false);
  Keyframe frame = frameAt(0, kBolt, -2);
  frame.converged = false;
  EXPECT_FALSE(curve.add(frame, turned(0), turned(0)));
}

}  // namespace
}  // namespace tenon::runtime::torque_curve_test
