// A recorded session for the viewer in a browser: one block of bytes that page/decode.js reads.
//
// The format is in README.md. It has everything that the page shows: texts are made here, by the functions
// that make those of the report, so that both use the same words.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/operations.h"
#include "runtime/record/keyframe_rows.h"
#include "runtime/record/keyframes.h"
#include "runtime/record/session_reader.h"
#include "runtime/web/force_track.h"
#include "runtime/web/pose_track.h"
#include "runtime/web/scene_json.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

/// Collects the keyframes while the session is read.
class SessionDocument {
 public:
  /// `world`: built from the scene, for the frames of parts in their bodies. The references must outlive
  /// this. Throws content::InputError for a session without steps, of which there is nothing to play.
  SessionDocument(const SessionReader& session, const content::Scene& scene, const physics::World& world);

  void add(const Keyframe& frame);

  /// The document, of all keyframes so far. `operations`: of the whole session.
  std::string bytes(std::span<const Operation> operations) const;

 private:
  struct HandTrack {
    PoseTrack pose;
    NumberTrack body{1, Prediction::last};  ///< index of the held part; −1: none
  };
  struct Grasp {
    SessionEvent event;
    std::optional<physics::Pose> X_CH;  ///< hand in the held body's frame C; empty: not recorded
  };
  struct GoalTrack {
    NumberTrack verdict{1, Prediction::last};  ///< index into verdicts_
    NumberTrack depth{kDepthQuantum, Prediction::linear}, tilt{kTiltQuantum, Prediction::linear};
    NumberTrack push{kPushQuantum, Prediction::last}, maxPush{kPushQuantum, Prediction::last};
  };

  void addForces(const Keyframe& frame);
  nlohmann::json partsJson(StreamTable& streams) const;
  nlohmann::json handsJson(StreamTable& streams) const;
  nlohmann::json goalsJson(std::span<const Operation> operations, StreamTable& streams) const;

  const SessionReader& session_;
  const content::Scene& scene_;
  const physics::World& world_;
  xr::PartMeshes meshes_;
  KeyframeRows rows_;
  std::vector<double> times_;
  NumberTrack time_{1e-9, Prediction::linear};   ///< [s]
  NumberTrack valid_{1, Prediction::last};       ///< 1: the step converged, its forces are valid
  std::vector<std::optional<PoseTrack>> parts_;  ///< by part; empty for one without a mesh
  std::vector<HandTrack> hands_;
  std::vector<GoalTrack> goals_;
  ForceTrack forces_;
  std::int64_t keyframeEvery_ = 1;     ///< steps from one keyframe to the next
  physics::StepResult step_;           ///< of the current keyframe, for its arrows
  std::vector<std::string> verdicts_;  ///< words of the record, in the order of their first use
  std::vector<Grasp> grasps_;          ///< in the order of their ticks
  std::optional<xr::Ground> ground_;
};

}  // namespace tenon::runtime
