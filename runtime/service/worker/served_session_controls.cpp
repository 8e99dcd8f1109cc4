// What each control of a session does, as those of a live session (simulation/live_world_controls.cpp).
#include <fmt/format.h>

#include <cmath>

#include "content/input/input_error.h"
#include "content/input/limits.h"
#include "content/model/solver_support.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/served_session.h"
#include "runtime/simulation/control.h"

namespace tenon::service {

namespace {

using content::InputError;
using grpc::StatusCode;

constexpr std::size_t kMaxNoteBytes = 1000;

}  // namespace

v1::Pace ServedSession::control(const v1::ControlRequest& request, const Canceled& canceled) {
  return perform(canceled, [&] {
    changed_ = true;
    switch (request.control_case()) {
      case v1::ControlRequest::kPlay:
        setPlaying(request.play());
        break;
      case v1::ControlRequest::kSpeed:
        setSpeed(request.speed());
        break;
      case v1::ControlRequest::kReset:
        if (!request.reset()) break;
        history_.add(makeCheckpoint("reset"));
        restore(history_.start());
        addEvent({"reset", ""});
        break;
      case v1::ControlRequest::kUndo:
        if (request.undo()) undo();
        break;
      case v1::ControlRequest::kRedo:
        if (request.redo()) redo();
        break;
      case v1::ControlRequest::kSolver:
        setSolver(request.solver());
        break;
      case v1::ControlRequest::kRate:
        setRate(request.rate());
        break;
      case v1::ControlRequest::kGuidance:
        setGuidance(request.guidance());
        break;
      case v1::ControlRequest::kMark:
        mark(request.mark());
        break;
      case v1::ControlRequest::kEndRecord:
        if (request.end_record()) endRecord();
        break;
      default:
        throw InputError("ControlRequest", "control", "is missing", "give play, speed, reset, undo, …");
    }
    return pace();
  });
}

void ServedSession::setPlaying(bool on) {
  if (!on) return scheduler_.stop();
  requireAdvancing();
  if (!scheduler_.isRunning()) scheduler_.start(now_ns());
}

void ServedSession::setSpeed(double speed) {
  if (!(speed >= runtime::StepScheduler::kMinSpeed && speed <= 1))
    throw InputError("ControlRequest", "speed", fmt::format("{:g} is out of range", speed),
                     "give a number from 0.01 to 1");
  scheduler_.setSpeed(speed, now_ns());
}

void ServedSession::undo() {
  const std::optional<Checkpoint> before = history_.popUndo();
  if (!before) throw StatusError(StatusCode::FAILED_PRECONDITION, "there is nothing to undo");
  history_.pushRedo(makeCheckpoint(before->text));
  restore(*before);
  addEvent({"undo", before->text});
}

void ServedSession::redo() {
  const std::optional<Checkpoint> after = history_.popRedo();
  if (!after) throw StatusError(StatusCode::FAILED_PRECONDITION, "there is nothing to redo");
  history_.pushUndo(makeCheckpoint(after->text));
  restore(*after);
  addEvent({"redo", after->text});
}

void ServedSession::setSolver(const std::string& name) {
  const std::optional<physics::SolverName> solver = physics::solverFromText(name);
  if (!solver)
    throw InputError("ControlRequest", "solver", name + " is not a solver",
                     "give one that GetIdentity lists");
  if (*solver == options_.solver) return;
  content::requireSolverSupports(*solver, scene());
  physics::WorldOptions changed = options_;
  changed.solver = *solver;
  simulation_->changeOptions(changed);
  options_ = changed;
  solver_ = name;
  addChange(runtime::SetSolver{*solver}, {"solver", name});
}

void ServedSession::setRate(double rate) {
  if (!(rate >= content::kMinRate && rate <= content::kMaxRate))
    throw InputError("ControlRequest", "rate", fmt::format("{:g} is out of range", rate),
                     fmt::format("give a number from {:g} to {:g} Hz", content::kMinRate, content::kMaxRate));
  if (rate == rate_) return;
  options_.dt = 1 / rate;
  simulation_->changeOptions(options_);
  pending_.clear();
  rate_ = rate;
  scheduler_.setRate(rate, now_ns());
  addChange(runtime::SetRate{rate}, {"rate", fmt::format("{:g} Hz", rate)});
}

void ServedSession::setGuidance(bool on) {
  if (on == guidance_) return;
  guidance_ = on;
  simulation_->setGuidance(on);
  const runtime::SessionMark text = runtime::guidanceMark(on);
  events_.add(ticks_, simulation_->world().stepResult().time, text);
  if (recorder_) recorder_->mark(text);
}

void ServedSession::mark(const v1::Mark& mark) {
  if (mark.kind() != "bookmark" && mark.kind() != "note")
    throw InputError("Mark", "kind", "is not a kind of mark", "give bookmark or note");
  if (mark.text().size() > kMaxNoteBytes)
    throw InputError("Mark", "text", fmt::format("has more than {} bytes", kMaxNoteBytes), "shorten it");
  const runtime::SessionMark text{mark.kind(), mark.text()};
  events_.add(ticks_, simulation_->world().stepResult().time, text);
  if (recorder_) recorder_->mark(text);
}

void ServedSession::endRecord() {
  if (!recorder_) throw StatusError(StatusCode::FAILED_PRECONDITION, "nothing is recorded");
  recordChanges();
  recorder_->finish("done");
  complete_ = recorder_->isComplete();
  recorder_.reset();
}

void ServedSession::addChange(const runtime::WorldChange& change, const runtime::SessionMark& mark) {
  queued_ = 0;
  changes_.push_back(change);
  addEvent(mark);
}

void ServedSession::addEvent(const runtime::SessionMark& mark) {
  events_.add(ticks_, simulation_->world().stepResult().time, mark);
  marks_.push_back(mark);
}

v1::Pace ServedSession::pace() const {
  v1::Pace pace;
  pace.set_playing(scheduler_.isRunning());
  pace.set_speed(scheduler_.speed());
  pace.set_steps(played_);
  pace.set_dropped_steps(dropped_);
  pace.set_failure(failure_);
  return pace;
}

v1::Settings ServedSession::settings() const {
  v1::Settings settings;
  settings.set_solver(solver_);
  settings.set_rate(rate_);
  settings.set_guidance(guidance_);
  settings.set_recording(recorder_ && recorder_->isComplete());
  settings.set_record_failed(recorder_ ? !recorder_->isComplete() : !complete_);
  settings.set_undoable(history_.undoable());
  settings.set_redoable(history_.redoable());
  settings.set_undo_text(history_.undoText());
  settings.set_redo_text(history_.redoText());
  settings.set_returns(returns_);
  const physics::Dynamics& dynamics = simulation_->dynamics();
  v1::SetDynamics* const out = settings.mutable_dynamics();
  out->mutable_gravity()->set_x(dynamics.gravity.x());
  out->mutable_gravity()->set_y(dynamics.gravity.y());
  out->mutable_gravity()->set_z(dynamics.gravity.z());
  out->set_linear_damping(dynamics.linearDamping);
  out->set_angular_damping(dynamics.angularDamping);
  if (dynamics.restitution) out->set_restitution(*dynamics.restitution);
  return settings;
}

}  // namespace tenon::service
