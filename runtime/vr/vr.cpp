// One frame after the other, when the headset wants one: hands in, the newest moments out, a picture for each
// eye.
#include "runtime/vr/vr.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <numbers>
#include <thread>

#include "runtime/commands/atomic_file.h"
#include "runtime/commands/interrupt.h"
#include "runtime/commands/program.h"
#include "runtime/commands/record_session.h"
#include "runtime/preview/begin_live.h"
#include "runtime/preview/live_picture.h"
#include "runtime/vr/snap_turn.h"
#include "runtime/vr/touch_feel.h"
#include "runtime/vr/vr_trace.h"
#include "xr/display/headset.h"
#include "xr/hands/xr_hands.h"

namespace tenon::runtime {

namespace {

using xr::HeadsetState;

constexpr double kLongestGlide = 0.1;                  ///< of a hand to where the controller is [s]
constexpr double kShake = 0.02;                        ///< [s]
constexpr double kEyeHeight = 1.6;                     ///< of who stands, where the floor is not known [m]
constexpr auto kIdle = std::chrono::milliseconds(50);  ///< between looks at a headset that nobody wears
const Eigen::Vector3d kOpenHand(0.75, 0.75, 0.78), kClosedHand(0.16, 0.42, 0.80), kFineHand(0.10, 0.62, 0.36);

bool isSeen(HeadsetState state) {
  return state == HeadsetState::visible || state == HeadsetState::focused;
}

/// While one lives, Ctrl-C reaches other threads of the program and not this one: a runtime that waits for
/// its service in this thread would take a signal for the service's end.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 private:
  sigset_t before_;
};

/// Everything of a session with a headset; members in the order of making.
class Vr {
 public:
  Vr(const VrOptions& options, OpenedScene opened);
  int run();

 private:
  bool turn();
  std::optional<xr::HeadsetPicture> takeFrame(const xr::HeadsetMoment& seen);
  void place(const xr::HeadsetMoment& seen);
  void turnAround(const xr::HeadsetMoment& seen);
  void passHands(const xr::HeadsetMoment& seen);
  void addHands(const xr::HeadsetMoment& seen, xr::RenderScene& picture) const;
  void feel();
  void tellState(HeadsetState state);
  void saveScreenshot();

  const VrOptions& options_;
  const InterruptGuard interrupt_;
  std::optional<VrTrace> trace_;
  std::unique_ptr<AtomicFile> screenshot_;
  xr::Headset headset_;
  std::unique_ptr<Stage> stage_;
  xr::XrHands hands_;
  std::unique_ptr<LiveSimulation> live_;
  Moments moments_;
  DrawnState drawn_;
  LivePicture picture_;
  PreviewState look_;  ///< what is drawn beside the parts
  std::shared_ptr<const content::DisplayMesh> handMesh_;
  physics::Pose X_WS_;
  bool placed_ = false;
  HeadsetState state_ = HeadsetState::unknown;
  std::int64_t lastFrame_ns_ = -1;
  double frame_s_ = 0;  ///< from the frame before to this one
  SnapTurn snapTurn_;
  TouchFeel touch_;
  std::int64_t shakes_ = 0;
};

Vr::Vr(const VrOptions& options, OpenedScene opened)
    : options_(options),
      trace_(options.trace ? std::make_optional<VrTrace>(*options.trace) : std::nullopt),
      screenshot_(options.screenshot ? std::make_unique<AtomicFile>(*options.screenshot) : nullptr),
      stage_(std::make_unique<Stage>(opened.scene)),
      hands_(*opened.scene),
      handMesh_(std::make_shared<content::DisplayMesh>(content::meshOf(physics::Sphere{0.008}))),
      snapTurn_(options.turn * std::numbers::pi / 180) {
  // Time stands still until somebody can see it.
  live_ = beginLive(std::move(opened), {.solver = options.solver,
                                        .rate = options.rate,
                                        .paused = true,
                                        .record = options.record,
                                        .force = options.force});
  moments_ = live_->moments();
  drawnAt(moments_, live_->now_ns(), drawn_);
  fmt::print(stderr, "tenon: {} with {}, {} × {} pixels an eye, drawn by {}; Ctrl-C ends it\n",
             headset_.runtimeName(), headset_.headsetName(), headset_.width(), headset_.height(),
             headset_.deviceName());
}

void Vr::tellState(HeadsetState state) {
  if (state == state_) return;
  if (isSeen(state) && !isSeen(state_)) live_->play();
  if (!isSeen(state) && isSeen(state_)) live_->pause();
  if (trace_ && !headset_.running()) trace_->add(state);
  state_ = state;
}

void Vr::place(const xr::HeadsetMoment& seen) {
  if (seen.eyes.empty() || (placed_ && !seen.recentred)) return;
  X_WS_ = placeRoom(seen.X_SH, stage_->room, options_.table, headset_.onFloor() ? -1 : kEyeHeight);
  placed_ = true;
}

/// With the hands of the frame before: those of this one are where the room is.
void Vr::turnAround(const xr::HeadsetMoment& seen) {
  std::array<bool, 2> closed{};
  for (std::size_t side = 0; side < closed.size(); ++side)
    if (const int hand = hands_.handOf(side); hand >= 0)
      closed[side] = hands_.samples()[static_cast<std::size_t>(hand)].closed;
  const double turn = snapTurn_.update(seen.hands, closed);
  if (turn != 0 && placed_ && !seen.eyes.empty()) X_WS_ = turnedRoom(X_WS_, seen.X_SH, turn);
}

void Vr::passHands(const xr::HeadsetMoment& seen) {
  const std::int64_t now = live_->now_ns();
  frame_s_ = lastFrame_ns_ < 0 ? 0 : 1e-9 * static_cast<double>(now - lastFrame_ns_);
  lastFrame_ns_ = now;
  if (!placed_) return;  // hands in a room that is nowhere yet would be anywhere
  hands_.update(seen.hands, X_WS_);
  const bool isSeen = !seen.eyes.empty() && seen.X_SH.isFinite();
  live_->setHead({isSeen ? std::optional(X_WS_ * seen.X_SH) : std::nullopt});
  live_->setHands(hands_.samples(), now, std::llround(1e9 * std::clamp(frame_s_, 0.0, kLongestGlide)));
}

/// Small balls where the hands are, blue while they are closed, green while they move finely.
void Vr::addHands(const xr::HeadsetMoment& seen, xr::RenderScene& picture) const {
  for (std::size_t side = 0; side < seen.hands.size(); ++side) {
    const int hand = hands_.handOf(side);
    if (hand < 0 || !seen.hands[side].tracked) continue;
    const bool closed = hands_.samples()[static_cast<std::size_t>(hand)].closed;
    xr::Instance instance{handMesh_, X_WS_ * seen.hands[side].X_SH, {}, 0, false, false};
    instance.surface = {hands_.isFine(side) ? kFineHand : closed ? kClosedHand : kOpenHand, 0, 0.6, 0.6};
    picture.instances.push_back(std::move(instance));
  }
}

std::optional<xr::HeadsetPicture> Vr::takeFrame(const xr::HeadsetMoment& seen) {
  const auto began = std::chrono::steady_clock::now();
  place(seen);
  turnAround(seen);
  passHands(seen);
  moments_ = live_->moments();
  drawnAt(moments_, live_->now_ns(), drawn_);
  feel();
  std::optional<xr::HeadsetPicture> picture;
  if (seen.wantsPicture) {
    picture = {picture_.picture(*stage_, *moments_.after, drawn_, look_), X_WS_};
    addHands(seen, picture->scene);
  }
  const std::chrono::duration<double, std::milli> own = std::chrono::steady_clock::now() - began;
  if (trace_)
    trace_->add(seen, X_WS_, hands_, *stage_, *moments_.after, drawn_,
                {1e3 * frame_s_, own.count(), shakes_});
  return picture;
}

void Vr::feel() {
  if (state_ != HeadsetState::focused) return;
  for (std::size_t side = 0; side < 2; ++side) {
    if (hands_.handOf(side) < 0) continue;
    const auto hand = static_cast<std::size_t>(hands_.handOf(side));
    const auto shake = touch_.feel(hand, moments_.after->record.tick);
    if (!shake) continue;
    headset_.shake(side, *shake, kShake);
    ++shakes_;
  }
}

void Vr::saveScreenshot() {
  if (!screenshot_) return;
  headset_.keepNext();
  if (headset_.running()) headset_.frame([this](const xr::HeadsetMoment& seen) { return takeFrame(seen); });
  const auto kept = headset_.takeKept();
  if (kept) screenshot_->commit(xr::toPng(*kept));
  fmt::print(stderr, "tenon: {} {}\n", kept ? "picture written to" : "nothing was to be seen for",
             *options_.screenshot);
}

/// False: it is over.
bool Vr::turn() {
  const HeadsetState state = headset_.poll();
  tellState(state);
  if (state == HeadsetState::exiting) return false;
  if (headset_.running()) {
    headset_.frame([this](const xr::HeadsetMoment& seen) { return takeFrame(seen); });
  } else {
    std::this_thread::sleep_for(kIdle);
  }
  return true;
}

int Vr::run() {
  const SignalsElsewhere elsewhere;  // the physics thread takes them
  const auto lost = [&](const std::exception& error) {
    fmt::print(stderr, "tenon: {}\n", error.what());
    live_->finish("headset lost");
    return kMissing;
  };
  try {
    while (!interrupt_.requested() && turn()) {
    }
    const bool interrupted = interrupt_.requested();
    saveScreenshot();
    const bool complete = live_->finish(interrupted ? "interrupted" : "done");
    if (interrupted) headset_.leave();
    return interrupted ? kInterrupted : complete ? kDone : kMissing;
  } catch (const xr::HeadsetLost& error) {
    return lost(error);
  } catch (const xr::NoGraphics& error) {
    return lost(error);
  }
}

}  // namespace

int runVr(const VrOptions& options) {
  // Whatever is wrong with the input is told before a headset is looked for.
  OpenedScene opened = openScene(sceneOrFirst(options.scene), std::nullopt, false);
  requireThatItCan(options.solver, *opened.scene);
  if (options.record) refuseIfRead(*options.record, *opened.scene, opened.meshFiles);
  return Vr(options, std::move(opened)).run();
}

}  // namespace tenon::runtime
