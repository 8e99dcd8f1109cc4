// What a runtime reports as planes, in the terms of the room.
#include "xr/openxr/room_plane_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

XrPlaneDetectorLocationEXT planeAt(const Pose& X_SP) {
  XrPlaneDetectorLocationEXT plane{};
  plane.pose = poseOf(X_SP);
  plane.extents = {1.2f, 0.6f};
  plane.orientation = XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_UPWARD_EXT;
  plane.semanticType = XR_PLANE_DETECTOR_SEMANTIC_TYPE_PLATFORM_EXT;
  return plane;
}

Pose turned(double angle, const Vector3d& axis) {
  Pose X = Pose::at({0.2, 0.7, -0.5});
  X.q = Quaterniond(Eigen::AngleAxisd(angle, axis));
  return X;
}

TEST(RoomPlane, HasItsEdgesWhicheverAxisOfThePoseIsTheNormal) {
  const double quarter = std::numbers::pi / 2;
  for (const Pose& X : {turned(0, Vector3d::UnitX()), turned(-quarter, Vector3d::UnitX())}) {
    const auto plane = planeOf(planeAt(X));
    ASSERT_TRUE(plane);
    EXPECT_LT((plane->center - Vector3d(0.2, 0.7, -0.5)).norm(), 1e-6);
    EXPECT_LT((plane->toEdge1 - Vector3d(0.6, 0, 0)).norm(), 1e-6);
    EXPECT_NEAR(std::abs(plane->toEdge2.z()), 0.3, 1e-6) << plane->toEdge2.transpose();
    EXPECT_NEAR(plane->toEdge2.norm(), 0.3, 1e-6);
    EXPECT_NEAR(plane->area(), 0.72, 1e-6);
    EXPECT_TRUE(plane->isUpward && plane->isPlatform);
  }
}

TEST(RoomPlane, IsUpwardIfTheRuntimeOrItsNormalSaysSoAndItIsLevel) {
  XrPlaneDetectorLocationEXT plane = planeAt(turned(0, Vector3d::UnitX()));
  for (const auto orientation :
       {XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_DOWNWARD_EXT, XR_PLANE_DETECTOR_ORIENTATION_VERTICAL_EXT}) {
    plane.orientation = orientation;
    EXPECT_FALSE(planeOf(plane)->isUpward);
  }
  plane.orientation = XR_PLANE_DETECTOR_ORIENTATION_ARBITRARY_EXT;
  EXPECT_TRUE(planeOf(plane)->isUpward) << "this headset does not recognize orientations";
  plane.pose = poseOf(turned(std::numbers::pi, Vector3d::UnitX()));
  EXPECT_FALSE(planeOf(plane)->isUpward) << "a table from below";
  for (const auto orientation :
       {XR_PLANE_DETECTOR_ORIENTATION_HORIZONTAL_UPWARD_EXT, XR_PLANE_DETECTOR_ORIENTATION_ARBITRARY_EXT})
    for (const double tilt : {4.0, 6.0}) {
      plane = planeAt(turned(tilt * std::numbers::pi / 180, Vector3d(1, 0, 1).normalized()));
      plane.orientation = orientation;
      EXPECT_EQ(planeOf(plane)->isUpward, tilt < 5) << tilt;
    }
}

TEST(RoomPlane, IsRejectedIfItsPoseOrSizeIsInvalid) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  const XrPlaneDetectorLocationEXT good = planeAt(turned(0.3, Vector3d::UnitY()));
  ASSERT_TRUE(planeOf(good));
  for (const float bad : {nan, infinity}) {
    XrPlaneDetectorLocationEXT plane = good;
    plane.pose.position.y = bad;
    EXPECT_FALSE(planeOf(plane)) << bad;
    plane = good;
    plane.pose.orientation.w = bad;
    EXPECT_FALSE(planeOf(plane)) << bad;
  }
  for (const float bad : {nan, infinity, 0.0f, -1.0f}) {
    XrPlaneDetectorLocationEXT plane = good;
    plane.extents.width = bad;
    EXPECT_FALSE(planeOf(plane)) << bad;
    plane = good;
    plane.extents.height = bad;
    EXPECT_FALSE(planeOf(plane)) << bad;
  }
  XrPlaneDetectorLocationEXT plane = good;
  plane.pose.orientation = {0, 0, 0, 0};
  EXPECT_FALSE(planeOf(plane));
}

}  // namespace
}  // namespace tenon::xr
