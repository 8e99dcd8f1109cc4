// The time that the device takes for a frame's commands. Includes Vulkan's headers.
#pragma once

#include <optional>

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

/// By two timestamps in the commands; does nothing on queues without timestamps.
class GpuTimer {
 public:
  /// The reference must outlive it. Throws vk::SystemError.
  GpuTimer(const ChosenDevice& chosen, const vk::raii::Device& device);

  /// Record these around the commands to measure, outside of rendering passes.
  void begin(const vk::raii::CommandBuffer& commands);
  void end(const vk::raii::CommandBuffer& commands) const;
  /// The time between them [ms], once after the commands have finished; none: nothing was measured.
  std::optional<double> consume();

 private:
  double period_ = 0;       ///< of a tick [ms]; 0: no timestamps
  std::uint64_t mask_ = 0;  ///< of the valid bits
  vk::raii::QueryPool queries_ = nullptr;
  bool isRecorded_ = false;
};

}  // namespace tenon::xr
