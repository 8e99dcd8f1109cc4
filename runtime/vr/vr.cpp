// The frame loop of a headset session: hands to the simulation, newest simulation frames to the display.
#include "runtime/vr/vr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>

#include "content/model/solver_support.h"
#include "runtime/live_view/begin_live.h"
#include "runtime/live_view/recording_control.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "runtime/vr/contact_haptics.h"
#include "runtime/vr/frame_statistics.h"
#include "runtime/vr/goal_chime.h"
#include "runtime/vr/hand_appearance.h"
#include "runtime/vr/hand_pointing.h"
#include "runtime/vr/headset_wait.h"
#include "runtime/vr/runtime_watch.h"
#include "runtime/vr/signal_mask.h"
#include "runtime/vr/vr_overlays.h"
#include "runtime/vr/vr_panels.h"
#include "runtime/vr/vr_trace.h"
#include "xr/display/headset.h"
#include "xr/hands/xr_hands.h"
#include "xr/sound/speaker.h"

namespace tenon::runtime {

namespace {

using xr::HeadsetState;

constexpr double kMaxFrameTime = 0.1;    ///< limit of the interpolation time of hands [s]
constexpr double kPulseDuration = 0.02;  ///< [s]
constexpr double kStandingEyeHeight = 1.6, kSeatedEyeHeight = 1.2;  ///< used if the floor is not known [m]
constexpr double kArcPointRadius = 0.008;                           ///< of the teleport arc [m]
constexpr std::int64_t kInactivityTimeout_ns = 250'000'000;         ///< pause after this time without a frame
constexpr auto kVrIdle = std::chrono::milliseconds(50);  ///< poll interval while the headset is not worn

bool isVisible(HeadsetState state) {
  return state == HeadsetState::visible || state == HeadsetState::focused;
}

/// A session with a headset. Members are in the order of construction.
class Vr {
 public:
  Vr(const VrOptions& options, OpenedScene opened);
  ~Vr();
  Vr(const Vr&) = delete;
  Vr& operator=(const Vr&) = delete;
  int run();

 private:
  int session();
  bool pollAndRender();
  bool pollOrReconnect();
  bool reconnect(const std::string& reason);
  void initializeHeadset();
  xr::MirrorWindow* openMirror();
  std::optional<xr::FrameContent> buildFrame(const xr::XrFrame& xrFrame);
  bool startScene(OpenedScene opened, const std::optional<std::string>& record);
  void finishOpening();
  void performRequests();
  void toggleRecord();
  bool endSimulation(const std::string& how);
  void reportRecording();
  void moveRoom(const MenuRequests& requests);
  bool isAnyClosed() const;
  void reportMessages();
  void place(const xr::XrFrame& xrFrame);
  void raise(double height);
  void frame();
  HeadsetState poll();
  double landingHeight(const xr::XrFrame& xrFrame) const;
  void point(const xr::XrFrame& xrFrame);
  void updateLocomotion(const xr::XrFrame& xrFrame);
  void changeScale(const xr::XrFrame& xrFrame);
  void applyScale(double scale);
  xr::XrFrame inScene(const xr::XrFrame& xrFrame) const;
  void publishHands(const xr::XrFrame& xrFrame);
  const ImDrawData* addPanels(const xr::XrFrame& xrFrame, xr::RenderScene& renderScene);
  void addHands(const xr::XrFrame& xrFrame, xr::RenderScene& renderScene) const;
  void updateHaptics();
  void countFrame();
  void traceStates();
  void setState(HeadsetState state);
  void saveScreenshot();
  void requestHeadsetExit();

  const VrOptions& options_;
  const InterruptGuard interrupt_;
  std::optional<VrTrace> trace_;
  std::unique_ptr<AtomicFile> screenshot_;
  RuntimeWatch watch_;
  std::unique_ptr<xr::MirrorWindow> mirror_;
  HeadsetWait wait_;
  VrPanels panels_;
  xr::Speaker speaker_;
  std::unique_ptr<xr::Headset> headset_;  ///< null: lost, or never there
  OpenedScene opened_;                    ///< what is shown, to be begun anew with a record
  SolverSettings solver_;                 ///< it was begun with
  bool guidance_;
  std::unique_ptr<SceneView> sceneView_;
  xr::XrHands hands_;
  xr::RayGrab rays_;
  std::unique_ptr<LiveSimulation> live_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
  RenderSceneBuilder renderSceneBuilder_;
  ViewState viewState_;  ///< what is drawn beside the parts
  HandAppearance handAppearance_;
  std::shared_ptr<const content::DisplayMesh> arcPoint_;  ///< of arcs
  VrMenu menu_;
  Table table_;
  double userRaise_ = 0;  ///< of the table, by the person [m]
  Room room_;
  double floor_ = 0;  ///< its height in the room [m]
  bool placed_ = false, recenter_ = false, quit_ = false;
  bool pausedByUser_ = false;
  bool complete_ = true;   ///< all records of this session that are finished
  int shownMessages_ = 0;  ///< of the session that have been told
  std::future<OpenedScene> opening_;
  std::string recordFile_;
  bool endingRecord_ = false;  ///< the record was told to end, and the person not yet that it has
  HeadsetState state_ = HeadsetState::unknown;
  SteadyClock clock_;
  double lastFrame_s_ = -1;
  double frame_s_ = 0;  ///< from the frame before to this one
  FrameStatistics frameStatistics_;
  LiveTrace newTrace_;  ///< what physics did since the frame before
  xr::XrFrame xrFrame_;
  std::int64_t rejected_ = 0;   ///< poses and fields of view of the runtime, over all frames
  double meanFrameTime_s_ = 0;  ///< the same, evened out
  std::array<bool, 2> closed_{};
  Locomotion locomotion_;
  Locomotion::Step locomotionStep_;
  HandPlane sectionPlane_;
  History history_;  ///< empty: nothing here plots
  ContactHaptics contactHaptics_;
  GoalChime goalChime_;
  std::int64_t hapticPulses_ = 0;
};

Vr::Vr(const VrOptions& options, OpenedScene opened)
    : options_(options),
      trace_(options.trace ? std::make_optional<VrTrace>(*options.trace) : std::nullopt),
      screenshot_(options.screenshot ? std::make_unique<AtomicFile>(*options.screenshot) : nullptr),
      watch_(interrupt_, [this] { screenshot_.reset(); }),
      wait_(options.waitTimeout, interrupt_, watch_,
            {.mirror = [this] { return openMirror(); }, .refreshRate = options.refreshRate}),
      speaker_(options.sound),
      headset_(wait_.waitForFirst()),
      solver_(options.solver),
      guidance_(options.guidance),
      sceneView_(std::make_unique<SceneView>(opened.scene)),
      hands_(*opened.scene),
      rays_(*opened.scene, sceneView_->picker) {
  watch_.onAbort = [this] {
    if (live_) live_->finish("interrupted");
    screenshot_.reset();
    trace_.reset();
  };
  hands_.setMotionScale(1 / options.fine);
  if (!headset_) return;
  menu_.switches.comfort = options.comfort;
  if (speaker_.isAvailable()) menu_.switches.sound = true;
  menu_.scale = options.scale;
  menu_.scenes = shippedScenes();
  startScene(std::move(opened), options.record);
  initializeHeadset();
}

Vr::~Vr() {
  const RuntimeWatch::Call call(watch_);
  headset_.reset();
}

/// Opened once per session, and not again after the user has closed it.
xr::MirrorWindow* Vr::openMirror() {
  if (options_.mirror && !mirror_) mirror_ = xr::MirrorWindow::open("Tenon: headset view");
  wait_.whileWaiting = [this] {
    if (mirror_) mirror_->poll();
  };
  return mirror_.get();
}

void Vr::initializeHeadset() {
  headset_->enablePanels(panels_.ui().width(), panels_.ui().height());
  const double rate = headset_->refreshRate();
  printMessage(fmt::format("{} with {}, {} × {} pixels per eye{}, device {}; Ctrl-C ends the session",
                           headset_->runtimeName(), headset_->headsetName(), headset_->width(),
                           headset_->height(), rate > 0 ? fmt::format(" at {:g} Hz", rate) : "",
                           headset_->deviceName()));
}

void Vr::countFrame() {
  wait_.countFrame();
  live_->drainTrace(newTrace_);
  double physics = 0;
  for (const StepPoint& step : newTrace_.steps) physics += 1e-3 * step.step_us;
  if (xrFrame_.shouldRender) {
    frameStatistics_.add(headset_->times(), xrFrame_.displayTime_ns, xrFrame_.displayPeriod_ns, physics);
  } else {
    frameStatistics_.pause();
  }
  if (trace_) trace_->finishFrame(headset_->times(), physics, headset_->mirroredFrames());
}

/// Also traces states that lasted less than a frame.
void Vr::traceStates() {
  for (const HeadsetState state : headset_->drainStates())
    if (trace_) trace_->add(state);
}

/// True if the record is complete, or there was none.
bool Vr::endSimulation(const std::string& how) {
  const bool complete = live_->finish(how);
  complete_ = complete_ && complete;
  if (std::exchange(endingRecord_, false) && complete) printMessage("session recorded in " + recordFile_);
  return complete;
}

/// Replaces the session by a new one from the scene's start; keeps the old one if that throws. Paused until
/// visible; closed hands must open before they can grasp. False if the record of the old session is
/// incomplete.
bool Vr::startScene(OpenedScene opened, const std::optional<std::string>& record) {
  // Checked here because the simulation throws later.
  SolverSettings solver = live_ ? solverNow(solver_, frameBuffer_.after->status) : solver_;
  content::requireSolverSupports(solver.solver(), *opened.scene);
  OpenedScene current = opened;
  std::unique_ptr<SceneView> sceneView;
  std::optional<xr::XrHands> hands;
  std::optional<xr::RayGrab> rays;
  if (opened_.scene && opened_.scene != current.scene) {
    sceneView = std::make_unique<SceneView>(current.scene);
    hands.emplace(*current.scene);
    hands->setMotionScale(1 / options_.fine);
    rays.emplace(*current.scene, sceneView->picker);
  }
  std::unique_ptr<LiveSimulation> next =
      beginLive(std::move(opened), {.solver = solver,
                                    .rate = options_.rate,
                                    .paused = !isVisible(state_) || pausedByUser_,
                                    .guidance = guidance_,
                                    .handsAwaitOpening = true,
                                    .inactivityTimeout_ns = kInactivityTimeout_ns,
                                    .record = record,
                                    .force = options_.force});
  // Nothing below throws.
  const bool complete = !live_ || endSimulation("done");
  live_ = std::move(next);
  solver_ = std::move(solver);
  recordFile_ = record.value_or("");
  if (sceneView) {
    rays_ = std::move(*rays);
    hands_ = std::move(*hands);
    sceneView_ = std::move(sceneView);
    placed_ = false;
  }
  opened_ = std::move(current);
  renderSceneBuilder_ = {};
  contactHaptics_ = {};
  goalChime_ = {};
  shownMessages_ = 0;
  applyScale(menu_.scale);
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  return complete;
}

/// Starts the requested scene once it is loaded.
void Vr::finishOpening() {
  if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    const UnblockSignals unblock;
    OpenedScene opened = opening_.get();
    const bool recording = frameBuffer_.after->status.recording;
    const std::string file = recordFile_;
    const bool complete = startScene(std::move(opened), std::nullopt);
    menu_.notice = !recording ? ""
                   : complete ? "Recording stopped with its scene: " + file
                              : "Recording failed and ended early: " + file;
  } catch (const std::exception& error) {  // any failure: the current session continues
    menu_.notice = error.what();
  }
}

/// A record contains everything since the scene's start, so starting one restarts the scene.
void Vr::toggleRecord() {
  if (endingRecord_) return;
  if (frameBuffer_.after->status.recording) {
    live_->endRecord();
    endingRecord_ = true;
    return;
  }
  try {
    const UnblockSignals unblock;
    const std::string file = uniqueFileName("", ".tenon");
    startScene(OpenedScene(opened_), file);
    menu_.notice = "Recording from the start: " + file;
    printMessage("recording to " + file);
  } catch (const std::exception& error) {
    menu_.notice = error.what();
  }
}

/// Reports the end of a record once it is written.
void Vr::reportRecording() {
  const LiveStatus& status = frameBuffer_.after->status;
  if (!endingRecord_ || status.recording) return;
  endingRecord_ = false;
  if (status.recordingEndedEarly) {
    menu_.notice = "Recording failed and ended early: " + recordFile_;
    return;
  }
  menu_.notice = "Recorded: " + recordFile_;
  printMessage("session recorded in " + recordFile_);
}

/// Includes hands that are not tracked.
bool Vr::isAnyClosed() const {
  for (const std::size_t side : {xr::XrHands::kLeft, xr::XrHands::kRight}) {
    const int hand = hands_.handOf(side);
    if (hand >= 0 && hands_.samples()[static_cast<std::size_t>(hand)].closed) return true;
  }
  return false;
}

/// Raises the table by `height` of the room [m].
void Vr::raise(double height) {
  room_ = raisedRoom(room_, height);
  table_.height += height;
  userRaise_ += height;
}

/// Changes scale, table height and position; rejected while a hand is closed.
void Vr::moveRoom(const MenuRequests& requests) {
  if (!requests.scale && requests.raise == 0 && !requests.recenter) return;
  if (isAnyClosed()) {
    menu_.notice = "Open both hands first";
    return;
  }
  if (requests.scale) menu_.scale = *requests.scale;
  if (requests.raise != 0) raise(requests.raise);
  recenter_ = recenter_ || requests.recenter;
}

/// Performs the menu requests of the previous frame.
void Vr::performRequests() {
  finishOpening();
  const MenuRequests requests = std::exchange(menu_.requests, {});
  if (requests.playPause) {
    pausedByUser_ = !frameBuffer_.after->status.paused;
    pausedByUser_ ? live_->pause() : live_->play();
  }
  if (requests.reset) live_->reset();
  if (requests.undo) live_->undo();
  if (requests.redo) live_->redo();
  if (requests.solver) live_->setSolver(*requests.solver);
  if (requests.guidance) {
    guidance_ = !frameBuffer_.after->status.guidance;
    live_->setGuidance(guidance_);
  }
  if (requests.record) toggleRecord();
  if (requests.scene && !opening_.valid()) {
    menu_.notice = "Loading " + *requests.scene + " …";
    opening_ = std::async(std::launch::async, [file = *requests.scene] {
      return openScene({file, {}}, std::nullopt, false);
    });
  }
  moveRoom(requests);
  quit_ = quit_ || requests.quit;
}

void Vr::reportMessages() {
  const LiveStatus& status = frameBuffer_.after->status;
  if (status.messages == shownMessages_) return;
  shownMessages_ = status.messages;
  menu_.notice = status.message;
}

void Vr::setState(HeadsetState state) {
  if (state == state_) return;
  if (isVisible(state) && !isVisible(state_) && !pausedByUser_) live_->play();
  if (!isVisible(state) && isVisible(state_)) live_->pause();
  state_ = state;
}

/// Places the room at the start and after recentering.
void Vr::place(const xr::XrFrame& xrFrame) {
  if (xrFrame.eyes.empty() || (placed_ && !xrFrame.recentered && !recenter_)) return;
  const double headHeight = headset_->hasFloorOrigin() ? -1
                            : options_.seated          ? kSeatedEyeHeight
                                                       : kStandingEyeHeight;
  const double eyes = headHeight < 0 ? xrFrame.X_SH.p.y() : headHeight;
  const double down = -std::max(xrFrame.eyes[0].down, xrFrame.eyes[1].down);
  const double height = options_.tableHeight.value_or(
      visibleTableHeight(scaledBox(sceneView_->startBounds, menu_.scale), table_, eyes, down));
  table_.height = height + userRaise_;
  room_ = placedRoom(xrFrame.X_SH, sceneView_->startBounds, table_, headHeight, menu_.scale);
  applyScale(menu_.scale);
  floor_ = headHeight < 0 ? 0 : xrFrame.X_SH.p.y() - headHeight;
  placed_ = true;
  recenter_ = false;
}

/// Applies a new scale; the table top in front of the user keeps its position.
void Vr::changeScale(const xr::XrFrame& xrFrame) {
  if (menu_.scale == room_.scale || xrFrame.eyes.empty() || isAnyClosed()) return;
  Eigen::Vector3d ahead = xrFrame.X_SH.q * -Eigen::Vector3d::UnitZ();
  ahead.y() = 0;
  Eigen::Vector3d fixed = xrFrame.X_SH.p + table_.distance * ahead.stableNormalized();
  fixed.y() = floor_ + table_.height;
  room_ = rescaledRoom(room_, fixed, menu_.scale);
  applyScale(menu_.scale);
}

/// Sets the sizes that are constant in the room, and the reach of the hands.
void Vr::applyScale(double scale) {
  arcPoint_ = std::make_shared<content::DisplayMesh>(
      content::displayMeshOf(physics::Sphere{kArcPointRadius / scale}));
  handAppearance_ = HandAppearance(scale);
  hands_.setScale(scale);
  rays_.setScale(scale);
}

/// Uses the grasps of the previous frame, because those of this frame depend on the room.
void Vr::point(const xr::XrFrame& xrFrame) {
  for (std::size_t side = 0; side < closed_.size(); ++side) {
    const int hand = hands_.handOf(side);
    closed_[side] = hand >= 0 && hands_.samples()[static_cast<std::size_t>(hand)].closed;
  }
  panels_.point(xrFrame, closed_, menu_.switches.comfort);
}

/// Height of the teleport target: the drawn ground, or the floor if that is higher.
double Vr::landingHeight(const xr::XrFrame& xrFrame) const {
  if (!sceneView_->ground) return floor_;
  const double ground = room_.inRoom({room_.X_WS.p.x(), room_.X_WS.p.y(), sceneView_->ground->height}).y();
  return xrFrame.X_SH.p.y() > ground ? std::max(floor_, ground) : floor_;
}

void Vr::updateLocomotion(const xr::XrFrame& xrFrame) {
  locomotionStep_ = {};
  if (!placed_ || xrFrame.eyes.empty()) return;
  std::array<Locomotion::Hand, 2> hands;
  for (std::size_t side = 0; side < hands.size(); ++side)
    hands[side] = {xrFrame.hands[side], closed_[side] || panels_.isPointingAtMenu(side)};
  locomotionStep_ = locomotion_.update(hands, menu_.switches.comfort, landingHeight(xrFrame),
                                       std::clamp(frame_s_, 0.0, kMaxFrameTime));
  if (locomotionStep_.turn != 0)
    room_.X_WS = turnedRoom(room_.X_WS, {xrFrame.X_SH.q, xrFrame.X_SH.p / room_.scale}, locomotionStep_.turn);
  raise(locomotionStep_.raise);
  if (locomotionStep_.arriveAt) room_ = walkedRoom(room_, xrFrame.X_SH.p, *locomotionStep_.arriveAt);
}

/// The frame in world scale, so that X_WS alone maps it to the world; without input to the menu.
xr::XrFrame Vr::inScene(const xr::XrFrame& xrFrame) const {
  xr::XrFrame out = xrFrame;
  out.X_SH.p /= room_.scale;
  for (xr::View& eye : out.eyes) eye.X_WC.p /= room_.scale;
  for (std::size_t side = 0; side < out.hands.size(); ++side) {
    out.hands[side].X_SH.p /= room_.scale;
    if (!panels_.isPointingAtMenu(side) || closed_[side]) continue;
    out.hands[side].squeeze = out.hands[side].trigger = 0;
    out.hands[side].pointing.reset();
  }
  return out;
}

void Vr::publishHands(const xr::XrFrame& xrFrame) {
  if (!placed_) return;  // the room has no pose yet
  hands_.update(xrFrame.hands, room_.X_WS);
  updateRays(hands_, xrFrame, room_.X_WS, drawn_.X_WP, rays_);
  const bool isSeen = !xrFrame.eyes.empty() && xrFrame.X_SH.isFinite();
  live_->setHead({isSeen ? std::optional(room_.X_WS * xrFrame.X_SH) : std::nullopt});
  live_->setHands(rays_.samples(), live_->now_ns(),
                  std::llround(1e9 * std::clamp(frame_s_, 0.0, kMaxFrameTime)));
}

void Vr::addHands(const xr::XrFrame& xrFrame, xr::RenderScene& renderScene) const {
  for (std::size_t side = 0; side < xrFrame.hands.size(); ++side)
    if (hands_.handOf(side) >= 0)
      handAppearance_.add(shownHand(side, hands_, rays_, xrFrame, room_.X_WS, *sceneView_->scene, drawn_),
                          renderScene);
}

/// Adds menu, labels, teleport arc and vignette.
const ImDrawData* Vr::addPanels(const xr::XrFrame& xrFrame, xr::RenderScene& renderScene) {
  if (locomotionStep_.arc) addTeleportArc(*locomotionStep_.arc, room_, arcPoint_, renderScene);
  addHandLabels(*sceneView_->scene, drawn_, renderScene);
  const std::string& failure = frameBuffer_.after->status.failure;
  if (!failure.empty()) addFailurePanel(failure, room_, xrFrame.X_SH, renderScene);
  renderScene.vignette = {locomotionStep_.vignette, locomotionStep_.fade};
  menu_.frames = meanFrameTime_s_ > 0 ? fmt::format("{:.0f} fps", 1 / meanFrameTime_s_) : "";
  PanelContext context{viewState_, *sceneView_, *frameBuffer_.after, history_, headset_->deviceName(), 1};
  return panels_.draw(context, menu_, room_, xrFrame.X_SH, frame_s_, renderScene);
}

std::optional<xr::FrameContent> Vr::buildFrame(const xr::XrFrame& xrFrame) {
  const RuntimeWatch::Callback callback(watch_);
  const auto began = std::chrono::steady_clock::now();
  live_->reportActivity();
  xrFrame_ = xrFrame;
  rejected_ += xrFrame.rejected;
  const double now = 1e-9 * static_cast<double>(clock_.now_ns());
  frame_s_ = lastFrame_s_ < 0 ? 0 : now - lastFrame_s_;
  lastFrame_s_ = now;
  meanFrameTime_s_ += 0.1 * (frame_s_ - meanFrameTime_s_);
  performRequests();
  place(xrFrame);
  changeScale(xrFrame);
  point(xrFrame);
  updateLocomotion(xrFrame);
  const xr::XrFrame scaledFrame = inScene(xrFrame);
  publishHands(scaledFrame);
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  reportMessages();
  reportRecording();
  updateHaptics();
  std::optional<xr::FrameContent> renderScene;
  VrTraceContext context{room_, {}, {}, {}, {}, 0};
  if (xrFrame.shouldRender) {
    viewState_.hoveredPart = pointedPart(hands_, rays_);
    viewState_.partsInReach = partsInReach(hands_, rays_);
    renderScene = {renderSceneBuilder_.build(*sceneView_, *frameBuffer_.after, drawn_, viewState_),
                   room_.X_WS, room_.scale, nullptr};
    addHands(scaledFrame, renderScene->scene);
    sectionPlane_.update(menu_.switches, xrFrame, closed_, panels_.isShown(), room_);
    renderScene->scene.section = sectionPlane_.plane();
    renderScene->panels = addPanels(xrFrame, renderScene->scene);
    context = {room_,
               panels_.trace(viewState_, menu_),
               renderScene->scene.vignette,
               locomotionStep_.arc ? locomotionStep_.arc->landing : std::nullopt,
               renderScene->scene.section,
               renderScene->scene.panels.size()};
  }
  const std::chrono::duration<double, std::milli> own = std::chrono::steady_clock::now() - began;
  if (trace_)
    trace_->add(xrFrame, context, hands_, rays_, *sceneView_, *frameBuffer_.after, drawn_,
                {1e3 * frame_s_, own.count(), hapticPulses_, rejected_});
  return renderScene;
}

/// Haptics and sounds of contacts, and the chime of reached goals.
void Vr::updateHaptics() {
  if (state_ != HeadsetState::focused) return;
  const bool soundOn = menu_.switches.sound.value_or(false);
  for (std::size_t side = 0; side < 2; ++side) {
    if (hands_.handOf(side) < 0) continue;
    const auto hand = static_cast<std::size_t>(hands_.handOf(side));
    const auto hapticPulse =
        contactHaptics_.updateHaptics(hand, frameBuffer_.after->record.tick, newTrace_.episodes);
    if (!hapticPulse) continue;
    {
      const RuntimeWatch::Call call(watch_);
      headset_->hapticPulse(side, *hapticPulse, kPulseDuration);
    }
    ++hapticPulses_;
    if (soundOn) speaker_.play(xr::Sound::contact, *hapticPulse);
  }
  if (goalChime_.shouldChime(frameBuffer_.after->goals) && soundOn) speaker_.play(xr::Sound::reached, 0.5);
}

void Vr::saveScreenshot() {
  if (!screenshot_) return;
  headset_->captureNext();
  if (headset_->running()) frame();
  const auto current = headset_->consumeCapture();
  if (current) screenshot_->commit(xr::toPng(*current));
  printMessage((current ? "image written to " : "no frame was displayed for ") + *options_.screenshot);
}

void Vr::frame() {
  const RuntimeWatch::Call call(watch_);
  headset_->frame([this](const xr::XrFrame& xrFrame) { return buildFrame(xrFrame); });
}

HeadsetState Vr::poll() {
  const RuntimeWatch::Call call(watch_);
  return headset_->poll();
}

/// False at the end of the session.
bool Vr::pollAndRender() {
  const HeadsetState state = poll();
  traceStates();
  setState(state);
  if (state == HeadsetState::exiting) return false;
  if (headset_->running()) {
    frame();
    countFrame();
  } else {
    std::this_thread::sleep_for(kVrIdle);
  }
  return !quit_;
}

/// False at the end of the session, or if the headset was lost and did not return.
bool Vr::pollOrReconnect() {
  try {
    return pollAndRender();
  } catch (const xr::HeadsetLost& error) {
    traceStates();
    return reconnect(error.what());
  }
}

/// The simulation is paused meanwhile; the record stays open.
bool Vr::reconnect(const std::string& reason) {
  setState(HeadsetState::lost);
  if (trace_) trace_->add(HeadsetState::lost);
  // Only a stage space keeps its origin in a new session.
  const bool sameRoom = headset_->isRoomPersistent();
  frameStatistics_.pause();
  {
    const RuntimeWatch::Call call(watch_);
    headset_.reset();
  }
  headset_ = wait_.reconnect(reason);
  if (!headset_) return false;
  initializeHeadset();
  placed_ = placed_ && sameRoom && headset_->isRoomPersistent();
  return true;
}

int Vr::run() {
  if (!headset_) return kInterrupted;
  const int code = session();
  if (frameStatistics_.frames() > 0) printMessage(frameStatistics_.summary());
  return code;
}

/// Errors are ignored, because the session ends anyway.
void Vr::requestHeadsetExit() {
  try {
    const RuntimeWatch::Call call(watch_);
    headset_->requestExit();
  } catch (const xr::HeadsetLost&) {
  } catch (const xr::GraphicsUnavailable&) {
  }
  traceStates();
}

int Vr::session() {
  const BlockSignals block;  // the physics thread handles them
  const auto lost = [&](const std::exception& error) {
    printMessage(error.what());
    live_->finish("headset lost");
    return kMissingComponent;
  };
  try {
    while (!interrupt_.requested() && pollOrReconnect()) {
    }
    if (!headset_ && wait_.timedOut()) {
      live_->finish("headset lost");
      return kMissingComponent;
    }
    const bool interrupted = interrupt_.requested();
    if (headset_) saveScreenshot();
    endSimulation(interrupted ? "interrupted" : "done");
    if ((interrupted || quit_) && headset_) requestHeadsetExit();
    return interrupted ? kInterrupted : complete_ ? kSuccess : kMissingComponent;
  } catch (const xr::HeadsetLost& error) {
    return lost(error);
  } catch (const xr::GraphicsUnavailable& error) {
    return lost(error);
  }
}

}  // namespace

int runVr(const VrOptions& options) {
  // Reports bad input before looking for a headset.
  OpenedScene opened = openScene(sceneOrFirst(options.scene), std::nullopt, false);
  content::requireSolverSupports(options.solver.solver(), *opened.scene);
  InputFiles inputs;
  inputs.add(*opened.scene, opened.meshFiles);
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--screenshot", options.screenshot, OutputKind::image},
                             Output{"--trace", options.trace, OutputKind::trace}},
                  inputs, options.force);
  return Vr(options, std::move(opened)).run();
}

}  // namespace tenon::runtime
