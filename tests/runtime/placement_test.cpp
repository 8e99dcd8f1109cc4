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
  EXPECT_TRUE((X_SW * Vector3d(0.2, 0.1, -0.02)).isApprox(Vector3d(1, 0.8, 2 - 0.55), 1e-12));
  EXPECT_TRUE((X_SW.q * Vector3d::UnitX()).isApprox(Vector3d::UnitX(), 1e-12)) << "right stays right";
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitZ(), 1e-12)) << "y points away";
  EXPECT_TRUE((X_SW.q * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-12)) << "up stays up";
}

TEST(Placement, FollowsWhereThePersonLooksButStaysLevel) {
  const double turn = std::numbers::pi / 2;  // to the left: ahead is −x
  const Pose X_SW = placeRoom(headAt({0, 1.7, 0}, turn, -0.5), kParts, {}).inverse();
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitX(), 1e-12));
  EXPECT_TRUE((X_SW.q * Vector3d::UnitZ()).isApprox(Vector3d::UnitY(), 1e-12));
  EXPECT_NEAR((X_SW * Vector3d(0.2, 0.1, -0.02)).x(), -0.55, 1e-12);
}

TEST(Placement, LookingDownUsesTheUpAxisOfTheHead) {
  const Pose X_SW = placeRoom(headAt({0, 1.7, 0}, 0, -std::numbers::pi / 2), kParts, {}).inverse();
  EXPECT_TRUE((X_SW.q * Vector3d::UnitY()).isApprox(-Vector3d::UnitZ(), 1e-9));
}

TEST(Placement, LargeSceneBeginsAtArmsLength) {
  const Eigen::AlignedBox3d large(Vector3d(-1, -2, 0), Vector3d(1, 2, 1));
  const Pose X_SW = placeRoom(headAt({0, 1.6, 0}, 0, 0), large, {}).inverse();
  EXPECT_NEAR((X_SW * Vector3d(0, -2, 0)).z(), -0.3, 1e-12);
}

TEST(Placement, RoomWithoutFloorAssumesTheHeadHeight) {
  const Pose X_SW = placeRoom(headAt({0, 0.1, 0}, 0, 0), kParts, {}, 1.6).inverse();
  EXPECT_NEAR((X_SW * Vector3d(0.2, 0.1, -0.02)).y(), 0.1 - 1.6 + 0.8, 1e-12);
}

/// The tangent downwards at which eyes that look level see the lower edge that is nearest to them.
double tangentOfEdge(const Eigen::AlignedBox3d& parts, double eyes, double down) {
  Table table;
  table.height = visibleTableHeight(parts, table, eyes, down);
  const Pose X_SW = placeRoom(headAt({0, eyes, 0}, 0, 0), parts, table).inverse();
  const Vector3d edge = X_SW * Vector3d(parts.center().x(), parts.min().y(), parts.min().z());
  return (eyes - edge.y()) / -edge.z();
}

TEST(Placement, SceneIsVisibleForAnyEyeHeightAndFieldOfView) {
  const Eigen::AlignedBox3d large(Vector3d(-0.3, -0.4, 0), Vector3d(0.3, 0.4, 0.2));
  for (const double eyes : {1.1, 1.6, 1.8})
    for (const double down : {0.3, 0.8, 1.2}) {
      EXPECT_LT(tangentOfEdge(kParts, eyes, down), 0.9 * down) << eyes << " " << down;
      EXPECT_LT(tangentOfEdge(large, eyes, down), 0.9 * down) << eyes << " " << down;
    }
}

TEST(Placement, TableHeightIsComfortableStandingAndSeated) {
  EXPECT_NEAR(visibleTableHeight(kParts, {}, 1.6, 1.2), 1.15, 1e-12);
  EXPECT_NEAR(visibleTableHeight(kParts, {}, 1.15, 1.2), 0.7, 1e-12);
  EXPECT_GE(visibleTableHeight(kParts, {}, 0.1, 1.2), 0.4) << "a headset that lies on the floor";
}

}  // namespace
}  // namespace tenon::runtime
