// Conversion of poses and fields of view from the runtime; invalid ones are rejected.
#include "xr/openxr/xr_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tenon::xr {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                kInfinity = std::numeric_limits<float>::infinity();
constexpr XrPosef kPose{{0, 0, 0, 1}, {1, 2, 3}};

XrView viewWith(const XrFovf& fov) {
  XrView view{};
  view.type = XR_TYPE_VIEW;
  view.pose = kPose;
  view.fov = fov;
  return view;
}

TEST(XrPose, HasANormalizedQuaternion) {
  XrPosef pose = kPose;
  pose.orientation.w = 1.005f;
  const auto X = poseOf(pose);
  ASSERT_TRUE(X);
  EXPECT_DOUBLE_EQ(X->q.norm(), 1);
  EXPECT_EQ(X->p, physics::Vector3d(1, 2, 3));
}

TEST(XrLocation, IsTrackedByItsPosition) {
  constexpr XrSpaceLocationFlags kValid = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT |
                                          XR_SPACE_LOCATION_POSITION_VALID_BIT,
                                 kTracked = kValid | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
  XrSpaceLocation location{};
  for (const XrSpaceLocationFlags flags :
       {XrSpaceLocationFlags(0), kValid, kValid | XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT,
        kTracked & ~XR_SPACE_LOCATION_ORIENTATION_VALID_BIT}) {
    location.locationFlags = flags;
    EXPECT_FALSE(isTracked(location)) << flags;
  }
  location.locationFlags = kTracked;
  EXPECT_TRUE(isTracked(location));
}

TEST(XrPose, IsRejectedIfNotFiniteOrNoRotation) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    XrPosef place = kPose, turn = kPose;
    place.position.y = turn.orientation.x = bad;
    EXPECT_FALSE(poseOf(place)) << bad;
    EXPECT_FALSE(poseOf(turn)) << bad;
  }
  XrPosef none = kPose, large = kPose;
  none.orientation = {0, 0, 0, 0};
  large.orientation.w = 3;
  EXPECT_FALSE(poseOf(none));
  EXPECT_FALSE(poseOf(large));
}

TEST(XrView, HasTheTangentsOfItsAngles) {
  const auto view = viewOf(viewWith({-0.7f, 0.6f, 0.5f, -0.4f}));
  ASSERT_TRUE(view);
  EXPECT_NEAR(view->left, std::tan(-0.7), 1e-7);
  EXPECT_NEAR(view->down, std::tan(-0.4), 1e-7);
}

TEST(XrView, IsRejectedIfEmpty) {
  for (const XrFovf& fov : {XrFovf{0, 0, 0, 0}, XrFovf{-0.7f, 0.7f, 0, 0}, XrFovf{kNaN, 0.7f, 0.7f, -0.7f},
                            XrFovf{-1.6f, 0.7f, 0.7f, -0.7f}})
    EXPECT_FALSE(viewOf(viewWith(fov))) << fov.angleLeft << " " << fov.angleUp;
  XrView nowhere = viewWith({-0.7f, 0.7f, 0.7f, -0.7f});
  nowhere.pose.position.x = kNaN;
  EXPECT_FALSE(viewOf(nowhere));
}

TEST(XrAxis, IsZeroIfNotFinite) {
  EXPECT_EQ(axisOf(0.5f), 0.5);
  EXPECT_EQ(axisOf(kNaN), 0);
  EXPECT_EQ(axisOf(-kInfinity), 0);
}

}  // namespace
}  // namespace tenon::xr
