// The view of a headset session: scene, hands, menu, labels, section plane.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "runtime/live_view/render_scene_builder.h"
#include "runtime/vr/hand_appearance.h"
#include "runtime/vr/room_placement.h"
#include "runtime/vr/vr_overlays.h"
#include "runtime/vr/vr_panels.h"
#include "runtime/vr/vr_session.h"
#include "runtime/vr/vr_trace.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

/// The input of one frame.
struct VrViewFrame {
  const xr::XrFrame& xrFrame;
  const xr::XrFrame& scaledFrame;  ///< in world scale, without input to the menu
  const std::array<bool, 2>& closed;
  const RoomPlacement& placement;
  const std::string& device;
  const std::array<xr::ControlNames, 2>& controls;
  bool passthrough = false;  ///< the display shows the real room
  int eyePixels = 1;         ///< width of an eye's image
  int insetPixels = 0;       ///< width of an inset's image; 0: there is none
  double frameTime = 0;      ///< [s]
  double meanFrameTime = 0;  ///< [s]
};

class VrView {
 public:
  VrMenu& menu() { return menu_; }
  const VrPanels& panels() const { return panels_; }

  /// Places what stays beside the parts, when these are placed in the room.
  void place(const xr::XrFrame& xrFrame, const Room& room, const Eigen::AlignedBox3d& parts);
  /// The headset has a new panel image.
  void forgetImage() { panels_.card().forgetImage(); }

  /// Sets the sizes that are constant in the room.
  void setScale(double scale);
  /// The runtime's model of a hand's controller.
  DeviceModel& controllerModel(std::size_t side) { return handAppearance_.model(side); }
  /// Forgets force scales, when a scene starts.
  void reset() { builder_ = {}; }
  /// Updates menu pose and pointing; call before other uses of the hands.
  void point(const xr::XrFrame& xrFrame, const std::array<bool, 2>& closed);
  /// The frame to display; valid until the next call.
  xr::FrameContent build(VrSession& session, const VrViewFrame& frame);
  /// The view data for the trace of a frame from build().
  VrTraceContext trace(const xr::FrameContent& content, const RoomPlacement& placement) const;

 private:
  void addHands(VrSession& session, const VrViewFrame& frame, xr::RenderScene& renderScene) const;
  void updateCard(VrSession& session, const VrViewFrame& frame);
  const ImDrawData* addPanels(VrSession& session, const VrViewFrame& frame, xr::RenderScene& renderScene);

  VrPanels panels_;
  VrMenu menu_;
  ViewState state_;
  CardText card_;
  RenderSceneBuilder builder_;
  HandAppearance handAppearance_;
  std::shared_ptr<const xr::Mesh> arcPoint_;
  HandPlane sectionPlane_;
  History history_;  ///< empty: the menu has no plots
};

}  // namespace tenon::runtime
