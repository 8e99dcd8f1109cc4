// Orthographic views: parallel lines of sight, depths that float can hold, and what the mouse does in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "xr/appearance/fit_view.h"
#include "xr/appearance/orbit_camera.h"
#include "xr/appearance/pick.h"

namespace tenon::xr {
namespace {

using physics::Vector3d;

constexpr double kWide = 1.6;  ///< aspect

std::vector<Vector3d> corners() {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(Vector3d(0.3, -0.2, 1) +
                     Vector3d(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.02 : -0.02));
  return points;
}

TEST(OrthographicView, EveryPointIsInsideTheMarginAndOneOnItFromEverySide) {
  for (const std::string& name : viewNames())
    for (const double aspect : {0.5, 1.0, 2.0}) {
      const View view = fitOrthographic(corners(), *viewDirection(name), aspect);
      double off = 0;
      for (const Vector3d& p : corners()) {
        const Eigen::Vector3d at = projected(view, p);
        EXPECT_TRUE(at.z() > view.nearPlane && at.z() < view.farPlane) << name;
        off = std::max({off, std::abs(at.x() - 0.5), std::abs(at.y() - 0.5)});
      }
      EXPECT_NEAR(off, 0.5 - 1.0 / 16, 1e-9) << name << " " << aspect;
    }
}

TEST(OrthographicView, LengthsDoNotDependOnTheDistance) {
  const View view = fitOrthographic(corners(), Vector3d(0.6, -1, 0.5), kWide);
  const Vector3d step = 0.01 * (view.X_WC.q * Vector3d::UnitX()),
                 away = 0.1 * (view.X_WC.q * Vector3d::UnitZ());
  const Vector3d p(0.3, -0.2, 1);
  const double near = projected(view, p + away + step).x() - projected(view, p + away).x(),
               far = projected(view, p - away + step).x() - projected(view, p - away).x();
  EXPECT_NEAR(near, far, 1e-12);
  EXPECT_NEAR(near, 0.01 / (view.right - view.left), 1e-12);
}

TEST(OrthographicView, DepthIsReversedAndHoldsMicrometers) {
  const View view = fitOrthographic(corners(), Vector3d(0, -1, 0), kWide);
  const auto depth = [&](double distance) {
    const Vector3d p = view.X_WC * Vector3d(0, 0, -distance);
    return static_cast<float>((viewProjection(view) * p.homogeneous()).z());
  };
  EXPECT_NEAR(depth(0), 1, 1e-6);
  EXPECT_NEAR(depth(view.farPlane), 0, 1e-6);
  const double middle = view.farPlane / 2;
  EXPECT_GT(depth(middle), depth(middle + 2e-6)) << "two micrometers apart";
}

TEST(OrthographicView, RaysThroughThePictureMeetWhatIsSeenThere) {
  OrbitCamera camera;
  camera.setOrthographic(true);
  camera.frame(corners(), kWide);
  const View view = camera.view(kWide);
  for (const Vector3d& p : corners()) {
    const Eigen::Vector3d at = projected(view, p);
    EXPECT_TRUE(at.x() > 0 && at.x() < 1 && at.y() > 0 && at.y() < 1);
    const Ray ray = rayThrough(view, at.x(), at.y());
    EXPECT_NEAR(ray.direction.cross(p - ray.origin).norm(), 0, 1e-9);
    EXPECT_GT(ray.direction.dot(p - ray.origin), 0);
  }
}

TEST(OrthographicView, ThePivotHasTheSizeOfThePerspectiveAndPanAndZoomFollowTheMouse) {
  OrbitCamera camera;
  camera.frame(corners(), kWide);
  const View before = camera.view(kWide);
  const Vector3d beside = camera.pivot() + 0.05 * (before.X_WC.q * Vector3d::UnitX());
  const double seen = projected(before, beside).x();
  camera.setOrthographic(true);
  EXPECT_NEAR(projected(camera.view(kWide), beside).x(), seen, 1e-9);
  const Vector3d pivot = camera.pivot();
  camera.pan(0.1, 0.05);
  const Eigen::Vector3d at = projected(camera.view(kWide), pivot);
  EXPECT_NEAR(at.x(), 0.5 + 0.1 / kWide, 1e-9);
  EXPECT_NEAR(at.y(), 0.55, 1e-9);
  const Vector3d under = rayThrough(camera.view(kWide), 0.8, 0.3).origin;
  camera.zoom(5, 0.8, 0.3, kWide);
  const Eigen::Vector3d zoomed = projected(camera.view(kWide), under);
  EXPECT_NEAR(zoomed.x(), 0.8, 1e-9);
  EXPECT_NEAR(zoomed.y(), 0.3, 1e-9);
}

}  // namespace
}  // namespace tenon::xr
