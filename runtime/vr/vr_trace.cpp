// See vr_trace.h.
#include "runtime/vr/vr_trace.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "content/scene/load_scene.h"
#include "runtime/preview/stage_json.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json handsOf(const xr::HeadsetMoment& seen, const xr::XrHands& hands, const Stage& stage,
             const DrawnState& drawn) {
  Json all = Json::array();
  for (std::size_t side = 0; side < seen.hands.size(); ++side) {
    const auto hand = static_cast<std::size_t>(hands.handOf(side));
    if (hands.handOf(side) < 0 || hand >= drawn.hands.size()) continue;
    const xr::Controller& controller = seen.hands[side];
    const int part = drawn.hands[hand].part;
    all.push_back(
        {{"hand", stage.scene->hands[hand].name},
         {"tracked", controller.tracked},
         {"squeeze", controller.squeeze},
         {"closed", hands.samples()[hand].closed},
         {"fine", hands.isFine(side)},
         {"in_room", controller.tracked ? poseJson(controller.X_SH) : Json()},
         {"target", poseJson(drawn.hands[hand].X_WH)},
         {"holds", part >= 0 ? Json(stage.scene->parts[static_cast<std::size_t>(part)].name) : Json()},
         {"force_n", drawn.hands[hand].force.norm()}});
  }
  return all;
}

Json eyesOf(const xr::HeadsetMoment& seen) {
  Json eyes = Json::array();
  for (const xr::View& eye : seen.eyes)
    eyes.push_back({{"in_room", poseJson(eye.X_WC)}, {"tangents", {eye.left, eye.right, eye.down, eye.up}}});
  return eyes;
}

}  // namespace

VrTrace::VrTrace(const std::string& file) : out_(file) {
  if (!out_)
    throw content::InputError(file, "", std::string("cannot be written: ") + std::strerror(errno),
                              "name a file in a folder that you may write to");
}

void VrTrace::add(xr::HeadsetState state) {
  out_ << Json{{"frame", frame_}, {"state", toText(state)}}.dump() << '\n' << std::flush;
}

void VrTrace::add(const xr::HeadsetMoment& seen, const physics::Pose& X_WS, const xr::XrHands& hands,
                  const Stage& stage, const Moment& moment, const DrawnState& drawn,
                  const VrFrameTimes& times) {
  const LiveStatus& status = moment.status;
  const Json line = {{"frame", ++frame_},
                     {"state", toText(seen.state)},
                     {"drawn", seen.wantsPicture},
                     {"display_ns", seen.display_ns},
                     {"period_ms", 1e-6 * static_cast<double>(seen.period_ns)},
                     {"frame_ms", times.frame_ms},
                     {"own_ms", times.own_ms},
                     {"shakes", times.shakes},
                     {"time_s", 1e-9 * static_cast<double>(moment.time_ns)},
                     {"achieved", status.achieved},
                     {"steps", status.steps},
                     {"step_us", moment.record.step_us},
                     {"paused", status.paused},
                     {"recording", status.recording},
                     {"world_in_room", poseJson(X_WS.inverse())},
                     {"head", seen.eyes.empty() ? Json() : poseJson(seen.X_SH)},
                     {"eyes", eyesOf(seen)},
                     {"hands", handsOf(seen, hands, stage, drawn)},
                     {"poses", posesJson(stage, drawn)},
                     {"goals", goalsJson(stage, moment)}};
  out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

}  // namespace tenon::runtime
