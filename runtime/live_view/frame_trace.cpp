// Positions are in window pixels, as for the mouse.
#include "runtime/live_view/frame_trace.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "content/model/hole_sites.h"
#include "content/reader/load_scene.h"
#include "runtime/live_view/scene_view_json.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

/// A world point in window pixels; null if behind the camera.
Json placeOf(const ImageArea& area, const xr::View& view, const physics::Vector3d& p_W) {
  const Eigen::Vector3d p = projected(view, p_W);
  if (p.z() <= view.nearPlane) return nullptr;
  return {area.x + p.x() * area.width, area.y + p.y() * area.height};
}

/// Parts by name; features as "part/feature", holes as "part/hole".
Json placesOf(const ImageArea& area, const xr::View& view, const SceneView& sceneView,
              const InterpolatedState& drawn) {
  Json places = Json::object();
  for (std::size_t k = 0; k < sceneView.scene->parts.size(); ++k) {
    const content::Part& part = sceneView.scene->parts[k];
    const physics::Pose& X_WP = drawn.X_WP[k];
    const Eigen::AlignedBox3d& box = sceneView.boxes[k];
    if (!box.isEmpty()) places[part.name] = placeOf(area, view, X_WP * box.center());
    for (const content::AxisFeature& feature : part.features)
      places[part.name + "/" + feature.name] = placeOf(area, view, X_WP * feature.origin);
    for (const content::HoleSite& hole : content::holesOf(part.shape))
      places[part.name + "/" + hole.name] = placeOf(area, view, X_WP * hole.X_PH.p);
  }
  return places;
}

Json handsOf(const ImageArea& area, const xr::View& view, const SceneView& sceneView,
             const InterpolatedState& drawn) {
  Json hands = Json::array();
  for (std::size_t k = 0; k < drawn.hands.size() && k < sceneView.scene->hands.size(); ++k) {
    const InterpolatedHand& hand = drawn.hands[k];
    const bool holds = hand.part >= 0;
    hands.push_back({{"hand", sceneView.scene->hands[k].name},
                     {"holds", holds ? Json(sceneView.scene->part(hand.part).name) : Json()},
                     {"force_n", hand.force.norm()},
                     {"at", placeOf(area, view, hand.X_WH.p)}});
  }
  return hands;
}

/// Time since the start of this process [s], resolution 0.01 s; −1: unknown.
double secondsSinceStart() {
  std::ifstream in("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  text.erase(0, text.rfind(')') + 1);  // skip the process name, which may contain spaces
  std::istringstream words(text);
  std::string word;
  for (int k = 3; k <= 22; ++k) words >> word;  // field 22: start time in clock ticks since boot (proc(5))
  timespec now{};
  if (!words || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  const auto started = std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - started;
}

Json vector(const physics::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json dynamicsJson(const physics::Dynamics& d) {
  return {{"gravity_m_per_s2", vector(d.gravity)},
          {"restitution", d.restitution ? Json(*d.restitution) : Json()},
          {"linear_damping_per_s", d.linearDamping},
          {"angular_damping_per_s", d.angularDamping}};
}

}  // namespace

FrameTrace::FrameTrace(const std::string& file) : out_(file) {
  if (!out_)
    throw content::InputError(file, "", std::string("cannot be written: ") + std::strerror(errno),
                              "name a file in a writable folder");
}

bool FrameTrace::add(const ImageArea& area, const xr::View& view, const SceneView& sceneView,
                     const SimulationFrame& frame, const InterpolatedState& drawn, const ViewState& state,
                     const Json* more) {
  const LiveStatus& status = frame.status;
  const Json under = state.hoveredPart ? Json(sceneView.scene->part(state.hoveredPart->part).name) : Json();
  Json line = {{"frame", state.stats.frame},
               {"since_start_s", secondsSinceStart()},
               {"time_s", 1e-9 * static_cast<double>(frame.time_ns)},
               {"fps", state.stats.fps},
               {"frame_ms", state.stats.frame_ms},
               {"draw_ms", state.stats.draw_ms},
               {"sharpness", state.stats.resolutionScale},
               {"latency_ms", state.stats.latency_ms},
               {"achieved", status.achievedRatio},
               {"given_up", status.droppedSteps},
               {"steps", status.steps},
               {"step_us", frame.record.step_us},
               {"hand_over_us", status.meanPublishTime_us},
               {"paused", status.paused},
               {"failure", status.failure},
               {"scripted", status.scripted},
               {"script_ended", status.scriptEnded},
               {"speed", status.speed},
               {"rate_hz", status.rate},
               {"solver", physics::toText(status.solver)},
               {"dynamics", dynamicsJson(status.dynamics)},
               {"thrusters", frame.record.tick.thrusters},
               {"recording", status.recording},
               {"scene", sceneView.scene->name},
               {"picture", {area.x, area.y, area.width, area.height}},
               {"camera",
                {{"eye", vector(view.X_WC.p)},
                 {"azimuth", state.camera.azimuth()},
                 {"elevation", state.camera.elevation()},
                 {"distance", state.camera.distance()},
                 {"orthographic", view.isOrthographic()}}},
               {"section", {{"axis", state.section.axis}, {"place_mm", state.section.place_mm}}},
               {"under", under},
               {"places", placesOf(area, view, sceneView, drawn)},
               {"poses", posesJson(sceneView, drawn)},
               {"hands", handsOf(area, view, sceneView, drawn)},
               {"goals", goalsJson(sceneView, frame)},
               {"reading", state.measurementText},
               {"notice", state.notice},
               {"marks", state.marks}};
  if (more != nullptr) line.update(*more);
  out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  return out_.good();
}

}  // namespace tenon::runtime
