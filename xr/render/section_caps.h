// The filled faces where a section plane cuts parts: one cap for each part.
//
// Along a line of sight the kept half of a part has one more back face than front faces (from behind the
// plane one less) exactly where the plane is inside the part. The stencil counts faces for one part at a
// time, then the plane is drawn where the count is not 0. Parts may overlap, as press fits do, and the shells
// of a part may overlap or be nested. Meshes must be closed. Cost: the triangles of the cut parts once more,
// without color.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "xr/render/gpu_data.h"
#include "xr/render/pipelines.h"
#include "xr/render/pixel_map.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// A part that the section plane cuts, and the range of its triangles in the bound buffers.
struct CutPart {
  GpuDraw draw{};   ///< material[3]: 1 for the other hatching direction
  Corners corners;  ///< of its box [world, m]
  std::uint32_t indices = 0, firstIndex = 0;
  std::int32_t firstVertex = 0;
  double boxVolume = 0;  ///< [m³]
};

/// The corners [world, m] of a box in the frame of `model` if the plane cuts it; none for an empty box.
std::optional<Corners> cutCorners(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model,
                                  const SectionPlane& plane);

/// Records the caps inside `area` and leaves the scissor set to `area`. Where parts overlap, the first one is
/// visible. `views`: of the pass.
void drawCaps(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout, const Pipelines& pipelines,
              std::span<const CutPart> parts, std::span<const PixelMap> views, const PixelRect& area);

}  // namespace tenon::xr
