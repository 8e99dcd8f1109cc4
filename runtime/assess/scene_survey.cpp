// Gathers what a scene says and what follows from its shapes.
#include "runtime/assess/scene_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/mesh_survey.h"
#include "runtime/assess/text_table.h"
#include "runtime/assess/units_text.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Vector3d;

std::string_view motionText(physics::Motion motion) {
  switch (motion) {
    case physics::Motion::fixed:
      return "fixed";
    case physics::Motion::kinematic:
      return "kinematic";
    case physics::Motion::dynamic:
      return "dynamic";
  }
  return "";
}

std::string_view kindText(physics::JointKind kind) {
  switch (kind) {
    case physics::JointKind::fixed:
      return "fixed";
    case physics::JointKind::ball:
      return "ball";
    case physics::JointKind::hinge:
      return "hinge";
    case physics::JointKind::slider:
      return "slider";
    case physics::JointKind::cylindrical:
      return "cylindrical";
    case physics::JointKind::helical:
      return "helical";
  }
  return "";
}

PartSurvey surveyOf(const content::Part& part, const content::Scene& scene) {
  PartSurvey survey;
  survey.name = part.name;
  if (part.material >= 0) survey.material = scene.materials[static_cast<std::size_t>(part.material)].name;
  survey.motion = part.motion;
  const Vector3d size = xr::boundsOf(part.shape).sizes();
  if (size.allFinite()) survey.size = size;
  survey.mass = part.mass;
  return survey;
}

JointSurvey surveyOf(const content::Joint& joint, const content::Scene& scene) {
  JointSurvey survey;
  survey.name = joint.name;
  survey.kind = kindText(joint.kind);
  survey.part = scene.parts[static_cast<std::size_t>(joint.part)].name;
  if (joint.to >= 0) survey.to = scene.parts[static_cast<std::size_t>(joint.to)].name;
  survey.angle = joint.angle;
  survey.travel = joint.travel;
  if (joint.kind == physics::JointKind::helical) survey.pitch = joint.pitch;
  survey.collides = joint.collides;
  return survey;
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
      content::surfacesOf(scene, part, scene.parts[static_cast<std::size_t>(goal.into)]);
  survey.friction = surfaces.friction;
  survey.restitution = surfaces.restitution;
  survey.stiffness = surfaces.stiffness;
  survey.depth = goal.depth;
  survey.timeLimit = goal.timeLimit;
  return survey;
}

/// Digits below the µm only where there are any: lengths here come from a file.
std::string diameterText(double diameter) {
  return fmt::format("Ø{:.3f}", diameter * 1e3);
}

std::string fitText(const FitSurvey& fit) {
  const auto clearance = fit.clearance();
  if (!clearance) return "not round about one axis: no clearance to name";
  const std::string sizes = diameterText(*fit.pegDiameter) + " in " + diameterText(*fit.holeDiameter) + ": ";
  // Differences of a file's decimal numbers carry rounding far below a nanometre.
  if (std::abs(*clearance) < 1e-12) return sizes + "no clearance";
  const std::string size = std::abs(*clearance) < 0.9995e-4 ? smallLengthText(std::abs(*clearance))
                                                            : millimetresText(std::abs(*clearance));
  return sizes + (*clearance > 0 ? "clearance " : "INTERFERENCE ") + size;
}

std::string partTable(const SceneSurvey& survey) {
  TextTable table({"part", "motion", "material", "size [mm]", "mass", "inertia xx yy zz [kg mm²]"});
  for (const PartSurvey& part : survey.parts) {
    const auto& inertia = part.mass.inertia;
    const bool heavy = part.mass.mass > 0;
    table.add({part.name, std::string(motionText(part.motion)), part.material.empty() ? "-" : part.material,
               part.size ? fmt::format("{:.6g} × {:.6g} × {:.6g}", part.size->x() * 1e3, part.size->y() * 1e3,
                                       part.size->z() * 1e3)
                         : "endless",
               heavy ? massText(part.mass.mass) : "-",
               heavy ? fmt::format("{:.4g} {:.4g} {:.4g}", inertia(0, 0) * 1e6, inertia(1, 1) * 1e6,
                                   inertia(2, 2) * 1e6)
                     : "-"});
  }
  return table.text(2);
}

bool isLimited(const physics::JointRange& range) {
  return std::isfinite(range.low) || std::isfinite(range.high);
}

std::string limitsText(const JointSurvey& joint) {
  std::string text;
  if (isLimited(joint.angle))
    text = fmt::format("{} … {}", degreesText(joint.angle.low), degreesText(joint.angle.high));
  if (isLimited(joint.travel))
    text += fmt::format("{}{} … {}", text.empty() ? "" : ", ", millimetresText(joint.travel.low),
                        millimetresText(joint.travel.high));
  return text.empty() ? "-" : text;
}

std::string jointTable(const SceneSurvey& survey) {
  TextTable table({"joint", "kind", "of", "to", "limits", "pitch", "collides"});
  for (const JointSurvey& joint : survey.joints)
    table.add({joint.name, joint.kind, joint.part, joint.to.empty() ? "the world" : joint.to,
               limitsText(joint), joint.pitch ? smallLengthText(*joint.pitch) : "-",
               joint.collides ? "yes" : "no"});
  return table.text(2);
}

/// With a column for restitution only where something bounces.
std::string fitTable(const SceneSurvey& survey) {
  const bool bounces = std::any_of(survey.fits.begin(), survey.fits.end(),
                                   [](const FitSurvey& fit) { return fit.restitution > 0; });
  std::vector<std::string> heading{"goal", "depth", "within", "fit", "friction", "stiffness"};
  if (bounces) heading.emplace_back("restitution");
  TextTable table(heading);
  for (const FitSurvey& fit : survey.fits) {
    std::vector<std::string> row{fmt::format("{}/{} into {}/{}", fit.part, fit.feature, fit.into, fit.hole),
                                 millimetresText(fit.depth),
                                 fmt::format("{:g} s", fit.timeLimit),
                                 fitText(fit),
                                 fmt::format("{:g}", fit.friction),
                                 std::isfinite(fit.stiffness) ? stiffnessText(fit.stiffness) : "rigid"};
    if (bounces) row.push_back(fmt::format("{:g}", fit.restitution));
    table.add(row);
  }
  return table.text(2);
}

std::string parameterTable(const SceneSurvey& survey) {
  TextTable table({"parameter", "value", "unit", "default", "range", "what it does"});
  for (const content::Parameter& p : survey.parameters)
    table.add({p.name, fmt::format("{:g}", p.value), p.unit, fmt::format("{:g}", p.fallback),
               fmt::format("{:g} … {:g}", p.minimum, p.maximum), p.description});
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
               {"motion", std::string(motionText(part.motion))},
               {"material", part.material.empty() ? Json(nullptr) : Json(part.material)},
               {"size_m", part.size ? vectorJson(*part.size) : Json(nullptr)}};
  const bool heavy = part.mass.mass > 0;
  json["mass_kg"] = heavy ? Json(part.mass.mass) : Json(nullptr);
  json["centre_m"] = heavy ? vectorJson(part.mass.centre) : Json(nullptr);
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
          {"angle_rad", rangeJson(joint.angle)},
          {"travel_m", rangeJson(joint.travel)},
          {"pitch_m", optionalJson(joint.pitch)},
          {"collides", joint.collides}};
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
          {"friction", fit.friction},
          {"restitution", fit.restitution},
          {"stiffness_n_per_m", std::isfinite(fit.stiffness) ? Json(fit.stiffness) : Json(nullptr)}};
}

Json parameterJson(const content::Parameter& p) {
  return {{"name", p.name},
          {"unit", p.unit},
          {"value", p.value},
          {"default", p.fallback},
          {"minimum", p.minimum},
          {"maximum", p.maximum},
          {"description", p.description}};
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
  for (const content::Goal& goal : scene.goals) survey.fits.push_back(surveyOf(goal, scene));
  survey.parameters = scene.parameters;
  survey.meshText = meshText(scene);
  survey.meshJson = meshJson(scene);
  return survey;
}

std::string toText(const SceneSurvey& survey) {
  std::string text = survey.scene + (survey.title.empty() ? "" : ": " + survey.title) + "\n\n";
  text += partTable(survey);
  if (!survey.meshText.empty()) text.append("\n").append(survey.meshText);
  if (!survey.joints.empty()) text.append("\n").append(jointTable(survey));
  if (!survey.fits.empty()) text.append("\n").append(fitTable(survey));
  if (!survey.parameters.empty()) text.append("\n").append(parameterTable(survey));
  const auto count = [](std::size_t many, const char* what) {
    return countText(static_cast<std::int64_t>(many), what);
  };
  const std::string joints = survey.joints.empty() ? "" : count(survey.joints.size(), "joint") + ", ";
  return text + fmt::format("\nsound: {}, {}{}, {:g} s at {:g} Hz\n", count(survey.parts.size(), "part"),
                            joints, count(survey.fits.size(), "goal"), survey.duration, survey.rate);
}

std::string toJson(const SceneSurvey& survey) {
  Json json = {{"scene", survey.scene},         {"scene_file", survey.file}, {"title", survey.title},
               {"duration_s", survey.duration}, {"rate_hz", survey.rate},    {"parts", Json::array()},
               {"joints", Json::array()},       {"goals", Json::array()},    {"parameters", Json::array()}};
  for (const PartSurvey& part : survey.parts) json["parts"].push_back(partJson(part));
  json["meshes"] = survey.meshJson;
  for (const JointSurvey& joint : survey.joints) json["joints"].push_back(jointJson(joint));
  for (const FitSurvey& fit : survey.fits) json["goals"].push_back(fitJson(fit));
  for (const content::Parameter& parameter : survey.parameters)
    json["parameters"].push_back(parameterJson(parameter));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenon::runtime
