// Composes the render scene of a frame.
#include "runtime/vr/vr_view.h"

#include <fmt/format.h>

#include "content/parts/display_mesh.h"
#include "runtime/vr/hand_pointing.h"

namespace tenon::runtime {

namespace {

constexpr double kArcPointRadius = 0.008;  ///< of the teleport arc [m]

}  // namespace

void VrView::setScale(double scale) {
  arcPoint_ = std::make_shared<xr::Mesh>(
      xr::renderMesh(content::displayMeshOf(physics::Sphere{kArcPointRadius / scale})));
  handAppearance_ = HandAppearance(scale);
}

void VrView::point(const xr::XrFrame& xrFrame, const std::array<bool, 2>& closed) {
  panels_.point(xrFrame, closed, menu_.switches.comfort);
}

void VrView::addHands(VrSession& session, const VrViewFrame& frame, xr::RenderScene& renderScene) const {
  const VrScene& scene = session.scene();
  for (std::size_t side = 0; side < frame.scaledFrame.hands.size(); ++side)
    if (scene.hands.handOf(side) >= 0)
      handAppearance_.add(shownHand(side, scene.hands, scene.rays, frame.scaledFrame,
                                    frame.placement.room().X_WS, *scene.view.scene, session.drawn()),
                          renderScene);
}

/// Adds menu, labels, teleport arc and vignette.
const ImDrawData* VrView::addPanels(VrSession& session, const VrViewFrame& frame,
                                    xr::RenderScene& renderScene) {
  const Locomotion::Step& locomotion = frame.placement.locomotion();
  const Room& room = frame.placement.room();
  if (locomotion.arc) addTeleportArc(*locomotion.arc, room, arcPoint_, renderScene);
  addHandLabels(*session.scene().view.scene, session.drawn(), renderScene);
  const LiveStatus& status = session.frame().status;
  if (!status.failure.empty()) addFailurePanel(status, room, frame.xrFrame.X_SH, renderScene);
  renderScene.vignette = {locomotion.vignette, locomotion.fade};
  menu_.frames = frame.meanFrameTime > 0 ? fmt::format("{:.0f} fps", 1 / frame.meanFrameTime) : "";
  PanelContext context{state_, session.scene().view, session.frame(), history_, frame.device, 1};
  return panels_.draw(context, menu_, room, frame.xrFrame.X_SH, frame.frameTime, renderScene);
}

xr::FrameContent VrView::build(VrSession& session, const VrViewFrame& frame) {
  const VrScene& scene = session.scene();
  const Room& room = frame.placement.room();
  state_.hoveredPart = pointedPart(scene.hands, scene.rays);
  state_.partsInReach = partsInReach(scene.hands, scene.rays);
  xr::FrameContent content{builder_.build(scene.view, session.frame(), session.drawn(), state_), room.X_WS,
                           room.scale, nullptr};
  addHands(session, frame, content.scene);
  sectionPlane_.update(menu_.switches, frame.xrFrame, frame.closed, panels_.isShown(), room);
  content.scene.section = sectionPlane_.plane();
  content.panels = addPanels(session, frame, content.scene);
  return content;
}

VrTraceContext VrView::trace(const xr::FrameContent& content, const RoomPlacement& placement) const {
  const auto& arc = placement.locomotion().arc;
  return {placement.room(),
          panels_.trace(state_, menu_),
          content.scene.vignette,
          arc ? arc->landing : std::nullopt,
          content.scene.section,
          content.scene.panels.size(),
          {}};
}

}  // namespace tenon::runtime
