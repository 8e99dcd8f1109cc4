// One frame after the other: input, time, panels, the moment, a picture.
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

constexpr double kIdle = 0.2;    ///< how long a window in which nothing goes on waits for input [s]
constexpr int kSettling = 4;     ///< pictures after an input, until panels have come to rest
constexpr double kApart = 1e-6;  ///< a re-simulated part nearer than this is where the recorded one is [m]
const Eigen::Vector3d kGhost(0.85, 0.32, 0.05);
constexpr double kGhostOpacity = 0.45;

std::string shown(const std::string& text) {
  constexpr std::size_t kMostBytes = 200;
  return content::oneLine(text, kMostBytes);
}

/// Members in the order of making.
class ReplayWindow {
 public:
  ReplayWindow(const SessionReader& session, std::shared_ptr<const content::Scene> scene,
               const ReplayWindowOptions& options, ViewState state);
  int run();

 private:
  ReplayView viewOf();
  void drainInput(double patience);
  void perform(Action action);
  void step(int direction);
  void showFrame();
  void seeMoment();
  void tellDamage(const std::string& what);
  void resimulate();
  void seeGhost();
  void addGhost(xr::RenderScene& picture) const;
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
  Screenshots pictures_;
  xr::Window window_;
  std::unique_ptr<Ghost> ghost_;
  std::vector<physics::Pose> ghostPoses_;
  bool ghostApart_ = false;
  History noHistory_;
  RenderSceneBuilder picture_;
  Pointer pointer_;
  double before_ = 0;  ///< when time went on last, by Window::now() [s]
  int settling_ = kSettling;
  bool leave_ = false, damaged_ = false;
};

ReplayView ReplayWindow::viewOf() {
  const SessionHeader& header = session_.header();
  const auto ending = session_.ending();
  std::vector<std::string> parts;
  for (const content::Part& part : scene_->parts) parts.push_back(part.name);
  return {playback_,
          shown(session_.file()),
          shown(header.started),
          shown("tenon " + header.program.version + " on " + header.program.processor),
          ending ? "Ended: " + shown(*ending)
                 : fmt::format("Cut off: what came after {:.3f} s is missing", session_.lastTime()),
          !ending,
          shown(verificationObstacle(header)),
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
      // Whatever is wrong with what is seen first is told before a window opens.
      frameBuffer_(recorded_.at(std::clamp(options.time, 0.0, session.lastTime()))),
      view_(viewOf()),
      pictures_(options.frames, options.screenshot),
      window_(content::printable(scene_->title) + " – replay – Tenon",
              windowPlacementFor(options.size, state_.settings)) {
  if (options.trace) trace_.emplace(*options.trace);
  playback_.goTo(options.time);
  playback_.play(options.play);
  if (options.resimulate) perform(Action::resimulate);
  seeMoment();
  frameAll(std::nullopt);
  before_ = xr::Window::now();
}

ImageArea ReplayWindow::area() const {
  return replayArea(state_, window_.scale(), static_cast<float>(window_.width()),
                    static_cast<float>(window_.height()));
}

void ReplayWindow::frameAll(std::optional<std::size_t> part) {
  const ImageArea at = area();
  state_.camera.frame(sceneView_.corners(drawn_.X_WP, part), static_cast<double>(at.width) / at.height);
}

void ReplayWindow::tellDamage(const std::string& what) {
  if (!damaged_) say(what);
  damaged_ = true;
  playback_.play(false);
  view_.damage = what;
}

/// What is there at the present time; where the file is damaged there, what was shown last stays.
void ReplayWindow::seeMoment() {
  view_.damage.clear();
  try {
    frameBuffer_ = recorded_.at(playback_.time());
    view_.tick = recorded_.frames().tickAt(playback_.time());
  } catch (const content::InputError& error) {
    tellDamage(error.what());
  }
  interpolateAt(frameBuffer_, std::llround(1e9 * playback_.time()), drawn_);
}

void ReplayWindow::seeGhost() {
  ghostApart_ = false;
  view_.ghost.reset();
  if (!ghost_) return;
  view_.ghost = ghost_->status();
  ghostApart_ = ghost_->posesAt(playback_.time(), ghostPoses_);
}

/// To a recorded state. From between two, the nearer one in that direction.
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
    tellDamage(error.what());
  }
}

/// Begins or ends it. A solver that this program does not have plays from states alone.
void ReplayWindow::resimulate() {
  if (std::exchange(ghost_, nullptr)) return;
  try {
    ghost_ = std::make_unique<Ghost>(session_.file(), scene_, optionsOf(session_.header()));
  } catch (const content::InputError& error) {
    state_.say(error.what());
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
      return playback_.jump(1);
    case Action::previousEvent:
      return playback_.jump(-1);
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
      return pictures_.requestScreenshot(options_.outDir.value_or(""));
    case Action::requestExit:
      if (!std::exchange(state_.help, false)) leave_ = true;
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

void ReplayWindow::drainInput(double patience) {
  const std::vector<xr::WindowInput> inputs = window_.drainInput(patience);
  if (!inputs.empty()) settling_ = kSettling;
  window_.beginPanels();
  const PointerScene scene = pointerScene();
  for (const xr::WindowInput& input : inputs) {
    pointer_.handleInput(input, scene);
    if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) continue;
    if (const auto action = actionOf(input, replayKeys())) perform(*action);
  }
  pointer_.updateHover(scene);
}

void ReplayWindow::addGhost(xr::RenderScene& picture) const {
  if (!ghostApart_) return;
  bool any = false;
  for (std::size_t k = 0; k < scene_->parts.size(); ++k) {
    const bool moves = scene_->parts[k].motion == physics::MotionType::dynamic;
    const physics::Pose &X = ghostPoses_[k], &was = drawn_.X_WP[k];
    const bool apart = (X.p - was.p).norm() > kApart || X.q.angularDistance(was.q) > kApart / 0.01;
    if (!moves || !apart || !sceneView_.meshes.of(k)) continue;
    picture.instances.push_back(
        {sceneView_.meshes.of(k), X, {kGhost, 0, 0.6, kGhostOpacity}, 0, true, false});
    any = true;
  }
  if (any) picture.captions.push_back({"orange: the re-simulation, where it is elsewhere", std::nullopt});
}

/// A picture counts as soon as it shows what was asked for.
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
                 {"event", playback_.current()},
                 {"damage", view_.damage},
                 {"not_exact", view_.verificationObstacle}};
  if (view_.ghost) {
    const GhostStatus& ghost = *view_.ghost;
    replay["ghost"] = {
        {"time_s", ghost.time},         {"done", ghost.done},   {"same", !ghost.firstDifferent.has_value()},
        {"greatest_m", ghost.greatest}, {"shown", ghostApart_}, {"problem", ghost.problem}};
  }
  return {{"time_s", playback_.time()}, {"paused", !playback_.isPlaying()}, {"replay", std::move(replay)}};
}

void ReplayWindow::showFrame() {
  PanelContext context{state_,          sceneView_, *frameBuffer_.after, noHistory_, window_.deviceName(),
                       window_.scale(), true};
  drawReplayPanels(context, view_);
  for (const Action action : std::exchange(state_.requestedActions, {})) perform(action);
  const double now = xr::Window::now();
  if (!view_.scrubbing) playback_.pass(now - before_);
  before_ = now;
  if (const auto time = std::exchange(view_.goTo, std::nullopt)) playback_.goTo(*time);
  seeMoment();
  seeGhost();
  updateMeasurement(state_, sceneView_, drawn_.X_WP);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const ImageArea at = replayArea(state_, window_.scale(), size.x, size.y);
  const xr::View view = viewIn(state_, at.x, at.y, at.width, at.height, size.x, size.y);
  xr::RenderScene scene = picture_.picture(sceneView_, *frameBuffer_.after, drawn_, state_);
  addGhost(scene);
  drawOverlay(at, view, scene, sceneView_, *frameBuffer_.after, drawn_, state_);
  const bool counts = isCounted(), wanted = pictures_.wants(counts);
  const xr::PresentResult shown =
      window_.show({&view, 1}, scene, wanted, !playback_.isPlaying() && settling_ == 0);
  if (!shown.shown) return;
  ++state_.stats.frame;
  if (wanted) pictures_.keep(shown.picture, state_);
  if (trace_) {
    const Json more = traceOf();
    if (!trace_->add(at, view, sceneView_, *frameBuffer_.after, drawn_, state_, &more)) {
      trace_.reset();
      say(*options_.trace + ": takes no more (is the disk full?); the trace ends here");
    }
  }
  if (counts) pictures_.count();
}

int ReplayWindow::run() {
  while (!leave_ && !window_.closing() && !interrupt_.requested()) {
    const bool ghostWorks = ghost_ && !(view_.ghost && view_.ghost->done);
    const bool goesOn = playback_.isPlaying() || settling_ > 0 || ghostWorks ||
                        options_.frames > pictures_.counted() || !window_.settled();
    drainInput(window_.visible() && goesOn ? 0 : kIdle);
    if (settling_ > 0) --settling_;
    showFrame();
    if (options_.frames > 0 && pictures_.counted() >= options_.frames && options_.quit) leave_ = true;
  }
  if (!options_.size) state_.settings.window = window_.place();
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
