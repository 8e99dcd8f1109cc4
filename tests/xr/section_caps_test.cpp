// Section caps: filled wherever the plane is inside a part, also where parts or shells overlap.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include "content/parts/display_mesh.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/display/offscreen.h"
#include "xr/render/section_caps.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::xr {
namespace {

using physics::Pose;
using physics::Vector3d;

constexpr int kWidth = 240, kHeight = 160;

/// What a pixel shows: parts are red or blue, the backdrop is gray.
enum class Seen { backdrop, red, blue };
const Eigen::Vector3d kRed(0.9, 0.02, 0.02), kBlue(0.02, 0.02, 0.9);

Instance part(Mesh mesh, const Eigen::Vector3d& color) {
  Instance out;
  out.mesh = std::make_shared<const Mesh>(std::move(mesh));
  out.surface = {color, 0, 0.8};
  out.edges = false;
  return out;
}

/// Two shells as one mesh; `inverted`: the second one bounds a cavity.
Mesh shells(Mesh a, const Mesh& b, bool inverted) {
  const auto first = static_cast<std::uint32_t>(a.positions.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (const Vector3d& n : b.normals) a.normals.push_back(inverted ? Vector3d(-n) : n);
  for (const auto& [i, j, k] : b.triangles)
    a.triangles.push_back({first + i, first + (inverted ? k : j), first + (inverted ? j : k)});
  return a;
}

Mesh box(const Vector3d& halfExtents) {
  return renderMesh(content::displayMeshOf(physics::Box{halfExtents}));
}
Mesh ball(double radius) {
  return renderMesh(content::displayMeshOf(physics::Sphere{radius}));
}
Mesh cylinder(double radius, double halfLength) {
  return renderMesh(content::displayMeshOf(physics::Cylinder{radius, halfLength}));
}
bool inBall(const Vector3d& p, double radius) {
  return p.norm() < radius;
}

class SectionCaps : public testing::Test {
 protected:
  void SetUp() override {
    static const VulkanProbe probe = probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    display_.emplace(kWidth, kHeight);
  }

  /// Compares the pixels of points in the plane y = 0 with the expectation, from several views, except
  /// within 1.5 pixels of a border.
  void expectCut(const std::vector<Instance>& instances,
                 const std::function<Seen(const Vector3d&)>& expected) {
    RenderScene scene;
    scene.instances = instances;
    scene.section = SectionPlane{-Vector3d::UnitY(), 0};
    std::vector<Vector3d> corners;
    for (const double x : {-0.02, 0.02})
      for (const double z : {-0.02, 0.02}) corners.emplace_back(x, 0, z);
    const double aspect = double(kWidth) / kHeight;
    std::vector<View> views{fitOrthographic(corners, Vector3d(0.6, -1, 0.5).normalized(), aspect)};
    for (const Vector3d& from : {Vector3d(0, -1, 0), Vector3d(0.6, -1, 0.5), Vector3d(-1.2, -1, -0.2)})
      views.push_back(fitView(corners, from.normalized(), aspect));
    for (const View& view : views) {
      const Image picture = display_->draw({&view, 1}, scene);
      const double near = 1.5 * 0.04 / kHeight * std::numbers::sqrt2;
      int wrong = 0, checked = 0;
      for (double x = -0.019; x < 0.019; x += 0.0007)
        for (double z = -0.019; z < 0.019; z += 0.0007) {
          const Vector3d p(x, 0, z);
          const Seen wanted = expected(p);
          bool plain = true;
          for (const double dx : {-near, near})
            for (const double dz : {-near, near})
              plain = plain && expected(p + Vector3d(dx, 0, dz)) == wanted;
          if (!plain || wanted == Seen::backdrop) continue;
          ++checked;
          if (seen(picture, view, p) != wanted) ++wrong;
        }
      EXPECT_GT(checked, 300);
      EXPECT_EQ(wrong, 0) << "of " << checked << " points, from " << view.X_WC.p.transpose();
    }
  }

  static Seen seen(const Image& picture, const View& view, const Vector3d& p) {
    const Eigen::Vector3d at = projected(view, p);
    const auto x = static_cast<std::size_t>(at.x() * kWidth), y = static_cast<std::size_t>(at.y() * kHeight);
    const std::uint8_t* pixel = &picture.rgba[4 * (y * kWidth + x)];
    if (pixel[0] > pixel[2] + 8) return Seen::red;
    return pixel[2] > pixel[0] + 8 ? Seen::blue : Seen::backdrop;
  }

  std::optional<Offscreen> display_;
};

/// A pin of 6 mm in a through hole of 5.6 mm: the wall of the hole is inside the pin.
TEST_F(SectionCaps, PressFitPinIsFilled) {
  physics::BlockWithHoles block{{0.012, 0.012, 0.008}, {}};
  physics::Cavity hole;
  hole.X_BH = Pose::at({0, 0, 0.008});
  hole.profile = {{0, 0.0028}, {-0.016, 0.0028}};
  hole.through = true;
  block.cavities.push_back(hole);
  const Instance pin = part(cylinder(0.003, 0.014), kRed),
                 plate = part(renderMesh(content::displayMeshOf(block)), kBlue);
  const auto expected = [](const Vector3d& p) {
    if (std::abs(p.x()) < 0.003 && std::abs(p.z()) < 0.014) return Seen::red;
    return std::abs(p.x()) < 0.012 && std::abs(p.z()) < 0.008 ? Seen::blue : Seen::backdrop;
  };
  expectCut({plate, pin}, expected);
  expectCut({pin, plate}, expected);
}

TEST_F(SectionCaps, PartInsideAnotherIsVisible) {
  const auto expected = [](const Vector3d& p) {
    return inBall(p, 0.006) ? Seen::red : inBall(p, 0.016) ? Seen::blue : Seen::backdrop;
  };
  expectCut({part(ball(0.016), kBlue), part(ball(0.006), kRed)}, expected);
}

TEST_F(SectionCaps, CavityIsOpenAndAPartInItIsFilled) {
  Instance core = part(ball(0.004), kRed);
  const auto expected = [](const Vector3d& p) {
    if (inBall(p, 0.004)) return Seen::red;
    // Obliquely, the far half of the core is seen through the cavity, and beside it the blue wall.
    return inBall(p, 0.011) || !inBall(p, 0.016) ? Seen::backdrop : Seen::blue;
  };
  expectCut({part(shells(ball(0.016), ball(0.012), true), kBlue), core}, expected);
}

TEST_F(SectionCaps, OverlappingShellsOfAPartAreFilled) {
  const Mesh cross = shells(box({0.018, 0.005, 0.004}), box({0.004, 0.005, 0.018}), false);
  const auto inCross = [](const Vector3d& p) {
    const double x = std::abs(p.x()), z = std::abs(p.z());
    return (x < 0.018 && z < 0.004) || (x < 0.004 && z < 0.018);
  };
  // A smaller ball behind it, in full, is nowhere seen through the cross.
  Instance behind = part(ball(0.003), kRed);
  behind.X_WM = Pose::at({0, 0.012, 0});
  expectCut({part(cross, kBlue), behind},
            [&](const Vector3d& p) { return inCross(p) ? Seen::blue : Seen::backdrop; });
}

TEST_F(SectionCaps, RingOfOverlappingBallsIsFilled) {
  std::vector<Instance> balls;
  std::vector<Vector3d> centers;
  for (int k = 0; k < 24; ++k) {
    const double angle = 2 * std::numbers::pi * k / 24;
    centers.emplace_back(0.01 * std::cos(angle), 0.002 * std::sin(3 * angle), 0.01 * std::sin(angle));
    balls.push_back(part(ball(0.006), kRed));
    balls.back().X_WM = Pose::at(centers.back());
  }
  expectCut(balls, [&](const Vector3d& p) {
    for (const Vector3d& c : centers)
      if ((p - c).norm() < 0.006) return Seen::red;
    return Seen::backdrop;
  });
}

TEST_F(SectionCaps, CapIsHiddenFromBehind) {
  RenderScene scene;
  scene.instances = {part(ball(0.016), kBlue), part(ball(0.006), kRed)};
  scene.section = SectionPlane{-Vector3d::UnitY(), 0};
  const std::array<Vector3d, 2> corners{Vector3d(-0.02, 0, -0.02), Vector3d(0.02, 0, 0.02)};
  const View view = fitView(corners, Vector3d::UnitY(), double(kWidth) / kHeight);
  const Image picture = display_->draw({&view, 1}, scene);
  EXPECT_EQ(seen(picture, view, {0, 0.016, 0}), Seen::blue);
  EXPECT_EQ(seen(picture, view, {0.005, 0.015, 0.005}), Seen::blue);
}

TEST(CutCorners, AreThoseOfABoxOnBothSidesOfThePlane) {
  const Eigen::AlignedBox3d box(Vector3d(-1, -1, -1), Vector3d(1, 1, 1));
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();
  const SectionPlane plane{Vector3d::UnitZ(), 2};
  EXPECT_FALSE(cutCorners(box, model, plane)) << "all of it is kept";
  model(2, 3) = 1;
  EXPECT_TRUE(cutCorners(box, model, plane)) << "its upper face is in the plane";
  model(2, 3) = 2;
  EXPECT_TRUE(cutCorners(box, model, plane));
  model(2, 3) = 3;
  EXPECT_FALSE(cutCorners(box, model, plane)) << "its lower face is in the plane: nothing of it is kept";
  model(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(cutCorners(box, model, plane)) << "it is nowhere";
  EXPECT_FALSE(cutCorners({}, Eigen::Matrix4d::Identity(), plane)) << "it has no triangles";
}

}  // namespace
}  // namespace tenon::xr
