// The simulated scene of a preview: loading, simulation controls, script, recording.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "runtime/live_view/actions.h"
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
  /// Called by update() where reading another scene has failed; its error is shown.
  std::function<void(const SceneOptions& scene)> onRejected;

  /// Loads a scene on a thread of its own; update() starts it. Where that fails, the current session goes on
  /// and `state` shows why. The first scene plays the script of the options again.
  void open(const SceneOptions& scene);
  /// The same for a text that is not in the file.
  void openText(const SceneOptions& scene, std::string text);
  bool isOpening() const { return opening_.valid() || nextSceneView_ != nullptr; }
  /// Performs an action that controls the simulation, its script or record; false if it is another one.
  bool perform(Action action);
  /// Switches the thrusters of a key.
  void setThrusters(int key, bool on);
  /// Performs the requests of the panels, except actions.
  void performRequests();
  /// Fetches the newest frames, starts a loaded scene, shows messages.
  void update();
  /// Ends the session. True if all its records are complete.
  bool finish(const std::string& how) { return record_.finish(*live_, frame().status, how); }
  /// The scene that runs, as it was opened.
  const SceneOptions& options() const { return sceneOptions_; }
  /// True if it was opened by openText().
  bool isOfText() const { return ofText_; }
  const std::string& recordFile() const { return record_.file(); }  ///< the latest record, or ""

  LiveSession& live() { return *live_; }
  SceneView& sceneView() { return *sceneView_; }
  const SimulationFrame& frame() const { return *frameBuffer_.after; }
  const InterpolatedState& drawn() const { return drawn_; }
  const History& history() const { return history_; }

 private:
  void load(const SceneOptions& scene, bool ofText, std::function<OpenedScene()> read);
  void finishOpening();
  void toggleScript();
  void toggleRecord();
  void changeSpeed(int direction);
  bool requireRecording(const std::string& item);
  void updateThrusters();
  void interpolate() { interpolateAt(frameBuffer_, live_->now_ns(), drawn_); }

  const PreviewOptions& options_;
  ViewState& state_;
  std::unique_ptr<SceneView> sceneView_;
  SceneOptions sceneOptions_, nextOptions_;
  bool ofText_ = false, nextOfText_ = false;
  const std::string firstFile_;
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
