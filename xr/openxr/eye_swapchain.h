// The images that one eye of a headset sees in turn. With OpenXR's headers.
#pragma once

#include "xr/openxr/xr_session.h"
#include "xr/render/renderer.h"

namespace tenon::xr {

/// A format that encodes sRGB, of those the runtime takes. Throws GraphicsUnavailable where there is none.
vk::Format eyeFormat(const OpenXrSession& session);
/// True where the runtime takes depth as the renderer writes it.
bool supportsDepth(const OpenXrSession& session);
/// As the runtime recommends it, the same for both eyes. Throws OpenXrError.
vk::Extent2D eyeExtent(const OpenXrSession& session, const OpenXrSystem& system);

struct EyeImage {
  vk::Image image;
  vk::ImageView view;
};

class EyeSwapchain {
 public:
  /// Of colours, or of depths where the format is the renderer's of depth. The references must outlive it.
  /// Throws OpenXrError, HeadsetLost, vk::SystemError.
  EyeSwapchain(const OpenXrSession& session, const vk::raii::Device& device, vk::Extent2D extent,
               vk::Format format);
  ~EyeSwapchain();
  EyeSwapchain(const EyeSwapchain&) = delete;
  EyeSwapchain& operator=(const EyeSwapchain&) = delete;

  /// The next image, free to be drawn into. Throws HeadsetLost where the runtime does not give it back.
  EyeImage acquire();
  /// What draws it has been handed over to the queue.
  void release();
  XrSwapchainSubImage subImage() const;

 private:
  const OpenXrSession& session_;
  vk::Extent2D extent_;
  XrSwapchain swapchain_ = XR_NULL_HANDLE;
  std::vector<XrSwapchainImageVulkan2KHR> images_;
  std::vector<vk::raii::ImageView> views_;
};

}  // namespace tenon::xr
