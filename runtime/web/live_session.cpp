// See live_session.h.
#include "runtime/web/live_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/web/force_track.h"
#include "runtime/web/number_track.h"
#include "runtime/web/scene_json.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::json;

constexpr double kSpeedQuantum = 1e-4;

Json quantaJson(const PoseQuanta& quanta) {
  return {{"position_quantum_m", quanta.position}, {"rotation_quantum", quanta.rotation}};
}

bool isHeld(const physics::StepResult& step, int part) {
  return std::any_of(step.hands.begin(), step.hands.end(),
                     [part](const physics::HandState& hand) { return hand.body.value == part; });
}

}  // namespace

std::string liveDocument(const content::Scene& scene, std::span<const physics::Pose> X_WP, double rate,
                         std::span<const SessionFact> facts) {
  const xr::PartMeshes meshes(scene);
  StreamTable streams;
  Json json{{"format", kSessionDocumentFormat},
            {"live", true},
            {"title", shown(scene.title)},
            {"rate_hz", rate},
            {"speed_quantum", kSpeedQuantum},
            {"force_point_quantum_m", ForceTrack::kPointQuantum},
            {"force_quantum_n", ForceTrack::kForceQuantum},
            {"ground", groundJson(xr::compose(scene, meshes, X_WP).ground)},
            {"facts", Json::array()},
            {"verdicts", Json::array()},
            {"parts", Json::array()},
            {"hands", Json::array()},
            {"goals", Json::array()}};
  for (const SessionFact& fact : facts) json["facts"].push_back(Json::array({fact.label, shown(fact.value)}));
  for (const Verdict verdict : kVerdicts)
    json["verdicts"].push_back(verdictJson(std::string(toText(verdict))));
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    Json part = partJson(scene, k, meshes.of(k).get(), streams);
    if (meshes.of(k)) part.update(quantaJson(poseQuantaFor(reachOf(*meshes.of(k)))));
    json["parts"].push_back(std::move(part));
  }
  for (const content::Hand& hand : scene.hands) {
    Json it{{"name", shown(hand.name)}};
    it.update(quantaJson(poseQuantaFor(kHandReach)));
    json["hands"].push_back(std::move(it));
  }
  for (std::size_t k = 0; k < scene.goals.size(); ++k) {
    Json goal = goalJson(scene, k);
    goal.update(goalQuantaJson());
    json["goals"].push_back(std::move(goal));
  }
  return packedDocument(std::move(json), streams);
}

LiveFrames::LiveFrames(const content::Scene& scene) : scene_(scene) {
  const xr::PartMeshes meshes(scene);
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    parts_.emplace_back();
    if (meshes.of(k)) parts_.back() = Body{poseQuantaFor(reachOf(*meshes.of(k)))};
  }
  hands_.assign(scene.hands.size(), Body{poseQuantaFor(kHandReach)});
}

std::vector<std::int64_t> LiveFrames::row(const LiveStep& step) {
  std::vector<std::int64_t> row{step.tick, step.step.report.converged ? 1 : 0, step.playing ? 1 : 0,
                                quantized(step.speed, kSpeedQuantum)};
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k]) addPose(row, *parts_[k], step.X_WP[k]);
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    addPose(row, hands_[k], step.step.hands[k].X_WH);
    row.push_back(step.step.hands[k].body.value);
  }
  addGoals(row, step);
  addArrows(row, step);
  return row;
}

void LiveFrames::addPose(std::vector<std::int64_t>& row, Body& body, const physics::Pose& X) {
  for (Eigen::Index k = 0; k < 3; ++k) row.push_back(quantized(X.p[k], body.quanta.position));
  body.last = continuedQuaternion(X.q, body.last);
  for (Eigen::Index k = 0; k < 4; ++k) row.push_back(quantized(body.last[k], body.quanta.rotation));
}

void LiveFrames::addGoals(std::vector<std::int64_t>& row, const LiveStep& step) const {
  for (const GoalResult& goal : step.goals) {
    row.push_back(std::find(kVerdicts.begin(), kVerdicts.end(), goal.verdict) - kVerdicts.begin());
    row.push_back(quantized(goal.depth, kDepthQuantum));
    row.push_back(quantized(goal.tilt, kTiltQuantum));
    row.push_back(quantized(goal.push, kPushQuantum));
    row.push_back(quantized(goal.maxPush, kPushQuantum));
    const int part = scene_.goals[static_cast<std::size_t>(goal.goal)].part;
    row.push_back(goal.atHole() && isHeld(step.step, part) ? 1 : 0);  // as Operation::curve
  }
}

void LiveFrames::addArrows(std::vector<std::int64_t>& row, const LiveStep& step) const {
  if (!step.step.report.converged) return;  // their forces are invalid
  std::vector<xr::DrawnForce> forces = xr::drawnForces(scene_, step.step);
  // By pair, so that an arrow has the same place in each row.
  std::stable_sort(forces.begin(), forces.end(), [](const xr::DrawnForce& a, const xr::DrawnForce& b) {
    return std::pair(a.i, a.j) < std::pair(b.i, b.j);
  });
  for (const xr::DrawnForce& force : forces) {
    row.push_back(force.i);
    row.push_back(force.j);
    for (Eigen::Index k = 0; k < 3; ++k) row.push_back(quantized(force.at[k], ForceTrack::kPointQuantum));
    for (Eigen::Index k = 0; k < 3; ++k)
      row.push_back(quantized(force.newtons[k], ForceTrack::kForceQuantum));
  }
}

}  // namespace tenon::runtime
