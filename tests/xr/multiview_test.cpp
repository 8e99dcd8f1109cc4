// Both eyes in one pass: the probe of the device, and the same picture and depth as from two passes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/render/multiview_probe.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests {
namespace {

using physics::Vector3d;

constexpr vk::Format kEyeFormat = vk::Format::eR8G8B8A8Srgb;
constexpr vk::Extent2D kExtent{320, 240};
constexpr auto kEyeRead = vk::ImageLayout::eTransferSrcOptimal;

/// What a drawing left of an eye: colors, and where depth is drawn, that.
struct EyePixels {
  std::vector<std::uint8_t> color;  ///< 4 bytes for each pixel
  std::vector<float> depth;         ///< empty: without a depth target
};

/// How both eyes are drawn.
struct Drawing {
  bool multiview = false;
  vk::SampleCountFlagBits samples = vk::SampleCountFlagBits::e1;
  bool depth = false;           ///< also into a depth target, as for a compositor
  vk::Extent2D inset = {0, 0};  ///< of insets with the same views, drawn after the eyes; 0: none
};

class Device : xr::WindowlessDevice {
 public:
  bool drawsMultiview(vk::SampleCountFlagBits samples) {
    return xr::drawsMultiview(chosen, device, queue, frame, samples);
  }
  bool isSoftware() const {
    return chosen.physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu;
  }
  std::string name() const { return chosen.physical.getProperties().deviceName.data(); }

  /// Both eyes as layers of one image; then the insets, if there are any, as layers of another one.
  std::vector<EyePixels> draw(std::span<const xr::View> eyes, const xr::RenderScene& scene,
                              const Drawing& how, std::span<const Eigen::Vector2f> hidden) {
    xr::RendererOptions options = xr::interactiveOptions(vk::PhysicalDeviceType::eCpu, kEyeFormat);
    options.multiview = how.multiview;
    options.samples = how.samples;
    xr::Renderer renderer(chosen.physical, device, options);
    const auto usage = vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc;
    const xr::DeviceImage panel(
        chosen.physical, device, kExtent, kEyeFormat, vk::SampleCountFlagBits::e1,
        usage | vk::ImageUsageFlagBits::eSampled | vk::ImageUsageFlagBits::eTransferDst,
        vk::ImageAspectFlagBits::eColor);
    renderer.showOnPanels(*panel.view);
    std::vector<Pair> pairs;
    pairs.push_back(makePair(kExtent, how.depth));
    if (how.inset.width > 0) pairs.push_back(makePair(how.inset, how.depth));
    std::vector<xr::RenderTarget> targets;
    std::vector<xr::View> views;
    for (const Pair& pair : pairs) {
      addTargets(pair, how.multiview, hidden, targets);
      views.insert(views.end(), eyes.begin(), eyes.end());
    }
    const auto& commands = frame.begin();
    clear(commands, *panel.image);
    renderer.drawEach(commands, targets, views, scene);
    for (const Pair& pair : pairs) copy(commands, pair);
    frame.submit(queue);
    frame.wait();
    std::vector<EyePixels> all;
    for (const Pair& pair : pairs)
      for (std::size_t k = 0; k < 2; ++k) {
        EyePixels& eye = all.emplace_back();
        eye.color.resize(pair.bytes());
        std::memcpy(eye.color.data(), pair.read[k].data, pair.bytes());
        if (!how.depth) continue;
        eye.depth.resize(pair.bytes() / sizeof(float));
        std::memcpy(eye.depth.data(), pair.readDepth[k].data, pair.bytes());
      }
    return all;
  }

 private:
  /// Images of two layers, with views of all and of each.
  struct Pair {
    vk::Extent2D extent;
    xr::DeviceImage color, depth;
    std::vector<vk::raii::ImageView> layers, depthLayers;
    std::array<xr::MappedBuffer, 2> read, readDepth;

    std::size_t bytes() const { return std::size_t(4) * extent.width * extent.height; }
  };

  Pair makePair(vk::Extent2D extent, bool hasDepth) {
    using U = vk::ImageUsageFlagBits;
    using A = vk::ImageAspectFlagBits;
    Pair pair{extent, {}, {}, {}, {}, {}, {}};
    pair.color = xr::DeviceImage(chosen.physical, device, extent, kEyeFormat, vk::SampleCountFlagBits::e1,
                                 U::eColorAttachment | U::eTransferSrc, A::eColor, 2);
    const vk::ImageAspectFlags depthAspect = A::eDepth | A::eStencil;
    if (hasDepth)
      pair.depth =
          xr::DeviceImage(chosen.physical, device, extent, xr::kDepthFormat, vk::SampleCountFlagBits::e1,
                          U::eDepthStencilAttachment | U::eTransferSrc, depthAspect, 2);
    const auto layerOf = [&](vk::Image image, vk::Format format, vk::ImageAspectFlags aspect,
                             std::uint32_t layer) {
      return device.createImageView({.image = image,
                                     .viewType = vk::ImageViewType::e2D,
                                     .format = format,
                                     .subresourceRange = {aspect, 0, 1, layer, 1}});
    };
    for (std::uint32_t k = 0; k < 2; ++k) {
      pair.layers.push_back(layerOf(*pair.color.image, kEyeFormat, A::eColor, k));
      if (hasDepth) pair.depthLayers.push_back(layerOf(*pair.depth.image, xr::kDepthFormat, depthAspect, k));
      for (auto* const buffers : {&pair.read, &pair.readDepth})
        xr::grow((*buffers)[k], chosen.physical, device, pair.bytes(), vk::BufferUsageFlagBits::eTransferDst);
    }
    return pair;
  }

  static void addTargets(const Pair& pair, bool multiview, std::span<const Eigen::Vector2f> hidden,
                         std::vector<xr::RenderTarget>& targets) {
    const bool hasDepth = !pair.depthLayers.empty();
    if (multiview) {
      xr::RenderTarget& both =
          targets.emplace_back(xr::RenderTarget{*pair.color.image, *pair.color.view, pair.extent, kEyeRead});
      both.layers.count = 2;
      both.hidden[1] = hidden;
      if (hasDepth) both.depth = *pair.depth.image;
      if (hasDepth) both.depthView = *pair.depth.view;
      return;
    }
    for (std::uint32_t k = 0; k < 2; ++k) {
      xr::RenderTarget& eye =
          targets.emplace_back(xr::RenderTarget{*pair.color.image, *pair.layers[k], pair.extent, kEyeRead});
      eye.layers.first = k;
      if (k == 1) eye.hidden[0] = hidden;
      if (hasDepth) eye.depth = *pair.depth.image;
      if (hasDepth) eye.depthView = *pair.depthLayers[k];
    }
  }

  static void copy(const vk::raii::CommandBuffer& commands, const Pair& pair) {
    using L = vk::ImageLayout;
    using A = vk::ImageAspectFlagBits;
    for (std::uint32_t k = 0; k < 2; ++k)
      xr::copyToHost(commands, *pair.color.image, pair.extent, pair.read[k], k);
    if (pair.depthLayers.empty()) return;
    xr::transition(commands, *pair.depth.image, A::eDepth | A::eStencil, L::eDepthStencilAttachmentOptimal,
                   L::eTransferSrcOptimal, {0, 2});
    for (std::uint32_t k = 0; k < 2; ++k)
      commands.copyImageToBuffer(
          *pair.depth.image, L::eTransferSrcOptimal, *pair.readDepth[k].buffer,
          vk::BufferImageCopy{.imageSubresource = {A::eDepth, 0, k, 1},
                              .imageExtent = {pair.extent.width, pair.extent.height, 1}});
  }

  /// The image of the panels: one color.
  static void clear(const vk::raii::CommandBuffer& commands, vk::Image image) {
    using L = vk::ImageLayout;
    constexpr auto kColor = vk::ImageAspectFlagBits::eColor;
    const vk::ImageSubresourceRange all{kColor, 0, 1, 0, 1};
    xr::transition(commands, image, kColor, L::eUndefined, L::eGeneral);
    const vk::ClearColorValue green{.float32 = std::array<float, 4>{0.2F, 0.6F, 0.1F, 1}};
    commands.clearColorImage(image, L::eGeneral, green, all);
    xr::transition(commands, image, kColor, L::eGeneral, L::eShaderReadOnlyOptimal);
  }
};

/// A bolt and its plate before both eyes, with a panel; triangles at the right eye's border are hidden.
struct Picture {
  Picture() {
    const content::Scene bolt = content::loadScene(scenePath("bolt-in-plate"), {});
    std::vector<physics::Pose> poses;
    for (const content::Part& part : bolt.parts) poses.push_back(part.X_WP);
    scene = xr::compose(bolt, xr::PartMeshes(bolt), poses);
    const std::array<Vector3d, 2> corners{Vector3d(-0.06, -0.06, -0.06), Vector3d(0.06, 0.06, 0.06)};
    const xr::View middle =
        xr::fitView(corners, *xr::viewDirection("iso"), double(kExtent.width) / kExtent.height);
    eyes = {middle, middle};
    const Vector3d aside = middle.X_WC.q * Vector3d(0.02, 0, 0);
    eyes[0].X_WC.p -= aside;
    eyes[1].X_WC.p += aside;
    eyes[1].left *= 1.1;
    xr::Panel& panel = scene.panels.emplace_back();
    panel.X_WP.q = middle.X_WC.q;
    panel.width = panel.height = 0.01;
  }

  xr::RenderScene scene;
  std::array<xr::View, 2> eyes;
  std::vector<Eigen::Vector2f> hidden{{0, 0}, {0.1F, 0}, {0, 0.1F}};
};

class MultiviewTest : public testing::TestWithParam<vk::SampleCountFlagBits> {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    device_.emplace();
  }
  /// Pixels of both eyes that one pass draws otherwise than two passes.
  int differing(const Picture& picture, Drawing how) {
    const auto two = device_->draw(picture.eyes, picture.scene, how, picture.hidden);
    how.multiview = true;
    const auto one = device_->draw(picture.eyes, picture.scene, how, picture.hidden);
    EXPECT_NE(two[0].color, two[1].color);
    int count = 0, drawn = 0;
    for (std::size_t eye = 0; eye < two.size(); ++eye) {
      for (std::size_t k = 0; k < two[eye].color.size(); k += 4) {
        const bool differs = std::memcmp(&two[eye].color[k], &one[eye].color[k], 4) != 0 ||
                             (how.depth && two[eye].depth[k / 4] != one[eye].depth[k / 4]);
        count += differs ? 1 : 0;
        drawn += two[eye].color[k + 3] != 0;
      }
      if (how.depth) checkDepth(picture, two[eye]);
    }
    EXPECT_GT(drawn, 4000);
    return count;
  }
  /// Depth is the near plane's distance over that of what is seen: between the nearest and the farthest point
  /// of the scene where something is drawn, 0 behind it.
  void checkDepth(const Picture& picture, const EyePixels& eye) {
    const double near = picture.eyes[0].nearPlane, distance = picture.eyes[0].X_WC.p.norm();
    int seen = 0, wrong = 0;
    for (const float depth : eye.depth) {
      if (depth == 0 || depth == 1) continue;  // behind all, and what the lenses do not show
      ++seen;
      const double at = near / static_cast<double>(depth);
      wrong += picture.scene.ground || std::abs(at - distance) < 0.11 ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(seen, static_cast<int>(eye.depth.size() / 40));
  }

  std::optional<Device> device_;
};

// Software rendering of Mesa 22.3 draws clipped triangles into the first layer only, that of Mesa 25 does
// not.
TEST_P(MultiviewTest, TheProbeFindsWhetherOnePassDrawsWhatTwoPassesDraw) {
  Picture picture;
  picture.scene.vignette.rim = 0.5;
  picture.scene.section = xr::SectionPlane{Vector3d::UnitY(), 0.001};
  picture.scene.instances.back().surface.opacity = 0.5;
  const bool isRight = device_->drawsMultiview(GetParam());
  EXPECT_EQ(isRight, differing(picture, {.samples = GetParam()}) == 0) << device_->name();
  // Mesa's software rendering, with which the program takes one sample, resolves the depth of each layer into
  // the first one (lavapipe, resolve_ds), also where each has a pass.
  if (device_->isSoftware() && GetParam() != vk::SampleCountFlagBits::e1) return;
  EXPECT_EQ(isRight, differing(picture, {.samples = GetParam(), .depth = true}) == 0) << device_->name();
}

INSTANTIATE_TEST_SUITE_P(samples, MultiviewTest,
                         testing::Values(vk::SampleCountFlagBits::e1, vk::SampleCountFlagBits::e4),
                         [](const auto& one) { return "samples" + std::to_string(int(one.param)); });

// Without ground and backdrop and with all parts within the picture no triangle is clipped: drivers that fail
// the probe draw it rightly too.
using UnclippedMultiviewTest = MultiviewTest;
TEST_P(UnclippedMultiviewTest, OnePassDrawsWhatTwoPassesDraw) {
  Picture picture;
  picture.scene.ground.reset();
  picture.scene.passthrough = true;
  EXPECT_EQ(differing(picture, {.samples = GetParam()}), 0) << device_->name();
  EXPECT_EQ(differing(picture, {.samples = GetParam(), .depth = true}), 0) << device_->name();
}

// The insets' images may be larger than those of the eyes, before them in the same frame.
TEST_P(UnclippedMultiviewTest, InsetsOfAnySizeAreDrawnAfterTheEyes) {
  Picture picture;
  picture.scene.ground.reset();
  picture.scene.passthrough = true;
  const auto eyes = device_->draw(picture.eyes, picture.scene, {.samples = GetParam()}, picture.hidden);
  for (const vk::Extent2D inset : {vk::Extent2D{400, 500}, vk::Extent2D{100, 90}}) {
    const Drawing how{.samples = GetParam(), .depth = true, .inset = inset};
    EXPECT_EQ(differing(picture, how), 0) << device_->name();
    const auto all = device_->draw(picture.eyes, picture.scene, how, picture.hidden);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].color, eyes[0].color);
    EXPECT_EQ(all[1].color, eyes[1].color);
    EXPECT_EQ(all[2].color.size(), std::size_t(4) * inset.width * inset.height);
  }
}

INSTANTIATE_TEST_SUITE_P(samples, UnclippedMultiviewTest, testing::Values(vk::SampleCountFlagBits::e1),
                         [](const auto& one) { return "samples" + std::to_string(int(one.param)); });

}  // namespace
}  // namespace tenon::tests
