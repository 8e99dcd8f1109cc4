// JSON of a standstill: its contacts, wedging, jamming, and two-point contact over the run.
#include "runtime/report/diagnosis_json.h"

#include <nlohmann/json.hpp>

#include "content/parts/read_thread.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json numbersOf(const Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

/// Points and normals in the frame of the hole's part.
Json contactsJson(const InsertionContact& contact, const physics::Pose& X_IH) {
  Json contacts = Json::array();
  for (const ContactCluster& c : contact.clusters)
    contacts.push_back({{"part_feature", std::string(toText(c.feature))},
                        {"hole_surface", std::string(toText(c.surface))},
                        {"points", c.points},
                        {"position_m", numbersOf(X_IH * c.p_H)},
                        {"normal", numbersOf(X_IH.q * c.normal_H.normalized())},
                        {"normal_force_n", c.force},
                        {"friction_force_n", c.friction_H.norm()},
                        {"friction_coefficient", c.mu},
                        {"depth_m", c.depth()},
                        {"radius_m", c.radius},
                        {"phase_rad", c.phase()},
                        {"arc_rad", c.arc}});
  return contacts;
}

Json wedgeJson(const WedgeCheck& w) {
  return {{"length_m", w.length},
          {"width_m", w.width},
          {"length_over_diameter", w.lengthOverD},
          {"friction_coefficient", w.mu},
          {"wedging_possible", w.possible},
          {"cones_contain_each_other", w.conesMeet},
          {"squeeze_n", w.squeeze}};
}

Json jammingJson(const Diagnosis& d) {
  if (!d.point) return nullptr;
  const Push& push = *d.push;
  const bool drawn = push.fz > 0;  // without a push into the hole the diagram has no point
  return {{"fx_n", push.fx},
          {"fz_n", push.fz},
          {"moment_nm", push.moment},
          {"peg_radius_m", push.radius},
          {"length_m", push.length},
          {"friction_coefficient", push.mu},
          {"fx_over_fz", drawn ? Json(push.fxOverFz()) : Json()},
          {"moment_over_r_fz", drawn ? Json(push.momentOverRFz()) : Json()},
          {"lambda", push.mu > 0 ? Json(push.lambda()) : Json()},
          {"inside", drawn ? Json(d.point->inside()) : Json()},
          {"side", std::string(toText(d.point->side))},
          {"reach", drawn ? Json(d.point->utilization) : Json()}};
}

Json onsetJson(const std::optional<TwoPointOnset>& onset) {
  if (!onset) return nullptr;
  Json json = {{"time_s", onset->time}, {"depth_m", onset->depth}, {"tilt_rad", onset->tilt}};
  json.update(wedgeJson(onset->wedge));
  return json;
}

Json engagementJson(const ThreadEngagement& thread) {
  const bool isCrossed = thread.isCrossed();
  return {{"phase", std::string(toText(thread.phase))},
          {"external", content::threadText(thread.external)},
          {"internal", content::threadText(thread.internal)},
          {"matching", thread.isMatching},
          {"turns", thread.turns},
          {"driven_turns", thread.driven},
          {"tilt_rad", thread.tilt},
          {"free_tilt_rad", thread.freeTilt},
          {"force_n", thread.force},
          {"preload_n", thread.preload},
          {"max_preload_n", thread.maxPreload},
          {"torque_nm", thread.torque},
          {"max_torque_nm", thread.maxTorque},
          {"tightening_turns", thread.tightening},
          {"bound_at_turns", isCrossed ? Json(thread.boundAt) : Json()},
          {"bound_depth_m", isCrossed ? Json(thread.boundDepth) : Json()}};
}

}  // namespace

Json diagnosisJson(const GoalResult& result) {
  const Diagnosis& d = result.diagnosis();
  // Only a standstill has a cause.
  const std::string cause(result.standstill ? toText(d.cause) : toText(StopCause::none));
  const InsertionFit& fit = result.fit;
  return {{"taken_at", result.standstill ? "standstill" : "end"},
          {"time_s", d.time},
          {"cause", cause},
          {"forces_known", d.converged},
          {"at_hole", d.atHole},
          {"other_hole", d.otherHole.empty() ? Json() : Json(d.otherHole)},
          {"leans", result.limitedByTilt},
          {"depth_m", d.depth},
          {"offset_m", d.offset},
          {"shift_m", numbersOf(result.X_IH.q * d.offset_H)},
          {"turn_rad", numbersOf(result.X_IH.q * d.turn_H)},
          {"tilt_rad", d.tilt},
          {"load_along_n", d.axialLoad()},
          {"load_across_n", d.lateralLoad()},
          {"load_angle_rad", d.loadAngle()},
          {"all_round", d.contact.allRound},
          {"contacts", contactsJson(d.contact, result.X_IH)},
          {"wedging", d.wedge ? wedgeJson(*d.wedge) : Json()},
          {"jamming", jammingJson(d)},
          {"thread", result.thread ? engagementJson(*result.thread) : Json()},
          {"two_point_onsets", result.twoPoint.onsets},
          {"last_onset", onsetJson(result.twoPoint.last)},
          {"riskiest_onset", onsetJson(result.twoPoint.riskiest)},
          {"clearance_m", fit.known()         ? Json(fit.clearance())
                          : fit.wallClearance ? Json(*fit.wallClearance)
                                              : Json()},
          {"lead_in_reach_m", fit.known() ? Json(fit.captureRadius()) : Json()},
          {"entry_tilt_rad", fit.known() ? Json(entryTilt(fit)) : Json()}};
}

}  // namespace tenon::runtime
