// See vr_panels.h.
#include "runtime/vr/vr_panels.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "runtime/vr/world_labels.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

namespace {

constexpr double kTextScale = 1.9;  ///< of the panels' text to the desktop's
constexpr double kBeam = 0.0015;    ///< half as thick as what points at the menu [m]
const Eigen::Vector3d kBeamColour(0.16, 0.42, 0.80);

}  // namespace

VrPanels::VrPanels() : ui_(kMenuWidth, kMenuHeight + kLabelsHeight, kTextScale) {}

void VrPanels::point(const xr::XrFrame& seen, const std::array<bool, 2>& closed, const Comfort& comfort) {
  const std::size_t menu = comfort.leftHanded ? 1 : 0;
  if (menu != menuHand_) {
    wrist_ = {};
    pointer_ = {};
  }
  menuHand_ = menu;
  pointing_ = 1 - menu;
  sheet_ = seen.eyes.empty() ? std::nullopt
                             : wrist_.update(seen.hands[menuHand_], menuHand_, closed[menuHand_], seen.X_SH);
  touch_ = pointer_.update(seen.hands[pointing_], closed[pointing_], sheet_);
  tip_S_ = rayOf(seen.hands[pointing_]).tip;
}

void VrPanels::drawCursor() const {
  if (!touch_.at) return;
  const ImVec2 at(static_cast<float>(touch_.at->x() * kMenuWidth),
                  static_cast<float>(touch_.at->y() * kMenuHeight));
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddCircle(at, 15, IM_COL32(255, 255, 255, 220), 24, 5);
  list.AddCircleFilled(at, touch_.pressed ? 12.0f : 6.0f, IM_COL32(40, 110, 200, 255), 24);
}

void VrPanels::addMenu(const Room& room, xr::RenderScene& picture) const {
  if (!sheet_) return;
  const double height = ui_.height();
  picture.panels.push_back({.X_WP = room.inWorld(sheet_->X_SP),
                            .width = sheet_->width / room.scale,
                            .height = sheet_->height / room.scale,
                            .bottom = kMenuHeight / height});
  if (!touch_.at || touch_.near) return;
  const Vector3d tip = room.inWorld(tip_S_);
  picture.arrows.push_back({tip, room.inWorld(touch_.hit) - tip, kBeam / room.scale, kBeamColour});
}

/// A picture without anything, once: a button that was held down when the menu went is held no more.
void VrPanels::releasePointer(double seconds) {
  if (!std::exchange(drawn_, false)) return;
  ui_.begin({}, seconds);
  ui_.end();
}

const ImDrawData* VrPanels::draw(PanelContext& context, VrMenu& menu, const Room& room, const Pose& X_SHead,
                                 double seconds, xr::RenderScene& picture) {
  if (!sheet_) {
    context.state.marks.clear();
    menu.page = MenuPage::main;
    if (picture.labels.empty()) {
      releasePointer(seconds);
      return nullptr;
    }
  }
  drawn_ = true;
  xr::PanelPointer pointer{std::nullopt, touch_.pressed};
  if (touch_.at) pointer.at.emplace(touch_.at->x() * kMenuWidth, touch_.at->y() * kMenuHeight);
  ui_.begin(pointer, seconds);
  if (sheet_) {
    menu.captions = picture.captions;
    drawVrMenu(context, menu);
    drawCursor();
  }
  addLabels(room, X_SHead, ui_, picture);
  addMenu(room, picture);
  return &ui_.end();
}

MenuTrace VrPanels::trace(const ViewState& state, const VrMenu& menu) const {
  MenuTrace out{sheet_.has_value(), touch_.pressed, toText(menu.page), menu.notice, {}, {}};
  if (!sheet_) return out;
  out.X_SP = sheet_->X_SP;
  for (const auto& [name, box] : state.marks) {
    const double u = 0.5 * static_cast<double>(box[0] + box[2]) / kMenuWidth,
                 v = 0.5 * static_cast<double>(box[1] + box[3]) / kMenuHeight;
    out.at[name] = sheet_->X_SP * Vector3d((u - 0.5) * sheet_->width, (0.5 - v) * sheet_->height, 0);
  }
  return out;
}

}  // namespace tenon::runtime
