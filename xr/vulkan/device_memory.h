// Buffers and images with their memory.
#pragma once

#include <cstddef>

#include "xr/vulkan/vulkan.h"

namespace tenon::xr {

/// A host-visible, coherent buffer that stays mapped.
struct MappedBuffer {
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::Buffer buffer = nullptr;
  void* data = nullptr;
  vk::DeviceSize size = 0;

  MappedBuffer() = default;
  /// Throws vk::SystemError where memory runs out.
  MappedBuffer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, vk::DeviceSize size,
               vk::BufferUsageFlags usage);
};

/// A device-local image with one view of all of it: of an array where it has several layers. A level has half
/// the size of the one before.
struct DeviceImage {
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::Image image = nullptr;
  vk::raii::ImageView view = nullptr;

  DeviceImage() = default;
  /// Throws vk::SystemError where memory runs out.
  DeviceImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, vk::Extent2D extent,
              vk::Format format, vk::SampleCountFlagBits samples, vk::ImageUsageFlags usage,
              vk::ImageAspectFlags aspect, std::uint32_t layers = 1, std::uint32_t levels = 1);
};

/// The layers of an image that a command is about, in all its levels.
struct ImageLayers {
  std::uint32_t first = 0, count = 1;
};

/// Records the copy of a layer of an image, whose layout is that of a transfer source, into a mapped buffer.
void copyToHost(const vk::raii::CommandBuffer& commands, vk::Image image, vk::Extent2D extent,
                const MappedBuffer& pixels, std::uint32_t layer = 0);

/// Records a layout transition that waits for, and is waited for by, every access.
void transition(const vk::raii::CommandBuffer& commands, vk::Image image, vk::ImageAspectFlags aspect,
                vk::ImageLayout from, vk::ImageLayout to, const ImageLayers& layers = {});

/// Replaces the buffer if it holds fewer than `bytes`; its content is lost. Throws vk::SystemError.
void grow(MappedBuffer& buffer, const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
          std::size_t bytes, vk::BufferUsageFlags usage);

}  // namespace tenon::xr
