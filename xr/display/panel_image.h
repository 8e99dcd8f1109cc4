// The image of panels in the world: what Dear ImGui made, where the renderer takes it from.
#pragma once

#include "xr/display/ui_pass.h"

namespace tenon::xr {

class PanelImage {
 public:
  /// Takes the glyphs of ImGui's present context. The references must outlive it. Throws vk::SystemError.
  PanelImage(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint32_t family,
             vk::Extent2D extent);

  /// Records it, and that shaders may read it then.
  void draw(const vk::raii::CommandBuffer& commands, const ImDrawData& data);
  vk::ImageView view() const { return *image_.view; }

 private:
  vk::Extent2D extent_;
  DeviceImage image_;
  UiPass pass_;
};

}  // namespace tenon::xr
