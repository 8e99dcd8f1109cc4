// A device, an image to draw into, and a buffer for reading it back.
#include "xr/display/offscreen.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "xr/display/annotate.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {

constexpr vk::Format kFormat = vk::Format::eR8G8B8A8Srgb;

}  // namespace

struct Offscreen::Implementation : WindowlessDevice {
  // Destroyed in reverse order.
  vk::Extent2D extent;
  DeviceImage image;
  MappedBuffer pixels;
  Renderer renderer;

  Implementation(vk::Extent2D size, const SkyLightCounts& lights)
      : extent(size),
        image(chosen.physical, device, extent, kFormat, vk::SampleCountFlagBits::e1,
              vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
              vk::ImageAspectFlagBits::eColor),
        pixels(chosen.physical, device, vk::DeviceSize(4) * extent.width * extent.height,
               vk::BufferUsageFlagBits::eTransferDst),
        renderer(chosen.physical, device,
                 {.format = kFormat, .keyLights = lights.key, .skyLights = lights.sky}) {}

  void record(std::span<const View> views, const RenderScene& scene) {
    const vk::raii::CommandBuffer& commands = frame.begin();
    renderer.draw(commands, {*image.image, *image.view, extent, vk::ImageLayout::eTransferSrcOptimal}, views,
                  scene);
    copyToHost(commands, *image.image, extent, pixels);
  }
};

Offscreen::Offscreen(int width, int height, const SkyLightCounts& lights) {
  requireDriver();
  try {
    implementation_ = std::make_unique<Implementation>(
        vk::Extent2D{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)}, lights);
  } catch (const vk::SystemError& error) {
    throw GraphicsUnavailable(
        fmt::format("the Vulkan device cannot be used ({}); see tenon doctor", error.what()));
  }
}

Offscreen::~Offscreen() {
  // After a timeout of draw() the device may still use the resources.
  try {
    implementation_->device.waitIdle();
  } catch (const vk::SystemError&) {  // a lost device uses nothing
  }
}

Image Offscreen::draw(std::span<const View> views, const RenderScene& scene) {
  Implementation& self = *implementation_;
  try {
    self.record(views, scene);
    self.frame.submit(self.queue);
    self.frame.wait();
  } catch (const vk::SystemError& error) {
    throw GraphicsUnavailable(fmt::format("the Vulkan device failed ({}); see tenon doctor", error.what()));
  }
  Image out{static_cast<int>(self.extent.width), static_cast<int>(self.extent.height), {}};
  out.rgba.resize(std::size_t(4) * self.extent.width * self.extent.height);
  std::memcpy(out.rgba.data(), self.pixels.data, out.rgba.size());
  annotate(out, views, scene);
  return out;
}

}  // namespace tenon::xr
