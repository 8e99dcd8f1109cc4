// Soft shadows from few lights: shadow maps filtered to several widths, from which a shader takes how much of
// a wide light reaches a point.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "xr/render/pixel_map.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/sky_lights.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// How far a pixel of the atlas counts in the widest mean between neighboring pixels, and how far it counts
/// for more than a hundredth [pixels].
inline constexpr double kMomentsReach = 19, kMomentsVisibleReach = 12;

/// Depth and squared depth of each pixel of the shadow atlas, as means over widths that double from level to
/// level. From both follows a bound of the fraction that lies behind a depth (variance shadow maps, W.
/// Donnelly and A. Lauritzen 2006), and from a wide mean the distance of what casts the shadow, hence the
/// width of its penumbra (B. Yang et al., "Variance soft shadow mapping", 2010).
class ShadowMoments {
 public:
  /// `maps`: the rectangle of each light's map in the atlas, with sides and corners that are multiples of 8
  /// pixels. The references must outlive it. Throws vk::SystemError.
  ShadowMoments(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                const DeviceImage& atlas, vk::Extent2D extent, std::span<const SkyLight> lights,
                std::span<const PixelRect> maps);

  /// Records the filtering of all maps; shaders must be able to read the atlas. Where no part casts a shadow
  /// the ground at `groundHeight` [m] is the depth; infinite: none.
  void filter(const vk::raii::CommandBuffer& commands, const Bounds& bounds, double groundHeight) const;

  /// Levels that shaders read: means over few pixels, and over many.
  std::array<vk::DescriptorImageInfo, 2> images() const;

 private:
  void makeLevels(const DeviceImage& atlas);
  void drawLevel(const vk::raii::CommandBuffer& commands, std::size_t level, const Bounds& bounds,
                 double groundHeight) const;

  const vk::raii::Device& device_;
  std::vector<SkyLight> lights_;
  std::vector<PixelRect> maps_;
  vk::Extent2D extent_;
  DeviceImage moments_;
  vk::raii::Sampler linear_ = nullptr, nearest_ = nullptr;
  vk::raii::DescriptorSetLayout setLayout_ = nullptr;
  vk::raii::PipelineLayout layout_ = nullptr;
  vk::raii::DescriptorPool pool_ = nullptr;
  vk::raii::Pipeline first_ = nullptr, blur_ = nullptr;
  struct Level {
    vk::raii::ImageView view = nullptr;  ///< of this level alone
    vk::DescriptorSet source;            ///< the level before, of the first one the atlas
  };
  std::vector<Level> levels_;
};

}  // namespace tenon::xr
