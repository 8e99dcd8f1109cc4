// A bare hand as a controller: grip pose, squeeze value and aim direction.
#include "xr/hands/hand_joints.h"

#include <gtest/gtest.h>

#include "xr/hands/xr_hands.h"

namespace tenon::xr {
namespace {

using physics::Pose;
using physics::Vector3d;

/// A flat right hand, palm down, fingers along −z, from wrist to knuckles 95 mm; sizes in meters.
HandJoints flatHand(double size = 1) {
  HandJoints joints;
  const auto put = [&](Joint joint, double x, double z) {
    joints[static_cast<std::size_t>(joint)].p = size * Vector3d(x, 0, z);
  };
  put(Joint::wrist, 0, 0.05);
  put(Joint::palm, 0, 0);
  put(Joint::thumbTip, -0.06, -0.04);
  const std::array bases{Joint::indexProximal, Joint::middleProximal, Joint::ringProximal,
                         Joint::littleProximal};
  const std::array tips{Joint::indexTip, Joint::middleTip, Joint::ringTip, Joint::littleTip};
  for (std::size_t k = 0; k < 4; ++k) {
    const double x = -0.02 + 0.02 * static_cast<double>(k);
    put(bases[k], x, -0.045);
    put(tips[k], x, -0.12);
  }
  return joints;
}

/// Bends the three fingers to the palm, 0…1.
HandJoints fist(double bent) {
  HandJoints joints = flatHand();
  for (const Joint tip : {Joint::middleTip, Joint::ringTip, Joint::littleTip}) {
    Vector3d& p = joints[static_cast<std::size_t>(tip)].p;
    p.z() += bent * 0.09;
    p.y() -= bent * 0.02;
  }
  return joints;
}

/// Sets the distance of the tips of thumb and index finger, symmetrically.
HandJoints pinch(double apart) {
  HandJoints joints = flatHand();
  const Vector3d middle(-0.04, -0.02, -0.08), half(0.5 * apart, 0, 0);
  joints[static_cast<std::size_t>(Joint::thumbTip)].p = middle - half;
  joints[static_cast<std::size_t>(Joint::indexTip)].p = middle + half;
  return joints;
}

TEST(HandJoints, FlatHandIsOpenAndAFistIsClosed) {
  EXPECT_LT(graspStrength(flatHand()), XrHands::kOpenThreshold);
  EXPECT_LT(pinchStrength(flatHand()), XrHands::kOpenThreshold);
  EXPECT_GE(graspStrength(fist(1)), XrHands::kCloseThreshold);
  EXPECT_LT(pinchStrength(fist(1)), XrHands::kOpenThreshold);
  double before = -1;
  for (int k = 0; k <= 10; ++k) {
    EXPECT_GE(graspStrength(fist(0.1 * k)), before);
    before = graspStrength(fist(0.1 * k));
  }
}

TEST(HandJoints, PinchClosesAndOpensAtItsThresholds) {
  const double size = 0.095;
  EXPECT_NEAR(pinchStrength(pinch(kPinchThresholds[0] * size)), XrHands::kCloseThreshold, 1e-9);
  EXPECT_NEAR(pinchStrength(pinch(kPinchThresholds[1] * size)), XrHands::kOpenThreshold, 1e-9);
  EXPECT_GT(pinchStrength(pinch(0.012)), XrHands::kCloseThreshold)
      << "the tips of fingers that touch are that far apart";
  EXPECT_LT(graspStrength(pinch(0.012)), XrHands::kOpenThreshold);
  EXPECT_GT(controllerOf(pinch(0.012)).squeeze, XrHands::kCloseThreshold);
  EXPECT_GT(controllerOf(fist(1)).squeeze, XrHands::kCloseThreshold) << "either closes";
}

TEST(HandJoints, SmallHandsCloseLikeLargeOnes) {
  EXPECT_NEAR(graspStrength(flatHand(0.7)), graspStrength(flatHand()), 1e-12);
  EXPECT_NEAR(pinchStrength(flatHand(0.7)), pinchStrength(flatHand()), 1e-12);
  EXPECT_EQ(controllerOf(HandJoints()).squeeze, 0) << "joints that all are at one place are no fist";
}

TEST(HandJoints, GripIsAtThePinchPointAndFixedToThePalm) {
  const Controller open = controllerOf(flatHand());
  EXPECT_TRUE(open.tracked);
  EXPECT_EQ(open.origin, HandOrigin::bareHand);
  EXPECT_EQ(*open.aimDirection, Vector3d(0, 0, -1));
  // Of the forefinger's knuckle, 45 mm in front of the palm, a third of 95 mm ahead and below.
  EXPECT_LT((open.X_SH.p - Vector3d(-0.02, -0.03325, -0.07825)).norm(), 1e-12);
  for (const HandJoints& closed : {fist(1), pinch(0.01)})
    EXPECT_EQ(controllerOf(closed).X_SH.p, open.X_SH.p) << "closing moves nothing";
  HandJoints turned = flatHand();
  const Pose X{physics::exponential({0.1, 0.2, 0.3}), {1, 2, 3}};
  for (Pose& joint : turned) joint = X * joint;
  EXPECT_LT((controllerOf(turned).X_SH.p - X * open.X_SH.p).norm(), 1e-12);
  EXPECT_LT(controllerOf(turned).X_SH.q.angularDistance(X.q), 1e-7);
}

TEST(HandJoints, PinchHasHysteresis) {
  content::Scene scene;
  scene.hands.push_back({.name = "right", .parameters = {}, .X_WH = {}, .script = {}});
  XrHands hands(scene);
  int changes = 0;
  bool closed = false;
  const double middle = 0.5 * (kPinchThresholds[0] + kPinchThresholds[1]) * 0.095;
  for (int k = 0; k < 100; ++k) {
    std::array<Controller, 2> both;
    both[XrHands::kRight] = controllerOf(pinch(k == 0    ? 0.08
                                               : k == 10 ? 0.01
                                                         : middle + (k % 2 ? 5e-3 : -5e-3)));
    hands.update(both, Pose());
    changes += hands.samples()[0].closed != closed;
    closed = hands.samples()[0].closed;
  }
  EXPECT_TRUE(closed);
  EXPECT_EQ(changes, 1);
}

TEST(HandJoints, ControllerHasPriorityOverTheBareHand) {
  Controller controller, bare;
  controller.squeeze = 0.1;
  bare.origin = HandOrigin::bareHand;
  EXPECT_FALSE(firstTracked(controller, bare).tracked);
  bare.tracked = true;
  EXPECT_EQ(firstTracked(controller, bare).origin, HandOrigin::bareHand);
  controller.tracked = true;
  EXPECT_EQ(firstTracked(controller, bare).origin, HandOrigin::controller);
}

}  // namespace
}  // namespace tenon::xr
