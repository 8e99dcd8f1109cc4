// See panel_image.h.
#include "xr/display/panel_image.h"

#include <imgui.h>

#include "xr/vulkan/vulkan_device.h"

namespace tenon::xr {

namespace {

constexpr vk::Format kPanelFormat = vk::Format::eR8G8B8A8Srgb;

}  // namespace

PanelImage::PanelImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                       std::uint32_t family, vk::Extent2D extent)
    : extent_(extent),
      image_(physical, device, extent, kPanelFormat, vk::SampleCountFlagBits::e1,
             vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eSampled,
             vk::ImageAspectFlagBits::eColor),
      pass_(physical, device, family, kPanelFormat) {}

void PanelImage::draw(const vk::raii::CommandBuffer& commands, const ImDrawData& data) {
  using L = vk::ImageLayout;
  constexpr auto kColor = vk::ImageAspectFlagBits::eColor;
  transition(commands, *image_.image, kColor, L::eUndefined, L::eColorAttachmentOptimal);
  const vk::RenderingAttachmentInfo plain{.imageView = *image_.view,
                                          .imageLayout = L::eColorAttachmentOptimal,
                                          .loadOp = vk::AttachmentLoadOp::eClear,
                                          .storeOp = vk::AttachmentStoreOp::eStore};
  commands.beginRendering(
      vk::RenderingInfo{.renderArea = {{0, 0}, extent_}, .layerCount = 1}.setColorAttachments(plain));
  commands.endRendering();
  transition(commands, *image_.image, kColor, L::eColorAttachmentOptimal, L::eColorAttachmentOptimal);
  pass_.draw(commands, *image_.view, extent_, data);
  transition(commands, *image_.image, kColor, L::eColorAttachmentOptimal, L::eShaderReadOnlyOptimal);
}

}  // namespace tenon::xr
