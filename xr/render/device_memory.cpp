// One allocation for each buffer and image: a frame has about ten of them.
#include "xr/render/device_memory.h"

namespace tenon::xr {

namespace {

vk::raii::DeviceMemory allocate(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                                const vk::MemoryRequirements& needed, vk::MemoryPropertyFlags wanted) {
  const vk::PhysicalDeviceMemoryProperties memory = physical.getMemoryProperties();
  for (std::uint32_t k = 0; k < memory.memoryTypeCount; ++k)
    if ((needed.memoryTypeBits >> k & 1) != 0 && (memory.memoryTypes[k].propertyFlags & wanted) == wanted)
      return device.allocateMemory({.allocationSize = needed.size, .memoryTypeIndex = k});
  throw vk::OutOfDeviceMemoryError("the device has no memory of the kind that is needed");
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
                         vk::ImageUsageFlags usage, vk::ImageAspectFlags aspect)
    : image(device.createImage({.imageType = vk::ImageType::e2D,
                                .format = format,
                                .extent = {extent.width, extent.height, 1},
                                .mipLevels = 1,
                                .arrayLayers = 1,
                                .samples = samples,
                                .usage = usage})) {
  memory =
      allocate(physical, device, image.getMemoryRequirements(), vk::MemoryPropertyFlagBits::eDeviceLocal);
  image.bindMemory(*memory, 0);
  view = device.createImageView({.image = *image,
                                 .viewType = vk::ImageViewType::e2D,
                                 .format = format,
                                 .subresourceRange = {aspect, 0, 1, 0, 1}});
}

}  // namespace tenon::xr
