// Both eyes in one pass: the probe of the device, and the same picture as from two passes.
#include <gtest/gtest.h>

#include <array>
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

using Pixels = std::vector<std::uint8_t>;

class Device {
 public:
  Device()
      : instance_(xr::makeInstance(context_, {})),
        chosen_(xr::chooseDevice(instance_, std::nullopt)),
        device_(xr::makeDevice(chosen_, {})),
        queue_(device_.getQueue(chosen_.family, 0)),
        frame_(device_, chosen_.family) {}

  bool drawsMultiview(vk::SampleCountFlagBits samples) {
    return xr::drawsMultiview(chosen_, device_, queue_, frame_, samples);
  }
  std::string name() const { return chosen_.physical.getProperties().deviceName.data(); }

  /// Both eyes as layers of one image, side by side.
  std::array<Pixels, 2> draw(std::span<const xr::View> eyes, const xr::RenderScene& scene, bool multiview,
                             vk::SampleCountFlagBits samples, std::span<const Eigen::Vector2f> hidden) {
    xr::RendererOptions options = xr::interactiveOptions(vk::PhysicalDeviceType::eCpu, kEyeFormat);
    options.multiview = multiview;
    options.samples = samples;
    xr::Renderer renderer(chosen_.physical, device_, options);
    const auto usage = vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc;
    const xr::DeviceImage image(chosen_.physical, device_, kExtent, kEyeFormat, vk::SampleCountFlagBits::e1,
                                usage, vk::ImageAspectFlagBits::eColor, 2);
    const xr::DeviceImage panel(
        chosen_.physical, device_, kExtent, kEyeFormat, vk::SampleCountFlagBits::e1,
        usage | vk::ImageUsageFlagBits::eSampled | vk::ImageUsageFlagBits::eTransferDst,
        vk::ImageAspectFlagBits::eColor);
    renderer.showOnPanels(*panel.view);
    std::vector<vk::raii::ImageView> layers;
    for (std::uint32_t k = 0; k < 2; ++k)
      layers.push_back(
          device_.createImageView({.image = *image.image,
                                   .viewType = vk::ImageViewType::e2D,
                                   .format = kEyeFormat,
                                   .subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, 1, k, 1}}));
    std::vector<xr::RenderTarget> targets;
    if (multiview) {
      targets.push_back({*image.image, *image.view, kExtent, kEyeRead});
      targets[0].layers.count = 2;
      targets[0].hidden[1] = hidden;
    } else {
      for (std::uint32_t k = 0; k < 2; ++k) {
        targets.push_back({*image.image, *layers[k], kExtent, kEyeRead});
        targets[k].layers.first = k;
      }
      targets[1].hidden[0] = hidden;
    }
    std::array<xr::MappedBuffer, 2> read;
    const auto& commands = frame_.begin();
    clear(commands, *panel.image);
    renderer.drawEach(commands, targets, eyes, scene);
    for (std::uint32_t k = 0; k < 2; ++k) {
      xr::grow(read[k], chosen_.physical, device_, bytes(), vk::BufferUsageFlagBits::eTransferDst);
      xr::copyToHost(commands, *image.image, kExtent, read[k], k);
    }
    frame_.submit(queue_);
    frame_.wait();
    std::array<Pixels, 2> pixels{Pixels(bytes()), Pixels(bytes())};
    for (std::size_t k = 0; k < 2; ++k) std::memcpy(pixels[k].data(), read[k].data, bytes());
    return pixels;
  }

 private:
  static std::size_t bytes() { return std::size_t(4) * kExtent.width * kExtent.height; }
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

  vk::raii::Context context_;
  vk::raii::Instance instance_;
  xr::ChosenDevice chosen_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  xr::Frame frame_;
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
  int differing(const Picture& picture, vk::SampleCountFlagBits samples) {
    const auto two = device_->draw(picture.eyes, picture.scene, false, samples, picture.hidden);
    const auto one = device_->draw(picture.eyes, picture.scene, true, samples, picture.hidden);
    EXPECT_NE(two[0], two[1]);
    int count = 0, drawn = 0;
    for (std::size_t eye = 0; eye < 2; ++eye)
      for (std::size_t k = 0; k < two[eye].size(); k += 4) {
        count += std::memcmp(&two[eye][k], &one[eye][k], 4) != 0;
        drawn += two[eye][k + 3] != 0;
      }
    EXPECT_GT(drawn, 4000);
    return count;
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
  EXPECT_EQ(device_->drawsMultiview(GetParam()), differing(picture, GetParam()) == 0) << device_->name();
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
  EXPECT_EQ(differing(picture, GetParam()), 0) << device_->name();
}

INSTANTIATE_TEST_SUITE_P(samples, UnclippedMultiviewTest, testing::Values(vk::SampleCountFlagBits::e1),
                         [](const auto& one) { return "samples" + std::to_string(int(one.param)); });

}  // namespace
}  // namespace tenon::tests
