// Prefers a GPU; otherwise software rendering.
#include "xr/vulkan/vulkan_device.h"

#include <fmt/format.h>

#include "xr/vulkan/graphics_unavailable.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::xr {

namespace {

constexpr std::uint64_t kFrameTimeout = 120'000'000'000;  ///< of one frame in software rendering [ns]

using Features = vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                                    vk::PhysicalDeviceVulkan13Features>;

/// A queue family with graphics and, with a surface, presentation; −1: none.
int graphicsFamily(const vk::raii::PhysicalDevice& device, std::optional<vk::SurfaceKHR> surface) {
  const auto families = device.getQueueFamilyProperties();
  for (std::uint32_t k = 0; k < families.size(); ++k)
    if (families[k].queueFlags & vk::QueueFlagBits::eGraphics &&
        (!surface || device.getSurfaceSupportKHR(k, *surface) != 0))
      return static_cast<int>(k);
  return -1;
}

bool isSupported(const vk::raii::PhysicalDevice& device) {
  if (device.getProperties().apiVersion < VK_API_VERSION_1_3) return false;
  const auto features =
      device.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan13Features>();
  const auto& newer = features.get<vk::PhysicalDeviceVulkan13Features>();
  return newer.dynamicRendering && newer.synchronization2 &&
         features.get<vk::PhysicalDeviceFeatures2>().features.shaderClipDistance;
}

/// Larger is preferred.
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

}  // namespace

void requireDriver() {
  const VulkanProbe probe = probeVulkan();
  if (!probe.problem.empty()) throw GraphicsUnavailable(probe.problem);
}

vk::raii::Instance makeInstance(const vk::raii::Context& context, std::span<const char* const> extensions,
                                const InstanceFactory& make) {
  const vk::ApplicationInfo application{
      .pApplicationName = "tenon", .applicationVersion = 1, .apiVersion = VK_API_VERSION_1_3};
  const vk::InstanceCreateInfo info{.pApplicationInfo = &application,
                                    .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
                                    .ppEnabledExtensionNames = extensions.data()};
  return make ? vk::raii::Instance(context, make(context, info)) : context.createInstance(info);
}

ChosenDevice chooseDevice(const vk::raii::Instance& instance, std::optional<vk::SurfaceKHR> surface) {
  std::optional<ChosenDevice> best;
  for (vk::raii::PhysicalDevice& device : instance.enumeratePhysicalDevices()) {
    const int family = isSupported(device) ? graphicsFamily(device, surface) : -1;
    if (family < 0) continue;
    if (best && rank(device.getProperties().deviceType) <= rank(best->physical.getProperties().deviceType))
      continue;
    best = ChosenDevice{std::move(device), static_cast<std::uint32_t>(family)};
  }
  if (!best)
    throw GraphicsUnavailable(
        surface ? "no Vulkan device with version 1.3 and clip distances can draw in a window; "
                  "install mesa-vulkan-drivers, or a newer driver of your graphics card"
                : "no Vulkan device has version 1.3 and clip distances; install "
                  "mesa-vulkan-drivers, or a newer driver of your graphics card");
  return std::move(*best);
}

ChosenDevice chooseGivenDevice(vk::raii::PhysicalDevice device) {
  const int family = isSupported(device) ? graphicsFamily(device, std::nullopt) : -1;
  if (family < 0)
    throw GraphicsUnavailable(
        fmt::format("the headset is connected to {}, which lacks Vulkan 1.3 or clip distances; install a "
                    "newer driver of that graphics card",
                    device.getProperties().deviceName.data()));
  return {std::move(device), static_cast<std::uint32_t>(family)};
}

vk::raii::Device makeDevice(const ChosenDevice& chosen, std::span<const char* const> extensions,
                            const DeviceFactory& make) {
  constexpr float kPriority = 1;
  const vk::DeviceQueueCreateInfo queue{
      .queueFamilyIndex = chosen.family, .queueCount = 1, .pQueuePriorities = &kPriority};
  Features features;
  features.get<vk::PhysicalDeviceFeatures2>().features.shaderClipDistance = true;
  features.get<vk::PhysicalDeviceVulkan11Features>().multiview = true;  // all devices have it
  features.get<vk::PhysicalDeviceVulkan13Features>().setDynamicRendering(true).setSynchronization2(true);
  const auto info =
      vk::DeviceCreateInfo{.pNext = &features.get<vk::PhysicalDeviceFeatures2>(),
                           .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
                           .ppEnabledExtensionNames = extensions.data()}
          .setQueueCreateInfos(queue);
  if (make) return {chosen.physical, make(chosen.physical, info)};
  return chosen.physical.createDevice(info);
}

Frame::Frame(const vk::raii::Device& device, std::uint32_t family)
    : device_(device),
      pool_(device.createCommandPool(
          {.flags = vk::CommandPoolCreateFlagBits::eResetCommandBuffer, .queueFamilyIndex = family})),
      commands_(std::move(
          device
              .allocateCommandBuffers(
                  {.commandPool = *pool_, .level = vk::CommandBufferLevel::ePrimary, .commandBufferCount = 1})
              .front())),
      done_(device.createFence({})) {}

const vk::raii::CommandBuffer& Frame::begin() const {
  commands_.reset();
  commands_.begin({.flags = vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  return commands_;
}

void Frame::submit(const vk::raii::Queue& queue, vk::Semaphore before, vk::Semaphore after) const {
  commands_.end();
  const vk::CommandBufferSubmitInfo commands{.commandBuffer = *commands_};
  const vk::SemaphoreSubmitInfo waited{.semaphore = before,
                                       .stageMask = vk::PipelineStageFlagBits2::eAllCommands};
  const vk::SemaphoreSubmitInfo signaled{.semaphore = after,
                                         .stageMask = vk::PipelineStageFlagBits2::eAllCommands};
  vk::SubmitInfo2 info;
  info.setCommandBufferInfos(commands);
  if (before) info.setWaitSemaphoreInfos(waited);
  if (after) info.setSignalSemaphoreInfos(signaled);
  queue.submit2(info, *done_);
}

void Frame::wait() const {
  if (device_.waitForFences(*done_, true, kFrameTimeout) != vk::Result::eSuccess)
    throw GraphicsUnavailable(
        "the Vulkan device did not finish the image within two minutes; choose a smaller size");
  device_.resetFences(*done_);
}

WindowlessDevice::WindowlessDevice()
    : instance(makeInstance(context, {})),
      chosen(chooseDevice(instance, std::nullopt)),
      device(makeDevice(chosen, {})),
      queue(device.getQueue(chosen.family, 0)),
      frame(device, chosen.family) {}

}  // namespace tenon::xr
