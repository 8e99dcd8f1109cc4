// The frame loop of the preview: input, hands, panels, newest simulation frames, rendering.
#include "runtime/preview/preview.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <utility>

#include "content/input/printable.h"
#include "content/model/solver_support.h"
#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/frame_trace.h"
#include "runtime/live_view/panels.h"
#include "runtime/live_view/pointer.h"
#include "runtime/live_view/recording_control.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/live_view/screenshots.h"
#include "runtime/live_view/view_actions.h"
#include "runtime/live_view/window_start.h"
#include "runtime/preview/frame_times.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/image_size.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "runtime/simulation/live_simulation.h"
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
  void open(const std::string& file);
  void finishOpening();
  void drainInput(double timeout);
  void perform(Action action);
  void requestExit();
  void performRequests();
  void changeSpeed(int direction);
  void toggleScript();
  void toggleRecord();
  void showFrame();
  void countFrame(const FrameSpan& frame);
  bool isCounted() const;
  void publishHands();
  PointerScene pointerScene();
  void frameAll(std::optional<std::size_t> part);

  const PreviewOptions& options_;
  const InterruptGuard interrupt_;
  ViewState state_;
  std::unique_ptr<SceneView> sceneView_;
  std::optional<FrameTrace> trace_;
  Screenshots screenshots_;
  xr::Window window_;
  OpenedScene opened_;  ///< the current scene; a record starts from it
  OpenedScene next_;    ///< the requested scene
  RecordingControl record_;
  std::unique_ptr<LiveSimulation> live_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
  History history_;
  LiveTrace newTrace_;
  RenderSceneBuilder renderSceneBuilder_;
  Pointer pointer_;

  std::future<OpenedScene> opening_;
  std::unique_ptr<SceneView> nextSceneView_;  ///< of the requested scene
  int shownMessages_ = 0;                     ///< number of shown session messages
  int messagesBeforeOpening_ = 0;             ///< when the next scene was requested
  int settling_ = kSettling;
  bool touched_ = false;  ///< input since the last frame
  bool exit_ = false;
  FrameTimes times_;
};

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
      sceneView_(std::make_unique<SceneView>(opened.scene)),
      screenshots_(options.frames, options.screenshot),
      window_(content::printable(opened.scene->title) + " – Tenon",
              windowPlacementFor(options.size, state_.settings)),
      opened_(opened),
      record_(options.record.value_or("")) {
  if (options.trace) trace_.emplace(*options.trace);
  live_ = beginLive(std::move(opened), {.solver = options.solver,
                                        .rate = options.rate,
                                        .paused = options.paused,
                                        .scripted = options.play || options.script.has_value(),
                                        .guidance = options.guidance,
                                        .record = options.record,
                                        .force = options.force});
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  frameAll(std::nullopt);
}

void Preview::frameAll(std::optional<std::size_t> part) {
  const ImageArea area = imageAreaBeside(state_, window_.scale(), static_cast<float>(window_.width()),
                                         static_cast<float>(window_.height()));
  state_.camera.frame(sceneView_->corners(drawn_.X_WP, part), static_cast<double>(area.width) / area.height);
}

void Preview::open(const std::string& file) {
  if (opening_.valid() || nextSceneView_) return state_.showNotice("Another scene is still loading.");
  if (frameBuffer_.after->status.recording)
    return state_.showNotice("Stop recording (Ctrl+R) before opening another scene.");
  state_.loading = file;
  opening_ = std::async(std::launch::async, [file] { return openScene({file, {}}, std::nullopt, false); });
}

void Preview::finishOpening() {
  if (opening_.valid() && opening_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    state_.loading.clear();
    try {
      next_ = opening_.get();
      nextSceneView_ = std::make_unique<SceneView>(next_.scene);
      messagesBeforeOpening_ = frameBuffer_.after->status.messages;
      live_->setScene(next_.scene, options_.rate);
    } catch (const std::exception& error) {  // any failure: the current session continues
      state_.showNotice(error.what());
    }
  }
  const std::shared_ptr<const content::Scene>& now = frameBuffer_.after->scene;
  if (now == sceneView_->scene) {
    if (frameBuffer_.after->status.messages != messagesBeforeOpening_)
      nextSceneView_.reset();  // rejected; the message gives the reason
    return;
  }
  if (!nextSceneView_ || nextSceneView_->scene != now) nextSceneView_ = std::make_unique<SceneView>(now);
  sceneView_ = std::move(nextSceneView_);
  opened_ = std::move(next_);
  renderSceneBuilder_ = {};
  window_.setTitle(content::printable(sceneView_->scene->title) + " – Tenon");
  state_.measured.clear();
  state_.measurementText.clear();
  state_.measurementEnds.reset();
  state_.hoveredPart.reset();
  state_.section = {};
  history_.clear();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  frameAll(std::nullopt);
}

PointerScene Preview::pointerScene() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize;
  const RelativeImageArea share =
      shareOf(imageAreaBeside(state_, window_.scale(), size.x, size.y), size.x, size.y);
  return {state_,
          *sceneView_,
          drawn_.X_WP,
          share.area,
          share.aspect,
          frameBuffer_.after->status.scripted,
          io.WantCaptureMouse,
          [this] { publishHands(); }};
}

void Preview::publishHands() {
  const double interpolation = std::clamp(1e-3 * state_.stats.frame_ms, 0.0, kMaxHandInterpolation);
  live_->setHands(sceneView_->hands.samples(), live_->now_ns(), std::llround(1e9 * interpolation));
}

/// Reads input and begins the panels, so that ImGui's claims on mouse and keys are known.
void Preview::drainInput(double timeout) {
  const std::vector<xr::WindowInput> inputs = window_.drainInput(timeout);
  touched_ = !inputs.empty();
  if (touched_) settling_ = kSettling;
  window_.beginPanels();
  const std::string activeName = state_.settings.leftHand ? "left" : "right";
  for (std::size_t k = 0; k < sceneView_->scene->hands.size(); ++k)
    if (sceneView_->scene->hands[k].name == activeName) sceneView_->hands.setActive(static_cast<int>(k));
  const PointerScene scene = pointerScene();
  for (const xr::WindowInput& input : inputs) {
    pointer_.handleInput(input, scene);
    if (input.kind == Kind::drop && !input.files.empty()) open(input.files.front());
    // Handled here because ImGui misses keys that are pressed for less than a frame.
    if (state_.noteDraft && input.kind == Kind::key) {
      state_.submitNote = state_.submitNote || input.key == xr::key::kEnter;
      if (input.key == xr::key::kEscape) state_.noteDraft.reset();
      continue;
    }
    if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) continue;
    if (const auto action = actionOf(input)) perform(*action);
  }
  pointer_.updateHover(scene);
  publishHands();
}

void Preview::changeSpeed(int direction) {
  constexpr std::array kPlaybackSpeeds{0.1, 0.2, 0.5, 1.0};
  const double now = frameBuffer_.after->status.speed;
  const auto at = std::find_if(kPlaybackSpeeds.begin(), kPlaybackSpeeds.end(),
                               [&](double one) { return one >= now - 1e-9; });
  const auto next =
      std::clamp<std::ptrdiff_t>(at - kPlaybackSpeeds.begin() + direction, 0, kPlaybackSpeeds.size() - 1);
  live_->setSpeed(kPlaybackSpeeds[static_cast<std::size_t>(next)]);
}

/// Esc closes a dialog, else releases a held part, else exits.
void Preview::requestExit() {
  bool holds = false;
  for (int k = 0; k < static_cast<int>(sceneView_->hands.count()); ++k)
    holds = holds || sceneView_->hands.holds(k);
  if (state_.help || state_.picker) {
    state_.help = state_.picker = false;
  } else if (holds) {
    sceneView_->hands.releaseAll();
  } else {
    exit_ = true;
  }
}

/// Toggles the script. LiveSimulation starts it at the scene's start.
void Preview::toggleScript() {
  const LiveStatus& status = frameBuffer_.after->status;
  live_->setScripted(!status.scripted);
  if (!status.scripted && frameBuffer_.after->time_ns > 0)
    state_.showNotice("The script plays from the start. Ctrl+Z restores the state before.");
}

void Preview::toggleRecord() {
  if (opening_.valid() || nextSceneView_) return state_.showNotice("Another scene is still loading.");
  if (!record_.toggle(live_, opened_, options_.solver, frameBuffer_.after->status, state_)) return;
  sceneView_->hands.releaseAll();
  history_.clear();
  shownMessages_ = 0;
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
}

void Preview::perform(Action action) {
  ViewSettings& settings = state_.settings;
  const LiveStatus& status = frameBuffer_.after->status;
  switch (action) {
    case Action::playPause:
      return status.paused ? live_->play() : live_->pause();
    case Action::step:
      return live_->stepOnce();
    case Action::reset:
      return live_->reset();
    case Action::undo:
      return live_->undo();
    case Action::redo:
      return live_->redo();
    case Action::slower:
      return changeSpeed(-1);
    case Action::faster:
      return changeSpeed(1);
    case Action::script:
      return toggleScript();
    case Action::otherHand:
      settings.leftHand = !settings.leftHand;
      return;
    case Action::record:
      return toggleRecord();
    case Action::bookmark:
      if (record_.requireRecording("Bookmark", status, state_)) live_->mark({"bookmark", ""});
      return;
    case Action::note:
      if (record_.requireRecording("Note", status, state_)) state_.noteDraft.emplace();
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
      performViewAction(action, state_, *sceneView_, [this](auto part) { frameAll(part); });
  }
}

void Preview::performRequests() {
  for (const Action action : std::exchange(state_.requestedActions, {})) perform(action);
  if (const auto file = std::exchange(state_.openFile, std::nullopt)) open(*file);
  if (const auto note = std::exchange(state_.note, std::nullopt);
      note && record_.requireRecording("Note", frameBuffer_.after->status, state_))
    live_->mark({"note", *note});
  if (const auto solver = std::exchange(state_.solver, std::nullopt)) live_->setSolver(*solver);
  if (const auto rate = std::exchange(state_.rate, std::nullopt)) live_->setRate(*rate);
  if (const auto speed = std::exchange(state_.speed, std::nullopt)) live_->setSpeed(*speed);
}

/// True if this frame counts towards options_.frames.
bool Preview::isCounted() const {
  return 1e-9 * static_cast<double>(frameBuffer_.after->time_ns) >= options_.after;
}

void Preview::showFrame() {
  const double start = xr::Window::now();
  PanelContext context{state_,   *sceneView_,          *frameBuffer_.after,
                       history_, window_.deviceName(), window_.scale()};
  drawPanels(context);
  performRequests();
  // Fetched last, so that the frame contains the latest mouse input.
  frameBuffer_ = live_->frameBuffer();
  finishOpening();
  live_->drainTrace(newTrace_);
  if (frameBuffer_.after->scene == sceneView_->scene) {
    history_.add(newTrace_, *sceneView_->scene);
    interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  }
  if (frameBuffer_.after->status.messages != shownMessages_) {
    shownMessages_ = frameBuffer_.after->status.messages;
    if (!frameBuffer_.after->status.message.empty()) state_.showNotice(frameBuffer_.after->status.message);
  }
  record_.report(frameBuffer_.after->status, state_);
  updateMeasurement(state_, *sceneView_, drawn_.X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImageArea area = imageAreaBeside(state_, window_.scale(), size.x, size.y);
  const xr::View view = viewIn(state_, area.x, area.y, area.width, area.height, size.x, size.y);
  const xr::RenderScene scene = renderSceneBuilder_.build(*sceneView_, *frameBuffer_.after, drawn_, state_);
  drawOverlay(area, view, scene, *sceneView_, *frameBuffer_.after, drawn_, state_);
  const bool captures = screenshots_.isCaptureDue(isCounted());
  const double renderStart = xr::Window::now();
  const xr::PresentResult shown =
      window_.show({&view, 1}, scene, captures, frameBuffer_.after->status.paused && !touched_);
  if (!shown.shown) return;
  countFrame({start, renderStart, shown.at});
  if (captures) screenshots_.save(shown.picture, state_);
  if (trace_ && !trace_->add(area, view, *sceneView_, *frameBuffer_.after, drawn_, state_)) {
    trace_.reset();
    printMessage(*options_.trace + ": write failed (disk full?); the trace ends here");
  }
  if (isCounted()) screenshots_.countFrame();
}

void Preview::countFrame(const FrameSpan& frame) {
  const double now = xr::Window::now();
  state_.stats.resolutionScale = window_.resolutionScale();
  times_.add(frame, now, state_.stats);
  times_.addLatency(frame, now, live_->now_ns(), *frameBuffer_.after, drawn_, state_.stats);
}

/// Finishes the record after a failure of the display or its device, and rethrows with the file name.
void Preview::finishAfterFailure(const xr::GraphicsUnavailable& error) {
  const bool recorded =
      record_.finish(*live_, frameBuffer_.after->status, "given up") && !record_.file().empty();
  writeSettings(settingsFile(), state_.settings);
  throw xr::GraphicsUnavailable(error.what() +
                                (recorded ? "; the session until then is in " + record_.file() : ""));
}

int Preview::run() {
  try {
    loop();
  } catch (const xr::GraphicsUnavailable& error) {
    finishAfterFailure(error);
  }
  const bool interrupted = interrupt_.requested();
  const bool complete =
      record_.finish(*live_, frameBuffer_.after->status, interrupted ? "interrupted" : "done");
  state_.settings.window = options_.size ? state_.settings.window : window_.place();
  writeSettings(settingsFile(), state_.settings);
  return interrupted ? kInterrupted : complete ? kSuccess : kMissingComponent;
}

void Preview::loop() {
  std::int64_t lastNumber = -1;
  while (!exit_ && !window_.closing() && !interrupt_.requested()) {
    const bool active = frameBuffer_.after->number != lastNumber || !frameBuffer_.after->status.paused ||
                        settling_ > 0 || options_.frames > screenshots_.counted() || opening_.valid() ||
                        nextSceneView_ || !window_.settled();
    lastNumber = frameBuffer_.after->number;
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
  OpenedScene opened = openScene(sceneFor(options, state), options.script, options.play);
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
