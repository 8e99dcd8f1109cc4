// What each display needs of Vulkan: an instance, the best device, a queue, and the commands of one frame.
// Includes Vulkan's headers: for .cpp files of displays only.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

/// Throws GraphicsUnavailable where there is no working driver. Drivers are probed in an isolated process
/// first, so a broken one becomes an error message. Call it before threads are started.
void requireDriver();

/// Functions that create instance and device, for an OpenXR runtime that does so itself; none: Vulkan does.
/// They may throw.
using InstanceFactory =
    std::function<VkInstance(const vk::raii::Context& context, const VkInstanceCreateInfo& info)>;
using DeviceFactory =
    std::function<VkDevice(const vk::raii::PhysicalDevice& physical, const VkDeviceCreateInfo& info)>;

/// Throws vk::SystemError.
vk::raii::Instance makeInstance(const vk::raii::Context& context, std::span<const char* const> extensions,
                                const InstanceFactory& make = {});

/// A device and the family of its queues.
struct ChosenDevice {
  vk::raii::PhysicalDevice physical;
  std::uint32_t family;  ///< supports graphics and, with a surface, presentation
};
/// Prefers GPUs to software rendering; with a surface, only devices that can present on it. Throws
/// GraphicsUnavailable where no device has Vulkan 1.3 and clip distances.
ChosenDevice chooseDevice(const vk::raii::Instance& instance, std::optional<vk::SurfaceKHR> surface);

/// A device chosen by the OpenXR runtime. Throws GraphicsUnavailable where it lacks Vulkan 1.3 or clip
/// distances.
ChosenDevice chooseGivenDevice(vk::raii::PhysicalDevice device);

/// A device with the renderer's features and one queue of the family. Throws vk::SystemError.
vk::raii::Device makeDevice(const ChosenDevice& chosen, std::span<const char* const> extensions,
                            const DeviceFactory& make = {});

/// A command buffer and a fence that is signaled when it has finished.
class Frame {
 public:
  Frame(const vk::raii::Device& device, std::uint32_t family);

  /// Resets the command buffer; the commands recorded before must have finished.
  const vk::raii::CommandBuffer& begin() const;
  /// Submits the commands, which wait for semaphore `before` and signal `after`, where given.
  void submit(const vk::raii::Queue& queue, vk::Semaphore before = nullptr,
              vk::Semaphore after = nullptr) const;
  /// Waits for the submitted commands; once per submit(). Throws GraphicsUnavailable where the device does
  /// not finish within two minutes.
  void wait() const;

 private:
  const vk::raii::Device& device_;
  vk::raii::CommandPool pool_;
  vk::raii::CommandBuffer commands_;
  vk::raii::Fence done_;
};

/// What drawing into images needs, without a window. Destroyed in reverse order.
struct WindowlessDevice {
  /// Throws GraphicsUnavailable, or vk::SystemError.
  WindowlessDevice();
  WindowlessDevice(const WindowlessDevice&) = delete;
  WindowlessDevice& operator=(const WindowlessDevice&) = delete;

  vk::raii::Context context;
  vk::raii::Instance instance;
  ChosenDevice chosen;
  vk::raii::Device device;
  vk::raii::Queue queue;
  Frame frame;
};

}  // namespace tenon::xr
