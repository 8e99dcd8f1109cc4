// Lines of Dear ImGui over the projected picture; each axis has its color and its letter.
#include "runtime/workbench/gizmo_drawing.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>
#include <numbers>
#include <string>

#include "content/edit/part_edits.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

namespace palette = xr::palette;

constexpr std::array<ImU32, 3> kAxisColors{xr::drawColor(palette::kXAxis), xr::drawColor(palette::kYAxis),
                                           xr::drawColor(palette::kZAxis)};
constexpr ImU32 kHalo = xr::drawColor(palette::kHalo), kActive = xr::drawColor(palette::kCautionText),
                kActiveHalo = xr::drawColor(palette::kInk), kFirst = xr::drawColor(palette::kMeasure),
                kInkText = xr::drawColor(palette::kInk),
                kPaperBox = xr::drawColor(palette::kPaper, palette::kPaperOpacity);

struct Painter {
  const ImageArea& area;
  const GizmoPicture& picture;
  ImDrawList& list;

  std::optional<ImVec2> at(const Vector3d& p_W) const {
    const auto p = picture.at(p_W);
    if (!p || !p->allFinite() || p->cwiseAbs().maxCoeff() > 1e5) return std::nullopt;
    return ImVec2(area.x + static_cast<float>(p->x()), area.y + static_cast<float>(p->y()));
  }
  void line(const std::vector<Vector3d>& points, ImU32 color, float width) const {
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      if (const auto a = at(points[k]), b = at(points[k + 1]); a && b) list.AddLine(*a, *b, color, width);
  }
  void text(ImVec2 corner, const std::string& text) const {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    list.AddRectFilled({corner.x - 5, corner.y - 3}, {corner.x + size.x + 5, corner.y + size.y + 3},
                       kPaperBox, 4);
    list.AddText(corner, kInkText, text.c_str());
  }
};

void drawHandle(const Painter& painter, const GizmoPlace& place, GizmoTool tool, int axis, bool active) {
  const std::vector<Vector3d> line = handleLine(place, tool, axis);
  const ImU32 color = active ? kActive : kAxisColors[static_cast<std::size_t>(axis)],
              halo = active ? kActiveHalo : kHalo;
  painter.line(line, halo, active ? 8.0f : 6.0f);
  painter.line(line, color, active ? 4.0f : 3.0f);
  const bool turns = tool == GizmoTool::turn;
  const auto tip = painter.at(turns ? line[line.size() / 8] : line.back());
  if (!tip) return;
  if (!turns) {
    painter.list.AddCircleFilled(*tip, active ? 7.0f : 6.0f, halo);
    painter.list.AddCircleFilled(*tip, 5, color);
  }
  painter.text({tip->x + 14, tip->y - 8}, std::string(1, "xyz"[axis]));
}

/// The motion so far beside the mouse: "x +12 mm", "30°".
void drawAmount(const Painter& painter, const GizmoDrag& drag, const std::string& unit) {
  std::string text;
  if (drag.tool() == GizmoTool::turn) {
    text = fmt::format("{:+.4g}°", drag.turned() * 180 / std::numbers::pi);
  } else {
    const double units = content::unitsPerMeter(unit);
    for (int k = 0; k < 3; ++k)
      if (std::abs(drag.moved()[k]) > 0 || drag.axis() == k)
        text +=
            fmt::format("{}{} {:+.6g} {}", text.empty() ? "" : "  ", "xyz"[k], drag.moved()[k] * units, unit);
  }
  if (text.empty()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  painter.text({mouse.x + 18, mouse.y - 24}, text);
}

void drawFeature(const Painter& painter, const BenchPicture& picture, const xr::PickedFeature& feature,
                 bool hovered) {
  const auto index = static_cast<std::size_t>(feature.part);
  if (index >= picture.bench.drawn().X_WP.size()) return;
  const physics::Pose X_WF = picture.bench.drawn().X_WP[index] * feature.X_PF;
  const Vector3d out = X_WF.q * Vector3d::UnitZ();
  const double size = gizmoSize(painter.picture, X_WF.p);
  const ImU32 color = hovered ? kActive : kFirst, halo = hovered ? kActiveHalo : kHalo;
  painter.line({X_WF.p - 0.3 * size * out, X_WF.p + 0.6 * size * out}, halo, 6);
  painter.line({X_WF.p - 0.3 * size * out, X_WF.p + 0.6 * size * out}, color, 3);
  const auto at = painter.at(X_WF.p);
  if (!at) return;
  painter.list.AddCircle(*at, 7, halo, 20, 5);
  painter.list.AddCircle(*at, 7, color, 20, 3);
  const std::string part = picture.bench.scene().part(feature.part).name;
  painter.text({at->x + 14, at->y - 22}, feature.name.empty() ? part : part + "/" + feature.name);
}

GizmoTool toolOf(const BenchPicture& picture) {
  return picture.arrange.tool == ArrangeTool::turn ? GizmoTool::turn : GizmoTool::move;
}

}  // namespace

void drawGizmo(const ImageArea& area, const BenchPicture& picture, const BenchTools& tools) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({area.x, area.y}, {area.x + area.width, area.y + area.height});
  const xr::View view = picture.view.camera.view(picture.aspect);
  const GizmoPicture gizmoPicture{view, area.width, area.height};
  const Painter painter{area, gizmoPicture, list};
  if (picture.bench.sceneView().startBounds.isEmpty()) {
    const std::string hint = "Add a part (P), open a scene (Ctrl+O), or drop a file of either here";
    const ImVec2 size = ImGui::CalcTextSize(hint.c_str());
    painter.text({area.x + 0.5f * (area.width - size.x), area.y + 0.5f * area.height}, hint);
  }
  if (const auto place = gizmoOf(picture)) {
    const GizmoTool tool = tools.drag() ? tools.drag()->tool() : toolOf(picture);
    const int active = tools.drag() ? tools.drag()->axis() : tools.hoveredHandle();
    for (int axis = 0; axis < 3; ++axis) drawHandle(painter, *place, tool, axis, axis == active);
  }
  if (tools.drag()) drawAmount(painter, *tools.drag(), picture.bench.scene().unit);
  if (picture.arrange.picked) drawFeature(painter, picture, *picture.arrange.picked, false);
  if (picture.arrange.hovered) drawFeature(painter, picture, *picture.arrange.hovered, true);
  list.PopClipRect();
}

std::vector<std::array<double, 2>> handlePlaces(const ImageArea& area, const BenchPicture& picture) {
  const auto place = gizmoOf(picture);
  std::vector<std::array<double, 2>> places;
  if (!place) return places;
  const xr::View view = picture.view.camera.view(picture.aspect);
  const GizmoPicture gizmoPicture{view, area.width, area.height};
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<Vector3d> line = handleLine(*place, toolOf(picture), axis);
    const Vector3d middle =
        line.size() == 2 ? Vector3d(0.4 * line[0] + 0.6 * line[1]) : line[line.size() / 8];
    const auto at = gizmoPicture.at(middle);
    places.push_back(at ? std::array{area.x + at->x(), area.y + at->y()} : std::array{-1.0, -1.0});
  }
  return places;
}

}  // namespace tenon::runtime
