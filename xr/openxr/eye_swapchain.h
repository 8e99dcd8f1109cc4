// The swapchain of a pair of views of both eyes, a layer for each. Includes OpenXR's headers.
#pragma once

#include <array>
#include <vector>

#include "xr/openxr/xr_session.h"
#include "xr/render/formats.h"

namespace tenon::xr {

/// The first format of the runtime's list, which is in the order of its preference, that the renderer draws:
/// 8-bit sRGB, or linear with 16-bit floats. Throws GraphicsUnavailable if there is none.
vk::Format eyeFormat(const OpenXrSession& session);
/// True if the runtime supports depth layers in the renderer's format.
bool supportsDepth(const OpenXrSession& session);
/// For each pair of views, the recommended size, the larger one of both eyes, times `scale` in each direction
/// and within what the runtime allows. `followsGaze`: see ViewConfiguration::views().
std::vector<vk::Extent2D> eyeExtents(const ViewConfiguration& configuration, double scale, bool followsGaze);

struct EyeImage {
  vk::Image image;
  vk::ImageView both;                   ///< an array of the layers of both eyes
  std::array<vk::ImageView, 2> ofEyes;  ///< each layer alone
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
  /// The part of an eye's layer from the first pixel on.
  XrSwapchainSubImage subImage(vk::Extent2D extent, std::uint32_t eye) const;

 private:
  const OpenXrSession& session_;
  XrSwapchain swapchain_ = XR_NULL_HANDLE;
  std::vector<XrSwapchainImageVulkan2KHR> images_;
  std::vector<std::array<vk::raii::ImageView, 3>> views_;  ///< by image: of both layers, and of each
};

}  // namespace tenon::xr
