// Frames that redraw only their damage, compared pixel by pixel with frames that are redrawn in full.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests {
namespace {

using physics::Vector3d;

constexpr vk::Format kFormat = vk::Format::eR8G8B8A8Srgb;
constexpr auto kTarget = vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc;

/// A renderer with the options of software rendering, its reused image, and an image that is redrawn in full.
class DamageRenderer {
 public:
  DamageRenderer()
      : instance_(xr::makeInstance(context_, {})),
        chosen_(xr::chooseDevice(instance_, std::nullopt)),
        device_(xr::makeDevice(chosen_, {})),
        queue_(device_.getQueue(chosen_.family, 0)),
        frame_(device_, chosen_.family),
        renderer_(chosen_.physical, device_, xr::interactiveOptions(vk::PhysicalDeviceType::eCpu, kFormat)) {
    resize(480, 320);
  }

  void resize(std::uint32_t width, std::uint32_t height) {
    extent_ = vk::Extent2D{width, height};
    for (xr::DeviceImage* image : {&kept_, &whole_})
      *image = xr::DeviceImage(chosen_.physical, device_, extent_, kFormat, vk::SampleCountFlagBits::e1,
                               kTarget, vk::ImageAspectFlagBits::eColor);
    pixels_ = xr::MappedBuffer(chosen_.physical, device_, vk::DeviceSize(4) * width * height,
                               vk::BufferUsageFlagBits::eTransferDst);
  }

  /// Draws the next frame; returns the damaged fraction.
  double draw(const xr::View& view, const xr::RenderScene& scene) {
    const auto& commands = frame_.begin();
    const double fraction = renderer_.beginDamaged(commands, extent_, view, scene);
    renderer_.drawDamaged(commands, target(kept_), view, scene, true);
    finish(commands, kept_, picture_);
    return fraction;
  }
  /// Draws the same scene until the image is up to date; false after 200 frames.
  bool settle(const xr::View& view, const xr::RenderScene& scene) {
    for (int k = 0; k < 200; ++k) {
      draw(view, scene);
      if (renderer_.isUpToDate()) return true;
    }
    return false;
  }
  /// Number of pixels that differ from a full redraw by more than `tolerance` of 255.
  int wrongPixels(const xr::View& view, const xr::RenderScene& scene, int tolerance) {
    const auto& commands = frame_.begin();
    renderer_.draw(commands, target(whole_), {&view, 1}, scene);
    std::vector<std::uint8_t> whole;
    finish(commands, whole_, whole);
    return differing(whole, picture_, tolerance);
  }

  const std::vector<std::uint8_t>& picture() const { return picture_; }

  static int differing(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                       int tolerance) {
    int count = 0;
    for (std::size_t k = 0; k + 3 < a.size(); k += 4) {
      int worst = 0;
      for (std::size_t c = 0; c < 3; ++c) worst = std::max(worst, std::abs(a[k + c] - b[k + c]));
      count += worst > tolerance ? 1 : 0;
    }
    return count;
  }

 private:
  xr::RenderTarget target(const xr::DeviceImage& image) const {
    constexpr auto kRead = vk::ImageLayout::eTransferSrcOptimal;
    return {.image = *image.image,
            .view = *image.view,
            .extent = extent_,
            .layoutAfter = kRead,
            .depth = nullptr,
            .depthView = nullptr,
            .layoutBefore = kRead};
  }
  void finish(const vk::raii::CommandBuffer& commands, const xr::DeviceImage& image,
              std::vector<std::uint8_t>& out) {
    xr::copyToHost(commands, *image.image, extent_, pixels_);
    frame_.submit(queue_);
    frame_.wait();
    out.resize(std::size_t(4) * extent_.width * extent_.height);
    std::memcpy(out.data(), pixels_.data, out.size());
  }

  vk::raii::Context context_;
  vk::raii::Instance instance_;
  xr::ChosenDevice chosen_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  xr::Frame frame_;
  xr::Renderer renderer_;
  vk::Extent2D extent_;
  xr::DeviceImage kept_, whole_;
  xr::MappedBuffer pixels_;
  std::vector<std::uint8_t> picture_;
};

constexpr int kTolerance = 2;     ///< of 255
constexpr int kConspicuous = 48;  ///< of 255: more than deferred, faint shadows differ

class DamageRenderingTest : public testing::Test {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    for (const content::Part& part : scene_.parts) poses_.push_back(part.X_WP);
    pictures_.emplace();
    lookFrom("iso", 1);
    pictures_->draw(view_, now());
  }

  /// Shows this fraction of the scene around its center.
  void lookFrom(const char* from, double part) {
    const double r = 0.05 * part;
    const std::vector<Vector3d> corners = {{-r, -r, -0.4 * r}, {r, r, 1.6 * r}};
    view_ = xr::fitView(corners, *xr::viewDirection(from), 1.5);
  }
  xr::RenderScene now() {
    xr::RenderScene out = xr::compose(scene_, meshes_, poses_);
    if (!ground_) ground_ = out.ground;
    out.ground = ground_;
    out.arrows = arrows_;
    out.section = section_;
    return out;
  }
  /// Moves the part in some frames, each of which is right except for faint shadows. If the range of the
  /// lights grows, one frame is redrawn in full.
  void carry(std::size_t part, const Vector3d& to, int steps = 6) {
    const Vector3d from = poses_[part].p;
    int whole = 0;
    for (int k = 1; k <= steps; ++k) {
      poses_[part].p = from + (to - from) * k / steps;
      whole += pictures_->draw(view_, now()) == 1 ? 1 : 0;
      EXPECT_LT(pictures_->wrongPixels(view_, now(), kConspicuous), 20) << "step " << k;
    }
    EXPECT_LT(whole, steps / 2) << "all of them are drawn whole";
  }
  void expectRight() {
    ASSERT_TRUE(pictures_->settle(view_, now()));
    EXPECT_EQ(pictures_->wrongPixels(view_, now(), kTolerance), 0);
  }

  const content::Scene scene_ = content::loadScene(scenePath("bolt-in-plate"));
  const xr::PartMeshes meshes_{scene_};
  std::vector<physics::Pose> poses_;
  std::vector<xr::Arrow> arrows_;
  std::optional<xr::Ground> ground_;
  std::optional<xr::SectionPlane> section_;
  xr::View view_;
  std::optional<DamageRenderer> pictures_;
};

TEST_F(DamageRenderingTest, StaticSceneHasNoDamage) {
  expectRight();
  EXPECT_EQ(pictures_->draw(view_, now()), 0);
}

TEST_F(DamageRenderingTest, MovingPartLeavesNoTrace) {
  const std::vector<std::uint8_t> before = pictures_->picture();
  carry(1, {0.0, 0.0, 0.03});
  carry(1, {0.02, 0.02, 0.006});
  expectRight();
  EXPECT_GT(DamageRenderer::differing(before, pictures_->picture(), 30), 500) << "nothing moved";
}

TEST_F(DamageRenderingTest, PartMayLeaveTheViewAndComeBack) {
  lookFrom("iso", 0.4);
  pictures_->draw(view_, now());
  const Vector3d home = poses_[1].p;
  carry(1, {-0.04, -0.03, 0.01}, 8);
  expectRight();
  carry(1, home, 8);
  expectRight();
  poses_[1].p = {0, 0, 5};  // so far that lights have to reach further
  pictures_->draw(view_, now());
  expectRight();
}

TEST_F(DamageRenderingTest, SmallMotionsAddUp) {
  for (int k = 0; k < 400; ++k) {
    poses_[1].p += Vector3d(2e-6, 0, 1e-6);  // a hundredth of a pixel
    pictures_->draw(view_, now());
  }
  expectRight();
}

TEST_F(DamageRenderingTest, AnotherViewOrSizeIsRedrawnInFull) {
  lookFrom("front", 1);
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  EXPECT_EQ(pictures_->wrongPixels(view_, now(), 0), 0);
  pictures_->resize(333, 251);
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  EXPECT_EQ(pictures_->wrongPixels(view_, now(), 0), 0);
  carry(1, {0.01, 0.0, 0.02});
  expectRight();
}

TEST_F(DamageRenderingTest, ArrowsThatAppearTurnAndVanishAreRedrawnAtOnce) {
  const auto expectNow = [&] {
    EXPECT_LT(pictures_->draw(view_, now()), 0.5);
    EXPECT_EQ(pictures_->wrongPixels(view_, now(), kTolerance), 0);
  };
  arrows_ = {{{0.01, 0, 0.01}, {0, 0, 0.03}, 0.0008, {0.8, 0.1, 0}},
             {{-0.02, 0.01, -0.01}, {0, 0.01, 0.02}, 0.0008, {0, 0.2, 0.8}}};  // behind the plate's face
  expectNow();
  arrows_[0].vector = {0.02, 0, 0.01};
  expectNow();
  arrows_.erase(arrows_.begin());
  expectNow();
  arrows_.clear();
  expectNow();
}

TEST_F(DamageRenderingTest, ColorsAndTransparentPartsAreRedrawn) {
  xr::RenderScene touched = now();
  touched.instances[1].surface.color = {0.1, 0.3, 0.8};
  EXPECT_LT(pictures_->draw(view_, touched), 0.5);
  EXPECT_EQ(pictures_->wrongPixels(view_, touched, kTolerance), 0);
  touched.instances.push_back(touched.instances[1]);
  touched.instances.back().surface.opacity = 0.2;
  touched.instances.back().affectsBounds = false;
  touched.instances.back().X_WM.p += Vector3d(0.02, 0, 0.01);
  EXPECT_LT(pictures_->draw(view_, touched), 0.5);
  EXPECT_EQ(pictures_->wrongPixels(view_, touched, kTolerance), 0);
}

// A hand, or a piece of a controller's model: its mesh stays in the buffers.
TEST_F(DamageRenderingTest, WhatDoesNotAffectBoundsAppearsAndVanishesWithoutARedrawInFull) {
  const xr::RenderScene without = now();
  xr::RenderScene with = without;
  xr::Instance hand = with.instances[1];
  hand.mesh = std::make_shared<const xr::Mesh>(*hand.mesh);
  hand.affectsBounds = false;
  hand.surface.opacity = 0.5;  // without a shadow, which would be redrawn in full
  hand.X_WM.p += Vector3d(0.02, 0, 0.01);
  with.instances.push_back(hand);
  EXPECT_EQ(pictures_->draw(view_, with), 1) << "a new mesh";
  for (const bool shown : {false, true, false}) {
    EXPECT_LT(pictures_->draw(view_, shown ? with : without), 1);
    EXPECT_EQ(pictures_->wrongPixels(view_, shown ? with : without, kTolerance), 0);
  }
}

TEST_F(DamageRenderingTest, SectionIsRightAndAnotherSectionIsRedrawnInFull) {
  section_ = xr::SectionPlane{-Vector3d::UnitY(), 0};
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  carry(1, {0.0, 0.0, 0.012});
  expectRight();
  section_->offset = 0.002;
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
}

// Lights far from overhead reach the ground beyond the range of their shadow maps.
TEST_F(DamageRenderingTest, GroundAroundAFlatPartIsLitEvenly) {
  const content::Scene scene = content::parseScene(
      R"({"tenon": 1, "title": "plate", "unit": "mm", "duration_s": 1, "parts": [
        {"name": "floor", "motion": "fixed", "shape": {"kind": "half_space"}},
        {"name": "plate", "motion": "fixed", "position": [0, 0, 1],
         "shape": {"kind": "box", "size": [100, 100, 2]}}]})",
      "plate.json");
  const xr::PartMeshes meshes(scene);
  const std::vector<physics::Pose> poses{scene.parts[0].X_WP, scene.parts[1].X_WP};
  const xr::RenderScene drawn = xr::compose(scene, meshes, poses);
  ASSERT_TRUE(drawn.ground);
  constexpr int kWidth = 480, kHeight = 320;
  const std::vector<Vector3d> corners = {{-0.2, -0.2, 0}, {0.2, 0.2, 0}};
  const xr::View view = xr::fitView(corners, *xr::viewDirection("top"), double(kWidth) / kHeight);
  pictures_->draw(view, drawn);
  // The brightest pixel around a point: the grid's lines are darker.
  const auto brightest = [&](const Vector3d& p) {
    const Eigen::Vector3d at = xr::projected(view, p);
    const int x = static_cast<int>(at.x() * kWidth), y = static_cast<int>(at.y() * kHeight);
    int most = 0;
    for (int row = y - 4; row <= y + 4; ++row)
      for (int column = x - 4; column <= x + 4; ++column) {
        const auto pixel = static_cast<std::size_t>(row) * kWidth + static_cast<std::size_t>(column);
        most = std::max<int>(most, pictures_->picture()[4 * pixel]);
      }
    return most;
  };
  for (const double radius : {0.1, 0.13, 0.16}) {  // of the part: 0.071
    int least = 255, most = 0;
    for (int k = 0; k < 32; ++k) {
      const double angle = 2 * std::numbers::pi * k / 32;
      const int bright = brightest({radius * std::cos(angle), radius * std::sin(angle), 0});
      least = std::min(least, bright);
      most = std::max(most, bright);
    }
    EXPECT_GT(least, 100) << radius;
    EXPECT_LE(most - least, 3) << radius;
  }
}

}  // namespace
}  // namespace tenon::tests
