// What each control of a live session does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "content/input/limits.h"
#include "content/model/solver_support.h"
#include "runtime/simulation/live_world.h"

namespace tenon::runtime {

void LiveWorld::apply(const Control& control) {
  // A control after a discontinuity that runs a step of its own must not hide it.
  const bool discontinuous = discontinuous_;
  std::visit([this](const auto& c) { perform(c); }, control);
  discontinuous_ = discontinuous_ || discontinuous;
}

bool LiveWorld::applyInactivityTimeout() {
  if (options_.inactivityTimeout_ns == 0) return false;
  const bool attended = clock_.now_ns() - lastActivity_ns_ <= options_.inactivityTimeout_ns;
  if (attended == !pausedByInactivity_ || (!attended && !scheduler_.isRunning())) return false;
  perform(PlayControl{attended});
  pausedByInactivity_ = !attended;
  return true;
}

void LiveWorld::perform(const PlayControl& control) {
  pausedByInactivity_ = false;
  if (control.on == scheduler_.isRunning()) return;
  if (!control.on) return scheduler_.stop();
  const std::int64_t now = clock_.now_ns();
  scheduler_.start(now);
  meter_.start(now);
}

void LiveWorld::perform(const StepControl& /*control*/) {
  pausedByInactivity_ = false;
  scheduler_.stop();
  singleStep_ = true;
}

void LiveWorld::perform(const SpeedControl& control) {
  if (!std::isfinite(control.speed)) return reject("the speed is no number");
  scheduler_.setSpeed(std::clamp(control.speed, StepScheduler::kMinSpeed, 1.0), clock_.now_ns());
}

void LiveWorld::perform(const ScriptControl& control) {
  if (control.on == scripted_) return;
  if (control.on && !hasScript()) return reject(kNoScript);
  // A script assumes the scene's start: later in the session the parts are elsewhere.
  const bool begins = control.on && world().stepResult().step > 0;
  if (begins) history_.add(makeCheckpoint("reset"));
  scripted_ = control.on;
  if (begins) returnToStart();
}

void LiveWorld::perform(const GuidanceControl& control) {
  if (control.on == options_.guidance) return;
  options_.guidance = control.on;
  session_->simulation.setGuidance(control.on);
  perform(MarkControl{guidanceMark(control.on)});
}

void LiveWorld::perform(const ResetControl& /*control*/) {
  history_.add(makeCheckpoint("reset"));
  returnToStart();
}

void LiveWorld::perform(const UndoControl& /*control*/) {
  const std::optional<LiveCheckpoint> before = history_.popUndo();
  if (!before) return reject("there is nothing to undo");
  history_.pushRedo(makeCheckpoint(before->text));
  restore(*before);
  appendEvent("undo", before->text);
  recordChange(ReturnTo{before->tick}, {"undo", before->text});
}

void LiveWorld::perform(const RedoControl& /*control*/) {
  const std::optional<LiveCheckpoint> after = history_.popRedo();
  if (!after) return reject("there is nothing to redo");
  history_.pushUndo(makeCheckpoint(after->text));
  restore(*after);
  appendEvent("redo", after->text);
  recordChange(ReturnTo{after->tick}, {"redo", after->text});
}

void LiveWorld::perform(const SolverControl& control) {
  if (control.solver == options_.world.solver) return;
  const std::string name(physics::toText(control.solver));
  try {
    content::requireSolverSupports(control.solver, *session_->scene);
    physics::WorldOptions changed = options_.world;
    changed.solver = control.solver;
    session_->simulation.changeOptions(*session_->scene, changed);
    options_.world = changed;
  } catch (const std::exception& error) {
    return reject(error.what());
  }
  appendEvent("solver", name);
  recordChange(SetSolver{control.solver}, {"solver", name});
}

void LiveWorld::perform(const RateControl& control) {
  if (control.rate == scheduler_.rate()) return;
  if (!(control.rate >= content::kMinRate && control.rate <= content::kMaxRate))
    return reject(fmt::format("a rate is from {:g} to {:g} Hz", content::kMinRate, content::kMaxRate));
  options_.world.dt = 1 / control.rate;
  session_->simulation.changeOptions(*session_->scene, options_.world);
  scheduler_.setRate(control.rate, clock_.now_ns());
  const std::string text = fmt::format("{:g} Hz", control.rate);
  appendEvent("rate", text);
  recordChange(SetRate{control.rate}, {"rate", text});
}

void LiveWorld::perform(const DynamicsControl& control) {
  if (control.dynamics == dynamics_) return;
  if (control.begins && !history_.isOpen()) history_.add(makeCheckpoint("dynamics"));
  if (control.begins) perform(MarkControl{{"dynamics", ""}});
  dynamics_ = control.dynamics;
  session_->simulation.queue(physics::SetDynamics{dynamics_});
}

void LiveWorld::perform(const ThrusterControl& control) {
  const auto k = static_cast<std::size_t>(control.thruster.value);
  if (!control.thruster.valid() || k >= thrusters_.size()) return;
  thrusters_[k] = control.on ? 1 : 0;
  session_->simulation.queue(physics::SetThruster{control.thruster, thrusters_[k]});
}

void LiveWorld::queueThrusters() {
  const std::vector<double>& now = world().stepResult().thrusters;
  for (std::size_t k = 0; k < thrusters_.size() && k < now.size(); ++k)
    if (now[k] != thrusters_[k])
      session_->simulation.queue(
          physics::SetThruster{physics::ThrusterId{static_cast<int>(k)}, thrusters_[k]});
}

void LiveWorld::perform(const MarkControl& control) {
  appendEvent(control.mark.kind.c_str(), control.mark.text);
  if (isRecording()) recorder_->mark(control.mark);
}

void LiveWorld::perform(const EndRecordControl& /*control*/) {
  if (!isRecording()) return reject("nothing is recorded");
  finish("done");
}

void LiveWorld::perform(const SceneControl& control) {
  if (isRecording()) return reject("a record keeps its scene: end the record first");
  const double rate = control.rate > 0 ? control.rate : control.scene->rate;
  physics::WorldOptions changed = options_.world;
  changed.dt = 1 / rate;
  try {
    content::requireSolverSupports(changed.solver, *control.scene);
    std::unique_ptr<Session> session = begin(control.scene, changed);
    mailbox_.begin(control.scene->hands.size());
    options_.world = changed;
    scheduler_.setRate(rate, clock_.now_ns());
    writer_.endScene();
    beginWith(std::move(session));
    appendEvent("scene", control.scene->name);
  } catch (const std::exception& error) {
    reject(error.what());
  }
}

void LiveWorld::returnToStart() {
  if (isRecording()) {
    // As a recorded command with a step of its own, run immediately, since later controls apply to that
    // world.
    history_.discardOpen();
    session_->simulation.reset(scripted_);
    for (std::size_t k = 0; k < thrusters_.size(); ++k)
      if (thrusters_[k] > 0)
        session_->simulation.queue(
            physics::SetThruster{physics::ThrusterId{static_cast<int>(k)}, thrusters_[k]});
    session_->watches = history_.start().watches;
    session_->strayParts = history_.start().strayParts;
    step();
    return;
  }
  restore(history_.start());
  appendEvent("reset", "");
}

void LiveWorld::recordChange(const WorldChange& change, SessionMark mark) {
  if (!isRecording()) return;
  changes_.push_back(change);
  marks_.push_back(std::move(mark));
  // Immediately, so that each change applies to the world after a recorded tick.
  step();
}

}  // namespace tenon::runtime
