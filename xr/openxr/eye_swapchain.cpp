// See eye_swapchain.h.
#include "xr/openxr/eye_swapchain.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

namespace {

constexpr XrDuration kImageTimeout = 5'000'000'000;  ///< for an image that the runtime still reads [ns]

std::vector<std::int64_t> formatsOf(const OpenXrSession& session) {
  const XrCalls& xr = session.calls();
  return enumerated(xr, "xrEnumerateSwapchainFormats", std::int64_t(0),
                    [&](std::uint32_t capacity, std::uint32_t* count, std::int64_t* found) {
                      return xr.EnumerateSwapchainFormats(session.handle(), capacity, count, found);
                    });
}

bool isIn(const std::vector<std::int64_t>& formats, vk::Format format) {
  return std::find(formats.begin(), formats.end(), static_cast<std::int64_t>(format)) != formats.end();
}

}  // namespace

bool supportsDepth(const OpenXrSession& session) {
  return session.calls().has(XR_KHR_COMPOSITION_LAYER_DEPTH_EXTENSION_NAME) &&
         isIn(formatsOf(session), kDepthFormat);
}

vk::Format eyeFormat(const OpenXrSession& session) {
  constexpr std::array kDrawn{vk::Format::eR8G8B8A8Srgb, vk::Format::eB8G8R8A8Srgb,
                              vk::Format::eR16G16B16A16Sfloat};
  for (const std::int64_t offered : formatsOf(session))
    for (const vk::Format format : kDrawn)
      if (offered == static_cast<std::int64_t>(format)) return format;
  throw GraphicsUnavailable(
      "the OpenXR runtime supports neither 8-bit sRGB images nor linear ones of 16-bit floats; update the "
      "runtime");
}

std::vector<vk::Extent2D> eyeExtents(const ViewConfiguration& configuration, double scale, bool followsGaze) {
  const std::vector<XrViewConfigurationView>& views = configuration.views(followsGaze);
  const auto scaled = [&](std::uint32_t recommended, std::uint32_t most) {
    return std::min(static_cast<std::uint32_t>(std::lround(scale * recommended)),
                    std::max(most, recommended));
  };
  std::vector<vk::Extent2D> extents(configuration.pairCount(), vk::Extent2D{1, 1});
  for (std::size_t k = 0; k < views.size(); ++k) {
    const XrViewConfigurationView& view = views[k];
    vk::Extent2D& extent = extents[k / 2];
    extent.width = std::max(extent.width, scaled(view.recommendedImageRectWidth, view.maxImageRectWidth));
    extent.height = std::max(extent.height, scaled(view.recommendedImageRectHeight, view.maxImageRectHeight));
  }
  return extents;
}

EyeSwapchain::EyeSwapchain(const OpenXrSession& session, const vk::raii::Device& device, vk::Extent2D extent,
                           vk::Format format)
    : session_(session) {
  const XrCalls& xr = session.calls();
  XrSwapchainCreateInfo info{};
  info.type = XR_TYPE_SWAPCHAIN_CREATE_INFO;
  const bool depth = format == kDepthFormat;
  info.usageFlags = depth ? XR_SWAPCHAIN_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                          : XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT | XR_SWAPCHAIN_USAGE_TRANSFER_SRC_BIT;
  info.format = static_cast<std::int64_t>(format);
  info.sampleCount = info.faceCount = info.mipCount = 1;
  info.arraySize = 2;
  info.width = extent.width;
  info.height = extent.height;
  xr.check(xr.CreateSwapchain(session.handle(), &info, &swapchain_), "xrCreateSwapchain");
  using A = vk::ImageAspectFlagBits;
  const vk::ImageAspectFlags aspect = depth ? A::eDepth | A::eStencil : vk::ImageAspectFlags(A::eColor);
  try {
    XrSwapchainImageVulkan2KHR empty{};
    empty.type = XR_TYPE_SWAPCHAIN_IMAGE_VULKAN2_KHR;
    images_ =
        enumerated(xr, "xrEnumerateSwapchainImages", empty,
                   [&](std::uint32_t capacity, std::uint32_t* count, XrSwapchainImageVulkan2KHR* found) {
                     return xr.EnumerateSwapchainImages(swapchain_, capacity, count,
                                                        reinterpret_cast<XrSwapchainImageBaseHeader*>(found));
                   });
    for (const XrSwapchainImageVulkan2KHR& image : images_) {
      const auto viewOf = [&](vk::ImageViewType type, std::uint32_t layer, std::uint32_t layers) {
        return device.createImageView({.image = image.image,
                                       .viewType = type,
                                       .format = format,
                                       .subresourceRange = {aspect, 0, 1, layer, layers}});
      };
      views_.push_back({viewOf(vk::ImageViewType::e2DArray, 0, 2), viewOf(vk::ImageViewType::e2D, 0, 1),
                        viewOf(vk::ImageViewType::e2D, 1, 1)});
    }
  } catch (...) {
    xr.DestroySwapchain(swapchain_);
    throw;
  }
}

EyeSwapchain::~EyeSwapchain() {
  views_.clear();
  session_.calls().DestroySwapchain(swapchain_);
}

EyeImage EyeSwapchain::acquire() {
  const XrCalls& xr = session_.calls();
  std::uint32_t index = 0;
  XrSwapchainImageAcquireInfo acquire{};
  acquire.type = XR_TYPE_SWAPCHAIN_IMAGE_ACQUIRE_INFO;
  xr.check(xr.AcquireSwapchainImage(swapchain_, &acquire, &index), "xrAcquireSwapchainImage");
  XrSwapchainImageWaitInfo wait{};
  wait.type = XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO;
  wait.timeout = kImageTimeout;
  const XrResult result = xr.WaitSwapchainImage(swapchain_, &wait);
  xr.check(result, "xrWaitSwapchainImage");
  if (result == XR_TIMEOUT_EXPIRED)
    throw HeadsetLost("the OpenXR runtime returns no image to draw into (xrWaitSwapchainImage)");
  const auto& [both, left, right] = views_[index];
  return {images_[index].image, *both, {*left, *right}};
}

void EyeSwapchain::release() {
  XrSwapchainImageReleaseInfo info{};
  info.type = XR_TYPE_SWAPCHAIN_IMAGE_RELEASE_INFO;
  session_.calls().check(session_.calls().ReleaseSwapchainImage(swapchain_, &info),
                         "xrReleaseSwapchainImage");
}

XrSwapchainSubImage EyeSwapchain::subImage(vk::Extent2D extent, std::uint32_t eye) const {
  return {swapchain_,
          {{0, 0}, {static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height)}},
          eye};
}

}  // namespace tenon::xr
