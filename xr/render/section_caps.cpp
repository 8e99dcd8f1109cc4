// See section_caps.h.
#include "xr/render/section_caps.h"

#include <algorithm>
#include <limits>

namespace tenon::xr {

std::optional<Corners> cutCorners(const Eigen::AlignedBox3d& box, const Eigen::Matrix4d& model,
                                  const SectionPlane& plane) {
  constexpr double kRounding = 1e-6;  ///< rounding of float coordinates, relative [-]
  if (box.isEmpty()) return std::nullopt;
  const Corners corners = cornersOf(box, model);
  double low = std::numeric_limits<double>::infinity(), high = -low, extent = 0;
  for (const Eigen::Vector3d& p : corners) {
    const double above = plane.normal.dot(p) - plane.offset;
    low = std::min(low, above);
    high = std::max(high, above);
    extent = std::max(extent, p.cwiseAbs().maxCoeff());
  }
  const double rounding = kRounding * extent;
  if (!(low < -rounding && high > -rounding)) return std::nullopt;
  return corners;
}

void drawCaps(const vk::raii::CommandBuffer& commands, vk::PipelineLayout layout, const Pipelines& pipelines,
              std::span<const CutPart> parts, std::span<const PixelMap> views, const PixelRect& area) {
  for (const CutPart& part : parts) {
    PixelRect rect;
    for (const PixelMap& view : views) rect = united(rect, view.boundsOf(part.corners));
    rect = intersection(rect, area);
    if (rect.empty()) continue;
    setScissor(commands, rect);
    commands.pushConstants<GpuDraw>(layout, kDrawStages, 0, part.draw);
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.capCount);
    commands.drawIndexed(part.indices, 1, part.firstIndex, part.firstVertex, 0);
    commands.bindPipeline(vk::PipelineBindPoint::eGraphics, *pipelines.cap);
    commands.draw(4, 1, 0, 0);
  }
  setScissor(commands, area);
}

}  // namespace tenon::xr
