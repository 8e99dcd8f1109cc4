// The simulated scene of a headset session: loading, simulation controls, recording.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/held_prediction.h"
#include "runtime/vr/training.h"
#include "runtime/vr/vr.h"
#include "runtime/vr/vr_menu.h"
#include "xr/hands/xr_hands.h"
#include "xr/interaction/ray_grab.h"

namespace tenon::runtime {

/// The data derived from a scene for display and hands.
struct VrScene {
  /// `motionScale`: of hand motion while the trigger is pulled.
  VrScene(std::shared_ptr<const content::Scene> scene, double motionScale);

  SceneView view;
  xr::XrHands hands;
  xr::RayGrab rays;
};

class VrSession {
 public:
  /// Messages for the user are stored in `notice`. Nothing is simulated before start().
  VrSession(const VrOptions& options, std::shared_ptr<const content::Scene> scene, std::string& notice);

  /// Called at the end of start(); `newScene`: the scene has changed.
  std::function<void(bool newScene)> onStart;

  /// Replaces the simulation by a new one from the scene's start; keeps the old one if that throws. Paused
  /// until visible; closed hands must open before they can grasp. False if the record of the old one is
  /// incomplete.
  bool start(OpenedScene opened, const std::optional<std::string>& record);
  /// Performs the menu requests for simulation, scene and recording.
  void perform(const MenuRequests& requests);
  /// Pauses the simulation while it is not visible.
  void setVisible(bool visible);
  /// Fetches the newest frames, predicts held parts to the display time, and stores new messages in `notice`.
  /// `moveDuration_ns`: within which the hands move to the samples of this frame; `frameTime`: since the
  /// previous call [s].
  void update(std::int64_t moveDuration_ns, double frameTime);
  /// Counts what happened in the session since the last call, and adds the completed steps to the record.
  void updateTraining(std::span<const SessionEvent> events);
  /// Ends the simulation. True if its record is complete, or there was none.
  bool finish(const std::string& how);
  /// Ends the simulation, if any, without a message.
  void abort(const std::string& how);

  LiveSession& live() { return *live_; }
  VrScene& scene() { return *scene_; }
  const SimulationFrame& frame() const { return *frameBuffer_.after; }
  const InterpolatedState& drawn() const { return drawn_; }
  /// None without a training, or if the scene has no goals.
  const std::optional<Training>& training() const { return training_; }
  bool areRecordsComplete() const { return recordsComplete_; }  ///< of all finished records

 private:
  void finishOpening();
  void toggleRecord();
  void reportRecording();

  const VrOptions& options_;
  std::string& notice_;
  SolverSettings solver_;  ///< initial settings of the simulation
  bool guidance_;
  OpenedScene opened_;  ///< the current scene; a record starts from it
  std::unique_ptr<VrScene> scene_;
  std::unique_ptr<LiveSession> live_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
  HeldPrediction prediction_;
  std::optional<Training> training_;
  std::future<OpenedScene> opening_;
  std::string recordFile_;
  bool endingRecord_ = false;  ///< stop requested, not yet reported
  bool recordsComplete_ = true;
  bool pausedByUser_ = false, visible_ = false;
  int shownMessages_ = 0;  ///< number of shown messages of the simulation
};

}  // namespace tenon::runtime
