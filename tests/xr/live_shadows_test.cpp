// The light of live pictures: few lights, whose shadows are soft.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "content/reader/load_scene.h"
#include "tests/support/live_pictures.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/render/sky_lights.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests {
namespace {

using physics::Vector3d;

constexpr int kWidth = 960, kHeight = 640;

class LiveShadowsTest : public testing::Test {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    pictures_.emplace();
    pictures_->resize(kWidth, kHeight);
  }

  /// A part on the ground, seen from above as far as `reach` [m].
  void draw(const std::string& part, double reach) {
    const content::Scene scene = content::parseScene(
        R"({"tenon": 1, "title": "shadow", "unit": "mm", "duration_s": 1, "parts": [
        {"name": "floor", "motion": "fixed", "shape": {"kind": "half_space"}},)" +
            part + "]}",
        "shadow.json");
    const xr::PartMeshes meshes(scene);
    const std::vector<physics::Pose> poses{scene.parts[0].X_WP, scene.parts[1].X_WP};
    xr::RenderScene drawn = xr::compose(scene, meshes, poses);
    ASSERT_TRUE(drawn.ground);
    drawn.ground->cell = 1e-4;  // too fine to be drawn
    const std::vector<Vector3d> corners = {{-reach, -reach, 0}, {reach, reach, 0}};
    view_ = xr::fitView(corners, *xr::viewDirection("top"), double(kWidth) / kHeight);
    pictures_->draw(view_, drawn);
  }

  /// Of the pixel that shows a point on the ground, 0…255.
  int brightnessAt(const Vector3d& p) const {
    const Eigen::Vector3d at = xr::projected(view_, p);
    const auto x = static_cast<std::size_t>(at.x() * kWidth), y = static_cast<std::size_t>(at.y() * kHeight);
    return pictures_->picture()[4 * (y * kWidth + x)];
  }

  /// Brightness across the key light's shadow where a point at this height casts it, from `from` to `to`
  /// along the perpendicular on the ground, every half millimeter.
  std::vector<int> acrossShadow(double height, double from, double to) const {
    const Vector3d key = xr::skyLights(1, 1).front().toward, cast = -height / key.z() * key;
    const Vector3d across = Vector3d(key.y(), -key.x(), 0).normalized();
    std::vector<int> bright;
    for (double s = from; s <= to; s += 0.0005)
      bright.push_back(brightnessAt(Vector3d(cast.x(), cast.y(), 0) + s * across));
    return bright;
  }

  xr::View view_;
  std::optional<LivePictures> pictures_;
};

/// Number of values from a quarter to three quarters of the way between the least and the last one.
int widthOfEdge(const std::vector<int>& profile) {
  const int dark = *std::min_element(profile.begin(), profile.end()), lit = profile.back();
  int count = 0;
  for (const int v : profile)
    count += 4 * (v - dark) > lit - dark && 4 * (v - dark) < 3 * (lit - dark) ? 1 : 0;
  return count;
}

// Lights far from overhead reach the ground beyond the range of their shadow maps.
TEST_F(LiveShadowsTest, GroundAroundAFlatPartIsLitEvenly) {
  draw(R"({"name": "plate", "motion": "fixed", "position": [0, 0, 1],
         "shape": {"kind": "box", "size": [100, 100, 2]}})",
       0.2);
  for (const double radius : {0.1, 0.13, 0.16}) {  // of the part: 0.071
    int least = 255, most = 0;
    for (int k = 0; k < 32; ++k) {
      const double angle = 2 * std::numbers::pi * k / 32;
      const int bright = brightnessAt({radius * std::cos(angle), radius * std::sin(angle), 0});
      least = std::min(least, bright);
      most = std::max(most, bright);
    }
    EXPECT_GT(least, 100) << radius;
    EXPECT_LE(most - least, 3) << radius;
  }
}

// A post of 120 mm: the end of its shadow is blurred, its foot is sharp, and nowhere is a step.
TEST_F(LiveShadowsTest, ShadowsBecomeSofterWithTheDistanceOfWhatCastsThem) {
  draw(R"({"name": "post", "motion": "fixed", "position": [0, 0, 60],
         "shape": {"kind": "cylinder", "diameter": 14, "length": 120}})",
       0.13);
  const std::vector<int> nearFoot = acrossShadow(0.015, 0, 0.03), nearEnd = acrossShadow(0.1, 0, 0.03);
  EXPECT_LT(nearFoot.front(), 0.8 * nearFoot.back()) << "no shadow at the foot";
  EXPECT_LT(nearEnd.front(), 0.9 * nearEnd.back()) << "no shadow at the end";
  EXPECT_GT(widthOfEdge(nearEnd), 1.5 * widthOfEdge(nearFoot));
  int step = 0;
  for (std::size_t k = 1; k < nearEnd.size(); ++k)
    step = std::max(step, std::abs(nearEnd[k] - nearEnd[k - 1]));
  EXPECT_LE(step, (nearEnd.back() - nearEnd.front()) / 6) << "a step within half a millimeter";
  for (std::size_t k = 1; k < nearEnd.size(); ++k) {
    EXPECT_GE(nearEnd[k], nearEnd[k - 1] - 1) << "a second edge at value " << k;
  }
}

}  // namespace
}  // namespace tenon::tests
