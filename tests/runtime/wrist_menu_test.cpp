// The panel above a wrist: when it is there, and what counts as a press on it.
#include "runtime/vr/wrist_menu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::PanelInteractor;
using runtime::PanelRect;
using runtime::PanelTouch;
using runtime::Wrist;

constexpr std::size_t kLeft = 0, kRight = 1;
const Pose kHead = Pose::at({0, 1.6, 0});

/// A hand whose palm is turned away from the head by that angle about the vertical [rad].
xr::Controller palm(std::size_t side, double away) {
  xr::Controller hand;
  hand.tracked = true;
  hand.X_SH = Pose::at({0, 1.6, -0.4});  // the head is in the direction +z
  const double toHead = side == kLeft ? -std::acos(-1.0) / 2 : std::acos(-1.0) / 2;  // turns ±x to +z
  hand.X_SH.q = Quaterniond(Eigen::AngleAxisd(toHead + away, Vector3d::UnitY()));
  return hand;
}

TEST(Wrist, IsVisibleWhileThePalmFacesTheHead) {
  for (const std::size_t side : {kLeft, kRight}) {
    Wrist wrist;
    EXPECT_FALSE(wrist.update(palm(side, 1.0), side, false, kHead));
    EXPECT_TRUE(wrist.update(palm(side, 0.5), side, false, kHead));
    EXPECT_TRUE(wrist.update(palm(side, 0.9), side, false, kHead)) << "it trembles";
    EXPECT_FALSE(wrist.update(palm(side, 1.0), side, false, kHead));
    EXPECT_FALSE(wrist.update(palm(side, 0.9), side, false, kHead));
    EXPECT_FALSE(wrist.update(palm(1 - side, 0), side, false, kHead)) << "the back of the hand";
  }
}

TEST(Wrist, NormalOfThePalmIsThatOfTheRuntimeWhereItIsKnown) {
  for (const std::size_t side : {kLeft, kRight}) {
    xr::Controller hand = palm(side, 1.5);
    EXPECT_FALSE(Wrist().update(hand, side, false, kHead));
    hand.palmNormal = hand.X_SH.q.conjugate() * Vector3d::UnitZ();  // to the head
    EXPECT_TRUE(Wrist().update(hand, side, false, kHead));
    hand = palm(side, 0);
    hand.palmNormal = hand.X_SH.q.conjugate() * -Vector3d::UnitZ();
    EXPECT_FALSE(Wrist().update(hand, side, false, kHead));
  }
}

TEST(Wrist, FacesTheHeadUprightAboveTheHand) {
  const xr::Controller hand = palm(kLeft, 0.3);
  const auto sheet = Wrist().update(hand, kLeft, false, kHead);
  ASSERT_TRUE(sheet);
  const Vector3d z = sheet->X_SP.q * Vector3d::UnitZ(), y = sheet->X_SP.q * Vector3d::UnitY();
  EXPECT_NEAR(z.dot((kHead.p - sheet->X_SP.p).normalized()), 1, 1e-12);
  EXPECT_GT(y.y(), 0.85);
  EXPECT_NEAR((sheet->X_SP.q * Vector3d::UnitX()).y(), 0, 1e-12);
  EXPECT_GT((sheet->X_SP * Vector3d(0, -0.5 * Wrist::kHeight, 0)).y(), hand.X_SH.p.y() + 0.03);
}

TEST(Wrist, ButtonPinsItAndHoldingHidesIt) {
  Wrist wrist;
  xr::Controller away = palm(kLeft, 2), here = palm(kLeft, 0);
  EXPECT_FALSE(wrist.update(here, kLeft, true, kHead)) << "what is in the hand would hide it";
  away.menu = true;
  EXPECT_TRUE(wrist.update(away, kLeft, false, kHead));
  EXPECT_TRUE(wrist.update(away, kLeft, true, kHead)) << "one press, and pinned";
  away.menu = false;
  EXPECT_TRUE(wrist.update(away, kLeft, false, kHead));
  away.tracked = false;
  EXPECT_FALSE(wrist.update(away, kLeft, false, kHead));
  away.tracked = away.menu = true;
  EXPECT_FALSE(wrist.update(away, kLeft, false, kHead)) << "pressed again";
}

/// A sheet that looks along +z, and a hand before it that points at it.
struct Pointing {
  PanelInteractor pointer;
  std::optional<PanelRect> sheet = PanelRect{Pose::at({0, 1, -0.5}), 0.32, 0.24};
  xr::Controller hand;

  Pointing() { hand.tracked = true; }
  /// The finger's tip is there, seen from the sheet's middle.
  PanelTouch tipAt(double x, double y, double z, bool closed = false) {
    hand.X_SH = Pose::at({x, 1 + y, -0.5 + z + 0.07});
    return pointer.update(hand, closed, sheet);
  }
};

TEST(PanelInteractor, FingertipPressesWhenPassingThrough) {
  Pointing p;
  PanelTouch touch = p.tipAt(0.08, 0.06, 0.03);
  ASSERT_TRUE(touch.position);
  EXPECT_TRUE(touch.near);
  EXPECT_NEAR(touch.position->x(), 0.75, 1e-12);
  EXPECT_NEAR(touch.position->y(), 0.25, 1e-12);
  EXPECT_FALSE(touch.pressed);
  EXPECT_TRUE(p.tipAt(0.08, 0.06, -0.002).pressed);
  EXPECT_TRUE(p.tipAt(0.08, 0.06, 0.008).pressed) << "it trembles";
  EXPECT_FALSE(p.tipAt(0.08, 0.06, 0.02).pressed);
  EXPECT_TRUE(p.tipAt(0.08, 0.06, -0.01).pressed);
  EXPECT_FALSE(p.tipAt(0.20, 0.06, -0.01).position) << "beside it";
}

TEST(PanelInteractor, FingertipFromBehindDoesNotPress) {
  Pointing p;
  p.tipAt(0, 0, -0.2);
  EXPECT_FALSE(p.tipAt(0, 0, -0.03).pressed);
  EXPECT_FALSE(p.tipAt(0, 0, -0.001).pressed);
}

TEST(PanelInteractor, RayPressesByTriggerAndByButton) {
  Pointing p;
  PanelTouch touch = p.tipAt(-0.08, 0, 0.3);
  ASSERT_TRUE(touch.position);
  EXPECT_FALSE(touch.near);
  EXPECT_NEAR(touch.position->x(), 0.25, 1e-12);
  EXPECT_LT((touch.hit - Vector3d(-0.08, 1, -0.5)).norm(), 1e-12);
  p.hand.trigger = 1;
  EXPECT_TRUE(p.tipAt(-0.08, 0, 0.3).pressed);
  p.hand.trigger = 0.5;
  EXPECT_TRUE(p.tipAt(-0.08, 0, 0.3).pressed);
  p.hand.trigger = 0;
  EXPECT_FALSE(p.tipAt(-0.08, 0, 0.3).pressed);
  p.hand.select = true;
  EXPECT_TRUE(p.tipAt(-0.08, 0, 0.3).pressed);
  p.hand.select = false;
  EXPECT_FALSE(p.tipAt(0, 0, 2).position) << "too far";
  p.hand.X_SH.q = Quaterniond(Eigen::AngleAxisd(3, Vector3d::UnitY()));
  EXPECT_FALSE(p.pointer.update(p.hand, false, p.sheet).position) << "points elsewhere";
}

TEST(PanelInteractor, PressThatBeganBeforeThePanelOrTrackingIsIgnored) {
  for (const bool byButton : {false, true}) {
    Pointing p;
    const auto press = [&](bool on) {
      byButton ? void(p.hand.select = on) : void(p.hand.trigger = on ? 1 : 0);
    };
    const auto sheet = std::exchange(p.sheet, std::nullopt);
    press(true);
    EXPECT_FALSE(p.tipAt(0, 0, 0.3).position);
    p.sheet = sheet;
    ASSERT_TRUE(p.tipAt(0, 0, 0.3).position);
    EXPECT_FALSE(p.tipAt(0, 0, 0.3).pressed) << "it moved in front";
    p.hand.tracked = false;
    p.tipAt(0, 0, 0.3);
    p.hand.tracked = true;
    EXPECT_FALSE(p.tipAt(0, 0, 0.3).pressed) << "held on, out of sight";
    press(false);
    p.tipAt(0, 0, 0.3);
    press(true);
    EXPECT_TRUE(p.tipAt(0, 0, 0.3).pressed);
    p.sheet.reset();
    EXPECT_FALSE(p.tipAt(0, 0, 0.3).pressed);
    press(false);
    p.tipAt(0, 0, 0.3);
    p.sheet = sheet;
    press(true);
    EXPECT_TRUE(p.tipAt(0, 0, 0.3).pressed) << "released meanwhile, and pressed on the sheet";
  }
}

TEST(PanelInteractor, PressThatBeganOutsideIsIgnored) {
  Pointing p;
  p.hand.trigger = 1;
  EXPECT_FALSE(p.tipAt(0.5, 0, 0.3).position);
  EXPECT_FALSE(p.tipAt(0, 0, 0.3).pressed) << "pulled while it pointed elsewhere";
  p.hand.trigger = 0;
  p.tipAt(0, 0, 0.3);
  p.hand.trigger = 1;
  EXPECT_FALSE(p.tipAt(0, 0, 0.3, true).pressed) << "a closed hand's trigger moves finely";
  EXPECT_TRUE(p.tipAt(0, 0, 0.3).pressed);
}

}  // namespace
}  // namespace tenon::tests
