// The frame loop of the preview: input, hands, panels, newest simulation frames, rendering.
#include "runtime/preview/preview.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "content/input/printable.h"
#include "content/model/solver_support.h"
#include "runtime/live_view/frame_trace.h"
#include "runtime/live_view/panels.h"
#include "runtime/live_view/pointer.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/live_view/screenshots.h"
#include "runtime/live_view/view_actions.h"
#include "runtime/live_view/window_start.h"
#include "runtime/preview/frame_times.h"
#include "runtime/preview/preview_session.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/image_size.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "xr/display/window.h"

namespace tenon::runtime {

namespace {

using Kind = xr::WindowInput::Kind;

constexpr double kIdle = 0.2;  ///< input timeout of an idle window [s]
constexpr int kSettling = 4;   ///< frames to render after an input, until the panels are stable
constexpr double kMaxHandInterpolation = 0.1;  ///< time for a hand to reach the mouse position [s]

/// A session in a window. Members are in the order of construction.
class Preview {
 public:
  Preview(const PreviewOptions& options, ViewState state, OpenedScene opened);
  int run();

 private:
  void loop();
  [[noreturn]] void finishAfterFailure(const xr::GraphicsUnavailable& error);
  void drainInput(double timeout);
  void perform(Action action);
  void requestExit();
  void showFrame();
  void countFrame(const FrameSpan& frame);
  bool isCounted() const;
  void publishHands();
  PointerScene pointerScene();
  void frameAll(std::optional<std::size_t> part);

  const PreviewOptions& options_;
  const InterruptGuard interrupt_;
  ViewState state_;
  Screenshots screenshots_;
  xr::Window window_;
  std::optional<FrameTrace> trace_;
  PreviewSession session_;
  RenderSceneBuilder renderSceneBuilder_;
  Pointer pointer_;
  int settling_ = kSettling;
  bool touched_ = false;  ///< input since the last frame
  bool exit_ = false;
  FrameTimes times_;
};

std::string windowTitle(const content::Scene& scene) {
  return content::printable(scene.title) + " – Tenon";
}

/// The given scene, or the first shipped one with an open scene picker.
SceneOptions sceneFor(const PreviewOptions& options, ViewState& state) {
  if (!options.scene.file.empty()) return options.scene;
  state.scenes = shippedScenes();
  state.picker = true;
  return sceneOrFirst(options.scene);
}

Preview::Preview(const PreviewOptions& options, ViewState state, OpenedScene opened)
    : options_(options),
      state_(std::move(state)),
      screenshots_(options.frames, options.screenshot),
      window_(windowTitle(*opened.scene), windowPlacementFor(options.size, state_.settings)),
      trace_(options.trace ? std::make_optional<FrameTrace>(*options.trace) : std::nullopt),
      session_(options, std::move(opened), state_) {
  session_.onScene = [this] {
    renderSceneBuilder_ = {};
    window_.setTitle(windowTitle(*session_.sceneView().scene));
    frameAll(std::nullopt);
  };
  frameAll(std::nullopt);
}

void Preview::frameAll(std::optional<std::size_t> part) {
  const ImageArea area = imageAreaBeside(state_, window_.scale(), static_cast<float>(window_.width()),
                                         static_cast<float>(window_.height()));
  state_.camera.frame(session_.sceneView().corners(session_.drawn().X_WP, part),
                      static_cast<double>(area.width) / area.height);
}

PointerScene Preview::pointerScene() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize;
  const RelativeImageArea share =
      shareOf(imageAreaBeside(state_, window_.scale(), size.x, size.y), size.x, size.y);
  return {state_,
          session_.sceneView(),
          session_.drawn().X_WP,
          share.area,
          share.aspect,
          session_.frame().status.scripted,
          io.WantCaptureMouse,
          [this] { publishHands(); }};
}

void Preview::publishHands() {
  const double interpolation = std::clamp(1e-3 * state_.stats.frame_ms, 0.0, kMaxHandInterpolation);
  session_.live().setHands(session_.sceneView().hands.samples(), session_.live().now_ns(),
                           std::llround(1e9 * interpolation));
}

/// Reads input and begins the panels, so that ImGui's claims on mouse and keys are known.
void Preview::drainInput(double timeout) {
  const std::vector<xr::WindowInput> inputs = window_.drainInput(timeout);
  touched_ = !inputs.empty();
  if (touched_) settling_ = kSettling;
  window_.beginPanels();
  const std::string activeName = state_.settings.leftHand ? "left" : "right";
  for (std::size_t k = 0; k < session_.sceneView().scene->hands.size(); ++k)
    if (session_.sceneView().scene->hands[k].name == activeName)
      session_.sceneView().hands.setActive(static_cast<int>(k));
  const PointerScene scene = pointerScene();
  for (const xr::WindowInput& input : inputs) {
    pointer_.handleInput(input, scene);
    if (input.kind == Kind::drop && !input.files.empty()) session_.open(input.files.front());
    // Handled here because ImGui misses keys that are pressed for less than a frame.
    if (state_.noteDraft && input.kind == Kind::key) {
      state_.submitNote = state_.submitNote || input.key == xr::key::kEnter;
      if (input.key == xr::key::kEscape) state_.noteDraft.reset();
      continue;
    }
    if (input.kind == Kind::keyUp) session_.setThrusters(input.key, false);
    if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) continue;
    if (!input.control && !input.repeated) session_.setThrusters(input.key, true);
    if (const auto action = actionOf(input)) perform(*action);
  }
  pointer_.updateHover(scene);
  publishHands();
}

/// Esc closes a dialog, else releases a held part, else exits.
void Preview::requestExit() {
  bool holds = false;
  for (int k = 0; k < static_cast<int>(session_.sceneView().hands.count()); ++k)
    holds = holds || session_.sceneView().hands.holds(k);
  if (state_.help || state_.picker) {
    state_.help = state_.picker = false;
  } else if (holds) {
    session_.sceneView().hands.releaseAll();
  } else {
    exit_ = true;
  }
}

void Preview::perform(Action action) {
  ViewSettings& settings = state_.settings;
  const LiveStatus& status = session_.frame().status;
  switch (action) {
    case Action::playPause:
      return status.paused ? session_.live().play() : session_.live().pause();
    case Action::step:
      return session_.live().stepOnce();
    case Action::reset:
      return session_.live().reset();
    case Action::undo:
      return session_.live().undo();
    case Action::redo:
      return session_.live().redo();
    case Action::slower:
      return session_.changeSpeed(-1);
    case Action::faster:
      return session_.changeSpeed(1);
    case Action::script:
      return session_.toggleScript();
    case Action::otherHand:
      settings.leftHand = !settings.leftHand;
      return;
    case Action::record:
      return session_.toggleRecord();
    case Action::bookmark:
      if (session_.requireRecording("Bookmark")) session_.live().mark({"bookmark", ""});
      return;
    case Action::note:
      if (session_.requireRecording("Note")) state_.noteDraft.emplace();
      return;
    case Action::openScene:
      state_.picker = !state_.picker;
      if (state_.picker) state_.scenes = shippedScenes();
      return;
    case Action::screenshot:
      return screenshots_.requestScreenshot();
    case Action::requestExit:
      return requestExit();
    default:
      performViewAction(action, state_, session_.sceneView(), [this](auto part) { frameAll(part); });
  }
}

/// True if this frame counts towards options_.frames.
bool Preview::isCounted() const {
  return 1e-9 * static_cast<double>(session_.frame().time_ns) >= options_.after;
}

void Preview::showFrame() {
  const double start = xr::Window::now();
  PanelContext context{
      state_,         session_.sceneView(), session_.frame(), session_.history(), window_.deviceName(),
      window_.scale()};
  drawPanels(context);
  for (const Action action : std::exchange(state_.requestedActions, {})) perform(action);
  session_.performRequests();
  // Last, so that the frame contains the latest mouse input.
  session_.update();
  updateMeasurement(state_, session_.sceneView(), session_.drawn().X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImageArea area = imageAreaBeside(state_, window_.scale(), size.x, size.y);
  const xr::View view = viewIn(state_, area.x, area.y, area.width, area.height, size.x, size.y);
  const xr::RenderScene scene =
      renderSceneBuilder_.build(session_.sceneView(), session_.frame(), session_.drawn(), state_);
  drawOverlay(area, view, scene, session_.sceneView(), session_.frame(), session_.drawn(), state_);
  const bool captures = screenshots_.isCaptureDue(isCounted());
  const double renderStart = xr::Window::now();
  const xr::PresentResult shown =
      window_.show({&view, 1}, scene, captures, session_.frame().status.paused && !touched_);
  if (!shown.presented) return;
  countFrame({start, renderStart, shown.time_s});
  if (captures) screenshots_.save(shown.image, state_);
  if (trace_ && !trace_->add(area, view, session_.sceneView(), session_.frame(), session_.drawn(), state_)) {
    trace_.reset();
    printMessage(*options_.trace + ": write failed (disk full?); the trace ends here");
  }
  if (isCounted()) screenshots_.countFrame();
}

void Preview::countFrame(const FrameSpan& frame) {
  const double now = xr::Window::now();
  state_.stats.resolutionScale = window_.resolutionScale();
  times_.add(frame, now, state_.stats);
  times_.addLatency(frame, now, session_.live().now_ns(), session_.frame(), session_.drawn(), state_.stats);
}

/// Finishes the record after a failure of the display or its device, and rethrows with the file name.
void Preview::finishAfterFailure(const xr::GraphicsUnavailable& error) {
  const bool recorded = session_.finish("given up") && !session_.recordFile().empty();
  writeSettings(settingsFile(), state_.settings);
  throw xr::GraphicsUnavailable(error.what() +
                                (recorded ? "; the session until then is in " + session_.recordFile() : ""));
}

int Preview::run() {
  try {
    loop();
  } catch (const xr::GraphicsUnavailable& error) {
    finishAfterFailure(error);
  }
  const bool interrupted = interrupt_.requested();
  const bool complete = session_.finish(interrupted ? "interrupted" : "done");
  state_.settings.window = options_.size ? state_.settings.window : window_.geometry();
  writeSettings(settingsFile(), state_.settings);
  return interrupted ? kInterrupted : complete ? kSuccess : kMissingComponent;
}

void Preview::loop() {
  std::int64_t lastNumber = -1;
  while (!exit_ && !window_.closing() && !interrupt_.requested()) {
    const bool active = session_.frame().number != lastNumber || !session_.frame().status.paused ||
                        settling_ > 0 || options_.frames > screenshots_.counted() || session_.isOpening() ||
                        !window_.settled();
    lastNumber = session_.frame().number;
    drainInput(window_.visible() && active ? 0 : kIdle);
    if (settling_ > 0) --settling_;
    showFrame();
    if (options_.frames > 0 && screenshots_.counted() >= options_.frames && options_.quit) exit_ = true;
  }
}

}  // namespace

int runPreview(const PreviewOptions& options) {
  ViewState state = initialViewState();
  // Reports bad input before a window opens.
  std::optional<OpenedScene> running = options.source->runningScene();
  OpenedScene opened =
      running ? *std::move(running) : openScene(sceneFor(options, state), options.script, options.play);
  content::requireSolverSupports(options.solver.solver(), *opened.scene);
  InputFiles inputs;
  inputs.add(*opened.scene, opened.meshFiles);
  if (options.script) inputs.add(*options.script, "is the script");
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--screenshot", options.screenshot, OutputKind::image},
                             Output{"--trace", options.trace, OutputKind::trace}},
                  inputs, options.force);
  if (options.size) parseImageSize(*options.size);
  return Preview(options, std::move(state), std::move(opened)).run();
}

}  // namespace tenon::runtime
