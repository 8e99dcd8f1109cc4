// One frame after the other, when the headset wants one: hands in, the newest moments out, a picture for each
// eye.
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

constexpr double kLongestGlide = 0.1;                  ///< of a hand to where the controller is [s]
constexpr double kShake = 0.02;                        ///< [s]
constexpr double kStanding = 1.6, kSeated = 1.2;       ///< height of eyes where the floor is not known [m]
constexpr double kDot = 0.008;                         ///< radius of an arc's points [m]
constexpr std::int64_t kUnseen_ns = 250'000'000;       ///< without a frame, after which time stands still
constexpr auto kIdle = std::chrono::milliseconds(50);  ///< between looks at a headset that nobody wears

bool isSeen(HeadsetState state) {
  return state == HeadsetState::visible || state == HeadsetState::focused;
}

/// Everything of a session with a headset; members in the order of making.
class Vr {
 public:
  Vr(const VrOptions& options, OpenedScene opened);
  ~Vr();
  Vr(const Vr&) = delete;
  Vr& operator=(const Vr&) = delete;
  int run();

 private:
  int session();
  bool turn();
  bool turnOrWait();
  bool waitForHeadset(const std::string& why);
  void introduce();
  xr::MirrorWindow* openMirror();
  std::optional<xr::FrameContent> takeFrame(const xr::XrFrame& seen);
  bool begin(OpenedScene opened, const std::optional<std::string>& record);
  void takeOpened();
  void takeWishes();
  void toggleRecord();
  bool endSimulation(const std::string& how);
  void tellRecorded();
  void moveRoom(const MenuRequests& requests);
  bool isAnyClosed() const;
  void tellMessages();
  void place(const xr::XrFrame& seen);
  void raise(double height);
  void frame();
  HeadsetState poll();
  double landingHeight(const xr::XrFrame& seen) const;
  void point(const xr::XrFrame& seen);
  void updateLocomotion(const xr::XrFrame& seen);
  void changeScale(const xr::XrFrame& seen);
  void fitTo(double scale);
  xr::XrFrame inScene(const xr::XrFrame& seen) const;
  void passHands(const xr::XrFrame& seen);
  const ImDrawData* addPanels(const xr::XrFrame& seen, xr::RenderScene& picture);
  void addHands(const xr::XrFrame& seen, xr::RenderScene& picture) const;
  void updateHaptics();
  void countFrame();
  void tellStates();
  void tellState(HeadsetState state);
  void saveScreenshot();
  void sayGoodbye();

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
  RenderSceneBuilder picture_;
  ViewState look_;  ///< what is drawn beside the parts
  HandAppearance handLooks_;
  std::shared_ptr<const content::DisplayMesh> dot_;  ///< of arcs
  VrMenu menu_;
  Table table_;
  double raised_ = 0;  ///< of the table, by the person [m]
  Room room_;
  double floor_ = 0;  ///< its height in the room [m]
  bool placed_ = false, recentre_ = false, quit_ = false;
  bool pausedByHand_ = false;
  bool complete_ = true;  ///< all records of this session that are finished
  int messages_ = 0;      ///< of the session that have been told
  std::future<OpenedScene> opening_;
  std::string recordFile_;
  bool ending_ = false;  ///< the record was told to end, and the person not yet that it has
  HeadsetState state_ = HeadsetState::unknown;
  SteadyClock clock_;
  double lastFrame_s_ = -1;
  double frame_s_ = 0;  ///< from the frame before to this one
  FrameStatistics frames_;
  LiveTrace recent_;  ///< what physics did since the frame before
  xr::XrFrame seen_;
  std::int64_t rejected_ = 0;  ///< poses and fields of view of the runtime, over all frames
  double pace_s_ = 0;          ///< the same, evened out
  std::array<bool, 2> closed_{};
  Locomotion locomotion_;
  Locomotion::Step about_;
  HandPlane plane_;
  History history_;  ///< empty: nothing here plots
  ContactHaptics touch_;
  GoalChime bell_;
  std::int64_t shakes_ = 0;
};

Vr::Vr(const VrOptions& options, OpenedScene opened)
    : options_(options),
      trace_(options.trace ? std::make_optional<VrTrace>(*options.trace) : std::nullopt),
      screenshot_(options.screenshot ? std::make_unique<AtomicFile>(*options.screenshot) : nullptr),
      watch_(interrupt_, [this] { screenshot_.reset(); }),
      wait_(options.patience, interrupt_, watch_,
            {.mirror = [this] { return openMirror(); }, .refreshRate = options.refreshRate}),
      speaker_(options.sound),
      headset_(wait_.first()),
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
  begin(std::move(opened), options.record);
  introduce();
}

Vr::~Vr() {
  const RuntimeWatch::Call call(watch_);
  headset_.reset();
}

/// Once: a person who has closed it wants none.
xr::MirrorWindow* Vr::openMirror() {
  if (options_.mirror && !mirror_) mirror_ = xr::MirrorWindow::open("Tenon: what the headset sees");
  wait_.whileWaiting = [this] {
    if (mirror_) mirror_->poll();
  };
  return mirror_.get();
}

void Vr::introduce() {
  headset_->enablePanels(panels_.ui().width(), panels_.ui().height());
  const double rate = headset_->refreshRate();
  say(fmt::format("{} with {}, {} × {} pixels an eye{}, drawn by {}; Ctrl-C ends it", headset_->runtimeName(),
                  headset_->headsetName(), headset_->width(), headset_->height(),
                  rate > 0 ? fmt::format(" at {:g} Hz", rate) : "", headset_->deviceName()));
}

void Vr::countFrame() {
  wait_.countFrame();
  live_->drainTrace(recent_);
  double physics = 0;
  for (const StepPoint& step : recent_.steps) physics += 1e-3 * step.step_us;
  if (seen_.shouldRender) {
    frames_.add(headset_->times(), seen_.displayTime_ns, seen_.displayPeriod_ns, physics);
  } else {
    frames_.pause();
  }
  if (trace_) trace_->done(headset_->times(), physics, headset_->mirroredFrames());
}

/// What is passed through between two looks is in the trace, too.
void Vr::tellStates() {
  for (const HeadsetState state : headset_->drainStates())
    if (trace_) trace_->add(state);
}

/// True where its record is complete, or it had none.
bool Vr::endSimulation(const std::string& how) {
  const bool complete = live_->finish(how);
  complete_ = complete_ && complete;
  if (std::exchange(ending_, false) && complete) say("the session until now is in " + recordFile_);
  return complete;
}

/// A scene from its start, in the place of what went on; that stays where the new one cannot begin. Time
/// stands still until somebody can see it. A hand that is closed takes nothing before it has been open. False
/// where what went on was recorded and its record is not complete.
bool Vr::begin(OpenedScene opened, const std::optional<std::string>& record) {
  // As the simulation has it, which refuses what cannot be.
  SolverSettings solver = live_ ? solverNow(solver_, frameBuffer_.after->status) : solver_;
  content::requireSolverSupports(solver.solver(), *opened.scene);
  OpenedScene kept = opened;
  std::unique_ptr<SceneView> sceneView;
  std::optional<xr::XrHands> hands;
  std::optional<xr::RayGrab> rays;
  if (opened_.scene && opened_.scene != kept.scene) {
    sceneView = std::make_unique<SceneView>(kept.scene);
    hands.emplace(*kept.scene);
    hands->setMotionScale(1 / options_.fine);
    rays.emplace(*kept.scene, sceneView->picker);
  }
  std::unique_ptr<LiveSimulation> next =
      beginLive(std::move(opened), {.solver = solver,
                                    .rate = options_.rate,
                                    .paused = !isSeen(state_) || pausedByHand_,
                                    .guidance = guidance_,
                                    .handsAwaitOpening = true,
                                    .inactivityTimeout_ns = kUnseen_ns,
                                    .record = record,
                                    .force = options_.force});
  // All that may fail is done.
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
  opened_ = std::move(kept);
  picture_ = {};
  touch_ = {};
  bell_ = {};
  messages_ = 0;
  fitTo(menu_.scale);
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  return complete;
}

/// A scene that was asked for, when it has been read.
void Vr::takeOpened() {
  if (!opening_.valid() || opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    const UnblockSignals here;
    OpenedScene opened = opening_.get();
    const bool recording = frameBuffer_.after->status.recording;
    const std::string file = recordFile_;
    const bool complete = begin(std::move(opened), std::nullopt);
    menu_.notice = !recording ? ""
                   : complete ? "The record ends with its scene: " + file
                              : "The record ended early: " + file;
  } catch (const std::exception& error) {  // whatever it is, the session that goes on is worth more
    menu_.notice = error.what();
  }
}

/// A record holds all that happened since the scene's start, so one that begins later brings that back.
void Vr::toggleRecord() {
  if (ending_) return;
  if (frameBuffer_.after->status.recording) {
    live_->endRecord();
    ending_ = true;
    return;
  }
  try {
    const UnblockSignals here;
    const std::string file = uniqueFileName("", ".tenon");
    begin(OpenedScene(opened_), file);
    menu_.notice = "Recording from the start: " + file;
    say("recording to " + file);
  } catch (const std::exception& error) {
    menu_.notice = error.what();
  }
}

/// Once it is so: ending a record takes the disk its time.
void Vr::tellRecorded() {
  const LiveStatus& status = frameBuffer_.after->status;
  if (!ending_ || status.recording) return;
  ending_ = false;
  if (status.recordingEndedEarly) {
    menu_.notice = "The record ended early: " + recordFile_;
    return;
  }
  menu_.notice = "Recorded: " + recordFile_;
  say("the session until now is in " + recordFile_);
}

/// Also one that is out of sight.
bool Vr::isAnyClosed() const {
  for (const std::size_t side : {xr::XrHands::kLeft, xr::XrHands::kRight}) {
    const int hand = hands_.handOf(side);
    if (hand >= 0 && hands_.samples()[static_cast<std::size_t>(hand)].closed) return true;
  }
  return false;
}

/// The table, by so much of the room [m].
void Vr::raise(double height) {
  room_ = raisedRoom(room_, height);
  table_.height += height;
  raised_ += height;
}

/// Not while a hand is closed.
void Vr::moveRoom(const MenuRequests& requests) {
  if (!requests.scale && requests.raise == 0 && !requests.recenter) return;
  if (isAnyClosed()) {
    menu_.notice = "Open your hands first: what they hold would be torn along";
    return;
  }
  if (requests.scale) menu_.scale = *requests.scale;
  if (requests.raise != 0) raise(requests.raise);
  recentre_ = recentre_ || requests.recenter;
}

/// What was pressed in the frame before.
void Vr::takeWishes() {
  takeOpened();
  const MenuRequests requests = std::exchange(menu_.requests, {});
  if (requests.playPause) {
    pausedByHand_ = !frameBuffer_.after->status.paused;
    pausedByHand_ ? live_->pause() : live_->play();
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
    menu_.notice = "Reading " + *requests.scene + " …";
    opening_ = std::async(std::launch::async, [file = *requests.scene] {
      return openScene({file, {}}, std::nullopt, false);
    });
  }
  moveRoom(requests);
  quit_ = quit_ || requests.quit;
}

void Vr::tellMessages() {
  const LiveStatus& status = frameBuffer_.after->status;
  if (status.messages == messages_) return;
  messages_ = status.messages;
  menu_.notice = status.message;
}

void Vr::tellState(HeadsetState state) {
  if (state == state_) return;
  if (isSeen(state) && !isSeen(state_) && !pausedByHand_) live_->play();
  if (!isSeen(state) && isSeen(state_)) live_->pause();
  state_ = state;
}

/// Where the runtime has a new middle of the room hands are elsewhere in it anyway, also those that hold.
void Vr::place(const xr::XrFrame& seen) {
  if (seen.eyes.empty() || (placed_ && !seen.recentered && !recentre_)) return;
  const double headHeight = headset_->hasFloorOrigin() ? -1 : options_.seated ? kSeated : kStanding;
  const double eyes = headHeight < 0 ? seen.X_SH.p.y() : headHeight;
  const double down = -std::max(seen.eyes[0].down, seen.eyes[1].down);
  const double height = options_.tableHeight.value_or(
      visibleTableHeight(scaledBox(sceneView_->room, menu_.scale), table_, eyes, down));
  table_.height = height + raised_;
  room_ = placedRoom(seen.X_SH, sceneView_->room, table_, headHeight, menu_.scale);
  fitTo(menu_.scale);
  floor_ = headHeight < 0 ? 0 : seen.X_SH.p.y() - headHeight;
  placed_ = true;
  recentre_ = false;
}

/// What is before the person's hands stays there.
void Vr::changeScale(const xr::XrFrame& seen) {
  if (menu_.scale == room_.scale || seen.eyes.empty() || isAnyClosed()) return;
  Eigen::Vector3d ahead = seen.X_SH.q * -Eigen::Vector3d::UnitZ();
  ahead.y() = 0;
  Eigen::Vector3d fixed = seen.X_SH.p + table_.distance * ahead.stableNormalized();
  fixed.y() = floor_ + table_.height;
  room_ = rescaledRoom(room_, fixed, menu_.scale);
  fitTo(menu_.scale);
}

/// What is as large as it is in the room, and how far a person reaches there.
void Vr::fitTo(double scale) {
  dot_ = std::make_shared<content::DisplayMesh>(content::displayMeshOf(physics::Sphere{kDot / scale}));
  handLooks_ = HandAppearance(scale);
  hands_.setScale(scale);
  rays_.setScale(scale);
}

/// With what the hands held in the frame before: those of this one are where the room is.
void Vr::point(const xr::XrFrame& seen) {
  for (std::size_t side = 0; side < closed_.size(); ++side) {
    const int hand = hands_.handOf(side);
    closed_[side] = hand >= 0 && hands_.samples()[static_cast<std::size_t>(hand)].closed;
  }
  panels_.point(seen, closed_, menu_.switches.comfort);
}

/// Arcs come down on what is seen as the ground: what is on the floor below it cannot be seen.
double Vr::landingHeight(const xr::XrFrame& seen) const {
  if (!sceneView_->ground) return floor_;
  const double ground = room_.inRoom({room_.X_WS.p.x(), room_.X_WS.p.y(), sceneView_->ground->height}).y();
  return seen.X_SH.p.y() > ground ? std::max(floor_, ground) : floor_;
}

void Vr::updateLocomotion(const xr::XrFrame& seen) {
  about_ = {};
  if (!placed_ || seen.eyes.empty()) return;
  std::array<Locomotion::Hand, 2> hands;
  for (std::size_t side = 0; side < hands.size(); ++side)
    hands[side] = {seen.hands[side], closed_[side] || panels_.isPointingAtMenu(side)};
  about_ = locomotion_.update(hands, menu_.switches.comfort, landingHeight(seen),
                              std::clamp(frame_s_, 0.0, kLongestGlide));
  if (about_.turn != 0)
    room_.X_WS = turnedRoom(room_.X_WS, {seen.X_SH.q, seen.X_SH.p / room_.scale}, about_.turn);
  raise(about_.raise);
  if (about_.arriveAt) room_ = walkedRoom(room_, seen.X_SH.p, *about_.arriveAt);
}

/// The moment in a room that is as large as the scene, in which X_WS is all that leads to the world; what a
/// hand does to the menu is not for the scene.
xr::XrFrame Vr::inScene(const xr::XrFrame& seen) const {
  xr::XrFrame out = seen;
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

void Vr::passHands(const xr::XrFrame& seen) {
  if (!placed_) return;  // hands in a room that is nowhere yet would be anywhere
  hands_.update(seen.hands, room_.X_WS);
  updateRays(hands_, seen, room_.X_WS, drawn_.X_WP, rays_);
  const bool isSeen = !seen.eyes.empty() && seen.X_SH.isFinite();
  live_->setHead({isSeen ? std::optional(room_.X_WS * seen.X_SH) : std::nullopt});
  live_->setHands(rays_.samples(), live_->now_ns(),
                  std::llround(1e9 * std::clamp(frame_s_, 0.0, kLongestGlide)));
}

void Vr::addHands(const xr::XrFrame& seen, xr::RenderScene& picture) const {
  for (std::size_t side = 0; side < seen.hands.size(); ++side)
    if (hands_.handOf(side) >= 0)
      handLooks_.add(shownHand(side, hands_, rays_, seen, room_.X_WS, *sceneView_->scene, drawn_), picture);
}

/// Menu, texts, the arc of who is about to go somewhere, darkness.
const ImDrawData* Vr::addPanels(const xr::XrFrame& seen, xr::RenderScene& picture) {
  if (about_.arc) addTeleportArc(*about_.arc, room_, dot_, picture);
  addHandLabels(*sceneView_->scene, drawn_, picture);
  const std::string& failure = frameBuffer_.after->status.failure;
  if (!failure.empty()) addFailurePanel(failure, room_, seen.X_SH, picture);
  picture.vignette = {about_.rim, about_.dark};
  menu_.frames = pace_s_ > 0 ? fmt::format("{:.0f} pictures/s", 1 / pace_s_) : "";
  PanelContext context{look_, *sceneView_, *frameBuffer_.after, history_, headset_->deviceName(), 1};
  return panels_.draw(context, menu_, room_, seen.X_SH, frame_s_, picture);
}

std::optional<xr::FrameContent> Vr::takeFrame(const xr::XrFrame& seen) {
  const RuntimeWatch::Callback ours(watch_);
  const auto began = std::chrono::steady_clock::now();
  live_->reportActivity();
  seen_ = seen;
  rejected_ += seen.rejected;
  const double now = 1e-9 * static_cast<double>(clock_.now_ns());
  frame_s_ = lastFrame_s_ < 0 ? 0 : now - lastFrame_s_;
  lastFrame_s_ = now;
  pace_s_ += 0.1 * (frame_s_ - pace_s_);
  takeWishes();
  place(seen);
  changeScale(seen);
  point(seen);
  updateLocomotion(seen);
  const xr::XrFrame there = inScene(seen);
  passHands(there);
  frameBuffer_ = live_->frameBuffer();
  interpolateAt(frameBuffer_, live_->now_ns(), drawn_);
  tellMessages();
  tellRecorded();
  updateHaptics();
  std::optional<xr::FrameContent> picture;
  VrTraceContext around{room_, {}, {}, {}, {}, 0};
  if (seen.shouldRender) {
    look_.under = pointedPart(hands_, rays_);
    look_.reached = partsInReach(hands_, rays_);
    picture = {picture_.picture(*sceneView_, *frameBuffer_.after, drawn_, look_), room_.X_WS, room_.scale,
               nullptr};
    addHands(there, picture->scene);
    plane_.update(menu_.switches, seen, closed_, panels_.isShown(), room_);
    picture->scene.section = plane_.plane();
    picture->panels = addPanels(seen, picture->scene);
    around = {room_,
              panels_.trace(look_, menu_),
              picture->scene.vignette,
              about_.arc ? about_.arc->landing : std::nullopt,
              picture->scene.section,
              picture->scene.panels.size()};
  }
  const std::chrono::duration<double, std::milli> own = std::chrono::steady_clock::now() - began;
  if (trace_)
    trace_->add(seen, around, hands_, rays_, *sceneView_, *frameBuffer_.after, drawn_,
                {1e3 * frame_s_, own.count(), shakes_, rejected_});
  return picture;
}

/// What hands touch, felt and heard; and goals.
void Vr::updateHaptics() {
  if (state_ != HeadsetState::focused) return;
  const bool hears = menu_.switches.sound.value_or(false);
  for (std::size_t side = 0; side < 2; ++side) {
    if (hands_.handOf(side) < 0) continue;
    const auto hand = static_cast<std::size_t>(hands_.handOf(side));
    const auto hapticPulse = touch_.updateHaptics(hand, frameBuffer_.after->record.tick, recent_.episodes);
    if (!hapticPulse) continue;
    {
      const RuntimeWatch::Call call(watch_);
      headset_->hapticPulse(side, *hapticPulse, kShake);
    }
    ++shakes_;
    if (hears) speaker_.play(xr::Sound::contact, *hapticPulse);
  }
  if (bell_.shouldChime(frameBuffer_.after->goals) && hears) speaker_.play(xr::Sound::reached, 0.5);
}

void Vr::saveScreenshot() {
  if (!screenshot_) return;
  headset_->captureNext();
  if (headset_->running()) frame();
  const auto kept = headset_->consumeCapture();
  if (kept) screenshot_->commit(xr::toPng(*kept));
  say((kept ? "picture written to " : "nothing was to be seen for ") + *options_.screenshot);
}

void Vr::frame() {
  const RuntimeWatch::Call call(watch_);
  headset_->frame([this](const xr::XrFrame& seen) { return takeFrame(seen); });
}

HeadsetState Vr::poll() {
  const RuntimeWatch::Call call(watch_);
  return headset_->poll();
}

/// False: it is over.
bool Vr::turn() {
  const HeadsetState state = poll();
  tellStates();
  tellState(state);
  if (state == HeadsetState::exiting) return false;
  if (headset_->running()) {
    frame();
    countFrame();
  } else {
    std::this_thread::sleep_for(kIdle);
  }
  return !quit_;
}

/// False: it is over, also where the headset was lost and did not return.
bool Vr::turnOrWait() {
  try {
    return turn();
  } catch (const xr::HeadsetLost& error) {
    tellStates();
    return waitForHeadset(error.what());
  }
}

/// Time stands still meanwhile, and the recording stays open.
bool Vr::waitForHeadset(const std::string& why) {
  tellState(HeadsetState::lost);
  if (trace_) trace_->add(HeadsetState::lost);
  // Any other room than a stage has its middle where the head is when it begins.
  const bool sameRoom = headset_->isRoomPersistent();
  frames_.pause();
  {
    const RuntimeWatch::Call call(watch_);
    headset_.reset();
  }
  headset_ = wait_.again(why);
  if (!headset_) return false;
  introduce();
  placed_ = placed_ && sameRoom && headset_->isRoomPersistent();
  return true;
}

int Vr::run() {
  if (!headset_) return kInterrupted;
  const int code = session();
  if (frames_.frames() > 0) say(frames_.summary());
  return code;
}

/// What a runtime makes of that changes nothing any more.
void Vr::sayGoodbye() {
  try {
    const RuntimeWatch::Call call(watch_);
    headset_->requestExit();
  } catch (const xr::HeadsetLost&) {
  } catch (const xr::GraphicsUnavailable&) {
  }
  tellStates();
}

int Vr::session() {
  const BlockSignals elsewhere;  // the physics thread takes them
  const auto lost = [&](const std::exception& error) {
    say(error.what());
    live_->finish("headset lost");
    return kMissingComponent;
  };
  try {
    while (!interrupt_.requested() && turnOrWait()) {
    }
    if (!headset_ && wait_.gaveUp()) {
      live_->finish("headset lost");
      return kMissingComponent;
    }
    const bool interrupted = interrupt_.requested();
    if (headset_) saveScreenshot();
    endSimulation(interrupted ? "interrupted" : "done");
    if ((interrupted || quit_) && headset_) sayGoodbye();
    return interrupted ? kInterrupted : complete_ ? kSuccess : kMissingComponent;
  } catch (const xr::HeadsetLost& error) {
    return lost(error);
  } catch (const xr::GraphicsUnavailable& error) {
    return lost(error);
  }
}

}  // namespace

int runVr(const VrOptions& options) {
  // Whatever is wrong with the input is told before a headset is looked for.
  OpenedScene opened = openScene(sceneOrFirst(options.scene), std::nullopt, false);
  content::requireSolverSupports(options.solver.solver(), *opened.scene);
  InputFiles inputs;
  inputs.add(*opened.scene, opened.meshFiles);
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--screenshot", options.screenshot, OutputKind::picture},
                             Output{"--trace", options.trace, OutputKind::trace}},
                  inputs, options.force);
  return Vr(options, std::move(opened)).run();
}

}  // namespace tenon::runtime
