// The frame loop of a replay: input, time, panels, recorded frame, rendering.
#include "runtime/replay/replay_window.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/input/printable.h"
#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "runtime/live_view/frame_trace.h"
#include "runtime/live_view/pointer.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/live_view/screenshots.h"
#include "runtime/live_view/view_actions.h"
#include "runtime/live_view/window_start.h"
#include "runtime/replay/recorded_frame_source.h"
#include "runtime/replay/replay_panels.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/image_size.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/terminal.h"
#include "xr/display/window.h"

namespace tenon::runtime {

namespace {

using Kind = xr::WindowInput::Kind;
using Json = nlohmann::ordered_json;

constexpr double kReplayIdle = 0.2;       ///< input timeout of an idle window [s]
constexpr int kReplaySettling = 4;        ///< frames to render after an input, until the panels are stable
constexpr double kGhostTolerance = 1e-6;  ///< re-simulated parts are drawn beyond this distance [m]
const Eigen::Vector3d kGhostColor = xr::linearOf(xr::palette::kMeasure);
constexpr double kReplayGhostOpacity = 0.45;

std::string shortened(const std::string& text) {
  constexpr std::size_t kMaxBytes = 200;
  return content::oneLine(text, kMaxBytes);
}

/// A recorded session in a window. Members are in the order of construction.
class ReplayWindow {
 public:
  ReplayWindow(const SessionReader& session, std::shared_ptr<const content::Scene> scene,
               const ReplayWindowOptions& options, ViewState state);
  int run();

 private:
  ReplayView viewOf();
  void drainInput(double timeout);
  void perform(Action action);
  void step(int direction);
  void showFrame();
  void updateFrame();
  void reportDamage(const std::string& what);
  void resimulate();
  void updateGhost();
  void addGhost(xr::RenderScene& renderScene) const;
  Json traceOf() const;
  bool isCounted() const;
  PointerScene pointerScene();
  ImageArea area() const;
  void frameAll(std::optional<std::size_t> part);

  const SessionReader& session_;
  const ReplayWindowOptions& options_;
  const InterruptGuard interrupt_;
  ViewState state_;
  std::shared_ptr<const content::Scene> scene_;
  std::vector<SessionEvent> events_;
  RecordedFrameSource recorded_;
  Playback playback_;
  SceneView sceneView_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
  ReplayView view_;
  std::optional<FrameTrace> trace_;
  Screenshots screenshots_;
  xr::Window window_;
  std::unique_ptr<Ghost> ghost_;
  std::vector<physics::Pose> ghostPoses_;
  bool ghostDiffers_ = false;
  History noHistory_;
  RenderSceneBuilder renderSceneBuilder_;
  Pointer pointer_;
  double lastTime_ = 0;  ///< of the previous frame, by Window::now() [s]
  int settling_ = kReplaySettling;
  bool exit_ = false, damaged_ = false;
};

ReplayView ReplayWindow::viewOf() {
  const SessionHeader& header = session_.header();
  const auto ending = session_.ending();
  std::vector<std::string> parts;
  for (const content::Part& part : scene_->parts) parts.push_back(part.name);
  return {playback_,
          shortened(session_.file()),
          shortened(header.started),
          shortened("tenon " + header.program.version + " on " + header.program.processor),
          ending ? "Ended: " + shortened(*ending)
                 : fmt::format("Cut off: data after {:.3f} s is missing", session_.lastTime()),
          !ending,
          shortened(verificationObstacle(header)),
          shownHolds(events_, *scene_, session_.lastTime()),
          session_.hands(),
          std::move(parts),
          0,
          session_.lastTick(),
          {},
          {},
          {},
          false};
}

ReplayWindow::ReplayWindow(const SessionReader& session, std::shared_ptr<const content::Scene> scene,
                           const ReplayWindowOptions& options, ViewState state)
    : session_(session),
      options_(options),
      state_(std::move(state)),
      scene_(std::move(scene)),
      events_(session.events()),
      recorded_(session, scene_, events_),
      playback_(session.lastTime(), shownEvents(events_, *scene_)),
      sceneView_(scene_),
      // Reports damage of the first frame before a window opens.
      frameBuffer_(recorded_.at(std::clamp(options.time, 0.0, session.lastTime()))),
      view_(viewOf()),
      screenshots_(options.frames, options.screenshot),
      window_(content::printable(scene_->title) + " – replay – Tenon",
              windowPlacementFor(options.size, state_.settings)) {
  if (options.trace) trace_.emplace(*options.trace);
  playback_.goTo(options.time);
  playback_.play(options.play);
  if (options.resimulate) perform(Action::resimulate);
  updateFrame();
  frameAll(std::nullopt);
  lastTime_ = xr::Window::now();
}

ImageArea ReplayWindow::area() const {
  return replayArea(state_, window_.scale(), static_cast<float>(window_.width()),
                    static_cast<float>(window_.height()));
}

void ReplayWindow::frameAll(std::optional<std::size_t> part) {
  const ImageArea at = area();
  state_.camera.frame(sceneView_.corners(drawn_.X_WP, part), static_cast<double>(at.width) / at.height);
}

void ReplayWindow::reportDamage(const std::string& what) {
  if (!damaged_) printMessage(what);
  damaged_ = true;
  playback_.play(false);
  view_.damage = what;
}

/// Shows the current time; keeps the last frame if the file is damaged there.
void ReplayWindow::updateFrame() {
  view_.damage.clear();
  try {
    frameBuffer_ = recorded_.at(playback_.time());
    view_.tick = recorded_.frames().tickAt(playback_.time());
  } catch (const content::InputError& error) {
    reportDamage(error.what());
  }
  interpolateAt(frameBuffer_, std::llround(1e9 * playback_.time()), drawn_);
}

void ReplayWindow::updateGhost() {
  ghostDiffers_ = false;
  view_.ghost.reset();
  if (!ghost_) return;
  view_.ghost = ghost_->status();
  ghostDiffers_ = ghost_->posesAt(playback_.time(), ghostPoses_);
}

/// Goes to the next (1) or previous (−1) recorded state.
void ReplayWindow::step(int direction) {
  try {
    SessionFrames& frames = recorded_.frames();
    const std::int64_t tick = frames.tickAt(playback_.time()), at = frames.keyframeUpTo(tick);
    const bool between = playback_.time() > frames.timeOf(at) + 1e-9;
    std::int64_t next = at + direction * frames.keyframeEvery();
    if (direction < 0 && between) next = at;
    playback_.play(false);
    playback_.goTo(next > frames.lastKeyframe() ? playback_.length()
                                                : frames.timeOf(std::max<std::int64_t>(next, 0)));
  } catch (const content::InputError& error) {
    reportDamage(error.what());
  }
}

/// Begins or ends it. A solver that this program does not have plays from states alone.
void ReplayWindow::resimulate() {
  if (std::exchange(ghost_, nullptr)) return;
  try {
    ghost_ = std::make_unique<Ghost>(session_.file(), scene_, optionsOf(session_.header()));
  } catch (const content::InputError& error) {
    state_.showNotice(error.what());
  }
}

void ReplayWindow::perform(Action action) {
  switch (action) {
    case Action::playPause:
      return playback_.play(!playback_.isPlaying());
    case Action::step:
      return step(1);
    case Action::stepBack:
      return step(-1);
    case Action::nextEvent:
      return playback_.jumpToEvent(1);
    case Action::previousEvent:
      return playback_.jumpToEvent(-1);
    case Action::reset:
      return playback_.goTo(0);
    case Action::toEnd:
      return playback_.goTo(playback_.length());
    case Action::slower:
      return playback_.changeSpeed(-1);
    case Action::faster:
      return playback_.changeSpeed(1);
    case Action::resimulate:
      return resimulate();
    case Action::screenshot:
      return screenshots_.requestScreenshot(options_.outDir.value_or(""));
    case Action::requestExit:
      if (!std::exchange(state_.help, false)) exit_ = true;
      return;
    default:
      performViewAction(action, state_, sceneView_, [this](auto part) { frameAll(part); });
  }
}

PointerScene ReplayWindow::pointerScene() {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 size = io.DisplaySize;
  const RelativeImageArea share =
      shareOf(replayArea(state_, window_.scale(), size.x, size.y), size.x, size.y);
  return {state_, sceneView_, drawn_.X_WP, share.area, share.aspect, true, io.WantCaptureMouse, [] {}, false};
}

void ReplayWindow::drainInput(double timeout) {
  const std::vector<xr::WindowInput> inputs = window_.drainInput(timeout);
  if (!inputs.empty()) settling_ = kReplaySettling;
  window_.beginPanels();
  const PointerScene scene = pointerScene();
  for (const xr::WindowInput& input : inputs) {
    pointer_.handleInput(input, scene);
    if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) continue;
    if (const auto action = actionOf(input, replayKeys())) perform(*action);
  }
  pointer_.updateHover(scene);
}

void ReplayWindow::addGhost(xr::RenderScene& renderScene) const {
  if (!ghostDiffers_) return;
  bool any = false;
  for (std::size_t k = 0; k < scene_->parts.size(); ++k) {
    const bool moves = scene_->parts[k].motion == physics::MotionType::dynamic;
    const physics::Pose &X = ghostPoses_[k], &X_recorded = drawn_.X_WP[k];
    const bool differs = (X.p - X_recorded.p).norm() > kGhostTolerance ||
                         X.q.angularDistance(X_recorded.q) > kGhostTolerance / 0.01;
    if (!moves || !differs || !sceneView_.meshes.of(k)) continue;
    renderScene.instances.push_back(
        {sceneView_.meshes.renderMeshOf(k), X, {kGhostColor, 0, 0.6, kReplayGhostOpacity}, 0, true, false});
    any = true;
  }
  if (any) renderScene.captions.push_back({"re-simulation, where it differs", kGhostColor});
}

/// A frame counts if the re-simulation, if any, has reached its time.
bool ReplayWindow::isCounted() const {
  if (!ghost_ || !view_.ghost) return true;
  return view_.ghost->done || view_.ghost->time >= playback_.time();
}

Json ReplayWindow::traceOf() const {
  Json replay = {{"time_s", playback_.time()},
                 {"length_s", playback_.length()},
                 {"playing", playback_.isPlaying()},
                 {"speed", playback_.speed()},
                 {"tick", view_.tick},
                 {"event", playback_.currentEvent()},
                 {"damage", view_.damage},
                 {"not_exact", view_.verificationObstacle}};
  if (view_.ghost) {
    const GhostStatus& ghost = *view_.ghost;
    replay["ghost"] = {{"time_s", ghost.time},
                       {"done", ghost.done},
                       {"same", !ghost.firstDifferent.has_value()},
                       {"greatest_m", ghost.maxDistance},
                       {"shown", ghostDiffers_},
                       {"problem", ghost.problem}};
  }
  return {{"time_s", playback_.time()}, {"paused", !playback_.isPlaying()}, {"replay", std::move(replay)}};
}

void ReplayWindow::showFrame() {
  PanelContext context{state_,     sceneView_,           *frameBuffer_.after,
                       noHistory_, window_.deviceName(), window_.scale()};
  drawReplayPanels(context, view_);
  for (const Action action : std::exchange(state_.requestedActions, {})) perform(action);
  const double now = xr::Window::now();
  if (!view_.scrubbing) playback_.advance(now - lastTime_);
  lastTime_ = now;
  if (const auto time = std::exchange(view_.goTo, std::nullopt)) playback_.goTo(*time);
  updateFrame();
  updateGhost();
  updateMeasurement(state_, sceneView_, drawn_.X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImageArea at = replayArea(state_, window_.scale(), size.x, size.y);
  const xr::View view = viewIn(state_, at.x, at.y, at.width, at.height, size.x, size.y);
  xr::RenderScene scene = renderSceneBuilder_.build(sceneView_, *frameBuffer_.after, drawn_, state_);
  addGhost(scene);
  drawOverlay(at, view, scene, sceneView_, *frameBuffer_.after, drawn_, state_);
  const bool counts = isCounted(), captures = screenshots_.isCaptureDue(counts);
  const xr::PresentResult shown =
      window_.show({&view, 1}, scene, captures, !playback_.isPlaying() && settling_ == 0);
  if (!shown.presented) return;
  ++state_.stats.frame;
  if (captures) screenshots_.save(shown.image, state_);
  if (trace_) {
    const Json more = traceOf();
    if (!trace_->add(at, view, sceneView_, *frameBuffer_.after, drawn_, state_, &more)) {
      trace_.reset();
      printMessage(*options_.trace + ": write failed (disk full?); the trace ends here");
    }
  }
  if (counts) screenshots_.countFrame();
}

int ReplayWindow::run() {
  while (!exit_ && !window_.closing() && !interrupt_.requested()) {
    const bool ghostRunning = ghost_ && !(view_.ghost && view_.ghost->done);
    const bool active = playback_.isPlaying() || settling_ > 0 || ghostRunning ||
                        options_.frames > screenshots_.counted() || !window_.settled();
    drainInput(window_.visible() && active ? 0 : kReplayIdle);
    if (settling_ > 0) --settling_;
    showFrame();
    if (options_.frames > 0 && screenshots_.counted() >= options_.frames && options_.quit) exit_ = true;
  }
  if (!options_.size) state_.settings.window = window_.geometry();
  writeSettings(settingsFile(), state_.settings);
  return interrupt_.requested() ? kInterrupted : damaged_ ? kBadInput : kSuccess;
}

}  // namespace

int runReplay(const SessionReader& session, const ReplayWindowOptions& options) {
  ViewState state = initialViewState();
  if (options.size) parseImageSize(*options.size);
  const auto scene = std::make_shared<const content::Scene>(sceneOf(session.header()));
  return ReplayWindow(session, scene, options, std::move(state)).run();
}

}  // namespace tenon::runtime
