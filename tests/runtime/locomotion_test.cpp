// Sticks that turn and move a person, and the dark that goes with it.
#include "runtime/vr/locomotion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::Comfort;
using runtime::Locomotion;

constexpr double kFrame = 1.0 / 90;

struct Walker {
  Locomotion locomotion;
  Comfort comfort;
  std::array<Locomotion::Hand, 2> hands;
  double floor = 0;

  Walker() {
    for (std::size_t side = 0; side < 2; ++side) {
      hands[side].controller.tracked = true;
      hands[side].controller.X_SH = Pose::at({side == 0 ? -0.2 : 0.2, 1.2, 0});
    }
  }
  Locomotion::Step frame() { return locomotion.update(hands, comfort, floor, kFrame); }
  /// All turns of so many frames [rad].
  double turned(int frames) {
    double all = 0;
    for (int k = 0; k < frames; ++k) all += frame().turn;
    return all;
  }
};

TEST(TurnMode, IsAnAngleSmoothOrOff) {
  using runtime::parseTurnMode;
  using runtime::TurnMode;
  EXPECT_EQ(parseTurnMode("45"), (TurnMode{45, false}));
  EXPECT_EQ(parseTurnMode("22.5"), (TurnMode{22.5, false}));
  EXPECT_EQ(parseTurnMode("smooth"), (TurnMode{0, true}));
  EXPECT_EQ(parseTurnMode("off"), (TurnMode{0, false}));
  EXPECT_EQ(parseTurnMode("0"), parseTurnMode("off"));
  for (const char* wrong : {"", "x", "45deg", "-1", "181", "nan", "Smooth"})
    EXPECT_FALSE(parseTurnMode(wrong)) << wrong;
  for (const char* text : {"45", "smooth", "off"}) EXPECT_EQ(toText(*parseTurnMode(text)), text);
}

TEST(Locomotion, TurnsInStepsSmoothlyOrNotAtAll) {
  Walker walker;
  walker.hands[1].controller.thumbstickX = 1;
  EXPECT_NEAR(walker.turned(90), std::numbers::pi / 6, 1e-12) << "one step, however long it is pushed";
  walker.comfort.turning = {0, true};
  EXPECT_NEAR(walker.turned(90), std::numbers::pi / 2, 1e-9) << "90° in a second";
  walker.hands[1].controller.thumbstickX = 0.2;
  EXPECT_EQ(walker.turned(90), 0) << "the dead zone";
  walker.hands[1].controller.thumbstickX = -1;
  EXPECT_NEAR(walker.turned(45), -std::numbers::pi / 4, 1e-9);
  walker.hands[0].busy = true;
  EXPECT_EQ(walker.turned(90), 0) << "what a closed hand holds would be swung about";
  walker.hands[0].busy = false;
  walker.comfort.turning = {0, false};
  EXPECT_EQ(walker.turned(90), 0);
  walker.comfort.turning = {30, false};
  walker.hands[1].controller.thumbstickX = 0.8;
  walker.hands[1].controller.thumbstickY = 0.9;
  EXPECT_EQ(walker.turned(9), 0) << "ahead is meant";
}

TEST(Locomotion, ShowsTheVignetteDuringSmoothTurning) {
  Walker walker;
  walker.comfort.turning = {0, true};
  walker.hands[1].controller.thumbstickX = 1;
  EXPECT_LT(walker.frame().vignette, 0.1) << "it comes softly";
  walker.turned(90);
  EXPECT_GT(walker.frame().vignette, 0.95);
  walker.hands[1].controller.thumbstickX = 0;
  walker.turned(90);
  EXPECT_EQ(walker.frame().vignette, 0);
  walker.comfort.vignette = false;
  walker.hands[1].controller.thumbstickX = 1;
  walker.turned(90);
  EXPECT_EQ(walker.frame().vignette, 0);
}

TEST(Locomotion, OtherStickMovesTheTable) {
  Walker walker;
  walker.hands[0].controller.thumbstickY = 1;
  double raised = 0;
  for (int k = 0; k < 90; ++k) raised += walker.frame().raise;
  EXPECT_NEAR(raised, Locomotion::kRaiseRate, 1e-9);
  for (const std::size_t side : {0, 1}) {
    walker.hands[side].busy = true;
    EXPECT_EQ(walker.frame().raise, 0) << "what either hand holds would be moved along";
    walker.hands[side].busy = false;
  }
  walker.comfort.leftHanded = true;
  EXPECT_EQ(walker.frame().raise, 0) << "the left one throws the arc now";
  EXPECT_TRUE(walker.frame().arc);
}

TEST(Locomotion, ReleasingTheStickTeleportsBehindAFade) {
  Walker walker;
  walker.hands[1].controller.thumbstickY = 1;
  const auto aimed = walker.frame();
  ASSERT_TRUE(aimed.arc && aimed.arc->landing);
  EXPECT_EQ(aimed.fade, 0);
  walker.hands[1].controller.thumbstickY = 0.5;
  EXPECT_TRUE(walker.frame().arc) << "it trembles";
  walker.hands[1].controller.thumbstickY = 0;
  int arrivals = 0;
  double darkest = 0;
  for (int k = 0; k < 60; ++k) {
    const auto step = walker.frame();
    EXPECT_FALSE(step.arc);
    darkest = std::max(darkest, step.fade);
    if (!step.arriveAt) continue;
    ++arrivals;
    EXPECT_EQ(step.fade, 1);
    EXPECT_LT((*step.arriveAt - *aimed.arc->landing).norm(), 1e-12);
  }
  EXPECT_EQ(arrivals, 1);
  EXPECT_EQ(walker.frame().fade, 0);
}

TEST(Locomotion, ClosingOrLosingTheHandCancelsTeleport) {
  enum class Case { closes, otherCloses, lost };
  for (const Case what : {Case::closes, Case::otherCloses, Case::lost}) {
    SCOPED_TRACE(static_cast<int>(what));
    Walker walker;
    walker.hands[1].controller.thumbstickY = 1;
    ASSERT_TRUE(walker.frame().arc);
    walker.hands[1].controller.thumbstickY = 0;
    if (what == Case::lost)
      walker.hands[1].controller.tracked = false;
    else
      walker.hands[what == Case::closes ? 1 : 0].busy = true;
    for (int k = 0; k < 60; ++k) EXPECT_FALSE(walker.frame().arriveAt);
  }
}

TEST(Locomotion, ClosingTheHandDuringTheFadeCancelsTeleport) {
  for (const std::size_t side : {0, 1}) {
    Walker walker;
    walker.hands[1].controller.thumbstickY = 1;
    ASSERT_TRUE(walker.frame().arc);
    walker.hands[1].controller.thumbstickY = 0;
    ASSERT_GT(walker.frame().fade, 0) << "on the way";
    walker.hands[side].busy = true;
    for (int k = 0; k < 60; ++k) EXPECT_FALSE(walker.frame().arriveAt);
    EXPECT_EQ(walker.frame().fade, 0) << "light again";
    walker.hands[side].busy = false;
    for (int k = 0; k < 60; ++k) EXPECT_FALSE(walker.frame().arriveAt) << "and not later";
  }
}

TEST(TeleportArc, IsBallisticAndEndsOnTheFloor) {
  const Vector3d from(0.2, 1.2, 0);
  // Thrown level: down 1.2 m takes √(2·1.2/g), at 6 m/s.
  const auto arc = runtime::teleportArc(from, -Vector3d::UnitZ(), 0);
  ASSERT_TRUE(arc.landing);
  EXPECT_NEAR(arc.landing->z(), -6 * std::sqrt(2.4 / 9.81), 1e-9);
  EXPECT_EQ(arc.landing->y(), 0);
  EXPECT_NEAR(arc.landing->x(), 0.2, 1e-12);
  ASSERT_GT(arc.points.size(), 10U);
  for (const Vector3d& p : arc.points) EXPECT_NEAR(p.y(), 1.2 - 0.5 * 9.81 * std::pow(p.z() / 6, 2), 1e-9);
  const auto far = runtime::teleportArc(from, Vector3d(0, 1, -1), 0);
  EXPECT_FALSE(far.landing) << "it comes down more than 4 m away";
  EXPECT_GT(far.points.size(), 10U);
  EXPECT_FALSE(runtime::teleportArc(from, Vector3d(0, 1, -1), 4).landing) << "it does not rise to the floor";
  EXPECT_FALSE(runtime::teleportArc(from, Vector3d(0, -1, -1), 1.3).landing) << "down from below the floor";
  const auto rising = runtime::teleportArc(from, Vector3d(0, 1, -0.5), 1.3);
  ASSERT_TRUE(rising.landing) << "from below it comes down on it from above";
  EXPECT_EQ(rising.landing->y(), 1.3);
  EXPECT_GT(rising.points.back().y(), 1.3);
}

}  // namespace
}  // namespace tenon::tests
