// What a remote session does for each control and hand sample.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/service/client/remote_live.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;

bool isSame(const xr::HandSample& a, const xr::HandSample& b) {
  return a.tracked == b.tracked && a.closed == b.closed && a.wantedPart == b.wantedPart &&
         a.grabRadius == b.grabRadius && a.X_WH.p == b.X_WH.p && a.X_WH.q.coeffs() == b.X_WH.q.coeffs();
}

v1::HandSample messageOf(int hand, const xr::HandSample& sample, std::int64_t moveDuration_ns, double speed) {
  v1::HandSample message;
  message.set_hand(hand);
  message.set_tracked(sample.tracked);
  message.set_closed(sample.closed);
  *message.mutable_pose() = service::messageOf(sample.X_WH);
  if (sample.wantedPart >= 0) message.set_part(sample.wantedPart);
  message.set_grab_radius(sample.grabRadius);
  if (sample.X_WH_closed) *message.mutable_closing_pose() = service::messageOf(*sample.X_WH_closed);
  message.set_move_duration(std::min(1.0, 1e-9 * static_cast<double>(moveDuration_ns) * speed));
  return message;
}

}  // namespace

// --- hands
// ---------------------------------------------------------------------------------------------------

void RemoteLive::setHands(std::span<const xr::HandSample> samples, std::int64_t /*sampleTime_ns*/,
                          std::int64_t moveDuration_ns) {
  const std::lock_guard lock(mutex_);
  if (scripted_ || ended_) return;
  for (std::size_t h = 0; h < std::min(samples.size(), samples_.size()); ++h) {
    xr::HandSample sample = samples[h];
    if (awaitsOpening_[h] && sample.tracked) {
      awaitsOpening_[h] = sample.closed;
      sample.closed = false;
    }
    if (lastSample_[h] && isSame(lastSample_[h]->value, sample)) continue;
    lastSample_[h] = Sample{sample, moveDuration_ns};
    // Only the newest counts, but a closing or opening is never skipped.
    std::deque<Sample>& waiting = samples_[h];
    if (!waiting.empty() && waiting.back().value.closed == sample.closed &&
        waiting.back().value.wantedPart == sample.wantedPart)
      waiting.back() = *lastSample_[h];
    else
      waiting.push_back(*lastSample_[h]);
    changed_.notify_all();
  }
}

/// False: the session ends.
bool RemoteLive::waitForHands(std::vector<std::pair<int, Sample>>& samples) {
  std::unique_lock lock(mutex_);
  const auto anyWaits = [this] {
    return std::any_of(samples_.begin(), samples_.end(),
                       [](const auto& waiting) { return !waiting.empty(); });
  };
  changed_.wait(lock, [&] { return stop_ || ended_ || handsEnded_ || scripted_ || anyWaits(); });
  samples.clear();
  for (std::size_t h = 0; h < samples_.size(); ++h) {
    for (const Sample& sample : samples_[h]) samples.emplace_back(static_cast<int>(h), sample);
    samples_[h].clear();
  }
  return !stop_ && !ended_ && !handsEnded_ && !scripted_;
}

void RemoteLive::passHands() {
  std::vector<int> all;
  for (std::size_t h = 0; h < samples_.size(); ++h) all.push_back(static_cast<int>(h));
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || ended_ || (!scripted_ && !all.empty()); });
      if (stop_ || ended_) return;
      handsEnded_ = false;
      for (auto& last : lastSample_) last.reset();
    }
    const grpc::Status status = guarded([&] {
      HandStream stream(session_.server().shared(), session_.info().id(), all, [this] {
        const std::lock_guard lock(mutex_);
        handsEnded_ = true;
        changed_.notify_all();
      });
      std::vector<std::pair<int, Sample>> samples;
      while (waitForHands(samples)) {
        const double speed = frameBuffer().after->status.speed;
        for (const auto& [hand, sample] : samples)
          stream.write(messageOf(hand, sample.value, sample.moveDuration_ns, speed));
      }
      stream.close();
    });
    {
      const std::lock_guard lock(mutex_);
      if (stop_ || ended_) return;
      if (!status.ok()) scripted_ = true;  // others move the hands
    }
    if (!status.ok() && status.error_code() != StatusCode::UNAVAILABLE) report(status.error_message(), false);
  }
}

// --- controls
// ------------------------------------------------------------------------------------------------

void RemoteLive::perform(const runtime::PlayControl& control) {
  v1::ControlRequest request;
  request.set_play(control.on);
  session_.control(request);
}

void RemoteLive::perform(const runtime::StepControl& /*control*/) {
  perform(runtime::PlayControl{false});
  session_.step(1, [this] {
    const std::lock_guard lock(mutex_);
    return stop_;
  });
}

void RemoteLive::perform(const runtime::SpeedControl& control) {
  v1::ControlRequest request;
  request.set_speed(control.speed);
  session_.control(request);
}

void RemoteLive::perform(const runtime::ScriptControl& control) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(scripted_, control.on) == control.on) return;
    changed_.notify_all();
  }
  republish("");
  if (control.on) {
    perform(runtime::ResetControl{});  // returns the hands to their scripts, which begin at the start
    perform(runtime::PlayControl{true});
  }
}

void RemoteLive::perform(const runtime::GuidanceControl& control) {
  v1::ControlRequest request;
  request.set_guidance(control.on);
  session_.control(request);
}

void RemoteLive::perform(const runtime::ResetControl& /*control*/) {
  v1::ControlRequest request;
  request.set_reset(true);
  session_.control(request);
}

void RemoteLive::perform(const runtime::UndoControl& /*control*/) {
  v1::ControlRequest request;
  request.set_undo(true);
  session_.control(request);
}

void RemoteLive::perform(const runtime::RedoControl& /*control*/) {
  v1::ControlRequest request;
  request.set_redo(true);
  session_.control(request);
}

void RemoteLive::perform(const runtime::SolverControl& control) {
  v1::ControlRequest request;
  request.set_solver(std::string(physics::toText(control.solver)));
  session_.control(request);
}

void RemoteLive::perform(const runtime::RateControl& control) {
  v1::ControlRequest request;
  request.set_rate(control.rate);
  session_.control(request);
}

void RemoteLive::perform(const runtime::DynamicsControl& control) {
  v1::Command command;
  v1::SetDynamics& set = *command.mutable_set_dynamics();
  set.mutable_gravity()->set_x(control.dynamics.gravity.x());
  set.mutable_gravity()->set_y(control.dynamics.gravity.y());
  set.mutable_gravity()->set_z(control.dynamics.gravity.z());
  set.set_linear_damping(control.dynamics.linearDamping);
  set.set_angular_damping(control.dynamics.angularDamping);
  if (control.dynamics.restitution) set.set_restitution(*control.dynamics.restitution);
  set.set_continues(!control.begins);
  session_.apply(command);
}

void RemoteLive::perform(const runtime::ThrusterControl& control) {
  v1::Command command;
  command.mutable_set_thruster()->set_thruster(control.thruster.value);
  command.mutable_set_thruster()->set_level(control.on ? 1 : 0);
  session_.apply(command);
}

void RemoteLive::perform(const runtime::SceneControl& /*control*/) {
  throw StatusError(StatusCode::FAILED_PRECONDITION,
                    "a session of a server keeps its scene: start another with --connect and that scene");
}

void RemoteLive::perform(const runtime::MarkControl& control) {
  v1::ControlRequest request;
  request.mutable_mark()->set_kind(control.mark.kind);
  request.mutable_mark()->set_text(control.mark.text);
  session_.control(request);
}

void RemoteLive::perform(const runtime::EndRecordControl& /*control*/) {
  v1::ControlRequest request;
  request.set_end_record(true);
  session_.control(request);
  complete_ = downloadRecord() && complete_;
}

}  // namespace tenon::service
