// One shadow map for each light, side by side in one image.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xr/render/gpu_data.h"
#include "xr/render/scene_bounds.h"
#include "xr/render/sky_lights.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// What casts a shadow: indices and vertices in the buffers that are bound, and where it is.
struct ShadowCaster {
  std::uint32_t firstIndex = 0, indices = 0;
  std::int32_t firstVertex = 0;
  Eigen::Matrix4d model = Eigen::Matrix4d::Identity();
};

/// What a picture's shadows are of.
struct ShadowScene {
  std::span<const ShadowCaster> casters;
  Bounds bounds;
  Eigen::Vector3d sectionNormal = Eigen::Vector3d::Zero();  ///< what has n·p > d casts none [-]
  double sectionOffset = 1;                                 ///< d [m]
  std::int64_t meshes = 0;                                  ///< changes with the buffers' content
};

/// Pictures that follow each other differ in few parts: those at rest are drawn once, into an image of their
/// own that is copied, and what moves over it. What moved by less than a tenth of a pixel of a map has not.
class ShadowAtlas {
 public:
  /// `tile`: side of one map [pixels]. References must outlive it. Throws vk::SystemError.
  ShadowAtlas(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, int tile,
              std::span<const SkyLight> lights);

  /// Records what has to be drawn, which may be nothing. The buffers of vertices and indices are bound.
  void draw(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout, vk::Pipeline pipeline,
            const ShadowScene& scene);
  /// Lights, and where their maps are, for the shaders.
  void describe(GpuFrame& frame, const Bounds& bounds) const;

  /// What the last draw() changed: everything, or these casters, each from where it was.
  struct Move {
    std::size_t caster = 0;
    Eigen::Matrix4d before, after;
  };
  bool isAllRedrawn() const { return allRedrawn_; }
  std::span<const Move> moves() const { return moves_; }

  vk::ImageView view() const { return *atlas_.view; }
  vk::Sampler sampler() const { return *sampler_; }

 private:
  bool updateMoves(const ShadowScene& scene);
  void classifyCasters();
  void drawInto(const vk::raii::CommandBuffer& commands, const DeviceImage& image, bool clears,
                vk::PipelineLayout layout, vk::Pipeline pipeline, const ShadowScene& scene, bool still) const;
  void copyStatic(const vk::raii::CommandBuffer& commands) const;
  GpuDraw drawFromLight(std::size_t light, const ShadowCaster& caster, const ShadowScene& scene) const;

  std::uint32_t tile_;
  std::vector<SkyLight> lights_;
  vk::Extent2D extent_;
  DeviceImage atlas_, staticAtlas_;
  vk::raii::Sampler sampler_ = nullptr;
  /// What is in the atlas, and for each caster: pictures since it moved; whether it is in `staticAtlas_`.
  std::vector<ShadowCaster> casters_;
  std::vector<int> framesAtRest_;
  std::vector<bool> isStatic_;
  std::vector<Move> moves_;
  Bounds bounds_;
  Eigen::Vector4d section_ = Eigen::Vector4d::Zero();
  std::int64_t meshes_ = -1;
  bool allRedrawn_ = false;      ///< all of it is drawn anew
  bool staticOutdated_ = false;  ///< something in `staticAtlas_` has moved
};

}  // namespace tenon::xr
