// The outline is that of the parts' bounds at the start; the handle is at its highest edge in the image.
#include "runtime/live_view/section_handle.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/live_view/panel_layout.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

constexpr float kRadius = 11;      ///< of the handle [pixels at scale 1]
constexpr float kArrow = 26;       ///< from its middle to the tip of an arrow [pixels at scale 1]
constexpr float kBorder = 12;      ///< of the image without a handle [pixels]
constexpr double kOutline = 0.04;  ///< by which the outline is larger than the bounds, of their diagonal [-]
constexpr double kMinAcross = 0.05;  ///< of a length along the axis that is seen in the image [-]
constexpr ImU32 kPlane = xr::drawColor(xr::palette::kSection), kWhite = xr::drawColor(xr::palette::kHalo);

/// Places of the world in the image [pixels].
struct Projection {
  xr::View view;
  ImageArea area;

  std::optional<ImVec2> at(const Vector3d& p_W) const {
    const Vector3d p = xr::projected(view, p_W);
    if (p.z() <= view.nearPlane || !p.allFinite()) return std::nullopt;
    return ImVec2(area.x + static_cast<float>(p.x()) * area.width,
                  area.y + static_cast<float>(p.y()) * area.height);
  }
  bool isInside(ImVec2 at) const {
    return at.x > area.x + kBorder && at.x < area.x + area.width - kBorder && at.y > area.y + kBorder &&
           at.y < area.y + area.height - kBorder;
  }
};

/// Draws the outline. The place of the handle: the middle of the outline's edge that is highest in the image,
/// of those inside it; else the outline's middle. None if a corner is behind the camera.
std::optional<Vector3d> drawOutline(ImDrawList& list, const Projection& projection, const Vector3d& low,
                                    const Vector3d& high, int axis) {
  const int u = (axis + 1) % 3;
  std::array<Vector3d, 4> corners{low, low, high, high};
  corners[1][u] = high[u];
  corners[3][u] = low[u];
  std::array<ImVec2, 4> seen;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto at = projection.at(corners[k]);
    if (!at) return std::nullopt;
    seen[k] = *at;
  }
  list.AddPolyline(seen.data(), 4, kWhite, ImDrawFlags_Closed, 3.5f);
  list.AddPolyline(seen.data(), 4, kPlane, ImDrawFlags_Closed, 1.5f);
  Vector3d best = (low + high) / 2;
  float height = projection.area.y + projection.area.height;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector3d middle = (corners[k] + corners[(k + 1) % 4]) / 2;
    const auto at = projection.at(middle);
    if (!at || at->y >= height || !projection.isInside(*at)) continue;
    height = at->y;
    best = middle;
  }
  return best;
}

/// Pixels per meter along the axis at a point; up in the image where the axis is seen end on.
ImVec2 slopeAt(const Projection& projection, const Vector3d& p_W, int axis, ImVec2 at) {
  const double perMeter = projection.area.height / (projection.view.up - projection.view.down) /
                          projection.view.spreadAt(xr::projected(projection.view, p_W).z());
  const double step = 10 / perMeter;
  const auto next = projection.at(p_W + step * Vector3d::Unit(axis));
  ImVec2 slope(0, 0);
  if (next)
    slope = {static_cast<float>((next->x - at.x) / step), static_cast<float>((next->y - at.y) / step)};
  if (std::hypot(slope.x, slope.y) < kMinAcross * perMeter) return {0, static_cast<float>(-perMeter)};
  return slope;
}

void drawHandle(ImDrawList& list, ImVec2 at, ImVec2 slope, float scale, bool active) {
  const float length = std::hypot(slope.x, slope.y), tip = kArrow * scale, head = 7 * scale;
  const ImVec2 d(slope.x / length, slope.y / length);
  list.AddLine({at.x - tip * d.x, at.y - tip * d.y}, {at.x + tip * d.x, at.y + tip * d.y}, kWhite, 5 * scale);
  list.AddLine({at.x - tip * d.x, at.y - tip * d.y}, {at.x + tip * d.x, at.y + tip * d.y}, kPlane,
               2.5f * scale);
  for (const float side : {-1.0f, 1.0f}) {
    const ImVec2 end(at.x + side * (tip + head) * d.x, at.y + side * (tip + head) * d.y);
    const ImVec2 base(at.x + side * (tip - head) * d.x, at.y + side * (tip - head) * d.y);
    list.AddTriangleFilled(end, {base.x - head * d.y, base.y + head * d.x},
                           {base.x + head * d.y, base.y - head * d.x}, kPlane);
  }
  list.AddCircleFilled(at, kRadius * scale, active ? kPlane : kWhite);
  list.AddCircle(at, kRadius * scale, kPlane, 0, 2.5f * scale);
}

}  // namespace

std::array<double, 2> sectionRange(const SceneView& sceneView, int axis) {
  const Eigen::AlignedBox3d& bounds = sceneView.startBounds;
  if (bounds.isEmpty()) return {-100, 100};
  return {1e3 * bounds.min()[axis], 1e3 * bounds.max()[axis]};
}

void drawSectionHandle(PanelContext& context, const ImageArea& area) {
  Section& section = context.state.section;
  const Eigen::AlignedBox3d& bounds = context.sceneView.startBounds;
  if (section.axis < 0 || bounds.isEmpty()) return;
  const Projection projection{context.state.camera.view(static_cast<double>(area.width) / area.height), area};
  const Vector3d margin = Vector3d::Constant(kOutline * bounds.diagonal().norm());
  Vector3d low = bounds.min() - margin, high = bounds.max() + margin;
  low[section.axis] = high[section.axis] = 1e-3 * section.place_mm;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  const auto p_W = drawOutline(list, projection, low, high, section.axis);
  const auto at = p_W ? projection.at(*p_W) : std::nullopt;
  const auto scale = static_cast<float>(context.scale);
  const float half = kArrow * scale;
  if (at && projection.isInside(*at)) {
    const ImVec2 slope = slopeAt(projection, *p_W, section.axis, *at);
    placeNext(at->x - half, at->y - half, 2 * half, 2 * half);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    bool active = false;
    if (ImGui::Begin("section handle", nullptr,
                     kFixed | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar)) {
      ImGui::InvisibleButton("handle", {2 * half, 2 * half});
      mark(context, "section handle");
      active = ImGui::IsItemActive() || ImGui::IsItemHovered();
      if (ImGui::IsItemActive()) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        const float length2 = slope.x * slope.x + slope.y * slope.y;
        const auto [first, last] = sectionRange(context.sceneView, section.axis);
        section.place_mm = std::clamp(
            section.place_mm + 1e3 * (moved.x * slope.x + moved.y * slope.y) / length2, first, last);
      } else {
        tip("Drag the section plane");
      }
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    drawHandle(list, *at, slope, scale, active);
  }
  list.PopClipRect();
}

}  // namespace tenon::runtime
