// The frame loop of a headset session: hands to the simulation, newest simulation frames to the display.
#include "runtime/vr/vr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "content/input/input_error.h"
#include "content/model/solver_support.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/terminal.h"
#include "runtime/vr/frame_clock.h"
#include "runtime/vr/frame_statistics.h"
#include "runtime/vr/hand_pointing.h"
#include "runtime/vr/headset_wait.h"
#include "runtime/vr/process_age.h"
#include "runtime/vr/real_table.h"
#include "runtime/vr/room_placement.h"
#include "runtime/vr/runtime_watch.h"
#include "runtime/vr/signal_mask.h"
#include "runtime/vr/vr_feedback.h"
#include "runtime/vr/vr_session.h"
#include "runtime/vr/vr_trace.h"
#include "runtime/vr/vr_view.h"
#include "xr/display/headset.h"

namespace tenon::runtime {

namespace {

using xr::HeadsetState;

constexpr double kPulseDuration = 0.02;                  ///< [s]
constexpr auto kVrIdle = std::chrono::milliseconds(50);  ///< poll interval while the headset is not worn
constexpr const char* kOpenHands = "Open both hands first";

bool isVisible(HeadsetState state) {
  return state == HeadsetState::visible || state == HeadsetState::focused;
}

/// The headset of a session and its frame loop. Members are in the order of construction.
class Vr {
 public:
  Vr(const VrOptions& options, OpenedScene opened);
  ~Vr();
  Vr(const Vr&) = delete;
  Vr& operator=(const Vr&) = delete;
  int run();

 private:
  int runSession();
  bool pollAndRender();
  bool pollOrReconnect();
  bool reconnect(const std::string& reason);
  void initializeHeadset();
  xr::MirrorWindow* openMirror();
  HeadsetState poll();
  void renderFrame();
  std::optional<xr::FrameContent> buildFrame(const xr::XrFrame& xrFrame);
  void performRequests();
  void moveRoom(const MenuRequests& requests);
  void updateRoom(const xr::XrFrame& xrFrame);
  void putOnTable(const xr::XrFrame& xrFrame);
  void applyScale();
  void publishHands(const xr::XrFrame& scaledFrame);
  std::int64_t moveDuration_ns() const { return std::llround(1e9 * clock_.interpolationTime()); }
  void updateFeedback();
  void updateControllerModels();
  void countFrame();
  double realTimeShare() const;
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
  VrView view_;
  VrFeedback feedback_;
  std::unique_ptr<xr::Headset> headset_;  ///< null: lost, or never created
  VrSession session_;
  RoomPlacement placement_;
  HeadsetState state_ = HeadsetState::unknown;
  bool quit_ = false, userPresent_ = true;
  std::array<bool, 2> closed_{};  ///< by hand, in the previous frame
  RealTable table_;
  xr::XrFrame xrFrame_;
  FrameClock clock_;
  FrameStatistics frameStatistics_;
  LiveTrace newTrace_;         ///< of the simulation since the previous frame
  std::int64_t rejected_ = 0;  ///< invalid poses and fields of view from the runtime
};

Vr::Vr(const VrOptions& options, OpenedScene opened)
    : options_(options),
      trace_(options.trace ? std::make_optional<VrTrace>(*options.trace) : std::nullopt),
      screenshot_(options.screenshot ? std::make_unique<AtomicFile>(*options.screenshot) : nullptr),
      watch_(interrupt_, [this] { screenshot_.reset(); }),
      wait_(options.waitTimeout, interrupt_, watch_,
            {.mirror = [this] { return openMirror(); },
             .refreshRate = options.refreshRate,
             .passthrough = options.passthrough,
             .views = options.views,
             .resolution = options.resolution,
             .dynamicResolution = options.dynamicResolution}),
      feedback_(options.sound),
      headset_(wait_.waitForFirst()),
      session_(options, opened.scene, view_.menu().notice),
      placement_(options.tableHeight, options.seated) {
  watch_.onAbort = [this] {
    session_.abort("interrupted");
    screenshot_.reset();
    trace_.reset();
  };
  if (!headset_) return;
  view_.menu().switches.comfort = options.comfort;
  if (feedback_.hasSound()) view_.menu().switches.sound = true;
  view_.menu().scale = options.scale;
  view_.menu().scenes = shippedScenes();
  session_.onStart = [this](bool newScene) {
    if (newScene) placement_.invalidate();
    view_.reset();
    feedback_.reset();
    applyScale();
  };
  session_.start(std::move(opened), options.record);
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
  headset_->enablePanels(view_.panels().ui().width(), view_.panels().ui().height());
  view_.forgetImage();
  const double rate = headset_->refreshRate();
  const std::string insets =
      headset_->hasInsets()
          ? fmt::format(" and {} × {} in its inset", headset_->insetWidth(), headset_->insetHeight())
          : "";
  printMessage(fmt::format("{} with {}, {} × {} pixels per eye{}{}, device {}{}; Ctrl-C ends the session",
                           headset_->runtimeName(), headset_->headsetName(), headset_->width(),
                           headset_->height(), insets, rate > 0 ? fmt::format(" at {:g} Hz", rate) : "",
                           headset_->deviceName(),
                           headset_->drawsInOnePass() ? ", both eyes in one pass" : ""));
}

void Vr::countFrame() {
  wait_.countFrame();
  session_.live().drainTrace(newTrace_);
  double physics = 0;
  for (const StepPoint& step : newTrace_.steps) {
    physics += 1e-3 * step.step_us;
    frameStatistics_.addStep(step.step_us);
  }
  if (xrFrame_.shouldRender) {
    if (frameStatistics_.frames() == 0) {
      const double age = processAge();
      frameStatistics_.setFirstFrame(age);
      if (trace_) trace_->setFirstFrame(age);
    }
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

/// Sets the sizes that are constant in the room, and the reach of the hands.
void Vr::applyScale() {
  const double scale = view_.menu().scale;
  view_.setScale(scale);
  session_.scene().hands.setScale(scale);
  session_.scene().rays.setScale(scale);
}

/// Changes scale, table height and position; rejected while a hand is closed.
void Vr::moveRoom(const MenuRequests& requests) {
  if (!requests.scale && requests.raise == 0 && !requests.recenter && !requests.table) return;
  if (isAnyHandClosed(session_.scene().hands)) {
    view_.menu().notice = kOpenHands;
    return;
  }
  if (requests.scale) view_.menu().scale = *requests.scale;
  if (requests.raise != 0) placement_.raise(requests.raise);
  if (requests.recenter) placement_.recenter();
  if (view_.menu().notice == kOpenHands) view_.menu().notice.clear();
  table_.cancel();
  if (!requests.table) return;
  const RuntimeWatch::Call call(watch_);
  table_.request(headset_->searchPlanes());
}

/// Puts the scene on the user's table, after the menu's "Put on my table".
void Vr::putOnTable(const xr::XrFrame& xrFrame) {
  const Eigen::AlignedBox3d& bounds = session_.scene().view.startBounds;
  const double scale = view_.menu().scale;
  const physics::Vector3d size = scaledBox(bounds, scale).sizes();
  const auto planes = headset_->consumePlanes();
  const auto place =
      table_.update({.xrFrame = xrFrame,
                     .closed = closed_,
                     .onMenu = {view_.panels().isPointingAtMenu(0), view_.panels().isPointingAtMenu(1)},
                     .planes = planes,
                     .floor = placement_.floor(),
                     .distance = placement_.distance(bounds, scale),
                     .radius = 0.5 * std::hypot(size.x(), size.y()),
                     .seconds = clock_.frameTime()});
  view_.menu().table = table_.text();
  if (!place) return;
  placement_.putOnTable(xrFrame, *place, bounds, scale);
  view_.place(xrFrame, placement_.room(), bounds);
}

/// Performs the menu requests of the previous frame.
void Vr::performRequests() {
  const MenuRequests requests = std::exchange(view_.menu().requests, {});
  session_.perform(requests);
  moveRoom(requests);
  quit_ = quit_ || requests.quit;
}

void Vr::setState(HeadsetState state) {
  const bool present = !headset_ || headset_->isUserPresent();
  if (state == state_ && present == userPresent_) return;
  session_.setVisible(isVisible(state) && present);
  state_ = state;
  userPresent_ = present;
}

/// Places and moves the room. Uses the grasps of the previous frame, because those of this frame depend on
/// it.
void Vr::updateRoom(const xr::XrFrame& xrFrame) {
  const SceneView& scene = session_.scene().view;
  const double scale = view_.menu().scale;
  const bool placed = placement_.place(xrFrame, scene.startBounds, scale, headset_->hasFloorOrigin());
  const bool rescaled = !isAnyHandClosed(session_.scene().hands) && placement_.changeScale(xrFrame, scale);
  if (placed || rescaled) {
    applyScale();
    view_.place(xrFrame, placement_.room(), scene.startBounds);
  }
  // Planes from before were in other coordinates.
  if (xrFrame.recentered && table_.isDetecting()) table_.request(headset_->searchPlanes());
  closed_ = closedHands(session_.scene().hands);
  view_.point(xrFrame, closed_);
  if (placement_.isPlaced() && !xrFrame.eyes.empty()) putOnTable(xrFrame);
  std::array<Locomotion::Hand, 2> hands;
  for (std::size_t side = 0; side < hands.size(); ++side)
    hands[side] = {xrFrame.hands[side], closed_[side] || view_.panels().isPointingAtMenu(side)};
  const auto ground = scene.ground ? std::optional(scene.ground->height) : std::nullopt;
  placement_.move(xrFrame, hands, view_.menu().switches.comfort, ground, clock_.interpolationTime());
}

void Vr::publishHands(const xr::XrFrame& scaledFrame) {
  if (!placement_.isPlaced()) return;  // the room has no pose yet
  const physics::Pose& X_WS = placement_.room().X_WS;
  VrScene& scene = session_.scene();
  LiveSession& live = session_.live();
  scene.hands.update(scaledFrame.hands, X_WS);
  updateRays(scene.hands, scaledFrame, X_WS, session_.drawn().X_WP, scene.rays);
  const bool headTracked = !scaledFrame.eyes.empty() && scaledFrame.X_SH.isFinite();
  live.setHead({headTracked ? std::optional(X_WS * scaledFrame.X_SH) : std::nullopt});
  live.setHands(scene.rays.samples(), live.now_ns(), moveDuration_ns());
}

std::optional<xr::FrameContent> Vr::buildFrame(const xr::XrFrame& xrFrame) {
  const RuntimeWatch::Callback callback(watch_);
  const auto start = std::chrono::steady_clock::now();
  session_.live().reportActivity();
  xrFrame_ = xrFrame;
  rejected_ += xrFrame.rejected;
  clock_.tick();
  performRequests();
  updateRoom(xrFrame);
  const xr::XrFrame scaledFrame =
      withoutMenuInput(inWorldScale(xrFrame, placement_.room().scale), view_.panels(), closed_);
  publishHands(scaledFrame);
  session_.update(moveDuration_ns(), clock_.frameTime());
  session_.updateTraining(newTrace_.events);
  updateFeedback();
  updateControllerModels();
  std::optional<xr::FrameContent> content;
  VrTraceContext context;
  context.room = placement_.room();
  if (xrFrame.shouldRender) {
    content = view_.build(session_, {xrFrame, scaledFrame, closed_, placement_, headset_->deviceName(),
                                     headset_->controls(), headset_->isRoomVisible(), headset_->width(),
                                     headset_->insetWidth(), clock_.frameTime(), clock_.meanFrameTime()});
    context = view_.trace(*content, placement_);
  }
  context.controls = headset_->controls();
  const std::chrono::duration<double, std::milli> own = std::chrono::steady_clock::now() - start;
  const VrScene& scene = session_.scene();
  if (trace_)
    trace_->add(xrFrame, context, scene.hands, scene.rays, scene.view, session_.frame(), session_.drawn(),
                {1e3 * clock_.frameTime(), own.count(), feedback_.pulseCount(), rejected_});
  return content;
}

void Vr::updateControllerModels() {
  for (std::size_t side = 0; side < 2; ++side) try {
      view_.controllerModel(side).setState(headset_->controllerModelState(side));
      if (const auto model = headset_->consumeControllerModel(side)) view_.controllerModel(side).set(*model);
    } catch (const content::InputError& error) {
      printMessage(fmt::format("without the controller's model: {}", error.what()));
    }
}

void Vr::updateFeedback() {
  if (state_ != HeadsetState::focused) return;
  feedback_.update(session_.scene().hands, session_.frame(), newTrace_,
                   view_.menu().switches.sound.value_or(false), [this](std::size_t side, double amplitude) {
                     const RuntimeWatch::Call call(watch_);
                     headset_->hapticPulse(side, amplitude, kPulseDuration);
                   });
}

void Vr::saveScreenshot() {
  if (!screenshot_) return;
  headset_->captureNext();
  if (headset_->running()) renderFrame();
  const auto image = headset_->consumeCapture();
  if (image) screenshot_->commit(xr::toPng(*image));
  printMessage((image ? "image written to " : "no frame was displayed for ") + *options_.screenshot);
}

void Vr::renderFrame() {
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
    renderFrame();
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
  table_.cancel();
  {
    const RuntimeWatch::Call call(watch_);
    headset_.reset();
  }
  headset_ = wait_.reconnect(reason);
  if (!headset_) return false;
  initializeHeadset();
  if (!sameRoom || !headset_->isRoomPersistent()) placement_.invalidate();
  return true;
}

/// Of the steps that were due while the session played.
double Vr::realTimeShare() const {
  const LiveStatus& status = session_.frame().status;
  const auto due = static_cast<double>(status.steps + status.droppedSteps);
  return due > 0 ? static_cast<double>(status.steps) / due : 1;
}

int Vr::run() {
  if (!headset_) return kInterrupted;
  const int code = runSession();
  if (frameStatistics_.frames() > 0) printMessage(frameStatistics_.summary(realTimeShare()));
  if (session_.training()) printMessage(session_.training()->summary());
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

int Vr::runSession() {
  const BlockSignals block;  // the physics thread handles them
  const auto lost = [&](const std::exception& error) {
    printMessage(error.what());
    session_.abort("headset lost");
    watch_.limitCalls(kMissingComponent);
    return kMissingComponent;
  };
  try {
    while (!interrupt_.requested() && pollOrReconnect()) {
    }
    if (!headset_ && wait_.timedOut()) {
      session_.abort("headset lost");
      return kMissingComponent;
    }
    const bool interrupted = interrupt_.requested();
    int code = interrupted ? kInterrupted : kSuccess;
    watch_.limitCalls(code);
    if (headset_) saveScreenshot();
    session_.finish(interrupted ? "interrupted" : "done");
    if (code == kSuccess && !session_.areRecordsComplete()) code = kMissingComponent;
    watch_.limitCalls(code);
    if ((interrupted || quit_) && headset_) requestHeadsetExit();
    return code;
  } catch (const xr::HeadsetLost& error) {
    return lost(error);
  } catch (const xr::GraphicsUnavailable& error) {
    return lost(error);
  }
}

}  // namespace

int runVr(const VrOptions& options) {
  // Reports bad input before looking for a headset.
  std::optional<OpenedScene> running = options.source->runningScene();
  OpenedScene opened = running ? *std::move(running)
                               : openScene(sceneOrFirst(options.scene), std::nullopt, false, options.plan);
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
