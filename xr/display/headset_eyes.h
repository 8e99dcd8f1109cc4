// The images of both eyes of a headset, two layers of one, with optional depth. Includes OpenXR's headers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "xr/openxr/eye_swapchain.h"
#include "xr/openxr/visibility_mask.h"
#include "xr/render/render_target.h"

namespace tenon::xr {

class HeadsetEyes {
 public:
  /// Makes a color swapchain of the recommended size times `scale`. The references must outlive it. Throws
  /// OpenXrError, HeadsetLost, vk::SystemError, GraphicsUnavailable.
  HeadsetEyes(const OpenXrSession& session, const OpenXrSystem& system, const vk::raii::Device& device,
              double scale);

  vk::Format format() const { return format_; }
  /// Of the images that are drawn.
  vk::Extent2D extent() const { return extent_; }
  /// Draws into this part of the images' width and height from now on, up to 1.
  void setScale(double scale);

  /// Makes a depth swapchain if the runtime supports depth layers.
  void addDepth();
  /// Depth is not submitted from now on. The device must not use it any more.
  void dropDepth();
  bool hasDepth() const { return depth_.has_value(); }

  /// Acquires the color image as a target for each eye, or with `inOnePass` as one for both; acquireDepth()
  /// adds the depth image, if there is one.
  std::vector<RenderTarget> acquire(bool inOnePass);
  void acquireDepth(std::span<RenderTarget> targets);
  /// Releases the image; its commands must have been submitted.
  void release();
  void releaseDepth();

  /// Reads what the lenses do not show, which is then not drawn.
  void updateHidden();

  using Views = std::array<XrCompositionLayerProjectionView, 2>;
  using DepthInfos = std::array<XrCompositionLayerDepthInfoKHR, 2>;
  /// The views of the layer; they refer to `depthInfos`.
  Views layerViews(const std::array<XrView, 2>& located, DepthInfos& depthInfos) const;

 private:
  const OpenXrSession& session_;
  const vk::raii::Device& device_;
  vk::Format format_;
  vk::Extent2D fullExtent_, extent_;
  EyeSwapchain color_;
  std::array<std::vector<Eigen::Vector2f>, 2> hidden_;  ///< see hiddenTriangles()
  std::optional<EyeSwapchain> depth_;                   ///< none: the runtime takes no depth
};

}  // namespace tenon::xr
