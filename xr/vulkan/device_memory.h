// Buffers and images with the memory behind them.
#pragma once

#include <cstddef>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

/// A buffer that the processor can write and read at any time.
struct MappedBuffer {
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::Buffer buffer = nullptr;
  void* data = nullptr;
  vk::DeviceSize size = 0;

  MappedBuffer() = default;
  /// Throws vk::SystemError where there is no such memory left.
  MappedBuffer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, vk::DeviceSize size,
               vk::BufferUsageFlags usage);
};

/// An image in the device's memory with one view of all of it.
struct DeviceImage {
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::Image image = nullptr;
  vk::raii::ImageView view = nullptr;

  DeviceImage() = default;
  /// Throws vk::SystemError where there is no memory left.
  DeviceImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, vk::Extent2D extent,
              vk::Format format, vk::SampleCountFlagBits samples, vk::ImageUsageFlags usage,
              vk::ImageAspectFlags aspect);
};

/// Records the copy of an image's pixels (transfer source by then) into a buffer of the processor's.
void copyToHost(const vk::raii::CommandBuffer& commands, vk::Image image, vk::Extent2D extent,
                const MappedBuffer& pixels);

/// Records that an image becomes what `to` says, after and before everything that writes it or reads it.
void transition(const vk::raii::CommandBuffer& commands, vk::Image image, vk::ImageAspectFlags aspect,
                vk::ImageLayout from, vk::ImageLayout to);

/// A larger buffer in place of one that is too small. Throws vk::SystemError.
void grow(MappedBuffer& buffer, const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
          std::size_t bytes, vk::BufferUsageFlags usage);

}  // namespace tenon::xr
