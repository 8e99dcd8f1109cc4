// Where a scene stands in a person's room.
#include "runtime/vr/placement.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tenon::runtime {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

const Eigen::AlignedBox3d kParts(Vector3d(0.1, 0, -0.02), Vector3d(0.3, 0.2, 0.05));

/// Room, given the head; turned about the vertical first, then bowed.
Pose headAt(const Vector3d& p, double turn, double bow) {
  Pose X;
  X.q = Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitY())) *
        Quaterniond(Eigen::AngleAxisd(bow, Vector3d::UnitX()));
  X.p = p;
  return X;
}

TEST(Placement, SceneStandsOnTheTableInFrontOfThePerson) {
  const Pose X_SW = placeRoom(headAt({1, 1.6, 2}, 0, 0), kParts, {}).inverse();
  // The middle of the lowest face.
  EXPECT_TRUE((X_SW * Vector3d(0.2, 0.1, -0.02)).isApprox(Vector3d(1, 0.8, 2 - 0.45), 1e-12));
  EXPECT_TRUE((X_SW.q * Vector3d::UnitX()).isApprox(Vector3d::UnitX(), 1e-12)) << "right stays right";
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitZ(), 1e-12)) << "y points away";
  EXPECT_TRUE((X_SW.q * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-12)) << "up stays up";
}

TEST(Placement, FollowsWhereThePersonLooksButStaysLevel) {
  const double turn = std::numbers::pi / 2;  // to the left: ahead is −x
  const Pose X_SW = placeRoom(headAt({0, 1.7, 0}, turn, -0.5), kParts, {}).inverse();
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitX(), 1e-12));
  EXPECT_TRUE((X_SW.q * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-12));
  EXPECT_NEAR((X_SW * Vector3d(0.2, 0.1, -0.02)).x(), -0.45, 1e-12);
}

TEST(Placement, PersonWhoLooksDownHasTheSceneWhereTheCrownPoints) {
  const Pose X_SW = placeRoom(headAt({0, 1.7, 0}, 0, -std::numbers::pi / 2), kParts, {}).inverse();
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitZ(), 1e-9));
}

TEST(Placement, LargeSceneBeginsAtArmsLength) {
  const Eigen::AlignedBox3d large(Vector3d(-1, -2, 0), Vector3d(1, 2, 1));
  const Pose X_SW = placeRoom(headAt({0, 1.6, 0}, 0, 0), large, {}).inverse();
  EXPECT_NEAR((X_SW * Vector3d(0, -2, 0)).z(), -0.25, 1e-12);
}

TEST(Placement, RoomWithoutFloorTakesTheHeadsHeightForKnown) {
  const Pose X_SW = placeRoom(headAt({0, 0.1, 0}, 0, 0), kParts, {}, 1.6).inverse();
  EXPECT_NEAR((X_SW * Vector3d(0.2, 0.1, -0.02)).y(), 0.1 - 1.6 + 0.8, 1e-12);
}

}  // namespace
}  // namespace tenon::runtime
