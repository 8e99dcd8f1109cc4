// An orthographic picture of a cube in the camera's axes. A click turns the view to the normal of a face, or
// to the sum of the normals that meet in an edge or a corner.
#include "runtime/live_view/view_cube.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

constexpr float kSide = 92, kMargin = 10;  ///< [pixels at scale 1]
constexpr double kInner = 0.62;            ///< half side of a face's middle cell, of half the cube's side [-]
constexpr double kMinFacing = 0.05;        ///< cosine below which a face is not drawn [-]
constexpr double kMinNamed = 0.45;         ///< likewise for its name [-]

struct CubeFace {
  Vector3d normal, across, up;
  const char* name;

  /// The direction of a cell: column and row −1, 0 or 1.
  Vector3d cell(int column, int row) const { return normal + column * across + row * up; }
};

const std::array<CubeFace, 6>& cubeFaces() {
  static const std::array<CubeFace, 6> faces{{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, "Front"},
                                              {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, "Back"},
                                              {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, "Right"},
                                              {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, "Left"},
                                              {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, "Top"},
                                              {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}, "Bottom"}}};
  return faces;
}

/// The cube as the camera sees it.
class CubePicture {
 public:
  CubePicture(const xr::OrbitCamera& camera, ImVec2 center, double side)
      : q_CW_(camera.view(1).X_WC.q.conjugate()), center_(center), half_(side / (2 * std::numbers::sqrt3)) {}

  double facing(const CubeFace& face) const { return (q_CW_ * face.normal).z(); }
  ImVec2 at(const Vector3d& p) const {
    const Vector3d p_C = half_ * (q_CW_ * p);
    return {center_.x + static_cast<float>(p_C.x()), center_.y - static_cast<float>(p_C.y())};
  }
  /// The part of a face between two columns and two rows, −1…1.
  std::array<ImVec2, 4> patch(const CubeFace& face, double left, double right, double low,
                              double high) const {
    const auto corner = [&](double u, double v) { return at(face.normal + u * face.across + v * face.up); };
    return {corner(left, low), corner(right, low), corner(right, high), corner(left, high)};
  }
  /// The direction of the cell under a point.
  std::optional<Vector3d> directionAt(ImVec2 point) const {
    for (const CubeFace& face : cubeFaces()) {
      if (facing(face) < kMinFacing) continue;
      const ImVec2 o = at(face.normal), u = at(face.normal + face.across), v = at(face.normal + face.up);
      const double ux = u.x - o.x, uy = u.y - o.y, vx = v.x - o.x, vy = v.y - o.y, x = point.x - o.x,
                   y = point.y - o.y, area = ux * vy - uy * vx;
      const double across = (x * vy - y * vx) / area, up = (ux * y - uy * x) / area;
      if (std::abs(across) > 1 || std::abs(up) > 1) continue;
      const auto step = [](double t) { return t < -kInner ? -1 : t > kInner ? 1 : 0; };
      return face.cell(step(across), step(up));
    }
    return std::nullopt;
  }

 private:
  physics::Quaterniond q_CW_;
  ImVec2 center_;
  double half_;
};

void drawFace(ImDrawList& list, const CubePicture& picture, const CubeFace& face,
              const std::optional<Vector3d>& hovered) {
  constexpr xr::Color kFace = xr::palette::kGround;
  const double facing = picture.facing(face);
  const auto shaded = [&](int channel) { return static_cast<int>((0.8 + 0.2 * facing) * channel); };
  const auto quad = [&](const std::array<ImVec2, 4>& p, ImU32 color) {
    list.AddQuadFilled(p[0], p[1], p[2], p[3], color);
  };
  const auto whole = picture.patch(face, -1, 1, -1, 1);
  quad(whole, IM_COL32(shaded(kFace.red), shaded(kFace.green), shaded(kFace.blue), 235));
  constexpr std::array<double, 4> kEnds{-1, -kInner, kInner, 1};
  for (std::size_t c = 0; hovered && c < 3; ++c)
    for (std::size_t r = 0; r < 3; ++r)
      if ((face.cell(static_cast<int>(c) - 1, static_cast<int>(r) - 1) - *hovered).norm() < 1e-9) {
        const auto cell = picture.patch(face, kEnds[c], kEnds[c + 1], kEnds[r], kEnds[r + 1]);
        quad(cell, xr::drawColor(xr::palette::kAccent));
        list.AddPolyline(cell.data(), 4, xr::drawColor(xr::palette::kBlue), ImDrawFlags_Closed, 2);
      }
  list.AddPolyline(whole.data(), 4, xr::drawColor(xr::palette::kSoft), ImDrawFlags_Closed, 1.2f);
  if (facing < kMinNamed) return;
  const ImVec2 size = ImGui::CalcTextSize(face.name), middle = picture.at(face.normal);
  list.AddText({middle.x - 0.5f * size.x, middle.y - 0.5f * size.y}, xr::drawColor(xr::palette::kInk),
               face.name);
}

/// The cell under the mouse; performs clicks and drags.
std::optional<Vector3d> handleMouse(PanelContext& context, const ImageArea& area, const CubePicture& picture,
                                    float side) {
  ViewState& state = context.state;
  ImGui::InvisibleButton("cube", {side, side});
  mark(context, "view cube");
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActivated()) state.cubeDragged = false;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    state.cubeDragged = true;
    state.camera.orbit(io.MouseDelta.x / area.height, io.MouseDelta.y / area.height);
  }
  const auto direction = ImGui::IsItemHovered() ? picture.directionAt(io.MousePos) : std::nullopt;
  if (ImGui::IsItemDeactivated() && !state.cubeDragged && direction) state.camera.lookFrom(*direction);
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tip("Click: view from there. Drag: orbit. Ctrl+5: perspective or orthographic");
  return ImGui::IsItemActive() && state.cubeDragged ? std::nullopt : direction;
}

}  // namespace

void drawViewCube(PanelContext& context, const ImageArea& area) {
  const auto scale = static_cast<float>(context.scale);
  const float side = kSide * scale, margin = kMargin * scale;
  if (area.width < 3 * side || area.height < 3 * side) return;
  const float left = area.x + area.width - side - margin, top = area.y + margin;
  const CubePicture picture(context.state.camera, {left + 0.5f * side, top + 0.5f * side}, side);
  placeNext(left, top, side, side);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  if (ImGui::Begin("view cube", nullptr,
                   kFixed | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar)) {
    const auto hovered = handleMouse(context, area, picture, side);
    for (const CubeFace& face : cubeFaces()) {
      if (picture.facing(face) < kMinFacing) continue;
      drawFace(*ImGui::GetWindowDrawList(), picture, face, hovered);
      const ImVec2 p = picture.at(face.normal);
      context.state.marks[fmt::format("cube {}", face.name)] = {p.x - 1, p.y - 1, p.x + 1, p.y + 1};
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tenon::runtime
