// Result of a run as JSON: SI unless the key names another unit.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "runtime/assess/precedence.h"
#include "runtime/report/diagnosis_json.h"
#include "runtime/report/diagnosis_text.h"
#include "runtime/report/run_result.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json goalsJson(const RunResult& result) {
  Json goals = Json::array();
  for (const GoalResult& goal : result.goals) {
    const content::Goal& asked = result.scene->goals[static_cast<std::size_t>(goal.goal)];
    goals.push_back({{"part", result.scene->part(asked.part).name},
                     {"into", result.scene->part(asked.into).name},
                     {"hole", asked.hole},
                     {"verdict", std::string(toText(goal.verdict))},
                     {"depth_m", goal.depth},
                     {"time_s", goal.time},
                     {"tilt_rad", goal.tilt},
                     {"max_push_n", goal.maxPush},
                     {"contact_state", std::string(toText(goal.diagnosis().contact.state))},
                     {"diagnosis", diagnosisJson(goal)},
                     {"explanation", explanationOf(goal, asked)}});
  }
  for (const OutOfOrder& wrong : outOfOrder(*result.scene, result.goals))
    goals[static_cast<std::size_t>(wrong.goal)]["out_of_order"].push_back(toText(wrong, *result.scene));
  return goals;
}

/// Angle and travel only if the joint has them.
Json jointsJson(const RunResult& result) {
  Json joints = Json::array();
  for (std::size_t k = 0; k < result.joints.size(); ++k) {
    const content::Joint& joint = result.scene->joints[k];
    const JointResult& reaction = result.joints[k];
    const auto nameOf = [&](int part) { return result.scene->part(part).name; };
    Json json = {{"name", joint.name},
                 {"kind", std::string(physics::toText(joint.kind))},
                 {"part", nameOf(joint.part)},
                 {"to", joint.to >= 0 ? Json(nameOf(joint.to)) : Json(nullptr)}};
    if (physics::turns(joint.kind)) json["angle_deg"] = reaction.end.angle * 180 / std::numbers::pi;
    if (physics::travels(joint.kind)) json["travel_mm"] = reaction.end.travel * 1e3;
    json["max_force_n"] = reaction.maxForce;
    json["max_torque_nm"] = reaction.maxTorque;
    joints.push_back(std::move(json));
  }
  return joints;
}

/// Poses of the parts' frames at the end.
Json partsJson(const RunResult& result) {
  Json parts = Json::array();
  for (std::size_t k = 0; k < result.parts.size(); ++k) {
    const physics::Pose& X = result.parts[k];
    const physics::Vector3d p = X.p * 1e3;
    parts.push_back({{"name", result.scene->parts[k].name},
                     {"position_mm", {p.x(), p.y(), p.z()}},
                     {"quaternion", {X.q.w(), X.q.x(), X.q.y(), X.q.z()}}});
  }
  return parts;
}

Json parametersJson(const content::Scene& scene) {
  Json parameters = Json::object();
  for (const content::Parameter& parameter : scene.parameters) parameters[parameter.name] = parameter.value;
  return parameters;
}

/// True if a solver was requested or used.
bool hasWorked(const RunResult& result, const std::string& solver) {
  return result.solver == solver || result.summary.stepsBySolver.count(solver) > 0 ||
         result.summary.fallbacks.count(solver) > 0;
}

Json solverJson(const RunResult& result) {
  const Assessment::Summary& summary = result.summary;
  const physics::SolverStatistics& s = summary.solver;
  Json json = {{"iterations", {{"total", summary.iterations}, {"max", summary.maxIterations}}}};
  if (hasWorked(result, "gauss-seidel"))
    json["gauss-seidel"] = {{"sweeps", s.sweeps},
                            {"stopped_by",
                             {{"tolerance", s.stoppedByTolerance},
                              {"sweeps", s.stoppedBySweeps},
                              {"change", s.stoppedByChange},
                              {"time", s.stoppedByTime}}}};
  if (hasWorked(result, "baraff"))
    json["baraff"] = {{"redundant", s.redundant},
                      {"deferred", s.deferred},
                      {"flip_flops", s.flipFlops},
                      {"max_unwanted_acceleration", s.unwantedAcceleration},
                      {"max_unwanted_force", s.unwantedForce}};
  return json;
}

}  // namespace

std::string toJson(const RunResult& result) {
  const Assessment::Summary& s = result.summary;
  const Json json = {
      {"scene", result.scene->name},
      {"scene_file", result.scene->file},
      {"parameters", parametersJson(*result.scene)},
      {"solver", result.solver},
      {"accuracy", result.accuracy},
      {"solver_used", mostUsedSolver(s)},
      {"rate_hz", result.rate},
      {"threads", result.threads},
      {"steps", s.steps},
      {"simulated_s", s.simulated},
      {"interrupted", result.interrupted},
      {"wall_s", result.wall},
      {"real_time_factor", result.realTimeFactor()},
      {"seed", result.seed},
      {"state_hash", fmt::format("{:016x}", result.stateHash)},
      {"warnings", result.warnings},
      {"goals", goalsJson(result)},
      {"joints", jointsJson(result)},
      {"parts", partsJson(result)},
      {"max_penetration_m", s.maxPenetration},
      {"max_joint_error_m", s.maxJointLengthError},
      {"max_joint_error_rad", s.maxJointAngleError},
      {"max_push_n", s.maxPush},
      {"max_residual_n", s.maxResidual},
      {"step_us", {{"p50", s.stepTimeP50_us}, {"p99", s.stepTimeP99_us}, {"max", s.stepTimeMax_us}}},
      {"contacts", {{"mean", s.meanContacts}, {"max", s.maxContacts}}},
      {"linearisations", {{"mean", s.meanLinearizations}, {"max", s.maxLinearizations}}},
      {"solver_statistics", solverJson(result)},
      {"fallbacks", Json(s.fallbacks)},
      {"steps_by_solver", Json(s.stepsBySolver)},
      {"not_converged_steps", s.notConvergedSteps},
      {"divided_steps", s.dividedSteps},
      {"backed_off_steps", s.backedOffSteps},
      {"held_back_steps", s.heldBackSteps},
      {"energy_guarded_steps", s.energyGuardedSteps},
      {"yielding_steps", s.yieldingSteps},
      {"swept_pairs", s.sweptPairs},
      {"swept_contacts", s.sweptContacts},
      {"not_finite_parts", result.notFinite}};
  // Names may contain invalid UTF-8, which is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenon::runtime
