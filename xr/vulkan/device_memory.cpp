// One allocation for each buffer and image; a frame has about ten of them.
#include "xr/vulkan/device_memory.h"

#include <algorithm>

namespace tenon::xr {

namespace {

vk::raii::DeviceMemory allocate(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                                const vk::MemoryRequirements& requirements, vk::MemoryPropertyFlags flags) {
  const vk::PhysicalDeviceMemoryProperties memory = physical.getMemoryProperties();
  for (std::uint32_t k = 0; k < memory.memoryTypeCount; ++k)
    if ((requirements.memoryTypeBits >> k & 1) != 0 && (memory.memoryTypes[k].propertyFlags & flags) == flags)
      return device.allocateMemory({.allocationSize = requirements.size, .memoryTypeIndex = k});
  throw vk::OutOfDeviceMemoryError("the device has no memory of the required type");
}

}  // namespace

MappedBuffer::MappedBuffer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                           vk::DeviceSize bytes, vk::BufferUsageFlags usage)
    : buffer(device.createBuffer({.size = bytes, .usage = usage})), size(bytes) {
  memory = allocate(physical, device, buffer.getMemoryRequirements(),
                    vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent);
  buffer.bindMemory(*memory, 0);
  data = memory.mapMemory(0, VK_WHOLE_SIZE);
}

DeviceImage::DeviceImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                         vk::Extent2D extent, vk::Format format, vk::SampleCountFlagBits samples,
                         vk::ImageUsageFlags usage, vk::ImageAspectFlags aspect, std::uint32_t layers,
                         std::uint32_t levels)
    : image(device.createImage({.imageType = vk::ImageType::e2D,
                                .format = format,
                                .extent = {extent.width, extent.height, 1},
                                .mipLevels = levels,
                                .arrayLayers = layers,
                                .samples = samples,
                                .usage = usage})) {
  memory =
      allocate(physical, device, image.getMemoryRequirements(), vk::MemoryPropertyFlagBits::eDeviceLocal);
  image.bindMemory(*memory, 0);
  view =
      device.createImageView({.image = *image,
                              .viewType = layers > 1 ? vk::ImageViewType::e2DArray : vk::ImageViewType::e2D,
                              .format = format,
                              .subresourceRange = {aspect, 0, levels, 0, layers}});
}

void transition(const vk::raii::CommandBuffer& commands, vk::Image image, vk::ImageAspectFlags aspect,
                vk::ImageLayout from, vk::ImageLayout to, const ImageLayers& layers) {
  constexpr auto kAll = vk::PipelineStageFlagBits2::eAllCommands;
  constexpr auto kAccess = vk::AccessFlagBits2::eMemoryRead | vk::AccessFlagBits2::eMemoryWrite;
  const vk::ImageMemoryBarrier2 barrier{
      .srcStageMask = kAll,
      .srcAccessMask = kAccess,
      .dstStageMask = kAll,
      .dstAccessMask = kAccess,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, layers.first, layers.count}};
  commands.pipelineBarrier2(vk::DependencyInfo().setImageMemoryBarriers(barrier));
}

void copyToHost(const vk::raii::CommandBuffer& commands, vk::Image image, vk::Extent2D extent,
                const MappedBuffer& pixels, std::uint32_t layer) {
  const vk::BufferImageCopy all{.imageSubresource = {vk::ImageAspectFlagBits::eColor, 0, layer, 1},
                                .imageExtent = {extent.width, extent.height, 1}};
  commands.copyImageToBuffer(image, vk::ImageLayout::eTransferSrcOptimal, *pixels.buffer, all);
  const vk::MemoryBarrier2 read{.srcStageMask = vk::PipelineStageFlagBits2::eTransfer,
                                .srcAccessMask = vk::AccessFlagBits2::eTransferWrite,
                                .dstStageMask = vk::PipelineStageFlagBits2::eHost,
                                .dstAccessMask = vk::AccessFlagBits2::eHostRead};
  commands.pipelineBarrier2(vk::DependencyInfo().setMemoryBarriers(read));
}

void grow(MappedBuffer& buffer, const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
          std::size_t bytes, vk::BufferUsageFlags usage) {
  if (buffer.size >= bytes && buffer.size > 0) return;
  buffer = MappedBuffer();  // frees the old memory first
  buffer = MappedBuffer(physical, device, std::max<std::size_t>(bytes, 256), usage);
}

}  // namespace tenon::xr
