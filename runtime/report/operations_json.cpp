// See operations_json.h.
#include "runtime/report/operations_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/report/row_csv.h"
#include "runtime/report/tolerance_table.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

bool areWithin(const Operation& op) {
  return std::all_of(op.checks.begin(), op.checks.end(),
                     [](const ToleranceCheck& check) { return check.passes; });
}

Json flat(const Operation& op) {
  const auto duration = op.duration();
  const auto ofHead = [&](double PostureStatistics::*figure) {
    return op.head ? Json((*op.head).*figure) : Json(nullptr);
  };
  return {
      {"goal", op.goal},
      {"name", op.name},
      {"part", op.part},
      {"into", op.into},
      {"hole", op.hole},
      {"verdict", op.verdict},
      {"same_handling_as", op.sameHandlingAs < 0 ? Json(nullptr) : Json(op.sameHandlingAs)},
      {"grabbed_s", orNull(op.grabbed)},
      {"first_contact_s", orNull(op.firstContact)},
      {"seated_s", orNull(op.seated)},
      {"released_s", orNull(op.released)},
      {"duration_s", orNull(duration)},
      {"duration_tmu", duration ? Json(*duration / kTmu) : Json(nullptr)},
      {"estimated_mtm1_tmu", op.estimatedTmu > 0 ? Json(op.estimatedTmu) : Json(nullptr)},
      {"estimated_mtm1_s", op.estimatedTmu > 0 ? Json(op.estimatedTmu * kTmu) : Json(nullptr)},
      {"mtm1_motions", op.motions},
      {"grasps", op.grasps},
      {"jams", op.jams},
      {"why", op.why},
      {"held_s", op.held},
      {"hand_path_m", op.handPath},
      {"part_path_m", op.partPath},
      {"peak_force_n", op.peakForce},
      {"mean_force_n", op.meanForce},
      {"peak_torque_nm", op.peakTorque},
      {"mean_torque_nm", op.meanTorque},
      {"max_push_n", op.maxPush},
      {"least_clearance_m", op.nearbyParts.empty() ? Json(nullptr) : Json(op.nearbyParts.front().clearance)},
      {"least_clearance_to", op.nearbyParts.empty() ? "" : op.nearbyParts.front().name},
      {"head_distance_least_m", ofHead(&PostureStatistics::minDistance)},
      {"head_distance_mean_m", ofHead(&PostureStatistics::meanDistance)},
      {"estimated_gaze_down_mean_rad", ofHead(&PostureStatistics::meanGazeDown)},
      {"estimated_gaze_down_most_rad", ofHead(&PostureStatistics::maxGazeDown)},
      {"estimated_reach_m", ofHead(&PostureStatistics::maxReach)},
      {"depth_error_m", op.depthError},
      {"lateral_error_m", op.lateralError},
      {"tilt_rad", op.tilt},
      {"within_tolerances", areWithin(op)}};
}

}  // namespace

std::string operationsJson(std::span<const Operation> operations) {
  Json all = Json::array();
  for (const Operation& op : operations) {
    Json one = flat(op);
    one["touched"] = Json::array();
    for (const PairContacts& pair : op.pairContacts)
      one["touched"].push_back({{"with", pair.with},
                                {"episodes", pair.episodes},
                                {"duration_s", pair.duration},
                                {"peak_force_n", pair.peakForce}});
    one["tolerances"] = Json::array();
    for (const ToleranceCheck& check : op.checks)
      one["tolerances"].push_back({{"quantity", jsonNameOf(check.kind)},
                                   {"actual", orNull(check.actual)},
                                   {"least", orNull(check.least)},
                                   {"most", orNull(check.most)},
                                   {"passes", check.passes}});
    one["clearance_along_path"] = Json::array();
    for (const PathClearance& at : op.clearance)
      one["clearance_along_path"].push_back({{"path_m", at.along}, {"clearance_m", orNull(at.distance)}});
    one["passed"] = Json::array();
    for (const NearbyPart& nearbyParts : op.nearbyParts)
      one["passed"].push_back(
          {{"part", nearbyParts.name}, {"clearance_m", nearbyParts.clearance}, {"at_s", nearbyParts.time}});
    all.push_back(std::move(one));
  }
  return all.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string operationsCsv(std::span<const Operation> operations) {
  Json rows = Json::array();
  for (const Operation& op : operations) rows.push_back(flat(op));
  return csvOf(flat(operations.empty() ? Operation() : operations.front()), rows);
}

}  // namespace tenon::runtime
