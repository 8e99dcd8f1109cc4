// Cameras fitted to a set of points, and the irradiance of an unshaded surface.
#include <gtest/gtest.h>

#include <algorithm>

#include "xr/appearance/fit_view.h"
#include "xr/render/sky_lights.h"

namespace tenon::xr {
namespace {

using physics::Vector3d;

TEST(FitView, EveryPointIsInsideTheMarginAndOneOnItFromEverySide) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(Vector3d(0.3, -0.2, 1) +
                     Vector3d(k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.02 : -0.02));
  for (const std::string& name : viewNames())
    for (const double aspect : {0.5, 1.0, 2.0}) {
      const View view = fitView(points, *viewDirection(name), aspect);
      double off = 0;  // furthest from the picture's middle
      for (const Vector3d& p : points) {
        const Eigen::Vector3d at = projected(view, p);
        EXPECT_GT(at.z(), view.nearPlane) << name;
        off = std::max({off, std::abs(at.x() - 0.5), std::abs(at.y() - 0.5)});
      }
      EXPECT_NEAR(off, 0.5 - 1.0 / 16, 1e-9) << name << " " << aspect;
    }
}

TEST(FitView, CameraIsOnTheNamedSide) {
  EXPECT_LT(viewDirection("front")->y(), -0.99);
  EXPECT_GT(viewDirection("back")->y(), 0.99);
  EXPECT_LT(viewDirection("left")->x(), -0.99);
  EXPECT_GT(viewDirection("right")->x(), 0.99);
  EXPECT_GT(viewDirection("top")->z(), 0.99);
  EXPECT_LT(viewDirection("bottom")->z(), -0.99);
}

TEST(FitView, NoDirectionForAnUnknownName) {
  EXPECT_FALSE(viewDirection("up"));
}

TEST(SkyLights, LightsOfEachKindSumToOneOnAnUnshadedHorizontalSurface) {
  const auto lights = skyLights(18, 78);
  ASSERT_EQ(lights.size(), 96u);
  double key = 0, sky = 0;
  for (std::size_t k = 0; k < lights.size(); ++k) {
    EXPECT_NEAR(lights[k].toward.norm(), 1, 1e-12);
    (k < 18 ? key : sky) += lights[k].share * lights[k].toward.z();
  }
  EXPECT_NEAR(key, 1, 1e-12);
  EXPECT_NEAR(sky, 1, 1e-12);
}

}  // namespace
}  // namespace tenon::xr
