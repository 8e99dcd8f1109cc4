// Collects the data of a scene and of its shapes.
#include "runtime/report/scene_survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/fits/iso286.h"
#include "content/input/printable.h"
#include "content/model/build_world.h"
#include "content/model/hole_sites.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/mesh_survey.h"
#include "runtime/report/scene_warnings.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Vector3d;

PartSurvey surveyOf(const content::Part& part, const content::Scene& scene) {
  PartSurvey survey;
  survey.name = part.name;
  if (part.material >= 0) survey.material = scene.materials[static_cast<std::size_t>(part.material)].name;
  survey.motion = part.motion;
  survey.library = part.libraryName;
  for (const content::AxisFeature& feature : part.features) survey.features.push_back(feature.name);
  for (const content::HoleSite& hole : content::holesOf(part.shape)) survey.holes.push_back(hole.name);
  const Vector3d size = xr::boundsOf(part.shape).sizes();
  if (size.allFinite()) survey.size = size;
  survey.mass = part.mass;
  return survey;
}

JointSurvey surveyOf(const content::Joint& joint, const content::Scene& scene) {
  JointSurvey survey;
  survey.name = joint.name;
  survey.kind = physics::toText(joint.kind);
  survey.part = scene.parts[static_cast<std::size_t>(joint.part)].name;
  if (joint.to >= 0) survey.to = scene.parts[static_cast<std::size_t>(joint.to)].name;
  const content::Part& part = scene.parts[static_cast<std::size_t>(joint.part)];
  const physics::Pose X_WB = part.X_WP * joint.X_PB;
  survey.position = X_WB.p;
  if (physics::turns(joint.kind) || physics::travels(joint.kind)) survey.axis = X_WB.q * Vector3d::UnitZ();
  survey.angle = joint.angle;
  survey.travel = joint.travel;
  if (joint.kind == physics::JointKind::helical) survey.pitch = joint.pitch;
  if (joint.diameter > 0) survey.diameter = joint.diameter;
  survey.friction = content::threadFrictionOf(scene, joint);
  survey.collides = joint.collides;
  survey.hole = joint.hole;
  survey.feature = joint.feature;
  return survey;
}

MechanismSurvey surveyOf(const physics::Mechanism& mechanism, const content::Scene& scene) {
  MechanismSurvey survey;
  for (const physics::BodyId id : mechanism.bodies)
    survey.parts.push_back(scene.parts[static_cast<std::size_t>(id.value)].name);
  survey.joints = mechanism.joints.size();
  survey.degreesOfFreedom = mechanism.degreesOfFreedom;
  survey.redundant = mechanism.redundant;
  return survey;
}

SurfaceSurvey surveyOf(const content::MaterialPair& pair, const content::Scene& scene) {
  const auto nameOf = [&](int material) { return scene.materials[static_cast<std::size_t>(material)].name; };
  return {nameOf(pair.a), nameOf(pair.b), pair.friction, pair.restitution, pair.stiffness};
}

FitSurvey surveyOf(const content::Goal& goal, const content::Scene& scene) {
  const content::Part& part = scene.parts[static_cast<std::size_t>(goal.part)];
  FitSurvey survey;
  survey.part = part.name;
  survey.feature = part.features[static_cast<std::size_t>(goal.feature)].name;
  survey.into = scene.parts[static_cast<std::size_t>(goal.into)].name;
  survey.hole = goal.hole;
  const InsertionFit fit = insertionFitOf(scene, goal);
  if (fit.boreRadius > 0) survey.holeDiameter = 2 * fit.boreRadius;
  if (fit.pegRadius > 0) survey.pegDiameter = 2 * fit.pegRadius;
  const content::MaterialPair surfaces =
      content::materialPairOf(scene, part, scene.parts[static_cast<std::size_t>(goal.into)]);
  survey.friction = surfaces.friction;
  survey.restitution = surfaces.restitution;
  survey.stiffness = surfaces.stiffness;
  survey.assignedFit = goal.fit;
  survey.depth = goal.depth;
  survey.timeLimit = goal.timeLimit;
  return survey;
}

/// Digits below 1 µm only if not zero: lengths here come from a file.
std::string diameterText(double diameter) {
  return fmt::format("Ø{:.3f}", diameter * 1e3);
}

std::string fitText(const FitSurvey& fit) {
  const auto clearance = fit.clearance();
  if (!clearance) return "not round about one axis: no clearance to name";
  const std::string sizes = diameterText(*fit.pegDiameter) + " in " + diameterText(*fit.holeDiameter) + ": ";
  // Differences of a file's decimal numbers carry rounding far below a nanometer.
  if (std::abs(*clearance) < 1e-12) return sizes + "no clearance";
  const std::string size = std::abs(*clearance) < 0.9995e-4 ? smallLengthText(std::abs(*clearance))
                                                            : millimetersText(std::abs(*clearance));
  return sizes + (*clearance > 0 ? "clearance " : "INTERFERENCE ") + size;
}

/// The assigned fit and its range of clearances: "H7/g6, mid on Ø8: 5 … 29 µm, a clearance fit".
std::string laidText(const FitSurvey& fit) {
  if (!fit.assignedFit) return "-";
  const content::Fit& assignedFit = *fit.assignedFit;
  std::string text = fmt::format("{} on Ø{:.6g}", assignedFit.text, assignedFit.nominal * 1e3);
  if (assignedFit.minClearance == assignedFit.maxClearance) return text;
  return text + fmt::format(": {:.0f} … {:.0f} µm, {}", assignedFit.minClearance * 1e6,
                            assignedFit.maxClearance * 1e6,
                            toText(content::classifyFit(assignedFit.minClearance, assignedFit.maxClearance)));
}

/// A few names, or their number.
std::string namesText(const std::vector<std::string>& names) {
  if (names.empty()) return "-";
  if (names.size() > 3) return fmt::format("{}, … {} ({})", names.front(), names.back(), names.size());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string partTable(const SceneSurvey& survey) {
  TextTable table({"part", "motion", "material", "size [mm]", "mass", "inertia xx yy zz [kg mm²]", "features",
                   "holes", "library"});
  for (const PartSurvey& part : survey.parts) {
    const auto& inertia = part.mass.inertia;
    const bool heavy = part.mass.mass > 0;
    table.add({part.name, std::string(physics::toText(part.motion)),
               part.material.empty() ? "-" : part.material,
               part.size ? fmt::format("{:.6g} × {:.6g} × {:.6g}", part.size->x() * 1e3, part.size->y() * 1e3,
                                       part.size->z() * 1e3)
                         : "unlimited",
               heavy ? massText(part.mass.mass) : "-",
               heavy ? fmt::format("{:.4g} {:.4g} {:.4g}", inertia(0, 0) * 1e6, inertia(1, 1) * 1e6,
                                   inertia(2, 2) * 1e6)
                     : "-",
               namesText(part.features), namesText(part.holes), part.library.empty() ? "-" : part.library});
  }
  return table.text(2);
}

/// Three numbers; rounding errors as 0.
std::string vectorText(const Vector3d& v) {
  const auto rounded = [&](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
  return fmt::format("{:.6g} {:.6g} {:.6g}", rounded(v.x()), rounded(v.y()), rounded(v.z()));
}

bool isLimited(const physics::JointRange& range) {
  return std::isfinite(range.low) || std::isfinite(range.high);
}

std::string limitsText(const JointSurvey& joint) {
  std::string text;
  if (isLimited(joint.angle))
    text = fmt::format("{} … {}", degreesText(joint.angle.low), degreesText(joint.angle.high));
  if (isLimited(joint.travel))
    text += fmt::format("{}{}… {}", text.empty() ? "" : ", ",
                        std::isfinite(joint.travel.low) ? millimetersText(joint.travel.low) + " " : "",
                        millimetersText(joint.travel.high));
  return text.empty() ? "-" : text;
}

std::string surveyJointTable(const SceneSurvey& survey) {
  TextTable table(
      {"joint", "kind", "of", "to", "at [mm]", "axis", "limits", "pitch", "friction", "collides"});
  for (const JointSurvey& joint : survey.joints)
    table.add({joint.name, joint.kind, joint.part, joint.to.empty() ? "the world" : joint.to,
               joint.hole.empty() ? vectorText(joint.position * 1e3) : joint.feature + " in " + joint.hole,
               joint.axis ? vectorText(*joint.axis) : "-", limitsText(joint),
               joint.pitch ? smallLengthText(*joint.pitch) : "-",
               joint.pitch ? fmt::format("{:g}", joint.friction) : "-", joint.collides ? "yes" : "no"});
  return table.text(2);
}

std::string mechanismTable(const SceneSurvey& survey) {
  TextTable table({"jointed parts", "joints", "degrees of freedom", "redundant constraints"});
  for (const MechanismSurvey& mechanism : survey.mechanisms)
    table.add({content::quotedList(mechanism.parts), fmt::format("{}", mechanism.joints),
               fmt::format("{}", mechanism.degreesOfFreedom),
               mechanism.redundant == 0 ? "-" : fmt::format("{}", mechanism.redundant)});
  return table.text(2);
}

std::string stiffnessOrRigid(double stiffness) {
  return std::isfinite(stiffness) ? stiffnessText(stiffness) : "rigid";
}

/// The column of restitution appears only if one is not 0.
template <class Pairs>
bool anyBounces(const Pairs& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.restitution > 0; });
}
std::vector<std::string> withRestitution(bool bounces, std::vector<std::string> row,
                                         std::string restitution) {
  if (bounces) row.push_back(std::move(restitution));
  return row;
}

std::string surfaceTable(const SceneSurvey& survey) {
  const bool bounces = anyBounces(survey.surfaces);
  TextTable table(withRestitution(bounces, {"surfaces", "friction", "stiffness"}, "restitution"));
  for (const SurfaceSurvey& pair : survey.surfaces)
    table.add(withRestitution(
        bounces,
        {pair.a + " on " + pair.b, fmt::format("{:g}", pair.friction), stiffnessOrRigid(pair.stiffness)},
        fmt::format("{:g}", pair.restitution)));
  table.add(withRestitution(bounces, {survey.surfaces.empty() ? "all" : "all others", "0", "rigid"}, "0"));
  return table.text(2);
}

std::string fitTable(const SceneSurvey& survey) {
  const bool bounces = anyBounces(survey.fits);
  const bool fitted = std::any_of(survey.fits.begin(), survey.fits.end(),
                                  [](const FitSurvey& fit) { return fit.assignedFit.has_value(); });
  std::vector<std::string> heading =
      withRestitution(bounces, {"goal", "depth", "within", "fit", "friction", "stiffness"}, "restitution");
  if (fitted) heading.emplace_back("laid on");
  TextTable table(heading);
  for (const FitSurvey& fit : survey.fits) {
    const std::string name = fmt::format("{}/{} into {}/{}", fit.part, fit.feature, fit.into, fit.hole);
    std::vector<std::string> row =
        withRestitution(bounces,
                        {name, millimetersText(fit.depth), fmt::format("{:g} s", fit.timeLimit), fitText(fit),
                         fmt::format("{:g}", fit.friction), stiffnessOrRigid(fit.stiffness)},
                        fmt::format("{:g}", fit.restitution));
    if (fitted) row.push_back(laidText(fit));
    table.add(row);
  }
  return table.text(2);
}

std::string surveyParameterTable(const SceneSurvey& survey) {
  TextTable table({"parameter", "value", "unit", "default", "range", "description"});
  for (const content::Parameter& p : survey.parameters)
    table.add({p.name, fmt::format("{:g}", p.value), p.unit, fmt::format("{:g}", p.defaultValue),
               fmt::format("{:g} … {:g}{}", p.minimum, p.maximum, p.isInteger ? ", whole" : ""),
               p.description});
  return table.text(2);
}

Json vectorJson(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json optionalJson(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json partJson(const PartSurvey& part) {
  Json json = {{"name", part.name},
               {"motion", std::string(physics::toText(part.motion))},
               {"material", part.material.empty() ? Json(nullptr) : Json(part.material)},
               {"library", part.library.empty() ? Json(nullptr) : Json(part.library)},
               {"features", part.features},
               {"holes", part.holes},
               {"size_m", part.size ? vectorJson(*part.size) : Json(nullptr)}};
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
          {"collides", joint.collides},
          {"thread",
           joint.hole.empty() ? Json(nullptr) : Json{{"hole", joint.hole}, {"feature", joint.feature}}}};
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

Json laidJson(const std::optional<content::Fit>& fit) {
  if (!fit) return nullptr;
  return {{"text", fit->text},
          {"nominal_diameter_m", fit->nominal},
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

SceneSurvey surveyOf(const content::Scene& scene) {
  SceneSurvey survey;
  survey.scene = scene.name;
  survey.file = scene.file;
  survey.title = scene.title;
  survey.duration = scene.duration;
  survey.rate = scene.rate;
  for (const content::Part& part : scene.parts) survey.parts.push_back(surveyOf(part, scene));
  for (const content::Joint& joint : scene.joints) survey.joints.push_back(surveyOf(joint, scene));
  if (!scene.joints.empty())
    for (const physics::Mechanism& mechanism : content::buildWorld(scene, {}).analyzeMobility().mechanisms)
      survey.mechanisms.push_back(surveyOf(mechanism, scene));
  for (const content::MaterialPair& pair : scene.pairs) survey.surfaces.push_back(surveyOf(pair, scene));
  for (const content::Goal& goal : scene.goals) survey.fits.push_back(surveyOf(goal, scene));
  survey.parameters = scene.parameters;
  survey.warnings = sceneWarnings(scene);
  survey.meshText = meshText(scene);
  survey.meshJson = meshJson(scene);
  return survey;
}

std::string toText(const SceneSurvey& survey) {
  std::string text =
      content::printable(survey.scene + (survey.title.empty() ? "" : ": " + survey.title)) + "\n\n";
  text += partTable(survey);
  if (!survey.meshText.empty()) text.append("\n").append(survey.meshText);
  if (!survey.joints.empty())
    text.append("\n").append(surveyJointTable(survey)).append("\n").append(mechanismTable(survey));
  text.append("\n").append(surfaceTable(survey));
  if (!survey.fits.empty()) text.append("\n").append(fitTable(survey));
  if (!survey.parameters.empty()) text.append("\n").append(surveyParameterTable(survey));
  if (!survey.warnings.empty()) text += "\n";
  for (const std::string& warning : survey.warnings)
    text += "  warning: " + content::printable(warning) + "\n";
  const auto count = [](std::size_t many, const char* what) {
    return countText(static_cast<std::int64_t>(many), what);
  };
  const std::string joints = survey.joints.empty() ? "" : count(survey.joints.size(), "joint") + ", ";
  const std::string verdict = survey.warnings.empty() ? "Valid" : count(survey.warnings.size(), "warning");
  return text + fmt::format("\n{}: {}, {}{}, {:g} s at {:g} Hz\n", verdict,
                            count(survey.parts.size(), "part"), joints, count(survey.fits.size(), "goal"),
                            survey.duration, survey.rate);
}

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
