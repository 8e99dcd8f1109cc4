// Writes a scene's survey as JSON, in SI units.
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/fits/iso286.h"
#include "content/parts/read_thread.h"
#include "runtime/report/scene_survey.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Vector3d;

Json vectorJson(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json optionalJson(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json siteJson(const SiteSurvey& site) {
  return {{"name", site.name},
          {"position_m", vectorJson(site.position)},
          {"axis", vectorJson(site.axis)},
          {"diameter_m", optionalJson(site.diameter)},
          {"facets_collide", site.isFaceted}};
}

Json endJson(const SiteSurvey& end) {
  Json json = siteJson(end);
  json["length_m"] = optionalJson(end.length);
  return json;
}

Json holeJson(const SiteSurvey& hole) {
  Json json = siteJson(hole);
  json["depth_m"] = optionalJson(hole.depth);
  json["through"] = hole.through;
  return json;
}

Json threadJson(const physics::Thread& t) {
  return {{"size", content::threadText(t)},
          {"internal", t.isInternal},
          {"pitch_m", t.pitch},
          {"starts", t.starts},
          {"left_handed", t.isLeftHanded},
          {"major_diameter_m", t.majorDiameter},
          {"pitch_diameter_m", t.pitchDiameter},
          {"minor_diameter_m", t.minorDiameter},
          {"length_m", t.high - t.low}};
}

Json partJson(const PartSurvey& part) {
  Json json = {{"name", part.name},
               {"motion", std::string(physics::toText(part.motion))},
               {"material", part.material.empty() ? Json(nullptr) : Json(part.material)},
               {"library", part.library.empty() ? Json(nullptr) : Json(part.library)},
               {"features", part.features},
               {"holes", part.holes},
               {"size_m", part.size ? vectorJson(*part.size) : Json(nullptr)}};
  json["feature_sites"] = Json::array();
  for (const SiteSurvey& end : part.ends) json["feature_sites"].push_back(endJson(end));
  json["hole_sites"] = Json::array();
  for (const SiteSurvey& hole : part.holeSites) json["hole_sites"].push_back(holeJson(hole));
  json["threads"] = Json::array();
  for (const physics::Thread& thread : part.threads) json["threads"].push_back(threadJson(thread));
  const bool heavy = part.mass.mass > 0;
  json["mass_kg"] = heavy ? Json(part.mass.mass) : Json(nullptr);
  json["centre_m"] = heavy ? vectorJson(part.mass.center) : Json(nullptr);
  json["inertia_kg_m2"] = nullptr;
  if (heavy) {
    json["inertia_kg_m2"] = Json::array();
    for (int row = 0; row < 3; ++row) json["inertia_kg_m2"].push_back(vectorJson(part.mass.inertia.row(row)));
  }
  return json;
}

Json rangeJson(const physics::JointRange& range) {
  return isLimited(range) ? Json{range.low, range.high} : Json(nullptr);
}

Json jointJson(const JointSurvey& joint) {
  return {{"name", joint.name},
          {"kind", joint.kind},
          {"part", joint.part},
          {"to", joint.to.empty() ? Json(nullptr) : Json(joint.to)},
          {"position_m", vectorJson(joint.position)},
          {"axis", joint.axis ? vectorJson(*joint.axis) : Json(nullptr)},
          {"angle_rad", rangeJson(joint.angle)},
          {"travel_m", rangeJson(joint.travel)},
          {"pitch_m", optionalJson(joint.pitch)},
          {"diameter_m", optionalJson(joint.diameter)},
          {"friction", joint.pitch ? Json(joint.friction) : Json(nullptr)},
          {"collides", joint.collides}};
}

Json mechanismJson(const MechanismSurvey& mechanism) {
  return {{"parts", mechanism.parts},
          {"joints", mechanism.joints},
          {"freedom", mechanism.degreesOfFreedom},
          {"redundant", mechanism.redundant}};
}

Json stiffnessJson(double stiffness) {
  return std::isfinite(stiffness) ? Json(stiffness) : Json(nullptr);
}

Json surfaceJson(const SurfaceSurvey& pair) {
  return {{"materials", {pair.a, pair.b}},
          {"friction", pair.friction},
          {"restitution", pair.restitution},
          {"stiffness_n_per_m", stiffnessJson(pair.stiffness)}};
}

Json sizesJson(const content::Fit& fit) {
  Json sizes = Json::array();
  for (const content::FittedSize& size : fit.sizes)
    sizes.push_back({{"kind", size.kind == content::FitSize::diameter ? "diameter"
                              : size.kind == content::FitSize::width  ? "width"
                                                                      : "across"},
                     {"nominal_m", size.nominal},
                     {"inner_deviation_m", size.innerDeviation},
                     {"outer_deviation_m", size.outerDeviation}});
  return sizes;
}

Json laidJson(const std::optional<content::Fit>& fit) {
  if (!fit) return nullptr;
  const bool isRound = fit->sizes.empty() || fit->sizes.front().kind == content::FitSize::diameter;
  return {{"text", fit->text},
          {"nominal_diameter_m", isRound ? Json(fit->nominal) : Json()},
          {"sizes", sizesJson(*fit)},
          {"hole_deviation_m", fit->holeDeviation},
          {"part_deviation_m", fit->partDeviation},
          {"least_clearance_m", fit->minClearance},
          {"greatest_clearance_m", fit->maxClearance},
          {"kind", std::string(toText(content::classifyFit(fit->minClearance, fit->maxClearance)))}};
}

Json fitJson(const FitSurvey& fit) {
  return {{"part", fit.part},
          {"feature", fit.feature},
          {"into", fit.into},
          {"hole", fit.hole},
          {"depth_m", fit.depth},
          {"time_limit_s", fit.timeLimit},
          {"hole_diameter_m", optionalJson(fit.holeDiameter)},
          {"part_diameter_m", optionalJson(fit.pegDiameter)},
          {"clearance_m", optionalJson(fit.clearance())},
          {"laid_fit", laidJson(fit.assignedFit)},
          {"thread_axial_play_m", fit.threads ? Json(fit.threads->axialPlay()) : Json()},
          {"friction", fit.friction},
          {"restitution", fit.restitution},
          {"stiffness_n_per_m", stiffnessJson(fit.stiffness)}};
}

Json parameterJson(const content::Parameter& p) {
  return {
      {"name", p.name},       {"unit", p.unit},       {"value", p.value},     {"default", p.defaultValue},
      {"minimum", p.minimum}, {"maximum", p.maximum}, {"whole", p.isInteger}, {"description", p.description}};
}

}  // namespace

std::string toJson(const SceneSurvey& survey) {
  Json json = {
      {"scene", survey.scene},         {"scene_file", survey.file},   {"title", survey.title},
      {"duration_s", survey.duration}, {"rate_hz", survey.rate},      {"parts", Json::array()},
      {"joints", Json::array()},       {"mechanisms", Json::array()}, {"material_pairs", Json::array()},
      {"goals", Json::array()},        {"parameters", Json::array()}, {"warnings", survey.warnings}};
  for (const PartSurvey& part : survey.parts) json["parts"].push_back(partJson(part));
  json["meshes"] = survey.meshJson;
  for (const JointSurvey& joint : survey.joints) json["joints"].push_back(jointJson(joint));
  for (const MechanismSurvey& mechanism : survey.mechanisms)
    json["mechanisms"].push_back(mechanismJson(mechanism));
  for (const SurfaceSurvey& pair : survey.surfaces) json["material_pairs"].push_back(surfaceJson(pair));
  for (const FitSurvey& fit : survey.fits) json["goals"].push_back(fitJson(fit));
  for (const content::Parameter& parameter : survey.parameters)
    json["parameters"].push_back(parameterJson(parameter));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenon::runtime
