// Panels around a person: the menu above a wrist, pointed at with the other hand, and texts at the ends of
// arrows.
#pragma once

#include <array>
#include <map>
#include <string>

#include "runtime/vr/room.h"
#include "runtime/vr/vr_menu.h"
#include "runtime/vr/wrist_menu.h"
#include "xr/display/panel_ui.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

/// What a trace tells of the menu.
struct MenuTrace {
  bool shown = false, pressed = false;
  std::string page;
  std::string notice;
  physics::Pose X_SP;                           ///< of the panel, in the room
  std::map<std::string, physics::Vector3d> at;  ///< middles of the controls, in the room
};

class VrPanels {
 public:
  VrPanels();

  const xr::PanelUi& ui() const { return ui_; }

  /// Of a new moment, before anything is done with its hands. `closed`: which of them hold on to something.
  void point(const xr::XrFrame& seen, const std::array<bool, 2>& closed, const Comfort& comfort);
  bool isShown() const { return sheet_.has_value(); }
  /// Whether that hand points at the menu: what it does then is not for the scene.
  bool isPointingAtMenu(std::size_t side) const { return touch_.at && side == pointing_; }

  /// Draws menu and texts, and puts them into the picture: its labels become panels that face the head. Null
  /// where there is neither. What comes back holds until the next call.
  const ImDrawData* draw(PanelContext& context, VrMenu& menu, const Room& room, const physics::Pose& X_SHead,
                         double seconds, xr::RenderScene& picture);
  MenuTrace trace(const ViewState& state, const VrMenu& menu) const;

 private:
  void drawCursor() const;
  void releasePointer(double seconds);
  void addMenu(const Room& room, xr::RenderScene& picture) const;

  xr::PanelUi ui_;
  Wrist wrist_;
  PanelInteractor pointer_;
  std::optional<PanelRect> sheet_;
  PanelTouch touch_;
  bool drawn_ = false;  ///< something was, in the picture before
  std::size_t menuHand_ = 0, pointing_ = 1;
  physics::Vector3d tip_S_ = physics::Vector3d::Zero();
};

}  // namespace tenon::runtime
