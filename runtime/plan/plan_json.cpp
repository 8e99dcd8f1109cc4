// See plan_json.h.
#include "runtime/plan/plan_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::Pose;
using physics::Vector3d;

/// Tolerances of goals of a scene that has none: along the insertion [m] and of the rotation [°].
constexpr double kPlaceTolerance = 0.2e-3, kPlaceTilt_deg = 1;

double metersOf(const std::string& unit) {
  return unit == "mm" ? 1e-3 : unit == "in" ? 0.0254 : 1.0;
}

class PlanWriter {
 public:
  explicit PlanWriter(const AssemblyPlan& plan)
      : plan_(plan), assembly_(plan.assembly), scene_(*plan.assembly.scene), meters_(metersOf(scene_.unit)) {}

  Json run() const {
    Json json = {{"tenon_plan", 1}, {"scene", scene_.name}, {"unit", scene_.unit}};
    json["complete"] = plan_.isComplete();
    json["inseparable"] = plan_.inseparable;
    json["unplanned"] = plan_.unplanned;
    if (!plan_.uncheckedTools.empty()) json["unchecked_tools"] = plan_.uncheckedTools;
    if (assembly_.baseIsChosen) {
      json["base"] = Json::array();
      for (const int part : assembly_.base) json["base"].push_back(scene_.part(part).name);
    }
    json["steps"] = Json::array();
    for (const PlanStep& step : plan_.steps) json["steps"].push_back(of(step));
    json["orders"] = Json::array();
    for (const RankedOrder& order : plan_.orders)
      json["orders"].push_back({{"parts", order.names}, {"reason", order.reason}});
    json["duration_s"] = rounded(plan_.duration);
    if (plan_.carriedOut)
      json["carried_out"] = {{"goals_reached", plan_.carriedOut->reached},
                             {"goals", plan_.carriedOut->goals},
                             {"attempts", plan_.carriedOut->attempts}};
    if (plan_.carriedOut && !plan_.carriedOut->noFit.empty())
      json["carried_out"]["no_fit"] = plan_.carriedOut->noFit;
    if (plan_.carriedOut && plan_.carriedOut->fit) json["carried_out"]["fit"] = of(*plan_.carriedOut->fit);
    json["hands"] = Json::array();
    for (const content::Hand& hand : plan_.hands) json["hands"].push_back(of(hand));
    if (!plan_.laidOut.empty()) addStart(json);
    return json;
  }

 private:
  static double rounded(double time) { return std::round(time * 1e6) / 1e6; }
  /// −0 is 0.
  static Json of(const Vector3d& v) { return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0}; }
  double length(double meters) const { return meters / meters_; }

  void addPose(const Pose& pose, Json& json) const {
    json["position"] = of(Vector3d(pose.p / meters_));
    const Eigen::AngleAxisd rotation(pose.q);
    if (rotation.angle() != 0)
      json["rotation"] = {{"axis", of(rotation.axis())},
                          {"angle_deg", rotation.angle() * 180 / std::numbers::pi}};
  }

  Json namesOf(const std::vector<int>& units) const {
    Json names = Json::array();
    for (const int unit : units)
      for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
        names.push_back(scene_.part(part).name);
    return names;
  }

  Json of(const PlanStep& step) const {
    Json json = {{"parts", namesOf(step.units)},
                 {"grasp", scene_.part(step.lead).name},
                 {"direction", of(Vector3d(-step.motion.direction))},
                 {"travel", length(step.travel)},
                 {"along", step.motion.reason}};
    if (step.motion.pitch != 0) {
      json["pitch"] = length(step.motion.pitch);
      json["turns"] = step.motion.thread / std::abs(step.motion.pitch);
    }
    if (!step.legs.empty()) json["path"] = Json::array();
    for (const PathLeg& leg : step.insertionLegs()) json["path"].push_back(of(leg));
    if (step.group > 0) {
      json["group"] = step.group;
      if (step.onto >= 0) json["onto"] = namesOf({step.onto});
    }
    if (step.isSimulated) {
      json["stands"] = step.held.empty() && step.unsupported.empty();
      if (!step.held.empty()) json["hold"] = namesOf(step.held);
      if (!step.unsupported.empty()) json["fixture"] = namesOf(step.unsupported);
    }
    if (step.hand) {
      json["hand"] = plan_.hands[static_cast<std::size_t>(*step.hand)].name;
      json["start_s"] = rounded(step.start);
      json["end_s"] = rounded(step.end);
    }
    if (step.carriers.size() > 1)
      json["also_grasp"] =
          scene_.part(assembly_.units[static_cast<std::size_t>(step.carriers.back())].lead).name;
    if (step.isSlow) json["slow"] = true;
    if (!step.tool.empty()) json["tool"] = step.tool;
    if (!step.remark.empty()) json["remark"] = step.remark;
    return json;
  }

  static Json of(const NeededFit& fit) {
    const auto micrometers = [](double meters) { return std::round(meters * 1e9) / 1e3; };
    Json json = {{"step", fit.step + 1}, {"part", fit.part}, {"hole", fit.hole}, {"into", fit.into}};
    if (fit.present) json["clearance_um"] = micrometers(*fit.present);
    if (fit.added) json["needed_more_um"] = micrometers(*fit.added);
    if (fit.added && fit.present) json["needed_um"] = micrometers(*fit.present + *fit.added);
    json["not_enough_more_um"] = micrometers(fit.notEnough);
    return json;
  }

  Json of(const PathLeg& leg) const {
    Json json = {{"parts", namesOf(leg.units)}, {"displacement", of(Vector3d(leg.displacement / meters_))}};
    const double angle = leg.rotation.norm();
    if (angle > 0) {
      json["rotation"] = {{"axis", of(Vector3d(leg.rotation / angle))},
                          {"angle_deg", angle * 180 / std::numbers::pi}};
      json["about"] = of(Vector3d(leg.center / meters_));
    }
    return json;
  }

  Json of(const content::Hand& hand) const {
    Json json = {{"name", hand.name}};
    addPose(hand.X_WH, json);
    json["script"] = Json::array();
    for (const content::Waypoint& waypoint : hand.script) {
      Json entry = {{"at_s", rounded(waypoint.time)}};
      if (waypoint.X_W) {
        Json move = {{"frame", waypoint.frame == content::WaypointFrame::part ? "part" : "hand"}};
        addPose(*waypoint.X_W, move);
        const double angle = waypoint.rotationVector.norm();
        if (angle > 0) {
          move.erase("rotation");
          move["turn"] = {{"axis", of(Vector3d(waypoint.rotationVector / angle))},
                          {"turns", angle / (2 * std::numbers::pi)}};
        }
        entry["move"] = std::move(move);
      }
      if (waypoint.grab >= 0) entry["grab"] = scene_.part(waypoint.grab).name;
      if (waypoint.release) entry["release"] = true;
      json["script"].push_back(std::move(entry));
    }
    return json;
  }

  /// Start poses, bench, parts that stay, and goals for parts without.
  void addStart(Json& json) const {
    json["start"] = Json::array();
    for (const LaidOutPart& laid : plan_.laidOut) {
      Json entry = {{"part", scene_.part(laid.part).name}};
      addPose(laid.X_WP, entry);
      json["start"].push_back(std::move(entry));
    }
    if (plan_.bench) {
      json["bench"] = Json::object();
      addPose(*plan_.bench, json["bench"]);
    }
    json["fixed"] = Json::array();
    for (const int part : assembly_.base) json["fixed"].push_back(scene_.part(part).name);
    json["goals"] = Json::array();
    for (const PlanStep& step : plan_.steps)
      if (step.group == 0)
        for (const int unit : step.units) addGoal(step, unit, json["goals"]);
  }

  void addGoal(const PlanStep& step, int unit, Json& goals) const {
    const int part = assembly_.units[static_cast<std::size_t>(unit)].lead, into = assembly_.base.front();
    const auto hasGoal = [&](const content::Goal& goal) {
      return assembly_.unitOf(goal.part) == unit || assembly_.unitOf(goal.into) == unit;
    };
    if (std::any_of(scene_.goals.begin(), scene_.goals.end(), hasGoal)) return;
    const Pose X_IW = assembly_.X_WP[static_cast<std::size_t>(into)].inverse();
    // Along the last straight move to the place.
    const PathLeg* seat = step.firstDirection() ? step.firstLeg() : nullptr;
    const Vector3d along = step.firstDirection().value_or(step.motion.direction);
    const double depth = seat ? seat->displacement.norm() : step.travel;
    Json pose;
    addPose(X_IW * assembly_.X_WP[static_cast<std::size_t>(part)], pose);
    goals.push_back({{"part", scene_.part(part).name},
                     {"into", scene_.part(into).name},
                     {"pose", std::move(pose)},
                     {"along", of(Vector3d(X_IW.q * -along))},
                     {"depth", length(depth)},
                     {"depth_tolerance", length(kPlaceTolerance)},
                     {"tolerance", length(kPlaceTolerance)},
                     {"tilt_tolerance_deg", kPlaceTilt_deg}});
  }

  const AssemblyPlan& plan_;
  const Assembly& assembly_;
  const content::Scene& scene_;
  double meters_;  ///< per unit of the scene
};

}  // namespace

std::string toJson(const AssemblyPlan& plan) {
  return PlanWriter(plan).run().dump(2) + "\n";
}

}  // namespace tenon::runtime
