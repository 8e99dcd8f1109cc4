// The images of the eyes of a headset, in pairs of both eyes, with optional depth. Includes OpenXR's headers.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "xr/openxr/eye_swapchain.h"
#include "xr/openxr/visibility_mask.h"
#include "xr/render/render_target.h"

namespace tenon::xr {

class HeadsetEyes {
 public:
  /// Makes color swapchains of the recommended sizes times `scale`: one for both eyes, and another one for
  /// their insets where there are any; if that fails, `views` becomes stereo. The references must outlive it.
  /// Throws OpenXrError, HeadsetLost, vk::SystemError, GraphicsUnavailable.
  HeadsetEyes(const OpenXrSession& session, ViewConfiguration& views, const vk::raii::Device& device,
              double scale);

  vk::Format format() const { return format_; }
  /// Of the images of the eyes that are drawn.
  vk::Extent2D extent() const { return pairs_.front()->extent; }
  /// Of those of the insets; 0: there are none.
  vk::Extent2D insetExtent() const { return pairs_.size() > 1 ? pairs_[1]->extent : vk::Extent2D(); }
  /// Draws into this part of the images' width and height from now on, up to 1. `followsGaze`: see
  /// ViewConfiguration::views().
  void setScale(double scale, bool followsGaze);

  /// Insets are not drawn from now on. The device must not use them any more.
  void dropInsets() { pairs_.resize(1); }
  /// Makes depth swapchains if the runtime supports depth layers.
  void addDepth();
  /// Depth is not submitted from now on. The device must not use it any more.
  void dropDepth();
  bool hasDepth() const { return pairs_.front()->depth.has_value(); }

  /// Acquires the color images as a target for each view, or with `inOnePass` as one for each pair, in the
  /// order of the views; acquireDepth() adds the depth images, if there are any.
  std::vector<RenderTarget> acquire(bool inOnePass);
  void acquireDepth(std::span<RenderTarget> targets);
  /// Releases the images; their commands must have been submitted.
  void release();
  void releaseDepth();

  /// Reads what the lenses do not show, which is then not drawn.
  void updateHidden();

  using Views = std::vector<XrCompositionLayerProjectionView>;
  using DepthInfos = std::vector<XrCompositionLayerDepthInfoKHR>;
  /// The views of the layer; they refer to `depthInfos`.
  Views layerViews(std::span<const XrView> located, DepthInfos& depthInfos) const;

 private:
  /// The views of both eyes of one kind: two layers of an image.
  struct Pair {
    std::array<vk::Extent2D, 2> full;  ///< without and with an inset that follows the gaze
    vk::Extent2D size;                 ///< of the swapchains: the larger of both
    vk::Extent2D extent;               ///< that is drawn
    EyeSwapchain color;
    std::array<std::vector<Eigen::Vector2f>, 2> hidden;  ///< see hiddenTriangles()
    std::optional<EyeSwapchain> depth;                   ///< none: the runtime takes no depth

    Pair(const OpenXrSession& session, const vk::raii::Device& device, vk::Format format,
         const std::array<vk::Extent2D, 2>& fullExtents);
  };

  const OpenXrSession& session_;
  const vk::raii::Device& device_;
  vk::Format format_;
  std::vector<std::unique_ptr<Pair>> pairs_;
};

}  // namespace tenon::xr
