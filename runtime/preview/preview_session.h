// The simulated scene of a preview: loading, simulation controls, script, recording.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "runtime/live_view/history.h"
#include "runtime/live_view/recording_control.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/preview/preview.h"

namespace tenon::runtime {

class PreviewSession {
 public:
  /// Starts the simulation. Notices are shown in `state`. Throws like LiveSource::begin().
  PreviewSession(const PreviewOptions& options, OpenedScene opened, ViewState& state);

  /// Called by update() after another scene has been opened.
  std::function<void()> onScene;

  /// Loads a scene on a thread of its own; update() starts it.
  void open(const std::string& file);
  bool isOpening() const { return opening_.valid() || nextSceneView_ != nullptr; }
  /// Toggles the script. The session starts it at the scene's start.
  void toggleScript();
  void toggleRecord();
  /// Next higher (1) or lower (−1) speed.
  void changeSpeed(int direction);
  /// Switches the thrusters of a key.
  void setThrusters(int key, bool on);
  /// True while recording; otherwise shows that `item` is not saved.
  bool requireRecording(const std::string& item);
  /// Performs the requests of the panels, except actions.
  void performRequests();
  /// Fetches the newest frames, starts a loaded scene, shows messages.
  void update();
  /// Ends the session. True if all its records are complete.
  bool finish(const std::string& how) { return record_.finish(*live_, frame().status, how); }
  const std::string& recordFile() const { return record_.file(); }  ///< the latest record, or ""

  LiveSession& live() { return *live_; }
  SceneView& sceneView() { return *sceneView_; }
  const SimulationFrame& frame() const { return *frameBuffer_.after; }
  const InterpolatedState& drawn() const { return drawn_; }
  const History& history() const { return history_; }

 private:
  void finishOpening();
  void updateThrusters();
  void interpolate() { interpolateAt(frameBuffer_, live_->now_ns(), drawn_); }

  const PreviewOptions& options_;
  ViewState& state_;
  std::unique_ptr<SceneView> sceneView_;
  OpenedScene opened_;  ///< the current scene; a record starts from it
  RecordingControl record_;
  std::unique_ptr<LiveSession> live_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
  History history_;
  std::vector<char> pressedKeys_, thrustersOn_;  ///< by ThrusterId: its key is down; it is on
  LiveTrace newTrace_;
  std::future<OpenedScene> opening_;
  OpenedScene next_;                          ///< the requested scene
  std::unique_ptr<SceneView> nextSceneView_;  ///< of the requested scene
  int shownMessages_ = 0;                     ///< number of shown session messages
  int messagesBeforeOpening_ = 0;             ///< when the next scene was requested
};

}  // namespace tenon::runtime
