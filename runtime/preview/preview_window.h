// The window of a preview: its members and the parts of its frame loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/recognize/recognized_cache.h"
#include "runtime/live_view/frame_trace.h"
#include "runtime/live_view/panels.h"
#include "runtime/live_view/pointer.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/live_view/screenshots.h"
#include "runtime/live_view/thumbnails.h"
#include "runtime/preview/arranging.h"
#include "runtime/preview/frame_times.h"
#include "runtime/preview/preview.h"
#include "runtime/preview/preview_session.h"
#include "runtime/preview/preview_start.h"
#include "runtime/preview/scene_watch.h"
#include "runtime/preview/study_runner.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/terminal.h"
#include "xr/display/window.h"

namespace tenon::runtime {

std::string windowTitle(const content::Scene& scene);

/// A session in a window. Members are in the order of construction.
class Preview {
 public:
  Preview(const PreviewOptions& options, ViewState state, PreviewStart start);
  int run();

 private:
  /// Frames to render after an input, until the panels are stable.
  static constexpr int kSettling = 4;

  void loop();
  [[noreturn]] void finishAfterFailure(const xr::GraphicsUnavailable& error);
  void drainInput(double timeout);
  void handleKey(const xr::WindowInput& input);
  void perform(Action action, bool shift = false);
  void toggleArranging();
  void drop(const std::vector<std::string>& files);
  void listScenes();
  void updatePictures();
  void performParameters();
  void changeParameters(std::vector<std::string> settings);
  void startStudy(const StudyRequest& request);
  void showBench(bool isOther);
  void performRequests();
  void drawPanelsOf(PanelContext& context);
  void requestExit();
  void reportUnsaved() {
    if (const std::string unsaved = arranging_.saveUnsaved(); !unsaved.empty()) printMessage(unsaved);
  }
  void exitUnlessModified() {
    arranging_.requireSaved("Quit without saving them?", [this] { exit_ = true; });
  }
  void showFrame();
  void countFrame(const FrameSpan& frame);
  bool isCounted() const;
  void publishHands();
  PointerScene pointerScene();
  void frameAll(std::optional<std::size_t> part);
  bool isSelectedPartInImage();
  // What is shown: the running scene, or that of the workbench.
  SceneView& sceneView() {
    return arranging_.isActive() ? arranging_.bench().sceneView() : session_.sceneView();
  }
  const SimulationFrame& frame() {
    return arranging_.isActive() ? arranging_.bench().frame() : session_.frame();
  }
  const InterpolatedState& drawn() {
    return arranging_.isActive() ? arranging_.bench().drawn() : session_.drawn();
  }
  ImageArea area() const;

  const PreviewOptions& options_;
  const InterruptGuard interrupt_;
  ViewState state_;
  Screenshots screenshots_;
  xr::Window window_;
  std::optional<FrameTrace> trace_;
  PreviewSession session_;
  RenderSceneBuilder renderSceneBuilder_;
  Pointer pointer_;
  Arranging arranging_;
  SceneWatch sceneWatch_;
  StudyRunner studyRunner_;
  Thumbnails thumbnails_{content::userCacheFolder()};
  bool keepsView_ = false;  ///< for the next scene
  int settling_ = kSettling;
  bool touched_ = false;  ///< input since the last frame
  bool exit_ = false;
  FrameTimes times_;
};

}  // namespace tenon::runtime
