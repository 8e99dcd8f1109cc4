// The card beside the parts: the names of this controller, and a place in view that leaves the parts free.
#include "runtime/vr/controls_card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/vr/placement.h"
#include "runtime/vr/vr_menu.h"
#include "xr/display/panel_ui.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::Comfort;
using runtime::ControlHint;

xr::ControlNames touchNames() {
  return {"/interaction_profiles/oculus/touch_controller",
          "Touch Controller",
          {"Grip", "Trigger", "Thumbstick", "", "A", "B"}};
}

std::string controlFor(const std::vector<ControlHint>& hints, const std::string& effect) {
  for (const ControlHint& hint : hints)
    if (hint.effect == effect) return hint.control;
  return "";
}

TEST(ControlHints, NameTheControlsOfThisController) {
  std::array<xr::ControlNames, 2> controls{touchNames(), touchNames()};
  controls[0].inputs[4] = "X";
  controls[0].inputs[5] = "Y";
  const auto hints = runtime::controlHints(controls, {});
  EXPECT_EQ(runtime::deviceText(controls), "Touch Controller");
  EXPECT_EQ(controlFor(hints, "Grasp and hold"), "Grip");
  EXPECT_EQ(controlFor(hints, "Precise motion while holding"), "Trigger");
  EXPECT_EQ(controlFor(hints, "Teleport"), "Thumbstick forward, then release");
  EXPECT_EQ(controlFor(hints, "Menu"), "Y, or show the left palm") << "of the hand that holds the menu";
  EXPECT_EQ(controlFor(hints, "Press a button"), "A, or touch it");
  Comfort leftHanded;
  leftHanded.leftHanded = true;
  EXPECT_EQ(controlFor(runtime::controlHints(controls, leftHanded), "Menu"), "B, or show the right palm");
}

TEST(ControlHints, DescribeTheTrackpadAndOmitMissingControls) {
  const xr::ControlNames wand{"/interaction_profiles/htc/vive_controller",
                              "Vive Wand",
                              {"Grip", "Trigger", "Trackpad", "Trackpad Click", "", "Menu"}};
  const auto hints = runtime::controlHints({wand, wand}, {});
  EXPECT_EQ(controlFor(hints, "Turn"), "press Trackpad left or right");
  EXPECT_EQ(controlFor(hints, "Press a button"), "Trigger, or touch it");
  const xr::ControlNames simple{"/interaction_profiles/khr/simple_controller",
                                "Simple Controller",
                                {"Select", "", "", "", "Select", "Menu"}};
  const auto few = runtime::controlHints({simple, simple}, {});
  EXPECT_EQ(controlFor(few, "Turn"), "");
  EXPECT_EQ(controlFor(few, "Precise motion while holding"), "");
  EXPECT_EQ(controlFor(few, "Grasp and hold"), "Select");
  Comfort still;
  still.turning = {0, false};
  EXPECT_EQ(controlFor(runtime::controlHints({wand, wand}, still), "Turn"), "");
}

TEST(ControlHints, AreGesturesForBareHands) {
  EXPECT_EQ(controlFor(runtime::controlHints({}, {}), "Grasp and hold"), "pinch or fist");
  const xr::ControlNames hand{"/interaction_profiles/ext/hand_interaction_ext", "Hand", {"Grasp"}};
  EXPECT_EQ(controlFor(runtime::controlHints({hand, hand}, {}), "Grasp and hold"), "pinch or fist");
}

TEST(ControlsCard, StandsBesideThePartsInViewAndFacesTheHead) {
  for (const double height : {1.1, 1.6, 1.9})
    for (const double width : {0.05, 0.2, 0.5})
      for (const double scale : {1.0, 5.0})
        for (const bool leftHanded : {false, true}) {
          SCOPED_TRACE(testing::Message() << height << ' ' << width << ' ' << scale << ' ' << leftHanded);
          Comfort comfort;
          comfort.leftHanded = leftHanded;
          Pose head = Pose::at({0.3, height, -0.2});
          head.q = physics::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitY()));
          const Eigen::AlignedBox3d parts(Vector3d(-0.5 * width, -0.03, -0.01) / scale,
                                          Vector3d(0.5 * width, 0.03, 0.05) / scale);
          runtime::Table table;
          table.height = height - 0.45;
          const runtime::Room room = runtime::placedRoom(head, parts, table, -1, scale);
          runtime::ControlsCard card;
          EXPECT_FALSE(card.poseIn(room));
          card.place(head, room, parts, comfort, 0.9);
          const Pose X_SP = *card.poseIn(room), X_HP = head.inverse() * X_SP;
          EXPECT_NEAR((X_SP.q * Vector3d::UnitZ()).dot((head.p - X_SP.p).normalized()), 1, 1e-9);
          EXPECT_EQ(X_HP.p.x() > 0, leftHanded) << "beside the hand that holds the menu";
          for (const double x : {-0.15, 0.15}) {
            const Vector3d edge = head.inverse() * (X_SP * Vector3d(x, 0, 0));
            EXPECT_LT(std::abs(edge.x()), 0.9 * -edge.z()) << "in view";
          }
          EXPECT_GT(X_SP.p.y(), table.height);
          EXPECT_LT((X_SP.p - head.p).norm(), 1.0) << "legible";
          const double edge = std::abs(X_HP.p.x()) - 0.5 * runtime::ControlsCard::kWidth;
          EXPECT_TRUE(edge > 0.5 * width || -X_HP.p.z() > 0.55) << "beside the parts or behind them";
        }
}

TEST(ControlsCard, IsInViewAfterAChangeOfScaleWhereverThePartsAreThen) {
  constexpr double kTangent = 0.9;
  const Eigen::AlignedBox3d parts(Vector3d(-0.1, -0.1, 0), Vector3d(0.1, 0.1, 0.08));
  const Pose start = Pose::at({0, 1.6, 0});
  runtime::Table table;
  table.height = 1.15;
  for (const Vector3d& moved : {Vector3d(0, 0, 0), Vector3d(0, 0, -0.25), Vector3d(0, -0.2, -0.55),
                                Vector3d(0.3, 0, -0.4), Vector3d(-0.4, -0.1, 0.3)})
    for (const double turn : {0.0, 0.6, -0.6, 2.5})
      for (const double down : {0.0, 0.7, 1.5})
        for (const double scale : {2.0, 5.0, 10.0}) {
          SCOPED_TRACE(testing::Message() << moved.transpose() << ' ' << turn << ' ' << down << ' ' << scale);
          Pose head = Pose::at(start.p + moved);
          head.q = physics::Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitY()) *
                                        Eigen::AngleAxisd(-down, Vector3d::UnitX()));
          const Vector3d ahead = runtime::levelDirection(head);
          Vector3d fixed = head.p + table.distance * ahead;
          fixed.y() = table.height;
          const runtime::Room room =
              runtime::rescaledRoom(runtime::placedRoom(start, parts, table, -1, 1), fixed, scale);
          runtime::ControlsCard card;
          card.place(head, room, parts, {}, kTangent);
          const Pose X_SP = *card.poseIn(room);
          const Vector3d toCard = X_SP.p - head.p, aside = ahead.cross(Vector3d::UnitY());
          EXPECT_LT(std::abs(toCard.dot(aside)), kTangent * toCard.dot(ahead))
              << "in the view of the level head";
          EXPECT_GT(toCard.dot(ahead), 0.25);
          EXPECT_LT(toCard.norm(), 1.4) << "legible";
          EXPECT_GT(X_SP.p.y(), table.height - 1e-9);
          EXPECT_LT(X_SP.p.y(), head.p.y() + 0.2);
        }
}

TEST(ControlsCard, IsDrawnWhereItsTextHasChanged) {
  xr::PanelUi ui(runtime::kMenuWidth, runtime::kMenuHeight + runtime::kCardHeight, 1.9);
  runtime::ControlsCard card;
  runtime::CardText text{"Next", "Touch Controller", "", runtime::controlHints({}, {})};
  EXPECT_TRUE(card.isChanged(text));
  ui.begin({}, 0.01);
  card.drawImage(text);
  ui.end();
  EXPECT_FALSE(card.isChanged(text));
  text.device = "Vive Wand";
  EXPECT_TRUE(card.isChanged(text));
  card.forgetImage();
  EXPECT_TRUE(card.isChanged(text));
}

}  // namespace
}  // namespace tenon::tests
