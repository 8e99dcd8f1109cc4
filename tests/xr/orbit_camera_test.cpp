// The orbit camera: what it shows, and what stays fixed.
#include "xr/appearance/orbit_camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tenon::xr {
namespace {

using physics::Vector3d;

constexpr double kAspect = 1.6;

std::vector<Vector3d> cornersOfABox() {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(Vector3d(0.3, -0.2, 1) +
                     Vector3d(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.02 : -0.02));
  return points;
}

TEST(OrbitCamera, FrameShowsAllPointsFromEverySide) {
  for (const std::string& name : viewNames()) {
    OrbitCamera camera;
    camera.lookFrom(*viewDirection(name));
    camera.frame(cornersOfABox(), kAspect);
    for (const Vector3d& p : cornersOfABox()) {
      const Eigen::Vector3d at = projected(camera.view(kAspect), p);
      EXPECT_GT(at.z(), camera.view(kAspect).nearPlane) << name;
      EXPECT_TRUE(at.x() > 0.05 && at.x() < 0.95 && at.y() > 0.05 && at.y() < 0.95) << name << at.transpose();
    }
  }
}

TEST(OrbitCamera, OrbitKeepsThePivotCenteredAndStaysUpright) {
  OrbitCamera camera;
  camera.frame(cornersOfABox(), kAspect);
  const Vector3d pivot = camera.pivot();
  for (int k = 0; k < 40; ++k) {
    camera.orbit(0.37, 0.2);
    const View view = camera.view(kAspect);
    const Eigen::Vector3d at = projected(view, pivot);
    EXPECT_NEAR(at.x(), 0.5, 1e-9);
    EXPECT_NEAR(at.y(), 0.5, 1e-9);
    EXPECT_NEAR(at.z(), camera.distance(), 1e-9);
    EXPECT_GE((view.X_WC.q * Vector3d::UnitY()).z(), 0) << "upside down";
    EXPECT_NEAR((view.X_WC.q * Vector3d::UnitX()).z(), 0, 1e-9) << "not level";
  }
}

TEST(OrbitCamera, PanMovesThePivotWithTheMouse) {
  OrbitCamera camera;
  const Vector3d pivot = camera.pivot();
  camera.pan(0.1, 0.05);  // shares of the height
  const Eigen::Vector3d at = projected(camera.view(kAspect), pivot);
  EXPECT_NEAR(at.x(), 0.5 + 0.1 / kAspect, 1e-9);
  EXPECT_NEAR(at.y(), 0.55, 1e-9);
}

TEST(OrbitCamera, ZoomKeepsThePointUnderTheMouse) {
  OrbitCamera camera;
  const View before = camera.view(kAspect);
  const double x = 0.8, y = 0.3;
  const Vector3d under =
      before.X_WC * (camera.distance() * Vector3d(before.left + x * (before.right - before.left),
                                                  before.up + y * (before.down - before.up), -1));
  const double distance = camera.distance();
  camera.zoom(5, x, y, kAspect);
  EXPECT_LT(camera.distance(), 0.7 * distance);
  const Eigen::Vector3d at = projected(camera.view(kAspect), under);
  EXPECT_NEAR(at.x(), x, 1e-9);
  EXPECT_NEAR(at.y(), y, 1e-9);
  camera.zoom(-5, x, y, kAspect);
  EXPECT_NEAR(camera.distance(), distance, 1e-9);
}

}  // namespace
}  // namespace tenon::xr
