// Composes the render scene of a frame.
#include "runtime/vr/vr_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/parts/display_mesh.h"
#include "runtime/vr/hand_pointing.h"
#include "runtime/vr/head_inside.h"
#include "runtime/vr/scale_advice.h"

namespace tenon::runtime {

namespace {

constexpr double kArcPointRadius = 0.008;  ///< of the teleport arc [m]

std::optional<ViewState::TrainingView> trainingView(const std::optional<Training>& training) {
  if (!training) return std::nullopt;
  if (!training->current()) return ViewState::TrainingView{};
  const TrainingStep& step = training->steps()[*training->current()];
  return ViewState::TrainingView{step.goals, step.parts};
}

}  // namespace

void VrView::setScale(double scale) {
  arcPoint_ = std::make_shared<xr::Mesh>(
      xr::renderMesh(content::displayMeshOf(physics::Sphere{kArcPointRadius / scale})));
  handAppearance_.setScale(scale);
}

void VrView::place(const xr::XrFrame& xrFrame, const Room& room, const Eigen::AlignedBox3d& parts) {
  const Comfort& comfort = menu_.switches.comfort;
  const auto sideOf = [&](const xr::View& eye) { return comfort.leftHanded ? eye.right : -eye.left; };
  panels_.card().place(xrFrame.X_SH, room, parts, comfort,
                       std::min(sideOf(xrFrame.eyes[0]), sideOf(xrFrame.eyes[1])));
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

void VrView::updateCard(VrSession& session, const VrViewFrame& frame) {
  const SimulationFrame& now = session.frame();
  const std::optional<double> clearance = smallestClearance(now);
  const double pixel = frame.xrFrame.insets.empty() ? pixelWidth(frame.xrFrame.eyes[0], frame.eyePixels)
                                                    : pixelWidth(frame.xrFrame.insets[0], frame.insetPixels);
  menu_.offersScale = isScaleOffered(clearance, menu_.scale, pixel);
  card_ = {taskText(session.scene().view, now), deviceText(frame.controls), "",
           controlHints(frame.controls, menu_.switches.comfort)};
  if (session.training()) {
    card_.task = session.training()->taskText();
    card_.advice = session.training()->correction(now);
  }
  if (!menu_.table.empty()) card_.advice = menu_.table;
  if (menu_.offersScale && card_.advice.empty())
    card_.advice =
        fmt::format("A clearance of {:.3g} mm is below a pixel ({:.2g} mm). Menu: Enlarge to {:g}:1",
                    1e3 * *clearance, 1e3 * pixel / menu_.scale, kOfferedScale);
}

/// Adds menu, card, labels, teleport arc and vignette.
const ImDrawData* VrView::addPanels(VrSession& session, const VrViewFrame& frame,
                                    xr::RenderScene& renderScene) {
  const Locomotion::Step& locomotion = frame.placement.locomotion();
  const Room& room = frame.placement.room();
  if (locomotion.arc) addTeleportArc(*locomotion.arc, room, arcPoint_, renderScene);
  if (menu_.switches.forceValues)
    addHandLabels(*session.scene().view.scene, session.drawn(), renderScene);
  else
    renderScene.labels.clear();
  const LiveStatus& status = session.frame().status;
  if (!status.failure.empty()) addFailurePanel(status, room, frame.xrFrame.X_SH, renderScene);
  renderScene.vignette = {locomotion.vignette, locomotion.fade};
  menu_.frames = frame.meanFrameTime > 0 ? fmt::format("{:.0f} fps", 1 / frame.meanFrameTime) : "";
  PanelContext context{state_, session.scene().view, session.frame(), history_, frame.device, 1};
  updateCard(session, frame);
  return panels_.draw(context, menu_, menu_.switches.controls ? &card_ : nullptr, room, frame.xrFrame.X_SH,
                      frame.frameTime, renderScene);
}

xr::FrameContent VrView::build(VrSession& session, const VrViewFrame& frame) {
  const VrScene& scene = session.scene();
  const Room& room = frame.placement.room();
  state_.hoveredPart = pointedPart(scene.hands, scene.rays);
  state_.partsInReach = partsInReach(scene.hands, scene.rays);
  state_.training = trainingView(session.training());
  state_.fadedParts = partsAround(scene.view, session.drawn().X_WP, room.inWorld(frame.xrFrame.X_SH.p));
  xr::FrameContent content{builder_.build(scene.view, session.frame(), session.drawn(), state_), room.X_WS,
                           room.scale, nullptr};
  content.scene.passthrough = frame.passthrough;
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
          {},
          menu_.switches.controls ? panels_.card().poseIn(placement.room()) : std::nullopt,
          card_,
          state_.fadedParts};
}

}  // namespace tenon::runtime
