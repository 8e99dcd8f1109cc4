// A room in a world that looks larger than it is: where things are, and what stays where it was.
#include "runtime/vr/room.h"

#include <gtest/gtest.h>

#include <numbers>

#include "runtime/vr/room_placement.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::Room;

const Eigen::AlignedBox3d kSmallParts(Vector3d(-0.02, -0.01, 0), Vector3d(0.02, 0.01, 0.005));

Pose standing() {
  Pose X = Pose::at({0.3, 1.6, -0.2});
  X.q = Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitY()));
  return X;
}

Room roomOf(double scale) {
  return runtime::placedRoom(standing(), kSmallParts, {}, -1, scale);
}

TEST(Room, ScaledSceneStandsOnTheSameTable) {
  for (const double scale : {1.0, 3.0, 10.0}) {
    const Room room = roomOf(scale);
    EXPECT_NEAR(room.inRoom({0, 0, 0}).y(), 0.8, 1e-12) << scale;
    const double apart = (room.inRoom({0.02, 0, 0}) - room.inRoom({-0.02, 0, 0})).norm();
    EXPECT_NEAR(apart, scale * 0.04, 1e-12);
    // Nearer than 0.3 m is no part of it: the middle is further where it is large.
    const Vector3d middle = room.inRoom({0, 0, 0}) - standing().p;
    EXPECT_NEAR(std::hypot(middle.x(), middle.z()), std::max(0.55, 0.3 + scale * 0.01), 1e-12);
  }
}

TEST(Room, RoomAndWorldTransformsAreInverse) {
  const Room room = roomOf(4);
  const Vector3d p(0.1, 1.1, -0.4);
  EXPECT_LT((room.inRoom(room.inWorld(p)) - p).norm(), 1e-12);
  const Pose X = room.inWorld(Pose::at(p));
  EXPECT_LT((X.p - room.inWorld(p)).norm(), 1e-15);
  EXPECT_LT(X.q.angularDistance(room.X_WS.q), 1e-12) << "directions are not scaled";
  // A hand's motion of 4 cm is 1 cm of the scene's.
  EXPECT_NEAR((room.inWorld(p + Vector3d(0.04, 0, 0)) - room.inWorld(p)).norm(), 0.01, 1e-12);
}

TEST(Room, RescalingKeepsTheGivenPoint) {
  const Room before = roomOf(1);
  const Vector3d fixed(0.1, 0.8, -0.6);
  const Room after = runtime::rescaledRoom(before, fixed, 10);
  EXPECT_EQ(after.scale, 10);
  EXPECT_LT((after.inWorld(fixed) - before.inWorld(fixed)).norm(), 1e-12);
  const Vector3d beside = fixed + Vector3d(0.1, 0, 0);
  EXPECT_NEAR((after.inWorld(beside) - after.inWorld(fixed)).norm(), 0.01, 1e-12);
  const Room again = runtime::rescaledRoom(after, fixed, 1);
  EXPECT_LT((again.X_WS.p - before.X_WS.p).norm(), 1e-12);
}

TEST(Room, TableIsRaisedInMetersOfTheRoom) {
  const Room before = roomOf(5), after = runtime::raisedRoom(before, 0.1);
  const Vector3d p_W(0.01, 0, 0.002);
  EXPECT_LT((after.inRoom(p_W) - before.inRoom(p_W) - Vector3d(0, 0.1, 0)).norm(), 1e-12);
}

TEST(Room, MovingKeepsTheHeight) {
  const Room before = roomOf(2);
  const Vector3d head(0.3, 1.6, -0.2), goal(1, 0, -1.5);
  const Room after = runtime::walkedRoom(before, head, goal);
  // The head is now where, before, a head right above the goal would have been.
  EXPECT_LT((after.inWorld(head) - before.inWorld({1, 1.6, -1.5})).norm(), 1e-12);
}

TEST(Room, PutOnATableStandsThereAndFacesTheUser) {
  for (const bool hasFloor : {true, false}) {
    runtime::RoomPlacement placement({}, false);
    xr::XrFrame frame;
    frame.X_SH = standing();
    frame.eyes.resize(2);
    ASSERT_TRUE(placement.place(frame, kSmallParts, 3, hasFloor));
    const Vector3d top(-0.4, 0.71, -0.9);
    placement.putOnTable(frame, top, kSmallParts, 3);
    const Room& room = placement.room();
    const Vector3d below = room.inRoom({0, 0, 0});
    EXPECT_LT((below - top).norm(), 1e-12);
    Vector3d away = top - frame.X_SH.p;
    away.y() = 0;
    const Vector3d y = (room.inRoom({0, 0.01, 0}) - below).normalized();
    EXPECT_NEAR(y.dot(away.normalized()), 1, 1e-9);
    // A recentering keeps the height of the table.
    placement.recenter();
    ASSERT_TRUE(placement.place(frame, kSmallParts, 3, hasFloor));
    EXPECT_NEAR(placement.room().inRoom({0, 0, 0}).y(), below.y(), 1e-12);
  }
}

}  // namespace
}  // namespace tenon::tests
