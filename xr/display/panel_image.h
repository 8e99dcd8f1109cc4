// The image of panels in the world, drawn by Dear ImGui and sampled by the renderer.
#pragma once

#include "xr/display/ui_pass.h"

namespace tenon::xr {

class PanelImage {
 public:
  /// Uses the glyphs of ImGui's current context. The references must outlive it. Throws vk::SystemError.
  PanelImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
             vk::Extent2D extent);

  /// Records drawing the image; shaders can read it afterwards.
  void draw(const vk::raii::CommandBuffer& commands, const ImDrawData& data);
  vk::ImageView view() const { return *image_.view; }

 private:
  vk::Extent2D extent_;
  DeviceImage image_;
  UiPass pass_;
};

}  // namespace tenon::xr
