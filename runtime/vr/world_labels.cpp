// Groups labels by direction and renders the groups into rows of the panel image.
#include "runtime/vr/world_labels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "xr/display/ui_color.h"

namespace tenon::runtime {

using physics::Quaterniond;
using physics::Vector3d;

namespace {

constexpr double kLeaderLength = 0.03, kLeaderRadius = 0.0004;  ///< from the labeled point [m]
constexpr int kMaxShifts = 16;  ///< trials to find a place beside other labels
const Eigen::Vector3d kLeaderColor = xr::linearOf(xr::palette::kSoft);

/// Allocates label positions in rows of the image.
class LabelRows {
 public:
  LabelRows(float top, float width, float bottom) : top_(top), width_(width), bottom_(bottom) {}

  /// Sets `corner` to the top left corner of a free area; false if there is none.
  bool allocate(const ImVec2& size, ImVec2& corner) {
    if (left_ + size.x > width_) {
      left_ = 0;
      top_ += rowHeight_;
      rowHeight_ = 0;
    }
    if (size.x > width_ || top_ + size.y > bottom_) return false;
    corner = {left_, top_};
    left_ += size.x;
    rowHeight_ = std::max(rowHeight_, size.y);
    return true;
  }

 private:
  float left_ = 0, top_, width_, bottom_, rowHeight_ = 0;
};

/// False for texts at a place of their own, such as the failure panel.
bool isAttached(const xr::Label& label) {
  return label.at != label.from;
}

/// Labels that share a panel.
struct LabelGroup {
  Vector3d center = Vector3d::Zero();  ///< mean of the labeled points [m]
  Vector3d aside = Vector3d::Zero();   ///< mean displacement of the labels from what they label [m]
  bool isAttached = false;             ///< on leader lines; else the panel is at `center`
};

LabelGroup groupOf(const std::vector<xr::Label>& labels, const std::vector<std::size_t>& group) {
  LabelGroup out;
  for (const std::size_t k : group) {
    out.center += labels[k].at / static_cast<double>(group.size());
    out.aside += (labels[k].at - labels[k].from) / static_cast<double>(group.size());
  }
  out.isAttached = isAttached(labels[group.front()]);
  return out;
}

/// Finds places for panels that face the head and do not cover each other.
class PanelPlaces {
 public:
  PanelPlaces(const Room& room, const Vector3d& head)
      : scale_(room.scale), head_(head), up_(room.X_WS.q * Vector3d::UnitY()) {}

  /// The panel of a group; `lines`: width and height of its image over the height of a line of text.
  xr::Panel place(const LabelGroup& group, const Eigen::Vector2d& lines) {
    const double distance = (group.center - head_).norm();
    const Vector3d z = (head_ - group.center) / distance;
    // All panels are parallel to the first one in the view, so that upright rectangles show whether they
    // overlap.
    Vector3d x = placed_.empty() ? Vector3d(up_.cross(z)) : Vector3d(view_.col(0) - view_.col(0).dot(z) * z);
    x = x.norm() > 1e-3 ? Vector3d(x.normalized()) : z.unitOrthogonal();
    Eigen::Matrix3d R;
    R << x, z.cross(x), z;
    const Eigen::Vector2d size = std::max(kTextHeight, kTextAngle * distance * scale_) / scale_ * lines;
    Eigen::Vector2d outward(group.aside.dot(x), group.aside.dot(R.col(1)));
    outward = outward.norm() > 1e-9 ? Eigen::Vector2d(outward.normalized()) : Eigen::Vector2d(0, 1);
    Eigen::Vector2d offset = Eigen::Vector2d::Zero();
    if (group.isAttached) offset = kLeaderLength / scale_ * outward + 0.6 * outward.cwiseProduct(size);
    if (placed_.empty()) view_ = R;
    const auto positionAt = [&](int shifts) {
      const double y = offset.y() + (outward.y() < -0.3 ? -0.5 : 0.5) * shifts * size.y();
      return Vector3d(group.center + offset.x() * x + y * R.col(1));
    };
    ViewRect rect{inView(positionAt(0)), 0.5 * kSpacing / distance * size};
    int shifts = 0;
    while (shifts < kMaxShifts && isCovered(rect)) rect.center = inView(positionAt(++shifts));
    placed_.push_back(rect);
    xr::Panel panel;
    panel.X_WP = {Quaterniond(R).normalized(), positionAt(shifts)};
    panel.width = size.x();
    panel.height = size.y();
    panel.onTop = true;
    return panel;
  }

 private:
  static constexpr double kMinForward = 0.1;  ///< for directions beside and behind the head
  static constexpr double kSpacing = 1.15;    ///< of panels, over their size

  /// A rectangle of the view: see inView().
  struct ViewRect {
    Eigen::Vector2d center, half;
  };

  /// A place in a plane across the view of the first panel: right and up, over the distance.
  Eigen::Vector2d inView(const Vector3d& p_W) const {
    const Vector3d d = view_.transpose() * (p_W - head_);
    return d.head<2>() / std::max(-d.z(), kMinForward);
  }
  bool isCovered(const ViewRect& rect) const {
    return std::any_of(placed_.begin(), placed_.end(), [&](const ViewRect& other) {
      return ((rect.center - other.center).cwiseAbs().array() < (rect.half + other.half).array()).all();
    });
  }

  double scale_;
  Vector3d head_, up_;    ///< in the world
  Eigen::Matrix3d view_;  ///< frame of the first panel
  std::vector<ViewRect> placed_;
};

/// A line from a labeled point to the nearest point of its panel.
xr::Arrow leaderLine(const Vector3d& from, const xr::Panel& panel, double scale) {
  const Vector3d p = panel.X_WP.inverse() * from;
  const Vector3d edge(std::clamp(p.x(), -0.5 * panel.width, 0.5 * panel.width),
                      std::clamp(p.y(), -0.5 * panel.height, 0.5 * panel.height), 0);
  return {from, panel.X_WP * edge - from, kLeaderRadius / scale, kLeaderColor};
}

}  // namespace

std::vector<std::vector<std::size_t>> groupLabels(const std::vector<xr::Label>& labels,
                                                  const Vector3d& head) {
  std::vector<std::vector<std::size_t>> groups;
  const auto directionOf = [&](std::size_t k) { return Vector3d((labels[k].at - head).normalized()); };
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto isNear = [&](const std::vector<std::size_t>& group) {
      return isAttached(labels[k]) && isAttached(labels[group.front()]) &&
             directionOf(k).dot(directionOf(group.front())) > std::cos(kGroupAngle);
    };
    const auto found = std::find_if(groups.begin(), groups.end(), isNear);
    found == groups.end() ? groups.push_back({k}) : found->push_back(k);
  }
  return groups;
}

std::string groupText(const std::vector<xr::Label>& labels, const std::vector<std::size_t>& group) {
  std::string text;
  const std::size_t shown = group.size() > kMaxGroupLines ? kMaxGroupLines - 1 : group.size();
  for (std::size_t k = 0; k < shown; ++k) text += (k > 0 ? "\n" : "") + labels[group[k]].text;
  if (shown < group.size()) text += fmt::format("\n{} more", group.size() - shown);
  return text;
}

void addLabels(const Room& room, const physics::Pose& X_SHead, const xr::PanelUi& ui,
               xr::RenderScene& renderScene) {
  const auto width = static_cast<float>(ui.width()), height = static_cast<float>(ui.height());
  LabelRows rows(height - kLabelsHeight, width, height);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float line = ImGui::GetFontSize(), gap = std::round(0.25f * line);
  const Vector3d head = room.inWorld(X_SHead.p);
  PanelPlaces places(room, head);
  const std::vector<xr::Label>& labels = renderScene.labels;
  for (const std::vector<std::size_t>& members : groupLabels(labels, head)) {
    const std::string text = groupText(labels, members);
    const ImVec2 textSize = ImGui::CalcTextSize(text.c_str());
    const ImVec2 size(std::ceil(textSize.x) + 2 * gap, std::ceil(textSize.y) + 2 * gap);
    ImVec2 corner;
    if (!rows.allocate(size, corner)) continue;
    list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, xr::drawColor(xr::palette::kPaper));
    list.AddText({corner.x + gap, corner.y + gap}, xr::drawColor(xr::palette::kInk), text.c_str());
    const LabelGroup group = groupOf(labels, members);
    xr::Panel panel = places.place(group, {size.x / line, size.y / line});
    if (group.isAttached)
      for (const std::size_t k : members)
        renderScene.arrows.push_back(leaderLine(labels[k].at, panel, room.scale));
    panel.left = static_cast<double>(corner.x / width);
    panel.top = static_cast<double>(corner.y / height);
    panel.right = static_cast<double>((corner.x + size.x) / width);
    panel.bottom = static_cast<double>((corner.y + size.y) / height);
    renderScene.panels.push_back(panel);
  }
}

}  // namespace tenon::runtime
