// What every display of this program's own needs of Vulkan: an instance, the best device, a queue, and one
// frame's commands. With Vulkan's headers: include it in displays' .cpp files alone.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

/// Throws GraphicsUnavailable where there is no driver: other people's code is asked in a process apart
/// first, so a broken one becomes a line. Call it before threads are started.
void requireDriver();

/// Who makes instance and device of what is wanted, where a headset's runtime wants to have a hand in it;
/// none: Vulkan itself. They may throw.
using InstanceFactory =
    std::function<VkInstance(const vk::raii::Context& context, const VkInstanceCreateInfo& wanted)>;
using DeviceFactory =
    std::function<VkDevice(const vk::raii::PhysicalDevice& physical, const VkDeviceCreateInfo& wanted)>;

/// With these extensions. Throws vk::SystemError.
vk::raii::Instance makeInstance(const vk::raii::Context& context, std::span<const char* const> extensions,
                                const InstanceFactory& make = {});

/// Graphics cards before processors that draw; with a surface, of the devices that can show pictures on it.
struct ChosenDevice {
  vk::raii::PhysicalDevice physical;
  std::uint32_t family;  ///< of queues that can draw (and present)
};
/// Throws GraphicsUnavailable where none has Vulkan 1.3 and clip distances.
ChosenDevice chooseDevice(const vk::raii::Instance& instance, std::optional<vk::SurfaceKHR> surface);

/// The one that somebody else has chosen. Throws GraphicsUnavailable where it has not what is needed.
ChosenDevice chooseGivenDevice(vk::raii::PhysicalDevice device);

/// With what the renderer needs, and one queue of this family. Throws vk::SystemError.
vk::raii::Device makeDevice(const ChosenDevice& chosen, std::span<const char* const> extensions,
                            const DeviceFactory& make = {});

/// A command buffer, and the fence that tells when it is done.
class Frame {
 public:
  Frame(const vk::raii::Device& device, std::uint32_t family);

  /// Begins anew; what was recorded before must be done.
  const vk::raii::CommandBuffer& begin() const;
  /// Ends and hands over. With semaphores: waits for the first where colours are written, signals the second.
  void submit(const vk::raii::Queue& queue, vk::Semaphore before = nullptr,
              vk::Semaphore after = nullptr) const;
  /// Throws GraphicsUnavailable where the device does not finish within two minutes. Again true only after
  /// submit().
  void wait() const;

 private:
  const vk::raii::Device& device_;
  vk::raii::CommandPool pool_;
  vk::raii::CommandBuffer commands_;
  vk::raii::Fence done_;
};

}  // namespace tenon::xr
