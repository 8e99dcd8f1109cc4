// See scene_json.h.
#include "runtime/web/scene_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "content/input/printable.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/report/event_text.h"
#include "runtime/report/time_rows.h"
#include "runtime/web/mesh_streams.h"
#include "xr/appearance/surface_of.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::json;

Json arrayOf(const physics::Vector3d& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

Json surfaceJson(const xr::Surface& surface) {
  return {{"color", arrayOf(surface.color)},
          {"metallic", surface.metallic},
          {"roughness", surface.roughness},
          {"opacity", surface.opacity}};
}

const char* kindOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::inserted:
    case Verdict::tightened:
    case Verdict::started:
      return "good";
    case Verdict::tooDeep:
    case Verdict::jammed:
    case Verdict::blocked:
    case Verdict::crossThreaded:
    case Verdict::stripped:
      return "bad";
    case Verdict::released:
      return "wait";
    case Verdict::pending:
      break;
  }
  return "none";
}

}  // namespace

double reachOf(const content::DisplayMesh& mesh) {
  double reach = 0;
  for (const physics::Vector3d& p : mesh.positions) reach = std::max(reach, p.norm());
  return reach;
}

std::string shown(std::string_view text) {
  return content::printable(text);
}

Json partJson(const content::Scene& scene, std::size_t part, const content::DisplayMesh* mesh,
              StreamTable& streams) {
  const content::Part& it = scene.parts[part];
  Json json{{"name", shown(it.name)},
            {"designation", shown(it.libraryName)},
            {"moves", it.motion == physics::MotionType::dynamic},
            {"surface", surfaceJson(xr::surfaceOf(scene, it))},
            {"mesh", nullptr}};
  if (it.material >= 0) json["material"] = shown(scene.materials[static_cast<std::size_t>(it.material)].name);
  if (it.motion == physics::MotionType::dynamic) json["mass_kg"] = it.mass.mass;
  if (mesh != nullptr) json["mesh"] = meshStreams(*mesh, streams);
  return json;
}

Json goalJson(const content::Scene& scene, std::size_t goal) {
  const content::Goal& it = scene.goals[goal];
  return {{"name", shown(goalName(scene, static_cast<int>(goal)))},
          {"part", it.part},
          {"into", it.into},
          {"hole", it.hole},
          {"hole_position_m", arrayOf(it.X_IH.p)},
          {"hole_axis", arrayOf(it.X_IH.q * physics::Vector3d::UnitZ())},
          {"depth_m", it.depth}};
}

Json goalQuantaJson() {
  return {{"depth_quantum_m", kDepthQuantum},
          {"tilt_quantum_rad", kTiltQuantum},
          {"push_quantum_n", kPushQuantum}};
}

Json groundJson(const std::optional<xr::Ground>& ground) {
  if (!ground) return nullptr;
  return {{"height_m", ground->height}, {"cell_m", ground->cell}};
}

Json eventJson(const SessionEvent& event, double time, const content::Scene& scene) {
  Json parts = Json::array();
  for (const int part : {event.body, event.other})
    if (part >= 0) parts.push_back(part);
  return {{"time_s", time},
          {"kind", event.kind},
          {"text", shown(describeEvent(event, scene))},
          {"detail", shown(event.text)},
          {"mark", isMark(event)},
          {"goal", event.goal},
          {"hand", event.hand},
          {"parts", parts}};
}

Json verdictJson(const std::string& word) {
  const auto* const known = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                                         [&](Verdict verdict) { return toText(verdict) == word; });
  return {{"word", shown(word)}, {"kind", known == kVerdicts.end() ? "none" : kindOf(*known)}};
}

std::string packedDocument(Json json, const StreamTable& streams) {
  Json ranges = Json::array();
  for (const auto& [offset, length] : streams.ranges()) ranges.push_back(Json::array({offset, length}));
  json["streams"] = std::move(ranges);
  // Words of verdicts from a damaged file may be invalid UTF-8.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>((text.size() >> (8 * k)) & 255);
  return bytes + text + streams.bytes();
}

}  // namespace tenon::runtime
