// Renders menu and labels with Dear ImGui into one image.
#include "runtime/vr/vr_panels.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "runtime/vr/world_labels.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

namespace {

constexpr double kTextScale = 1.9;      ///< text size relative to the desktop panels
constexpr double kBeamRadius = 0.0015;  ///< of the pointing ray [m]
const Eigen::Vector3d kBeamColor = xr::linearOf(xr::palette::kHand);

}  // namespace

VrPanels::VrPanels() : ui_(kMenuWidth, kMenuHeight + kCardHeight + kLabelsHeight, kTextScale) {}

void VrPanels::point(const xr::XrFrame& xrFrame, const std::array<bool, 2>& closed, const Comfort& comfort) {
  const std::size_t menu = comfort.leftHanded ? 1 : 0;
  if (menu != menuHand_) {
    wrist_ = {};
    interactor_ = {};
  }
  menuHand_ = menu;
  pointingHand_ = 1 - menu;
  menuRect_ = xrFrame.eyes.empty()
                  ? std::nullopt
                  : wrist_.update(xrFrame.hands[menuHand_], menuHand_, closed[menuHand_], xrFrame.X_SH);
  touch_ = interactor_.update(xrFrame.hands[pointingHand_], closed[pointingHand_], menuRect_);
  tip_S_ = rayOf(xrFrame.hands[pointingHand_]).tip;
}

void VrPanels::drawCursor() const {
  if (!touch_.position) return;
  const ImVec2 at(static_cast<float>(touch_.position->x() * kMenuWidth),
                  static_cast<float>(touch_.position->y() * kMenuHeight));
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddCircle(at, 15, xr::drawColor(xr::palette::kHalo), 24, 5);
  list.AddCircleFilled(at, touch_.pressed ? 12.0f : 6.0f, xr::drawColor(xr::palette::kAccent), 24);
}

void VrPanels::addMenu(const Room& room, xr::RenderScene& renderScene) const {
  if (!menuRect_) return;
  const double height = ui_.height();
  renderScene.panels.push_back({.X_WP = room.inWorld(menuRect_->X_SP),
                                .width = menuRect_->width / room.scale,
                                .height = menuRect_->height / room.scale,
                                .bottom = kMenuHeight / height});
  if (!touch_.position || touch_.near) return;
  const Vector3d tip = room.inWorld(tip_S_);
  renderScene.arrows.push_back({tip, room.inWorld(touch_.hit) - tip, kBeamRadius / room.scale, kBeamColor});
}

/// Renders one empty frame after the menu is hidden, so that ImGui releases a pressed button.
void VrPanels::releasePointer(double seconds) {
  if (!std::exchange(wasDrawn_, false)) return;
  ui_.begin({}, seconds);
  ui_.end();
}

const ImDrawData* VrPanels::draw(PanelContext& context, VrMenu& menu, const CardText* card, const Room& room,
                                 const Pose& X_SHead, double seconds, xr::RenderScene& renderScene) {
  if (!menuRect_) {
    context.state.marks.clear();
    menu.page = MenuPage::main;
    if (renderScene.labels.empty() && (card == nullptr || !card_.isChanged(*card))) {
      if (card != nullptr) card_.add(room, ui_.height(), renderScene);
      releasePointer(seconds);
      return nullptr;
    }
  }
  wasDrawn_ = true;
  xr::PanelPointer pointer{std::nullopt, touch_.pressed};
  if (touch_.position)
    pointer.at.emplace(touch_.position->x() * kMenuWidth, touch_.position->y() * kMenuHeight);
  ui_.begin(pointer, seconds);
  if (menuRect_) {
    menu.captions = renderScene.captions;
    drawVrMenu(context, menu);
    drawCursor();
  }
  if (card != nullptr) {
    card_.drawImage(*card);
    card_.add(room, ui_.height(), renderScene);
  }
  addLabels(room, X_SHead, ui_, renderScene);
  addMenu(room, renderScene);
  return &ui_.end();
}

MenuTrace VrPanels::trace(const ViewState& state, const VrMenu& menu) const {
  MenuTrace out{menuRect_.has_value(), touch_.pressed, toText(menu.page), menu.notice, {}, {}};
  if (!menuRect_) return out;
  out.X_SP = menuRect_->X_SP;
  for (const auto& [name, box] : state.marks) {
    const double u = 0.5 * static_cast<double>(box[0] + box[2]) / kMenuWidth,
                 v = 0.5 * static_cast<double>(box[1] + box[3]) / kMenuHeight;
    out.controlPositions[name] =
        menuRect_->X_SP * Vector3d((u - 0.5) * menuRect_->width, (0.5 - v) * menuRect_->height, 0);
  }
  return out;
}

xr::XrFrame withoutMenuInput(xr::XrFrame xrFrame, const VrPanels& panels, const std::array<bool, 2>& closed) {
  for (std::size_t side = 0; side < xrFrame.hands.size(); ++side) {
    if (!panels.isPointingAtMenu(side) || closed[side]) continue;
    xrFrame.hands[side].squeeze = xrFrame.hands[side].trigger = 0;
    xrFrame.hands[side].aimDirection.reset();
  }
  return xrFrame;
}

}  // namespace tenon::runtime
