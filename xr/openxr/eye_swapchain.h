// The swapchain of one eye. Includes OpenXR's headers.
#pragma once

#include "xr/openxr/xr_session.h"
#include "xr/render/formats.h"

namespace tenon::xr {

/// The first format of the runtime's list, which is in the order of its preference, that the renderer draws:
/// 8-bit sRGB, or linear with 16-bit floats. Throws GraphicsUnavailable if there is none.
vk::Format eyeFormat(const OpenXrSession& session);
/// True if the runtime supports depth layers in the renderer's format.
bool supportsDepth(const OpenXrSession& session);
/// The recommended size, the larger one of both eyes, times `scale` in each direction and within what the
/// runtime allows. Throws OpenXrError.
vk::Extent2D eyeExtent(const OpenXrSession& session, const OpenXrSystem& system, double scale);

struct EyeImage {
  vk::Image image;
  vk::ImageView view;
};

class EyeSwapchain {
 public:
  /// A color swapchain, or a depth swapchain if `format` is kDepthFormat. The references must outlive it.
  /// Throws OpenXrError, HeadsetLost, vk::SystemError.
  EyeSwapchain(const OpenXrSession& session, const vk::raii::Device& device, vk::Extent2D extent,
               vk::Format format);
  ~EyeSwapchain();
  EyeSwapchain(const EyeSwapchain&) = delete;
  EyeSwapchain& operator=(const EyeSwapchain&) = delete;

  /// Acquires the next image and waits until it can be drawn into. Throws HeadsetLost after a timeout of 5 s.
  EyeImage acquire();
  /// Releases the image; its commands must have been submitted.
  void release();
  /// Its part from the first pixel on.
  XrSwapchainSubImage subImage(vk::Extent2D extent) const;

 private:
  const OpenXrSession& session_;
  XrSwapchain swapchain_ = XR_NULL_HANDLE;
  std::vector<XrSwapchainImageVulkan2KHR> images_;
  std::vector<vk::raii::ImageView> views_;
};

}  // namespace tenon::xr
