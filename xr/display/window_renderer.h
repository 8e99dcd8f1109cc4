// Renders scenes into a window's swapchain images. In software rendering it redraws only what changed, or
// renders at a lower resolution. Includes Vulkan's headers.
#pragma once

#include <span>

#include "xr/display/swapchain.h"
#include "xr/render/renderer.h"

namespace tenon::xr {

class WindowRenderer {
 public:
  /// The references must outlive it. Throws vk::SystemError.
  WindowRenderer(const ChosenDevice& chosen, const vk::raii::Device& device, const Swapchain& swapchain);

  /// Records a frame into `target`, which is a color attachment afterwards. `isFullQuality`: at full
  /// resolution, as for screenshots and static scenes; `isCapture`: without reusing the previous frame.
  void draw(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target,
            std::span<const View> views, const RenderScene& scene, bool isCapture, bool isFullQuality);
  /// Adapts the resolution to the duration of the last frame [s].
  void adaptResolution(double duration);
  /// Rendered pixels per displayed pixel along each side, at most 1.
  double resolutionScale() const { return resolutionScale_; }
  /// False while repeated frames of the same scene would still change the image.
  bool settled() const { return !hasFrame_ || renderer_.isUpToDate(); }

 private:
  void drawDamaged(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target, const View& view,
                   const RenderScene& scene, bool reusesFrame);
  void drawScaled(const vk::raii::CommandBuffer& commands, const Swapchain::Image& target, const View& view,
                  const RenderScene& scene);
  void resize(DeviceImage& image, vk::Extent2D& current, vk::Extent2D extent) const;

  const ChosenDevice& chosen_;
  const vk::raii::Device& device_;
  const Swapchain& swapchain_;
  bool isSoftware_;
  Renderer renderer_;
  std::size_t scaleIndex_ = 0;  ///< into the table of resolution scales
  double resolutionScale_ = 1;  ///< of the last frame
  DeviceImage scaled_;          ///< a frame at lower resolution
  vk::Extent2D scaledExtent_;
  DeviceImage frame_;  ///< the last frame, without panels
  vk::Extent2D frameExtent_;
  bool hasFrame_ = false;    ///< frame_ holds the last frame
  int calmFrames_ = 0;       ///< frames in a row with little damage
  bool isMeasured_ = false;  ///< the last frame's duration is that of a whole frame
};

}  // namespace tenon::xr
