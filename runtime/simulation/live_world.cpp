// See live_world.h.
#include "runtime/simulation/live_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/report/units_text.h"
#include "runtime/simulation/live_hands.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

bool anyHolds(const physics::StepResult& tick) {
  return std::any_of(tick.hands.begin(), tick.hands.end(),
                     [](const physics::HandState& hand) { return hand.body.valid(); });
}

std::int64_t simulated_ns(const physics::StepResult& tick) {
  return std::llround(tick.time * 1e9);
}

}  // namespace

LiveWorld::Session::Session(std::shared_ptr<const content::Scene> itsScene,
                            const physics::WorldOptions& options, std::unique_ptr<xr::HandSource> hands)
    : scene(std::move(itsScene)),
      simulation(*scene, options, std::move(hands)),
      strayParts(scene),
      scriptEnd(xr::scriptEndTime(scene->hands)) {
  for (int g = 0; g < static_cast<int>(scene->goals.size()); ++g) {
    watches.emplace_back(*scene, g);
    goals.push_back(watches.back().result());
  }
}

LiveWorld::LiveWorld(std::shared_ptr<const content::Scene> scene, LiveOptions options, Clock& clock)
    : clock_(clock),
      options_(std::move(options)),
      mailbox_(scene->hands.size()),
      scripted_(options_.scripted),
      scheduler_(1 / options_.world.dt, std::clamp(options_.speed, StepScheduler::kMinSpeed, 1.0)),
      lastActivity_ns_(clock.now_ns()) {
  if (options_.handsAwaitOpening) mailbox_.begin(scene->hands.size());
  beginWith(begin(std::move(scene), options_.world));
  if (options_.record) recorder_ = options_.record(world());
  if (options_.guidance) perform(MarkControl{guidanceMark(true)});
  if (!options_.paused) perform(PlayControl{true});
}

std::unique_ptr<LiveWorld::Session> LiveWorld::begin(std::shared_ptr<const content::Scene> scene,
                                                     const physics::WorldOptions& options) {
  std::unique_ptr<xr::HandSource> scripts =
      options_.scripts ? options_.scripts(*scene) : std::make_unique<xr::ScriptedHands>(scene->hands);
  return std::make_unique<Session>(
      std::move(scene), options,
      std::make_unique<LiveHands>(mailbox_, step_ns_, scripted_, std::move(scripts)));
}

void LiveWorld::beginWith(std::unique_ptr<Session> session) {
  session_ = std::move(session);
  status_.failure.clear();
  session_->simulation.setGuidance(options_.guidance);
  if (scripted_ && !hasScript()) {
    scripted_ = false;
    reject(kNoScript);
  }
  dynamics_ = world().stepResult().dynamics;
  LiveCheckpoint start = makeCheckpoint("reset");
  start.scripted = true;  // a script may begin here
  history_.begin(std::move(start));
  writer_.begin(session_->goals.size());
  thrusters_.assign(world().thrusterCount(), 0.0);
  refreshRecord();
}

LiveCheckpoint LiveWorld::makeCheckpoint(std::string text) const {
  return {std::move(text), currentStep_, session_->simulation.state(), session_->watches,
          dynamics_,       scripted_,    session_->strayParts};
}

void LiveWorld::restore(const LiveCheckpoint& state) {
  scripted_ = scripted_ && state.scripted;
  session_->simulation.restore(state.simulation, scripted_);
  queueThrusters();
  currentStep_ = state.tick;
  status_.failure.clear();
  session_->watches = state.watches;
  session_->strayParts = state.strayParts;
  history_.discardOpen();
  refreshRecord();
  if (state.dynamics == dynamics_) return;
  dynamics_ = state.dynamics;  // changed while time was paused
  session_->simulation.queue(physics::SetDynamics{dynamics_});
}

/// Publishes the present world without interpolation from the previous frame.
void LiveWorld::refreshRecord() {
  dynamics_ = world().stepResult().dynamics;
  for (std::size_t g = 0; g < session_->goals.size(); ++g) session_->goals[g] = session_->watches[g].result();
  fillRecord(0);
  record_.commands.clear();
  record_.changes.clear();
  discontinuous_ = true;
  displayTime_ns_ = clock_.now_ns();
  displayInterval_ns_ = 0;
}

void LiveWorld::reject(const std::string& why) {
  status_.message = why;
  ++status_.messages;
}

void LiveWorld::fail(const std::string& why) {
  scheduler_.stop();
  pausedByInactivity_ = singleStep_ = false;
  session_->simulation.abandonStep();
  if (!anyHolds(world().stepResult())) history_.discardOpen();  // what was grasped in that step was not
  refreshRecord();
  status_.failure = why;
  reject(why);
  perform(MarkControl{{"failed", why}});
}

void LiveWorld::appendEvent(const char* kind, const std::string& text) {
  writer_.addEvent(kind, text, world().stepResult().time);
}

std::string LiveWorld::placementText(const physics::Grab& grab) const {
  const content::Scene& scene = *session_->scene;
  return fmt::format("{} by {}", scene.part(grab.body.value).name,
                     scene.hands[static_cast<std::size_t>(grab.hand.value)].name);
}

void LiveWorld::openPlacement() {
  if (history_.isOpen() || anyHolds(world().stepResult())) return;
  for (const physics::Command& command : session_->simulation.commands()) {
    const auto* grab = std::get_if<physics::Grab>(&command);
    if (grab == nullptr) continue;
    history_.open(makeCheckpoint(placementText(*grab)));
    return;
  }
}

void LiveWorld::closePlacement() {
  if (history_.isOpen() && !anyHolds(world().stepResult())) history_.close();
}

void LiveWorld::step() {
  const std::int64_t begun = clock_.now_ns();
  const std::int64_t droppedSteps = scheduler_.dropLateSteps(begun);
  const bool playing = scheduler_.isRunning();
  const std::int64_t nextStepTime_ns = playing ? scheduler_.nextStepTime_ns() : begun;
  status_.backlog_ns = std::max<std::int64_t>(0, begun - nextStepTime_ns);
  step_ns_ = scheduler_.period_ns();
  singleStep_ = false;
  Simulation& simulation = session_->simulation;
  simulation.gather();
  openPlacement();
  simulation.advance();
  dynamics_ = world().stepResult().dynamics;
  status_.failure.clear();
  const std::int64_t done = clock_.now_ns();
  closePlacement();
  if (playing) scheduler_.stepDone();
  displayTime_ns_ = nextStepTime_ns + step_ns_;
  displayInterval_ns_ = step_ns_;
  if (!scripted_) sampleTime_ns_ = mailbox_.consumedSampleTime_ns();
  assess(static_cast<double>(done - begun) * 1e-3);
  discontinuous_ = record_.isDiscontinuous();
  writer_.addStep(record_, session_->goals, static_cast<double>(begun - nextStepTime_ns) * 1e-3);
  currentStep_ = writer_.stepsDone();
  const std::int64_t ended = clock_.now_ns();
  if (ended - begun > step_ns_) ++status_.overruns;
  if (playing) {
    ++status_.steps;
    status_.droppedSteps += droppedSteps;
    meter_.count(ended, droppedSteps, status_.achievedRatio);
  }
  if (world().stepResult().report.notFinite > 0)
    stopAtNotFinite();
  else if (options_.returnsStrayParts && !scripted_)
    returnStrayParts();
}

void LiveWorld::returnStrayParts() {
  for (const physics::SetPose& place : session_->strayParts.update(world())) {
    session_->simulation.queue(place);
    reject(fmt::format("{} left the work area and is back where it lay",
                       session_->scene->part(place.body.value).name));
  }
}

/// Further steps of such a world are invalid: undo and reset restore a valid one.
void LiveWorld::stopAtNotFinite() {
  scheduler_.stop();
  status_.failure = fmt::format("the simulation has stopped: the motion of {} is no finite number",
                                countText(world().stepResult().report.notFinite, "part"));
  reject(status_.failure);
}

void LiveWorld::assess(double step_us) {
  Session& s = *session_;
  for (std::size_t g = 0; g < s.watches.size(); ++g) {
    s.watches[g].add(world().stepResult());
    s.goals[g] = s.watches[g].result();
  }
  fillRecord(step_us);
  record_.changes = changes_;
  if (recorder_)
    recorder_->add(s.simulation.world(), s.simulation.commands(), s.simulation.samples(), s.goals, step_us,
                   {changes_, marks_, mailbox_.consumeHead()});
  changes_.clear();
  marks_.clear();
}

void LiveWorld::fillRecord(double step_us) {
  const Session& s = *session_;
  record_.tick = world().stepResult();
  record_.commands = s.simulation.commands();
  record_.samples = s.simulation.samples();
  record_.goals.clear();
  for (const GoalResult& g : s.goals)
    record_.goals.push_back({g.verdict, g.depth, g.tilt, g.push, g.maxPush});
  record_.step_us = step_us;
}

void LiveWorld::fillFrame(SimulationFrame& frame) const {
  const Session& s = *session_;
  frame.scene = s.scene;
  frame.record = record_;
  frame.goals = s.goals;
  frame.X_WP.resize(world().bodyCount());
  for (std::size_t k = 0; k < frame.X_WP.size(); ++k)
    frame.X_WP[k] = world().partPose({static_cast<int>(k)}, record_.tick.bodies[k]);
  frame.time_ns = simulated_ns(record_.tick);
  frame.displayTime_ns = displayTime_ns_;
  frame.displayInterval_ns = displayInterval_ns_;
  frame.sampleTime_ns = sampleTime_ns_;
  frame.discontinuous = discontinuous_;
  LiveStatus& status = frame.status;
  status = status_;
  status.paused = !scheduler_.isRunning();
  status.pausedByInactivity = pausedByInactivity_;
  status.scripted = scripted_;
  status.scriptEnded = scripted_ && s.scriptEnd && record_.tick.time >= *s.scriptEnd;
  status.guidance = options_.guidance;
  status.speed = scheduler_.speed();
  status.rate = scheduler_.rate();
  status.solver = options_.world.solver;
  status.dynamics = dynamics_;
  status.undoable = history_.undoable();
  status.redoable = history_.redoable();
  status.undoText = history_.undoText();
  status.redoText = history_.redoText();
  status.recording = isRecording();
  status.recordingEndedEarly = recorder_ != nullptr ? !recorder_->isComplete() : !complete_;
}

bool LiveWorld::finish(const std::string& reason) {
  if (!recorder_) return complete_;
  recorder_->finish(reason);
  complete_ = recorder_->isComplete();
  recorder_.reset();
  return complete_;
}

}  // namespace tenon::runtime
