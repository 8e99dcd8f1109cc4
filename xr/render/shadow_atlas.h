// One shadow map for each light, side by side in one image.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "xr/render/gpu_data.h"
#include "xr/render/pixel_map.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/shadow_moments.h"
#include "xr/render/sky_lights.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// A mesh that casts a shadow: its range in the bound buffers and its pose.
struct ShadowCaster {
  std::uint32_t firstIndex = 0, indices = 0;
  std::int32_t firstVertex = 0;
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();
};

/// The shadow casters of a frame.
struct ShadowScene {
  std::span<const ShadowCaster> casters;
  Bounds bounds;
  Eigen::Vector3d sectionNormal = Eigen::Vector3d::Zero();        ///< parts with n·p > d cast none [-]
  double sectionOffset = 1;                                       ///< d [m]
  double groundHeight = std::numeric_limits<double>::infinity();  ///< infinite: none [m]
  std::int64_t meshes = 0;                                        ///< changes with the content of the buffers
};

/// Casters at rest are drawn once, into an image that is copied; moving casters are drawn over the copy. A
/// motion below a tenth of a shadow map's pixel is ignored.
class ShadowAtlas {
 public:
  /// `tile`: side of one map [pixels]. References must outlive it. Throws vk::SystemError.
  ShadowAtlas(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, int tile,
              std::span<const SkyLight> lights);

  /// Records the maps that changed, which may be none. Vertex and index buffers must be bound.
  void draw(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout, vk::Pipeline pipeline,
            const ShadowScene& scene);
  /// Fills in the lights and the positions of their maps.
  void describe(GpuFrame& frame, const Bounds& bounds) const;

  /// By how much a shadow's edge is widened in a map as large as its tile, and by how much visibly [m].
  double blur(const Bounds& bounds) const;
  double prominentBlur(const Bounds& bounds) const;

  /// Changes of the last draw(): the whole atlas, or the casters in moves().
  struct Move {
    std::size_t caster = 0;
    Eigen::Matrix4d before, after;
  };
  bool isAllRedrawn() const { return allRedrawn_; }
  std::span<const Move> moves() const { return moves_; }

  /// What shaders read: the maps, and the two of ShadowMoments.
  std::array<vk::DescriptorImageInfo, 3> images() const;

 private:
  bool updateMoves(const ShadowScene& scene);
  void classifyCasters();
  void drawInto(const vk::raii::CommandBuffer& commands, const DeviceImage& image, bool clears,
                vk::PipelineLayout layout, vk::Pipeline pipeline, const ShadowScene& scene,
                bool isStatic) const;
  void copyStatic(const vk::raii::CommandBuffer& commands) const;
  GpuDraw drawFromLight(std::size_t light, const ShadowCaster& caster, const ShadowScene& scene) const;

  std::uint32_t tile_;
  std::vector<SkyLight> lights_;
  std::vector<PixelRect> maps_;  ///< of each light in the atlas
  vk::Extent2D extent_;
  DeviceImage atlas_, staticAtlas_;
  vk::raii::Sampler comparing_ = nullptr, nearest_ = nullptr;
  std::optional<ShadowMoments> moments_;  ///< of wide lights
  // The content of the atlas, and for each caster the frames since its last motion and whether it is in
  // `staticAtlas_`.
  std::vector<ShadowCaster> casters_;
  std::vector<int> framesAtRest_;
  std::vector<bool> isStatic_;
  std::vector<Move> moves_;
  Bounds bounds_;
  Eigen::Vector4d section_ = Eigen::Vector4d::Zero();
  double groundHeight_ = std::numeric_limits<double>::infinity();
  std::int64_t meshes_ = -1;
  bool allRedrawn_ = false;      ///< the whole atlas was redrawn
  bool staticOutdated_ = false;  ///< a caster in `staticAtlas_` moved
};

}  // namespace tenon::xr
