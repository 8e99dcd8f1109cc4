// See session_document.h.
#include "runtime/web/session_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "content/input/input_error.h"
#include "runtime/record/grasp_frame.h"
#include "runtime/report/session_facts.h"
#include "runtime/report/time_rows.h"
#include "runtime/web/scene_json.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::json;
using physics::Pose;

Json factsJson(const SessionReader& session) {
  Json facts = Json::array();
  for (const SessionFact& fact : sessionFacts(session))
    facts.push_back(Json::array({fact.label, shown(fact.value)}));
  return facts;
}

Json eventsJson(const SessionReader& session, const content::Scene& scene) {
  Json events = Json::array();
  for (const SessionEvent& event : session.events()) events.push_back(eventJson(event, event.time, scene));
  return events;
}

Json rowsJson(const SessionReader& session, std::span<const Operation> operations) {
  Json rows = Json::array();
  for (const TimelineRow& row : timeRows(session, operations)) {
    Json bars = Json::array(), marks = Json::array();
    for (const Bar& bar : row.bars)
      bars.push_back({{"from_s", bar.from}, {"to_s", bar.to}, {"label", shown(bar.label)}});
    for (const Mark& mark : row.marks)
      marks.push_back({{"time_s", mark.at}, {"kind", mark.kind}, {"label", shown(mark.label)}});
    rows.push_back({{"name", shown(row.name)}, {"bars", bars}, {"marks", marks}});
  }
  return rows;
}

}  // namespace

SessionDocument::SessionDocument(const SessionReader& session, const content::Scene& scene,
                                 const physics::World& world)
    : session_(session), scene_(scene), world_(world), meshes_(scene), rows_(session) {
  if (session.lastTick() == 0)
    throw content::InputError(session.file(), "tick", "has no steps, only the start",
                              "record a session of at least one step");
  if (session.hands().size() != scene.hands.size())
    session.fail("hand", "does not have the hands of the session's scene");
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    parts_.emplace_back();
    if (meshes_.of(k)) parts_.back().emplace(reachOf(*meshes_.of(k)));
  }
  hands_.assign(scene.hands.size(), HandTrack{PoseTrack(kHandReach)});
  goals_.resize(scene.goals.size());
  SessionFrames frames(session);
  keyframeEvery_ = frames.keyframeEvery();
  for (SessionEvent& event : session.events())
    if (event.kind == "grab") grasps_.push_back({event, graspFrame(session, frames, event)});
}

void SessionDocument::add(const Keyframe& frame) {
  times_.push_back(frame.time);
  time_.add(frame.time);
  valid_.add(frame.converged ? 1 : 0);
  std::vector<Pose> X_WP;
  for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
    X_WP.push_back(world_.partPose({static_cast<int>(k)}, frame.bodies[k]));
    if (parts_[k]) parts_[k]->add(X_WP[k]);
  }
  if (times_.size() == 1) ground_ = xr::compose(scene_, meshes_, X_WP).ground;
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    const bool isRecorded = k < frame.hands.size();
    hands_[k].pose.add(isRecorded ? frame.hands[k].X_WH : Pose{});
    hands_[k].body.add(isRecorded ? frame.hands[k].body.value : -1);
  }
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    const RecordedGoalState goal = k < frame.goals.size() ? frame.goals[k] : RecordedGoalState{};
    auto word = std::find(verdicts_.begin(), verdicts_.end(), goal.verdict);
    if (word == verdicts_.end()) word = verdicts_.insert(word, goal.verdict);
    goals_[k].verdict.add(static_cast<double>(word - verdicts_.begin()));
    goals_[k].depth.add(goal.depth);
    goals_[k].tilt.add(goal.tilt);
    goals_[k].push.add(goal.push);
    goals_[k].maxPush.add(goal.maxPush);
  }
  addForces(frame);
}

void SessionDocument::addForces(const Keyframe& frame) {
  step_.bodies = frame.bodies;
  step_.hands = frame.hands;
  step_.contacts.clear();
  if (frame.converged) rows_.readContacts(frame.tick, step_.contacts);
  for (std::size_t h = 0; h < step_.hands.size(); ++h) {
    physics::HandState& hand = step_.hands[h];
    if (!hand.body.valid()) continue;
    if (!frame.converged) hand.force.setZero();
    hand.X_CH = step_.bodies[static_cast<std::size_t>(hand.body.value)].X_WC.inverse() * hand.X_WH;
    for (const Grasp& grasp : grasps_)
      if (grasp.event.tick <= frame.tick && grasp.event.hand == static_cast<int>(h) &&
          grasp.event.body == hand.body.value && grasp.X_CH)
        hand.X_CH = *grasp.X_CH;
  }
  forces_.add(xr::drawnForces(scene_, step_));
}

Json SessionDocument::partsJson(StreamTable& streams) const {
  Json parts = Json::array();
  for (std::size_t k = 0; k < scene_.parts.size(); ++k) {
    Json json = partJson(scene_, k, meshes_.of(k).get(), streams);
    if (parts_[k]) json["motion"] = parts_[k]->finish(streams);
    parts.push_back(std::move(json));
  }
  return parts;
}

Json SessionDocument::handsJson(StreamTable& streams) const {
  Json hands = Json::array();
  for (std::size_t k = 0; k < hands_.size(); ++k)
    hands.push_back({{"name", shown(scene_.hands[k].name)},
                     {"motion", hands_[k].pose.finish(streams)},
                     {"held", streams.add(hands_[k].body.bytes())}});
  return hands;
}

Json SessionDocument::goalsJson(std::span<const Operation> operations, StreamTable& streams) const {
  Json goals = Json::array();
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    const Operation& op = operations[k];
    const GoalTrack& track = goals_[k];
    // The frames of the curve, whose depth and push are those of the tracks.
    NumberTrack curve(1, Prediction::last);
    for (const DepthPush& at : op.curve)
      curve.add(
          static_cast<double>(std::lower_bound(times_.begin(), times_.end(), at.time) - times_.begin()));
    Json json = goalJson(scene_, k);
    json.update({{"verdict", shown(op.verdict)},
                 {"reached", op.isReached()},
                 {"why", shown(op.why)},
                 {"curve_frames", op.curve.size()},
                 {"curve", streams.add(curve.bytes())},
                 {"verdict_word", streams.add(track.verdict.bytes())},
                 {"depth", streams.add(track.depth.bytes())},
                 {"tilt", streams.add(track.tilt.bytes())},
                 {"push", streams.add(track.push.bytes())},
                 {"max_push", streams.add(track.maxPush.bytes())}});
    json.update(goalQuantaJson());
    goals.push_back(std::move(json));
  }
  return goals;
}

std::string SessionDocument::bytes(std::span<const Operation> operations) const {
  StreamTable streams;
  Json verdicts = Json::array();
  for (const std::string& word : verdicts_) verdicts.push_back(verdictJson(word));
  Json json{{"format", kSessionDocumentFormat},
            {"title", shown(scene_.title)},
            {"outcome", outcomeText(operations)},
            {"reached", areAllReached(operations)},
            {"facts", factsJson(session_)},
            {"end_s", session_.lastTime()},
            {"keyframe_every", keyframeEvery_},
            {"frames", times_.size()},
            {"time", streams.add(time_.bytes())},
            {"time_quantum_s", time_.quantum()},
            {"forces_valid", streams.add(valid_.bytes())},
            {"ground", groundJson(ground_)},
            {"verdicts", verdicts},
            {"rows", rowsJson(session_, operations)},
            {"events", eventsJson(session_, scene_)}};
  json["parts"] = partsJson(streams);
  json["hands"] = handsJson(streams);
  json["goals"] = goalsJson(operations, streams);
  json["forces"] = forces_.finish(streams);
  return packedDocument(std::move(json), streams);
}

}  // namespace tenon::runtime
