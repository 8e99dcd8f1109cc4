// Vertex and index buffers of all meshes of a scene.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "xr/render/mesh_patches.h"
#include "xr/render/render_scene.h"
#include "xr/render/scene_bounds.h"
#include "xr/vulkan/device_memory.h"

namespace tenon::xr {

/// The place of a mesh in the buffers.
struct MeshRange {
  std::uint32_t firstIndex = 0, indices = 0;
  std::uint32_t firstEdge = 0, edgeIndices = 0;
  std::int32_t firstVertex = 0;
  std::uint32_t firstShadow = 0, shadowIndices = 0;  ///< triangles that cast shadows
  std::uint32_t firstCoarse = 0, coarseIndices = 0;  ///< triangles for a mesh that covers few pixels
  double cell = 0;                                   ///< size of the coarse triangles' cells [m]; 0: none
  std::uint32_t number = 0;                          ///< of the mesh
  Eigen::AlignedBox3d box;                           ///< bounds in the mesh's frame [m]
};

class MeshBuffers {
 public:
  /// `coarse`: also makes coarse triangles and patches. The references must outlive it.
  MeshBuffers(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, bool coarse);

  /// Uploads the meshes of the scene and of arrows unless the buffers hold these; true if it did. The buffers
  /// hold no other meshes of instances that affect the scene's bounds. Those of others, such as hands, stay
  /// while they exist elsewhere than here and in `boxes`: what appears and vanishes causes no upload each
  /// time. Throws vk::SystemError where memory runs out.
  bool upload(const RenderScene& scene, MeshBoxes& boxes);
  /// Records the binding of both buffers.
  void bind(const vk::raii::CommandBuffer& commands) const;

  const MeshRange& rangeOf(const std::shared_ptr<const Mesh>& mesh) const;
  const MeshRange& arrowShaftRange() const { return ranges_[0]; }
  const MeshRange& arrowHeadRange() const { return ranges_[1]; }
  /// The patches of a mesh by its number; empty without `coarse`.
  const std::vector<Patch>& patchesOf(std::uint32_t number) const { return patches_[number]; }
  /// Counts the uploads.
  std::int64_t version() const { return version_; }

 private:
  void append(const Mesh& mesh, const Eigen::AlignedBox3d& box, std::vector<float>& vertices,
              std::vector<std::uint32_t>& indices);

  const vk::raii::PhysicalDevice& physical_;
  const vk::raii::Device& device_;
  bool coarse_;
  MappedBuffer vertices_, indices_;
  std::vector<std::shared_ptr<const Mesh>>
      meshes_;  ///< in the buffers, in order: arrow shaft, arrow head, those that affect bounds, others
  std::size_t exact_ = 0;  ///< number of the meshes before those others
  std::vector<MeshRange> ranges_;
  std::vector<std::vector<Patch>> patches_;  ///< by number of the mesh
  std::int64_t version_ = 0;
};

}  // namespace tenon::xr
