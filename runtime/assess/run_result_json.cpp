// A run for other programs: every number in SI, every unit in the name.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/assess/diagnosis_json.h"
#include "runtime/assess/jam_wording.h"
#include "runtime/assess/precedence.h"
#include "runtime/assess/run_result.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json goalsJson(const RunResult& result) {
  Json goals = Json::array();
  for (const GoalResult& goal : result.goals) {
    const content::Goal& asked = result.scene->goals[static_cast<std::size_t>(goal.goal)];
    goals.push_back({{"part", result.scene->parts[static_cast<std::size_t>(asked.part)].name},
                     {"into", result.scene->parts[static_cast<std::size_t>(asked.into)].name},
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

Json parametersJson(const content::Scene& scene) {
  Json parameters = Json::object();
  for (const content::Parameter& parameter : scene.parameters) parameters[parameter.name] = parameter.value;
  return parameters;
}

/// True where a solver was asked for, or did a part of the work.
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
      {"goals", goalsJson(result)},
      {"max_penetration_m", s.maxPenetration},
      {"max_joint_error", s.maxJointError},
      {"max_push_n", s.maxPush},
      {"max_residual_n", s.maxResidual},
      {"step_us", {{"p50", s.stepTimeP50_us}, {"p99", s.stepTimeP99_us}, {"max", s.stepTimeMax_us}}},
      {"contacts", {{"mean", s.meanContacts}, {"max", s.maxContacts}}},
      {"linearisations", {{"mean", s.meanLinearisations}, {"max", s.maxLinearisations}}},
      {"solver_statistics", solverJson(result)},
      {"fallbacks", Json(s.fallbacks)},
      {"steps_by_solver", Json(s.stepsBySolver)},
      {"not_converged_steps", s.notConvergedSteps}};
  // Names may hold what is not UTF-8; a replacement character is better than no result.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenon::runtime
