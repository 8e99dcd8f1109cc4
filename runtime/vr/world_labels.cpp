// Renders labels into rows of the panel image.
#include "runtime/vr/world_labels.h"

#include <imgui.h>

#include <cmath>

namespace tenon::runtime {

using physics::Quaterniond;
using physics::Vector3d;

namespace {

constexpr double kLeaderLength = 0.03, kLeaderRadius = 0.0004;  ///< from the labeled point [m]
const Eigen::Vector3d kLeaderColor(0.35, 0.36, 0.38);

/// Allocates label positions in rows of the image.
class LabelRows {
 public:
  LabelRows(float top, float width, float bottom) : top_(top), width_(width), bottom_(bottom) {}

  /// Sets `corner` to the top left corner of a free area; false if there is none.
  bool allocate(const ImVec2& size, ImVec2& corner) {
    if (left_ + size.x > width_) {
      left_ = 0;
      top_ += size.y;
    }
    if (size.x > width_ || top_ + size.y > bottom_) return false;
    corner = {left_, top_};
    left_ += size.x;
    return true;
  }

 private:
  float left_ = 0, top_, width_, bottom_;
};

}  // namespace

void addLabels(const Room& room, const physics::Pose& X_SHead, const xr::PanelUi& ui,
               xr::RenderScene& renderScene) {
  const auto width = static_cast<float>(ui.width()), height = static_cast<float>(ui.height());
  LabelRows rows(height - kLabelsHeight, width, height);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float line = ImGui::GetFontSize(), gap = std::round(0.25f * line);
  const double pixelSize = kTextHeight / static_cast<double>(line) / room.scale;  // in the world [m]
  const Vector3d head = room.inWorld(X_SHead.p);
  const Vector3d up_W = room.X_WS.q * Vector3d::UnitY();
  for (const xr::Label& label : renderScene.labels) {
    const ImVec2 text = ImGui::CalcTextSize(label.text.c_str());
    const ImVec2 size(std::ceil(text.x) + 2 * gap, std::ceil(text.y) + 2 * gap);
    ImVec2 corner;
    if (!rows.allocate(size, corner)) continue;
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, IM_COL32(248, 249, 250, 255));
    list.AddText({corner.x + gap, corner.y + gap}, IM_COL32(26, 31, 38, 255), label.text.c_str());
    const Vector3d z = (head - label.at).normalized();
    const Vector3d x =
        up_W.cross(z).norm() > 1e-3 ? Vector3d(up_W.cross(z).normalized()) : z.unitOrthogonal();
    Eigen::Matrix3d R;
    R << x, z.cross(x), z;
    xr::Panel panel;
    panel.width = pixelSize * static_cast<double>(size.x);
    panel.height = pixelSize * static_cast<double>(size.y);
    // Beside the labeled arrow, on a leader line, so that the label does not cover the work.
    const Vector3d displacement = label.at - label.from;
    const double right = displacement.dot(x), above = displacement.dot(R.col(1)),
                 length = std::hypot(right, above);
    const double sx = length > 0 ? right / length : 0, sy = length > 0 ? above / length : 1;
    const Vector3d leader = (length > 0 ? kLeaderLength / room.scale : 0) * (sx * x + sy * R.col(1));
    if (length > 0)
      renderScene.arrows.push_back({label.at, leader, kLeaderRadius / room.scale, kLeaderColor});
    const Vector3d beyond = leader + 0.6 * (sx * panel.width * x + sy * panel.height * R.col(1));
    panel.X_WP = {Quaterniond(R).normalized(), label.at + beyond};
    panel.left = static_cast<double>(corner.x / width);
    panel.top = static_cast<double>(corner.y / height);
    panel.right = static_cast<double>((corner.x + size.x) / width);
    panel.bottom = static_cast<double>((corner.y + size.y) / height);
    panel.onTop = true;
    renderScene.panels.push_back(panel);
  }
}

}  // namespace tenon::runtime
