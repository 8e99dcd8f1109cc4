// Writes the frames as JSON lines.
#include "runtime/vr/vr_trace.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "content/reader/load_scene.h"
#include "runtime/live_view/scene_view_json.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json handsOf(const xr::XrFrame& xrFrame, const xr::XrHands& hands, const xr::RayGrab& rays,
             const SceneView& sceneView, const InterpolatedState& drawn,
             const std::array<xr::ControlNames, 2>& controls) {
  Json all = Json::array();
  for (std::size_t side = 0; side < xrFrame.hands.size(); ++side) {
    const auto hand = static_cast<std::size_t>(hands.handOf(side));
    if (hands.handOf(side) < 0 || hand >= drawn.hands.size()) continue;
    const xr::Controller& controller = xrFrame.hands[side];
    const int part = drawn.hands[hand].part;
    const auto nameOf = [&](int k) { return k >= 0 ? Json(sceneView.scene->part(k).name) : Json(); };
    const auto& under = rays.farTarget(hand);
    all.push_back({{"hand", sceneView.scene->hands[hand].name},
                   {"tracked", controller.tracked},
                   {"bare", controller.origin == xr::HandOrigin::bareHand},
                   {"squeeze", controller.squeeze},
                   {"closed", hands.samples()[hand].closed},
                   {"fine", hands.isMotionScaled(side)},
                   {"in_room", controller.tracked ? poseJson(controller.X_SH) : Json()},
                   {"target", poseJson(drawn.hands[hand].X_WH)},
                   {"holds", nameOf(part)},
                   {"points_at", nameOf(under ? under->part : -1)},
                   {"reaches", nameOf(rays.nearTarget(hand))},
                   {"far", rays.holdsFar(hand)},
                   {"profile", controls[side].profile},
                   {"device", controls[side].device},
                   {"inputs", controls[side].inputs},
                   {"force_n", drawn.hands[hand].force.norm()}});
  }
  return all;
}

Json viewsOf(const std::vector<xr::View>& views) {
  Json eyes = Json::array();
  for (const xr::View& eye : views)
    eyes.push_back({{"in_room", poseJson(eye.X_WC)}, {"tangents", {eye.left, eye.right, eye.down, eye.up}}});
  return eyes;
}

Json vectorJson(const physics::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json menuJson(const MenuTrace& menu) {
  if (!menu.shown) return {{"shown", false}, {"notice", menu.notice}};
  Json at = Json::object();
  for (const auto& [name, place] : menu.controlPositions) at[name] = vectorJson(place);
  return {{"shown", true},
          {"page", menu.page},
          {"pressed", menu.pressed},
          {"notice", menu.notice},
          {"in_room", poseJson(menu.X_SP)},
          {"at", std::move(at)}};
}

Json cardJson(const VrTraceContext& around) {
  if (!around.X_SCard) return {};
  Json hints = Json::array();
  for (const ControlHint& hint : around.card.hints) hints.push_back({hint.effect, hint.control});
  return {{"in_room", poseJson(*around.X_SCard)},
          {"task", around.card.task},
          {"device", around.card.device},
          {"advice", around.card.advice},
          {"hints", std::move(hints)}};
}

Json sectionJson(const xr::SectionPlane& plane) {
  return {{"normal", vectorJson(plane.normal)}, {"offset_m", plane.offset}};
}

}  // namespace

VrTrace::VrTrace(const std::string& file) : out_(file) {
  if (!out_)
    throw content::InputError(file, "", std::string("cannot be written: ") + std::strerror(errno),
                              "name a file in a writable folder");
}

void VrTrace::add(xr::HeadsetState state) {
  write();
  line_ = {{"frame", frame_}, {"state", toText(state)}};
  write();
}

VrTrace::~VrTrace() {
  write();
}

void VrTrace::write() {
  if (line_.is_null()) return;
  out_ << line_.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  line_ = nullptr;
}

void VrTrace::finishFrame(const xr::FrameTimes& times, double physics, int mirroredFrames) {
  line_["wait_ms"] = times.wait;
  line_["begin_ms"] = times.begin;
  line_["ask_ms"] = times.locate;
  line_["draw_ms"] = times.draw;
  line_["end_ms"] = times.end;
  line_["cpu_ms"] = times.cpu;
  line_["gpu_ms"] = times.gpu;
  line_["resolution"] = times.scale;
  line_["physics_ms"] = physics;
  line_["mirrored"] = mirroredFrames;
  write();
}

void VrTrace::add(const xr::XrFrame& xrFrame, const VrTraceContext& around, const xr::XrHands& hands,
                  const xr::RayGrab& rays, const SceneView& sceneView, const SimulationFrame& simulationFrame,
                  const InterpolatedState& drawn, const VrFrameTimes& times) {
  const LiveStatus& status = simulationFrame.status;
  write();
  line_ = {{"frame", ++frame_},
           {"state", toText(xrFrame.state)},
           {"drawn", xrFrame.shouldRender},
           {"display_ns", xrFrame.displayTime_ns},
           {"period_ms", 1e-6 * static_cast<double>(xrFrame.displayPeriod_ns)},
           {"frame_ms", times.frame_ms},
           {"own_ms", times.own_ms},
           {"shakes", times.hapticPulses},
           {"rejected_poses", times.rejected},
           {"time_s", 1e-9 * static_cast<double>(simulationFrame.time_ns)},
           {"achieved", status.achievedRatio},
           {"steps", status.steps},
           {"step_us", simulationFrame.record.step_us},
           {"paused", status.paused},
           {"failure", status.failure},
           {"recording", status.recording},
           {"guidance", status.guidance},
           {"world_in_room", poseJson(around.room.X_WS.inverse())},
           {"scale", around.room.scale},
           {"menu", menuJson(around.menu)},
           {"veil", {{"rim", around.vignette.rim}, {"all", around.vignette.all}}},
           {"landing", around.landing ? vectorJson(*around.landing) : Json()},
           {"section", around.section ? sectionJson(*around.section) : Json()},
           {"panels", around.panels},
           {"card", cardJson(around)},
           {"faded", around.fadedParts},
           {"head", xrFrame.eyes.empty() ? Json() : poseJson(xrFrame.X_SH)},
           {"eyes", viewsOf(xrFrame.eyes)},
           {"insets", viewsOf(xrFrame.insets)},
           {"hands", handsOf(xrFrame, hands, rays, sceneView, drawn, around.controls)},
           {"poses", posesJson(sceneView, drawn)},
           {"goals", goalsJson(sceneView, simulationFrame)}};
}

}  // namespace tenon::runtime
