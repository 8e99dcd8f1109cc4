// A device of its own, an image to draw into, and a buffer to read it from.
#include "xr/display/offscreen.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "xr/display/annotate.h"
#include "xr/render/renderer.h"
#include "xr/render/vulkan_probe.h"

namespace tenon::xr {

namespace {

constexpr vk::Format kFormat = vk::Format::eR8G8B8A8Srgb;
constexpr std::uint64_t kPatience = 120'000'000'000;  ///< for one picture, on a processor that draws it [ns]

vk::raii::Instance makeInstance(const vk::raii::Context& context) {
  const vk::ApplicationInfo application{
      .pApplicationName = "tenon", .applicationVersion = 1, .apiVersion = VK_API_VERSION_1_3};
  return context.createInstance({.pApplicationInfo = &application});
}

using Features = vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan13Features>;

/// A family of queues that can draw; −1: none.
int drawingFamily(const vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  for (std::size_t k = 0; k < families.size(); ++k)
    if (families[k].queueFlags & vk::QueueFlagBits::eGraphics) return static_cast<int>(k);
  return -1;
}

bool suits(const vk::raii::PhysicalDevice& device) {
  if (device.getProperties().apiVersion < VK_API_VERSION_1_3 || drawingFamily(device) < 0) return false;
  const auto features =
      device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan13Features>();
  const auto& newer = features.get<vk::PhysicalDeviceVulkan13Features>();
  return newer.dynamicRendering && newer.synchronization2 &&
         features.get<vk::PhysicalDeviceFeatures2>().features.shaderClipDistance;
}

/// Graphics cards before processors that draw.
int rank(vk::PhysicalDeviceType type) {
  switch (type) {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return 3;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return 2;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return 1;
    default:
      return 0;
  }
}

vk::raii::PhysicalDevice choose(const vk::raii::Instance& instance) {
  std::optional<vk::raii::PhysicalDevice> best;
  for (vk::raii::PhysicalDevice& device : instance.enumeratePhysicalDevices())
    if (suits(device) &&
        (!best || rank(device.getProperties().deviceType) > rank(best->getProperties().deviceType)))
      best = std::move(device);
  if (!best)
    throw NoGraphics(
        "no Vulkan device here has version 1.3 and clip distances; install mesa-vulkan-drivers, or a "
        "newer driver of your graphics card");
  return std::move(*best);
}

vk::raii::Device makeDevice(const vk::raii::PhysicalDevice& physical, std::uint32_t family) {
  constexpr float kPriority = 1;
  const vk::DeviceQueueCreateInfo queue{
      .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &kPriority};
  Features features;
  features.get<vk::PhysicalDeviceFeatures2>().features.shaderClipDistance = true;
  features.get<vk::PhysicalDeviceVulkan13Features>().setDynamicRendering(true).setSynchronization2(true);
  return physical.createDevice(
      vk::DeviceCreateInfo{.pNext = &features.get<vk::PhysicalDeviceFeatures2>()}.setQueueCreateInfos(queue));
}

/// Other people's drivers are asked in a process apart first: a broken one becomes a line.
void requireDriver() {
  const VulkanProbe probe = probeVulkan();
  if (!probe.problem.empty()) throw NoGraphics(probe.problem);
}

}  // namespace

struct Offscreen::Implementation {
  // In the order of making; they go in the opposite one.
  vk::Extent2D extent;
  vk::raii::Context context;
  vk::raii::Instance instance;
  vk::raii::PhysicalDevice physical;
  std::uint32_t family;
  vk::raii::Device device;
  vk::raii::Queue queue;
  vk::raii::CommandPool pool;
  vk::raii::CommandBuffer commands;
  vk::raii::Fence done;
  DeviceImage image;
  MappedBuffer pixels;
  Renderer renderer;

  explicit Implementation(vk::Extent2D size)
      : extent(size),
        instance(makeInstance(context)),
        physical(choose(instance)),
        family(static_cast<std::uint32_t>(drawingFamily(physical))),
        device(makeDevice(physical, family)),
        queue(device.getQueue(family, 0)),
        pool(device.createCommandPool(
            {.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer, .queueFamilyIndex = family})),
        commands(std::move(device
                               .allocateCommandBuffers({.commandPool = *pool,
                                                        .level = vk::CommandBufferLevel::ePrimary,
                                                        .commandBufferCount = 1})
                               .front())),
        done(device.createFence({})),
        image(physical, device, extent, kFormat, vk::SampleCountFlagBits::e1,
              vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
              vk::ImageAspectFlagBits::eColor),
        pixels(physical, device, vk::DeviceSize(4) * extent.width * extent.height,
               vk::BufferUsageFlagBits::eTransferDst),
        renderer(physical, device, {.format = kFormat}) {}

  void record(std::span<const View> views, const RenderScene& scene) {
    commands.reset();
    commands.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
    renderer.draw(commands, {*image.image, *image.view, extent, vk::ImageLayout::eTransferSrcOptimal}, views,
                  scene);
    const vk::BufferImageCopy all{.imageSubresource = {vk::ImageAspectFlagBits::eColor, 0, 0, 1},
                                  .imageExtent = {extent.width, extent.height, 1}};
    commands.copyImageToBuffer(*image.image, vk::ImageLayout::eTransferSrcOptimal, *pixels.buffer, all);
    const vk::MemoryBarrier2 read{.srcStageMask = vk::PipelineStageFlagBits2::eTransfer,
                                  .srcAccessMask = vk::AccessFlagBits2::eTransferWrite,
                                  .dstStageMask = vk::PipelineStageFlagBits2::eHost,
                                  .dstAccessMask = vk::AccessFlagBits2::eHostRead};
    commands.pipelineBarrier2(vk::DependencyInfo().setMemoryBarriers(read));
    commands.end();
  }

  void run() {
    const vk::CommandBuffer raw = *commands;
    queue.submit(vk::SubmitInfo().setCommandBuffers(raw), *done);
    if (device.waitForFences(*done, true, kPatience) != vk::Result::eSuccess)
      throw NoGraphics(
          "the Vulkan device did not finish the picture within two minutes; ask for a smaller one");
    device.resetFences(*done);
  }
};

Offscreen::Offscreen(int width, int height) {
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>(
        vk::Extent2D{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)});
  } catch (const vk::SystemError& error) {
    throw NoGraphics(fmt::format("the Vulkan device cannot be used ({}); see tenon doctor", error.what()));
  }
}

Offscreen::~Offscreen() {
  // Where draw() gave up waiting, the device still reads what would go now.
  try {
    implementation_->device.waitIdle();
  } catch (const vk::SystemError&) {  // a lost device reads nothing any more
  }
}

Picture Offscreen::draw(std::span<const View> views, const RenderScene& scene) {
  Implementation& self = *implementation_;
  try {
    self.record(views, scene);
    self.run();
  } catch (const vk::SystemError& error) {
    throw NoGraphics(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
  }
  Picture picture{static_cast<int>(self.extent.width), static_cast<int>(self.extent.height), {}};
  picture.rgba.resize(std::size_t(4) * self.extent.width * self.extent.height);
  std::memcpy(picture.rgba.data(), self.pixels.data, picture.rgba.size());
  annotate(picture, views, scene);
  return picture;
}

}  // namespace tenon::xr
