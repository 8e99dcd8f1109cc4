// See remote_live.h.
#include "runtime/service/client/remote_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/service/messages/status.h"
#include "runtime/session/terminal.h"

namespace tenon::service {

namespace {

using runtime::SimulationFrame;

constexpr double kStateRate = 120;  ///< of the stream of states [1/s]
constexpr auto kInterval_ns = static_cast<std::int64_t>(1e9 / kStateRate);
/// Delay of display by which states that arrive unevenly are evened out.
constexpr std::int64_t kDelay_ns = kInterval_ns, kMaxDelay_ns = 2 * kInterval_ns;
/// Between states further apart nothing is interpolated: the session was paused.
constexpr std::int64_t kMaxInterval_ns = 250'000'000;
constexpr std::size_t kMaxFrames = 32;
/// Of a control: it waits for the step that is computed just now.
constexpr std::chrono::seconds kControlLimit{20};

}  // namespace

RemoteLive::RemoteLive(RemoteSession session, const std::shared_ptr<const content::Scene>& scene,
                       RemoteLiveOptions options)
    : session_(std::move(session)),
      frames_of_(scene),
      options_(std::move(options)),
      scripted_(options_.scripted),
      samples_(scene->hands.size()),
      awaitsOpening_(scene->hands.size(), options_.handsAwaitOpening),
      lastSample_(scene->hands.size()) {
  session_.setLimit(kControlLimit);
  add(session_.state());
  states_ = std::thread([this] { readStates(); });
  passing_ = std::thread([this] { passControls(); });
  hands_ = std::thread([this] { passHands(); });
}

RemoteLive::~RemoteLive() {
  finish("given up");
}

void RemoteLive::enqueue(runtime::Control control) {
  const std::lock_guard lock(mutex_);
  controls_.push_back(std::move(control));
  changed_.notify_all();
}

void RemoteLive::passControls() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || !controls_.empty(); });
    if (controls_.empty()) return;  // those before finish() are passed on
    const runtime::Control control = std::move(controls_.front());
    controls_.pop_front();
    const bool ended = ended_;
    lock.unlock();
    const grpc::Status status = guarded([&] { std::visit([this](const auto& c) { perform(c); }, control); });
    if (!status.ok() && !ended) report(status.error_message(), false);
  }
}

// --- states
// --------------------------------------------------------------------------------------------------

void RemoteLive::readStates() {
  session_.server().prepare(watch_);
  v1::WatchRequest request;
  request.set_session(session_.info().id());
  request.set_rate(kStateRate);
  const auto reader = session_.server().sessionsStub().Watch(&watch_, request);
  grpc::Status status = guarded([&] {
    for (v1::State state; reader->Read(&state);) add(state);
  });
  if (!status.ok()) watch_.TryCancel();
  const grpc::Status end = reader->Finish();
  if (status.ok()) status = end;
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return;
  }
  const std::string why = status.ok() ? "the session has ended" : status.error_message();
  const bool isGone = status.error_code() == grpc::StatusCode::UNAVAILABLE;
  report(isGone ? fmt::format("{}: the server has gone away ({})", session_.server().address(), why) : why,
         true);
}

void RemoteLive::add(const v1::State& state) {
  std::shared_ptr<SimulationFrame> frame = pool_->acquire();
  frames_of_.fill(state, *frame);
  const std::lock_guard lock(mutex_);
  schedule(*frame, state.settings().returns());
  addTrace(state);
  push(std::move(frame));
}

void RemoteLive::schedule(SimulationFrame& frame, std::int64_t returns) {
  const std::int64_t now = clock_.now_ns();
  frame.published_ns = now;
  frame.displayTime_ns = now;
  frame.displayInterval_ns = 0;
  frame.discontinuous = frames_.empty() || std::exchange(returns_, returns) != returns;
  returns_ = returns;
  if (frame.discontinuous) return;
  const SimulationFrame& last = *frames_.back();
  const auto simulated_ns = static_cast<double>(frame.time_ns - last.time_ns);
  if (simulated_ns <= 0) {  // no step since
    frame.displayTime_ns = std::max(now, last.displayTime_ns);
    return;
  }
  const std::int64_t even =
      last.displayTime_ns + static_cast<std::int64_t>(simulated_ns / std::max(frame.status.speed, 0.01));
  frame.displayTime_ns = even < now ? now + kDelay_ns : std::min(even, now + kMaxDelay_ns);
  frame.displayInterval_ns = frame.displayTime_ns - last.displayTime_ns;
  if (frame.displayInterval_ns > kMaxInterval_ns) frame.displayInterval_ns = kInterval_ns;
}

void RemoteLive::push(std::shared_ptr<SimulationFrame> frame) {
  frame->number = number_++;
  frame->status.scripted = scripted_;
  frame->status.message = message_;
  frame->status.messages = messages_;
  frames_.push_back(std::move(frame));
  const std::int64_t now = clock_.now_ns();
  while (frames_.size() > 2 && (frames_.size() > kMaxFrames || frames_[1]->displayTime_ns < now))
    frames_.pop_front();
}

void RemoteLive::report(const std::string& message, bool ended) {
  {
    const std::lock_guard lock(mutex_);
    ended_ = ended_ || ended;
    message_ = message;
    ++messages_;
    changed_.notify_all();
  }
  republish(ended ? message : "");
}

void RemoteLive::republish(const std::string& failure) {
  std::shared_ptr<SimulationFrame> frame = pool_->acquire();
  const std::lock_guard lock(mutex_);
  *frame = *frames_.back();
  frame->displayInterval_ns = 0;
  if (!failure.empty()) {
    frame->status.paused = true;
    frame->status.recording = false;
    frame->status.failure = failure;
    frame->status.ended = true;
  }
  push(std::move(frame));
}

void RemoteLive::addTrace(const v1::State& state) {
  const std::int64_t time_ns = std::llround(state.time() * 1e9);
  if (frames_.empty() || frames_.back()->time_ns != time_ns)
    trace_.steps.push_back({.time_ns = time_ns,
                            .step_us = 1e6 * state.step_time(),
                            .residual = state.residual(),
                            .penetration = state.penetration(),
                            .contacts = state.contacts_size(),
                            .converged = state.converged()});
  for (int g = 0; g < state.goals_size(); ++g)
    if (state.goals(g).push() > 0)
      trace_.goals.push_back({g, time_ns, state.goals(g).depth(), state.goals(g).push()});
  for (const v1::Event& event : state.events())
    trace_.events.push_back({event.step(), event.time(), event.kind(), event.hand(), event.part(),
                             event.other(), event.goal(), event.text()});
  runtime::LiveTrace bounded;
  if (trace_.steps.size() > runtime::LiveTrace::kMaxEntries) std::swap(trace_, bounded);
}

runtime::FrameBuffer RemoteLive::frameBuffer() const {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = clock_.now_ns();
  std::size_t k = 0;
  while (k + 1 < frames_.size() && frames_[k]->displayTime_ns < now) ++k;
  const bool isContinuous = k > 0 && !frames_[k]->discontinuous;
  return {frames_[isContinuous ? k - 1 : k], frames_[k]};
}

void RemoteLive::drainTrace(runtime::LiveTrace& trace) {
  trace.clear();
  const std::lock_guard lock(mutex_);
  std::swap(trace, trace_);
}

bool RemoteLive::downloadRecord() {
  if (options_.record.empty()) return true;
  const std::string file = std::exchange(options_.record, "");
  session_.server().download(session_.info().record(), file, options_.force);
  return true;
}

bool RemoteLive::finish(const std::string& /*reason*/) {
  if (std::exchange(finished_, true)) return complete_;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  watch_.TryCancel();
  states_.join();
  passing_.join();
  hands_.join();
  const grpc::Status status = guarded([&] {
    if (options_.ownsSession && !ended_) complete_ = session_.close();
    downloadRecord();
  });
  if (!status.ok()) runtime::printMessage(fmt::format("--connect: {}", status.error_message()));
  complete_ = complete_ && status.ok();
  return complete_;
}

}  // namespace tenon::service
