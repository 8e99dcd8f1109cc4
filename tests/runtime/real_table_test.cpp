// The table among the planes of a room, the place for the parts on it, and the stages until it is found.
#include "runtime/vr/real_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenon::tests::real_table_test {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::chooseTable;
using runtime::placeOnTable;
using runtime::RealTable;
using xr::RoomPlane;

const Vector3d kHead(0, 1.6, 0);

RoomPlane planeAt(const Vector3d& center, double width, double depth, bool isPlatform = false) {
  return {center, {0.5 * width, 0, 0}, {0, 0, -0.5 * depth}, true, isPlatform};
}

const RoomPlane kFloor = planeAt({0, 0, 0}, 5, 5), kDesk = planeAt({0.2, 0.72, -0.7}, 1.2, 0.6);

TEST(ChooseTable, IsTheUpwardPlaneOfATableWithinReach) {
  RoomPlane wall = planeAt({0, 0.8, -1}, 2, 1), underside = kDesk;
  wall.isUpward = underside.isUpward = false;
  const std::vector planes{kFloor,
                           wall,
                           underside,
                           planeAt({0, 1.3, -0.5}, 2, 2),
                           planeAt({0, 0.45, 0.5}, 2, 2),
                           planeAt({0, 0.8, -0.5}, 2, 0.25),
                           planeAt({0, 0.8, -2.1}, 2, 2),
                           kDesk};
  EXPECT_EQ(chooseTable(planes, kHead, 0), &planes.back());
  EXPECT_EQ(chooseTable(std::span(planes).first(planes.size() - 1), kHead, 0), nullptr);
  EXPECT_EQ(chooseTable({}, kHead, 0), nullptr);
  // Heights are above the floor, which is elsewhere where only the head's start is known.
  EXPECT_EQ(chooseTable(std::span(&kDesk, 1), kHead, 0.3), nullptr);
  EXPECT_EQ(chooseTable(std::span(&kDesk, 1), kHead, -0.4), &kDesk);
}

TEST(ChooseTable, PrefersPlatformsThenTheLargest) {
  const std::vector planes{planeAt({0, 0.9, -0.5}, 1, 0.5), planeAt({0, 0.9, -0.5}, 2, 0.5),
                           planeAt({0, 0.7, 0.5}, 0.6, 0.6, true), planeAt({0, 0.7, -0.5}, 0.7, 0.7, true),
                           planeAt({0, 0.7, 0.5}, 0.5, 0.5, true)};
  EXPECT_EQ(chooseTable(planes, kHead, 0), &planes[3]);
  EXPECT_EQ(chooseTable(std::span(planes).first(2), kHead, 0), &planes[1]);
}

TEST(PlaceOnTable, IsInFrontOfTheHeadOrAsNearToItAsTheTableAllows) {
  Pose head = Pose::at(kHead);
  EXPECT_LT((placeOnTable(kDesk, head, 0.55, 0.1) - Vector3d(0, 0.72, -0.55)).norm(), 1e-12);
  EXPECT_LT((placeOnTable(kDesk, head, 0.45, 0.1) - Vector3d(0, 0.72, -0.5)).norm(), 1e-12)
      << "0.1 m from the edge";
  EXPECT_LT((placeOnTable(kDesk, head, 0.55, 0.5) - Vector3d(0.1, 0.72, -0.7)).norm(), 1e-12)
      << "as wide as the table is deep";
  head.q = Quaterniond(Eigen::AngleAxisd(-1.5707963267948966, Vector3d::UnitY()));  // to the right
  EXPECT_LT((placeOnTable(kDesk, head, 0.55, 0.1) - Vector3d(0.55, 0.72, -0.5)).norm(), 1e-12);
}

TEST(PlaceOnTable, FollowsAnInclinedOrTurnedTable) {
  RoomPlane table = kDesk;
  table.toEdge2 = {0, 0.03, -0.3};  // higher at its far edge
  const Vector3d p = placeOnTable(table, Pose::at(kHead), 0.55, 0.1);
  EXPECT_NEAR((p - table.center).dot(table.toEdge1.cross(table.toEdge2)), 0, 1e-12) << "on it";
  EXPECT_NEAR(p.z(), -0.55, 0.01);
  const Quaterniond q(Eigen::AngleAxisd(0.5, Vector3d::UnitY()));
  table = {kDesk.center, q * kDesk.toEdge1, q * kDesk.toEdge2, true, false};
  const Vector3d away = placeOnTable(table, Pose::at({-3, 1.6, 0}), 0.55, 0.1) - table.center;
  EXPECT_NEAR(std::abs(away.dot(q * Vector3d::UnitX())), 0.5, 1e-12) << "within its edges";
  EXPECT_LE(std::abs(away.dot(q * Vector3d::UnitZ())), 0.2 + 1e-12);
}

class RealTableTest : public testing::Test {
 protected:
  std::optional<Vector3d> update(const std::optional<std::vector<RoomPlane>>& planes = {}) {
    return table_.update({.xrFrame = frame_,
                          .closed = closed_,
                          .onMenu = onMenu_,
                          .planes = planes,
                          .radius = 0.1,
                          .seconds = 0.1});
  }
  std::optional<Vector3d> updateFor(double seconds) {
    std::optional<Vector3d> place;
    for (int k = 0; k < 10 * seconds && !place; ++k) place = update();
    return place;
  }

  void SetUp() override { frame_.X_SH.p = kHead; }
  RealTable table_;
  xr::XrFrame frame_;
  std::array<bool, 2> closed_{}, onMenu_{};
};

TEST_F(RealTableTest, FoundTableNeedsNoController) {
  EXPECT_FALSE(update(std::vector{kDesk})) << "without a request";
  table_.request(true);
  EXPECT_EQ(table_.text(), "Looking for your table");
  EXPECT_FALSE(updateFor(2));
  const auto place = update(std::vector{kFloor, kDesk});
  ASSERT_TRUE(place);
  EXPECT_LT((*place - Vector3d(0, 0.72, -0.55)).norm(), 1e-12);
  EXPECT_EQ(table_.text(), "The parts stand on your table, 0.72 m high");
  EXPECT_FALSE(update(std::vector{kDesk})) << "once";
  EXPECT_FALSE(updateFor(RealTable::kShownAfter + 0.5));
  EXPECT_EQ(table_.text(), "");
}

TEST_F(RealTableTest, HeldPartIsNotDraggedToATableThatIsFound) {
  table_.request(true);
  closed_[1] = true;
  EXPECT_FALSE(update(std::vector{kDesk}));
  EXPECT_EQ(table_.text(), "Table found. Open both hands");
  EXPECT_FALSE(updateFor(2 * RealTable::kTimeout));
  closed_[1] = false;
  EXPECT_TRUE(update());
}

TEST_F(RealTableTest, ControllerShowsTheTableWhereNoneIsFound) {
  for (const bool isSilent : {false, true}) {
    table_.request(true);
    EXPECT_FALSE(isSilent ? updateFor(RealTable::kTimeout + 0.2) : update(std::vector{kFloor}));
    EXPECT_EQ(table_.text(), "No table found. Lay a controller on your table and pull its trigger");
    EXPECT_FALSE(update(std::vector{kDesk})) << "too late";
    xr::Controller& hand = frame_.hands[1];
    hand.X_SH.p = {0.3, 0.75, -0.4};
    hand.trigger = 1;
    EXPECT_FALSE(update()) << "it is not tracked";
    hand.trigger = 0;
    EXPECT_FALSE(update());
    hand.tracked = true;
    hand.trigger = 1;
    const auto place = update();
    ASSERT_TRUE(place);
    EXPECT_LT((*place - Vector3d(0.3, 0.75 - RealTable::kGripHeight, -0.4)).norm(), 1e-12);
    EXPECT_FALSE(update());
    hand = {};
  }
}

TEST_F(RealTableTest, TriggersThatMeanSomethingElseDoNotShowTheTable) {
  xr::Controller& hand = frame_.hands[0];
  hand.tracked = true;
  hand.trigger = 1;
  EXPECT_FALSE(update());
  table_.request(false);
  EXPECT_EQ(table_.text(), "Lay a controller on your table and pull its trigger");
  EXPECT_FALSE(update()) << "pulled since before";
  for (auto* const other : {&closed_, &onMenu_}) {
    hand.trigger = 0;
    EXPECT_FALSE(update());
    hand.trigger = 1;
    (*other)[0] = true;
    EXPECT_FALSE(update());
    (*other)[0] = false;
  }
  table_.cancel();
  EXPECT_EQ(table_.text(), "");
  hand.trigger = 0;
  EXPECT_FALSE(update());
  hand.trigger = 1;
  EXPECT_FALSE(update());
}

}  // namespace
}  // namespace tenon::tests::real_table_test
