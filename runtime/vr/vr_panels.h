// The panels of the headset view: the wrist menu and the labels of arrows.
#pragma once

#include <array>
#include <map>
#include <string>

#include "runtime/vr/controls_card.h"
#include "runtime/vr/room.h"
#include "runtime/vr/vr_menu.h"
#include "runtime/vr/wrist_menu.h"
#include "xr/display/panel_ui.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

/// The menu data for the trace.
struct MenuTrace {
  bool shown = false, pressed = false;
  std::string page;
  std::string notice;
  physics::Pose X_SP;                                         ///< pose of the menu in the room
  std::map<std::string, physics::Vector3d> controlPositions;  ///< centers of the controls, in the room
};

class VrPanels {
 public:
  VrPanels();

  const xr::PanelUi& ui() const { return ui_; }

  /// Updates menu pose and pointing; call before other uses of the hands. `closed`: by hand.
  void point(const xr::XrFrame& xrFrame, const std::array<bool, 2>& closed, const Comfort& comfort);
  bool isShown() const { return menuRect_.has_value(); }
  /// True if the hand points at the menu; its input must not act on the scene then.
  bool isPointingAtMenu(std::size_t side) const { return touch_.position && side == pointingHand_; }

  /// Draws menu, card and labels and adds their panels to `renderScene`. `card`: null: hidden. Null if the
  /// image is unchanged. The result is valid until the next call.
  const ImDrawData* draw(PanelContext& context, VrMenu& menu, const CardText* card, const Room& room,
                         const physics::Pose& X_SHead, double seconds, xr::RenderScene& renderScene);
  ControlsCard& card() { return card_; }
  const ControlsCard& card() const { return card_; }
  MenuTrace trace(const ViewState& state, const VrMenu& menu) const;

 private:
  void drawCursor() const;
  void releasePointer(double seconds);
  void addMenu(const Room& room, xr::RenderScene& renderScene) const;

  xr::PanelUi ui_;
  ControlsCard card_;
  Wrist wrist_;
  PanelInteractor interactor_;
  std::optional<PanelRect> menuRect_;
  PanelTouch touch_;
  bool wasDrawn_ = false;  ///< in the previous frame
  std::size_t menuHand_ = 0, pointingHand_ = 1;
  physics::Vector3d tip_S_ = physics::Vector3d::Zero();
};

/// `xrFrame` without the input of open hands that point at the menu.
xr::XrFrame withoutMenuInput(xr::XrFrame xrFrame, const VrPanels& panels, const std::array<bool, 2>& closed);

}  // namespace tenon::runtime
