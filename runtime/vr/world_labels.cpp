// See world_labels.h.
#include "runtime/vr/world_labels.h"

#include <imgui.h>

#include <cmath>

namespace tenon::runtime {

using physics::Quaterniond;
using physics::Vector3d;

namespace {

/// Rows of the image, filled from the left.
class Rows {
 public:
  Rows(float top, float width, float bottom) : top_(top), width_(width), bottom_(bottom) {}

  /// The top left corner of room for that; false: there is none.
  bool take(const ImVec2& size, ImVec2& corner) {
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
               xr::RenderScene& picture) {
  const auto width = static_cast<float>(ui.width()), height = static_cast<float>(ui.height());
  Rows rows(height - kLabelsHeight, width, height);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float line = ImGui::GetFontSize(), gap = std::round(0.25f * line);
  const double metres = kTextHeight / static_cast<double>(line) / room.scale;  // of a pixel, in the world
  const Vector3d head = room.inWorld(X_SHead.p);
  const Vector3d up_W = room.X_WS.q * Vector3d::UnitY();
  for (const xr::Label& label : picture.labels) {
    const ImVec2 text = ImGui::CalcTextSize(label.text.c_str());
    const ImVec2 size(std::ceil(text.x) + 2 * gap, std::ceil(text.y) + 2 * gap);
    ImVec2 corner;
    if (!rows.take(size, corner)) continue;
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, IM_COL32(248, 249, 250, 255));
    list.AddText({corner.x + gap, corner.y + gap}, IM_COL32(26, 31, 38, 255), label.text.c_str());
    const Vector3d z = (head - label.at).normalized();
    const Vector3d x =
        up_W.cross(z).norm() > 1e-3 ? Vector3d(up_W.cross(z).normalized()) : z.unitOrthogonal();
    Eigen::Matrix3d R;
    R << x, z.cross(x), z;
    xr::Panel panel;
    panel.width = metres * static_cast<double>(size.x);
    panel.height = metres * static_cast<double>(size.y);
    // Beyond the place, seen from where the label is from, so that it hides neither.
    const Vector3d way = label.at - label.from;
    const double right = way.dot(x), above = way.dot(R.col(1)), length = std::hypot(right, above);
    const double sx = length > 0 ? right / length : 0, sy = length > 0 ? above / length : 1;
    const Vector3d beyond = 0.6 * (sx * panel.width * x + sy * panel.height * R.col(1));
    panel.X_WP = {Quaterniond(R).normalized(), label.at + beyond};
    panel.left = static_cast<double>(corner.x / width);
    panel.top = static_cast<double>(corner.y / height);
    panel.right = static_cast<double>((corner.x + size.x) / width);
    panel.bottom = static_cast<double>((corner.y + size.y) / height);
    panel.onTop = true;
    picture.panels.push_back(panel);
  }
}

}  // namespace tenon::runtime
