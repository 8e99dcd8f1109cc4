// The filled faces where a section plane cuts parts: one cap for each part.
//
// Along a line of sight the kept half of a part is left once more than it is entered (from behind the plane:
// once less) exactly where the plane is inside the part. The stencil counts that for one part at a time, then
// the plane is drawn where the count is not 0. So parts may overlap, as press fits do, and the shells of one
// part may overlap or be nested. Meshes must be closed. Cost: the triangles of the cut parts once more,
// without colors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "xr/render/gpu_data.h"
#include "xr/render/pipelines.h"
#include "xr/render/pixel_map.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// A part that the section plane cuts, and where its triangles are in the bound buffers.
struct CutPart {
  GpuDraw draw{};   ///< look[3]: the other hatching
  Corners corners;  ///< of its box [world, m]
  std::uint32_t indices = 0, firstIndex = 0;
  std::int32_t firstVertex = 0;
  double boxVolume = 0;  ///< [m³]
};

/// The corners of a box in the frame of `model` [world, m] where the plane cuts it or bounds it from above;
/// nothing elsewhere, nor of an empty box.
std::optional<Corners> cutCorners(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model,
                                  const SectionPlane& plane);

/// Records the caps that are in `area`, to which the scissor is set afterwards. Where parts overlap, the
/// first one is seen.
void drawCaps(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout, const Pipelines& pipelines,
              std::span<const CutPart> parts, const PixelMap& pixels, const PixelRect& area);

}  // namespace tenon::xr
