// See live_world.h.
#include "runtime/simulation/live_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "content/input/limits.h"
#include "content/model/solver_support.h"
#include "runtime/report/units_text.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

/// Follows scripts or the mailbox, selected in each step.
class LiveHands final : public xr::HandSource {
 public:
  LiveHands(HandMailbox& mailbox, const std::int64_t& step_ns, const bool& scripted,
            std::unique_ptr<xr::HandSource> scripts)
      : mailbox_(mailbox, step_ns), scripted_(scripted), scripts_(std::move(scripts)) {}

  void sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) override {
    if (scripted_)
      scripts_->sample(time_ns, samples);
    else
      mailbox_.sample(time_ns, samples);
  }

 private:
  MailboxHands mailbox_;
  const bool& scripted_;
  std::unique_ptr<xr::HandSource> scripts_;
};

constexpr double kSlowest = 0.01;  ///< [-]
constexpr const char* kNoScript = "this scene has no script: none of its hands has way-points";
constexpr std::int64_t kCountFor_ns = 1'000'000'000;
constexpr double kDepthSeen = 1e-5;  ///< visible change of a goal's curve [m]
constexpr double kPushSeen = 0.02;   ///< ... [N]

bool anyHolds(const physics::StepResult& tick) {
  return std::any_of(tick.hands.begin(), tick.hands.end(),
                     [](const physics::HandState& hand) { return hand.body.valid(); });
}

/// Guidance is recorded: results with it do not prove manual feasibility.
SessionMark guidanceMark(bool on) {
  return {"guidance", on ? "on" : "off"};
}

std::int64_t simulated_ns(const physics::StepResult& tick) {
  return std::llround(tick.time * 1e9);
}

}  // namespace

LiveWorld::Session::Session(std::shared_ptr<const content::Scene> itsScene,
                            const physics::WorldOptions& options, std::unique_ptr<xr::HandSource> hands)
    : scene(std::move(itsScene)),
      simulation(*scene, options, std::move(hands)),
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
      scheduler_(1 / options_.world.dt, std::clamp(options_.speed, kSlowest, 1.0)),
      lastActivity_ns_(clock.now_ns()),
      events_(watchEvents()) {
  if (options_.handsAwaitOpening) mailbox_.begin(scene->hands.size());
  beginWith(begin(std::move(scene), options_.world));
  if (options_.record) recorder_ = options_.record(world());
  if (options_.guidance) perform(MarkControl{guidanceMark(true)});
  if (!options_.paused) perform(PlayControl{true});
}

SessionEvents LiveWorld::watchEvents() {
  return {[this](const SessionEvent& event) { trace_.events.push_back(event); },
          [this](const ContactEpisode& episode) { trace_.episodes.push_back(episode); }};
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
  undo_.clear();
  redo_.clear();
  open_.reset();
  start_ = makeCheckpoint("reset");
  start_->scripted = true;  // a script may begin here
  lastPoints_.assign(session_->goals.size(), {});
  refreshRecord();
}

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
  countedSince_ns_ = now;
  counted_ = countedDroppedSteps_ = 0;
}

void LiveWorld::perform(const StepControl& /*control*/) {
  pausedByInactivity_ = false;
  scheduler_.stop();
  singleStep_ = true;
}

void LiveWorld::perform(const SpeedControl& control) {
  if (!std::isfinite(control.speed)) return reject("the speed is no number");
  scheduler_.setSpeed(std::clamp(control.speed, kSlowest, 1.0), clock_.now_ns());
}

void LiveWorld::perform(const ScriptControl& control) {
  if (control.on == scripted_) return;
  if (control.on && !hasScript()) return reject(kNoScript);
  // A script assumes the scene's start: later in the session the parts are elsewhere.
  const bool begins = control.on && world().stepResult().step > 0;
  if (begins) pushUndo("reset");
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
  pushUndo("reset");
  returnToStart();
}

void LiveWorld::pushUndo(const std::string& text) {
  push(undo_, makeCheckpoint(text));
  redo_.clear();
}

void LiveWorld::returnToStart() {
  if (isRecording()) {
    // As a recorded command with a step of its own, run immediately, since later controls apply to that
    // world.
    open_.reset();
    session_->simulation.reset(scripted_);
    session_->watches = start_->watches;
    step();
    return;
  }
  restore(*start_);
  appendEvent("reset", "");
}

void LiveWorld::perform(const UndoControl& /*control*/) {
  if (!open_ && undo_.empty()) return reject("there is nothing to undo");
  if (!open_) {
    open_ = std::move(undo_.back());
    undo_.pop_back();
  }
  const Checkpoint before = std::move(*open_);
  push(redo_, makeCheckpoint(before.text));
  restore(before);
  appendEvent("undo", before.text);
  recordChange(ReturnTo{before.tick}, {"undo", before.text});
}

void LiveWorld::perform(const RedoControl& /*control*/) {
  if (redo_.empty()) return reject("there is nothing to redo");
  const Checkpoint after = std::move(redo_.back());
  redo_.pop_back();
  push(undo_, makeCheckpoint(after.text));
  restore(after);
  appendEvent("redo", after.text);
  recordChange(ReturnTo{after.tick}, {"redo", after.text});
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

void LiveWorld::perform(const MarkControl& control) {
  appendEvent(control.mark.kind.c_str(), control.mark.text);
  if (isRecording()) recorder_->mark(control.mark);
}

void LiveWorld::perform(const EndRecordControl& /*control*/) {
  if (!isRecording()) return reject("nothing is recorded");
  finish("done");
}

void LiveWorld::recordChange(const WorldChange& change, SessionMark mark) {
  if (!isRecording()) return;
  changes_.push_back(change);
  marks_.push_back(std::move(mark));
  // Immediately, so that each change applies to the world after a recorded tick.
  step();
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
    events_.finish();
    events_ = watchEvents();
    beginWith(std::move(session));
    appendEvent("scene", control.scene->name);
  } catch (const std::exception& error) {
    reject(error.what());
  }
}

LiveWorld::Checkpoint LiveWorld::makeCheckpoint(std::string text) const {
  return {std::move(text), currentStep_, session_->simulation.state(), session_->watches, scripted_};
}

void LiveWorld::push(std::deque<Checkpoint>& list, Checkpoint state) {
  list.push_back(std::move(state));
  if (list.size() > kMaxPlacements) list.pop_front();
}

void LiveWorld::restore(const Checkpoint& state) {
  scripted_ = scripted_ && state.scripted;
  session_->simulation.restore(state.simulation, scripted_);
  currentStep_ = state.tick;
  status_.failure.clear();
  session_->watches = state.watches;
  open_.reset();
  refreshRecord();
}

/// Publishes the present world without interpolation from the previous frame.
void LiveWorld::refreshRecord() {
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
  if (!anyHolds(world().stepResult())) open_.reset();  // what was grasped in that step was not
  refreshRecord();
  status_.failure = why;
  reject(why);
  perform(MarkControl{{"failed", why}});
}

void LiveWorld::appendEvent(const char* kind, const std::string& text) {
  SessionEvent event;
  event.tick = stepsDone_;
  event.time = world().stepResult().time;
  event.kind = kind;
  event.text = text;
  trace_.events.push_back(std::move(event));
}

std::string LiveWorld::placementText(const physics::Grab& grab) const {
  const content::Scene& scene = *session_->scene;
  return fmt::format("{} by {}", scene.part(grab.body.value).name,
                     scene.hands[static_cast<std::size_t>(grab.hand.value)].name);
}

void LiveWorld::openPlacement() {
  if (open_ || anyHolds(world().stepResult())) return;
  for (const physics::Command& command : session_->simulation.commands()) {
    const auto* grab = std::get_if<physics::Grab>(&command);
    if (grab == nullptr) continue;
    open_ = makeCheckpoint(placementText(*grab));
    redo_.clear();
    return;
  }
}

void LiveWorld::closePlacement() {
  if (!open_ || anyHolds(world().stepResult())) return;
  push(undo_, std::move(*open_));
  open_.reset();
}

void LiveWorld::step() {
  const std::int64_t begun = clock_.now_ns();
  const std::int64_t droppedSteps = scheduler_.dropLateSteps(begun);
  const bool playing = scheduler_.isRunning();
  const std::int64_t nextStepTime_ns = playing ? scheduler_.nextStepTime_ns() : begun;
  status_.backlog_ns = std::max<std::int64_t>(0, begun - nextStepTime_ns);
  step_ns_ = scheduler_.period();
  singleStep_ = false;
  Simulation& simulation = session_->simulation;
  simulation.gather();
  openPlacement();
  simulation.advance();
  status_.failure.clear();
  const std::int64_t done = clock_.now_ns();
  closePlacement();
  if (playing) scheduler_.stepDone();
  displayTime_ns_ = nextStepTime_ns + step_ns_;
  displayInterval_ns_ = step_ns_;
  if (!scripted_) sampleTime_ns_ = mailbox_.consumedSampleTime_ns();
  assess(static_cast<double>(done - begun) * 1e-3);
  discontinuous_ = record_.isDiscontinuous();
  appendTrace(static_cast<double>(begun - nextStepTime_ns) * 1e-3);
  const std::int64_t ended = clock_.now_ns();
  if (ended - begun > step_ns_) ++status_.overruns;
  if (playing) countStep(ended, droppedSteps);
  if (world().stepResult().report.notFinite > 0) stopAtNotFinite();
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

void LiveWorld::countStep(std::int64_t now, std::int64_t droppedSteps) {
  ++status_.steps;
  status_.droppedSteps += droppedSteps;
  ++counted_;
  countedDroppedSteps_ += droppedSteps;
  if (now - countedSince_ns_ < kCountFor_ns) return;
  status_.achievedRatio =
      static_cast<double>(counted_) / static_cast<double>(counted_ + countedDroppedSteps_);
  countedSince_ns_ = now;
  counted_ = countedDroppedSteps_ = 0;
}

void LiveWorld::appendTrace(double lateness_us) {
  currentStep_ = ++stepsDone_;
  events_.add(stepsDone_, record_);
  const physics::StepResult& tick = record_.tick;
  const std::int64_t time_ns = simulated_ns(tick);
  trace_.steps.push_back({.time_ns = time_ns,
                          .step_us = record_.step_us,
                          .lateness_us = lateness_us,
                          .residual = tick.report.residual,
                          .penetration = tick.report.penetration,
                          .contacts = tick.report.contacts,
                          .linearizations = tick.report.linearizations,
                          .converged = tick.report.converged});
  for (std::size_t g = 0; g < record_.goals.size(); ++g) {
    if (!session_->goals[g].atHole()) continue;
    const GoalState& goal = record_.goals[g];
    GoalPoint& last = lastPoints_[g];
    const bool same = last.goal >= 0 && std::abs(goal.depth - last.depth) < kDepthSeen &&
                      std::abs(goal.push - last.push) < std::max(kPushSeen, 0.01 * last.push);
    if (same) continue;
    last = {static_cast<int>(g), time_ns, goal.depth, goal.push};
    trace_.goals.push_back(last);
  }
}

void LiveWorld::fillFrame(SimulationFrame& moment) const {
  const Session& s = *session_;
  moment.scene = s.scene;
  moment.record = record_;
  moment.goals = s.goals;
  moment.X_WP.resize(world().bodyCount());
  for (std::size_t k = 0; k < moment.X_WP.size(); ++k)
    moment.X_WP[k] = world().partPose({static_cast<int>(k)}, record_.tick.bodies[k]);
  moment.time_ns = simulated_ns(record_.tick);
  moment.displayTime_ns = displayTime_ns_;
  moment.displayInterval_ns = displayInterval_ns_;
  moment.sampleTime_ns = sampleTime_ns_;
  moment.discontinuous = discontinuous_;
  LiveStatus& status = moment.status;
  status = status_;
  status.paused = !scheduler_.isRunning();
  status.scripted = scripted_;
  status.scriptEnded = scripted_ && s.scriptEnd && record_.tick.time >= *s.scriptEnd;
  status.guidance = options_.guidance;
  status.speed = scheduler_.speed();
  status.rate = scheduler_.rate();
  status.solver = options_.world.solver;
  status.undoable = static_cast<int>(undo_.size()) + (open_ ? 1 : 0);
  status.redoable = static_cast<int>(redo_.size());
  status.undoText = open_ ? open_->text : undo_.empty() ? std::string() : undo_.back().text;
  status.redoText = redo_.empty() ? std::string() : redo_.back().text;
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
