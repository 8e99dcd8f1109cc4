// See live_world.h.
#include "runtime/simulation/live_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "content/scene/limits.h"
#include "runtime/assess/units_text.h"
#include "runtime/commands/solver_settings.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

/// Follows scripts or the mailbox, as the session says in each step.
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
constexpr double kDepthSeen = 1e-5;  ///< changes of a goal's curve that can be seen [m]
constexpr double kPushSeen = 0.02;   ///< ... [N]

bool anyHolds(const physics::Tick& tick) {
  return std::any_of(tick.hands.begin(), tick.hands.end(),
                     [](const physics::HandState& hand) { return hand.body.valid(); });
}

/// A record tells of guidance: what it leads to is no proof that hands could do it.
SessionMark guidanceMark(bool on) {
  return {"guidance", on ? "on" : "off"};
}

std::int64_t simulated_ns(const physics::Tick& tick) {
  return std::llround(tick.time * 1e9);
}

}  // namespace

LiveWorld::Session::Session(std::shared_ptr<const content::Scene> itsScene,
                            const physics::WorldOptions& options, std::unique_ptr<xr::HandSource> hands)
    : scene(std::move(itsScene)),
      simulation(*scene, options, std::move(hands)),
      scriptEnd(xr::endOfScripts(scene->hands)) {
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
      pace_(1 / options_.world.dt, std::clamp(options_.speed, kSlowest, 1.0)),
      attended_ns_(clock.now_ns()),
      events_(watchEvents()) {
  if (options_.handsWait) mailbox_.begin(scene->hands.size());
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
  session_->simulation.guide(options_.guidance);
  if (scripted_ && !hasScript()) {
    scripted_ = false;
    refuse(kNoScript);
  }
  undo_.clear();
  redo_.clear();
  open_.reset();
  start_ = remember("reset");
  start_->scripted = true;  // a script may begin here
  lastPoints_.assign(session_->goals.size(), {});
  showPresent();
}

void LiveWorld::apply(const Control& control) {
  // What is asked for after a jump, and takes a step of its own, hides none.
  const bool jumped = jumped_;
  std::visit([this](const auto& c) { perform(c); }, control);
  jumped_ = jumped_ || jumped;
}

bool LiveWorld::heedAttention() {
  if (options_.attention_ns == 0) return false;
  const bool attended = clock_.now_ns() - attended_ns_ <= options_.attention_ns;
  if (attended == !unattended_ || (!attended && !pace_.isRunning())) return false;
  perform(PlayControl{attended});
  unattended_ = !attended;
  return true;
}

void LiveWorld::perform(const PlayControl& control) {
  unattended_ = false;
  if (control.on == pace_.isRunning()) return;
  if (!control.on) return pace_.stop();
  const std::int64_t now = clock_.now_ns();
  pace_.start(now);
  countedSince_ns_ = now;
  counted_ = countedGivenUp_ = 0;
}

void LiveWorld::perform(const StepControl& /*control*/) {
  unattended_ = false;
  pace_.stop();
  single_ = true;
}

void LiveWorld::perform(const SpeedControl& control) {
  if (!std::isfinite(control.speed)) return refuse("the speed is no number");
  pace_.setSpeed(std::clamp(control.speed, kSlowest, 1.0), clock_.now_ns());
}

void LiveWorld::perform(const ScriptControl& control) {
  if (control.on == scripted_) return;
  if (control.on && !hasScript()) return refuse(kNoScript);
  // A script is written for the scene's start: in its middle its hands would reach for parts that are
  // elsewhere.
  const bool begins = control.on && world().tick().step > 0;
  if (begins) keepPresent("reset");
  scripted_ = control.on;
  if (begins) returnToStart();
}

void LiveWorld::perform(const GuidanceControl& control) {
  if (control.on == options_.guidance) return;
  options_.guidance = control.on;
  session_->simulation.guide(control.on);
  perform(MarkControl{guidanceMark(control.on)});
}

void LiveWorld::perform(const ResetControl& /*control*/) {
  keepPresent("reset");
  returnToStart();
}

void LiveWorld::keepPresent(const std::string& text) {
  keep(undo_, remember(text));
  redo_.clear();
}

void LiveWorld::returnToStart() {
  if (isRecording()) {
    // As a command, which a record tells, and which a step brings in: at once, as what follows is of that
    // world.
    open_.reset();
    session_->simulation.reset(scripted_);
    session_->watches = start_->watches;
    step();
    return;
  }
  restore(*start_);
  tellEvent("reset", "");
}

void LiveWorld::perform(const UndoControl& /*control*/) {
  if (!open_ && undo_.empty()) return refuse("there is nothing to undo");
  if (!open_) {
    open_ = std::move(undo_.back());
    undo_.pop_back();
  }
  const Remembered before = std::move(*open_);
  keep(redo_, remember(before.text));
  restore(before);
  tellEvent("undo", before.text);
  recordChange(ReturnTo{before.tick}, {"undo", before.text});
}

void LiveWorld::perform(const RedoControl& /*control*/) {
  if (redo_.empty()) return refuse("there is nothing to redo");
  const Remembered after = std::move(redo_.back());
  redo_.pop_back();
  keep(undo_, remember(after.text));
  restore(after);
  tellEvent("redo", after.text);
  recordChange(ReturnTo{after.tick}, {"redo", after.text});
}

void LiveWorld::perform(const SolverControl& control) {
  if (control.solver == options_.world.solver) return;
  const std::string name(physics::toText(control.solver));
  try {
    requireThatItCan({.name = name, .options = {}}, *session_->scene);
    physics::WorldOptions changed = options_.world;
    changed.solver = control.solver;
    session_->simulation.changeOptions(*session_->scene, changed);
    options_.world = changed;
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
  tellEvent("solver", name);
  recordChange(SetSolver{control.solver}, {"solver", name});
}

void LiveWorld::perform(const RateControl& control) {
  if (control.rate == pace_.rate()) return;
  if (!(control.rate >= content::kMinRate && control.rate <= content::kMaxRate))
    return refuse(fmt::format("a rate is from {:g} to {:g} Hz", content::kMinRate, content::kMaxRate));
  options_.world.dt = 1 / control.rate;
  session_->simulation.changeOptions(*session_->scene, options_.world);
  pace_.setRate(control.rate, clock_.now_ns());
  const std::string text = fmt::format("{:g} Hz", control.rate);
  tellEvent("rate", text);
  recordChange(SetRate{control.rate}, {"rate", text});
}

void LiveWorld::perform(const MarkControl& control) {
  tellEvent(control.mark.kind.c_str(), control.mark.text);
  if (isRecording()) recorder_->mark(control.mark);
}

void LiveWorld::perform(const EndRecordControl& /*control*/) {
  if (!isRecording()) return refuse("nothing is recorded");
  finish("done");
}

void LiveWorld::recordChange(const WorldChange& change, SessionMark mark) {
  if (!isRecording()) return;
  changes_.push_back(change);
  marks_.push_back(std::move(mark));
  // At once, so that each change is of the world as a recorded tick has left it.
  step();
}

void LiveWorld::perform(const SceneControl& control) {
  if (isRecording()) return refuse("a record keeps its scene: end the record first");
  const double rate = control.rate > 0 ? control.rate : control.scene->rate;
  physics::WorldOptions changed = options_.world;
  changed.dt = 1 / rate;
  try {
    requireThatItCan({.name = std::string(physics::toText(changed.solver)), .options = {}}, *control.scene);
    std::unique_ptr<Session> session = begin(control.scene, changed);
    mailbox_.begin(control.scene->hands.size());
    options_.world = changed;
    pace_.setRate(rate, clock_.now_ns());
    events_.finish();
    events_ = watchEvents();
    beginWith(std::move(session));
    tellEvent("scene", control.scene->name);
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

LiveWorld::Remembered LiveWorld::remember(std::string text) const {
  return {std::move(text), isAt_, session_->simulation.state(), session_->watches, scripted_};
}

void LiveWorld::keep(std::deque<Remembered>& list, Remembered state) {
  list.push_back(std::move(state));
  if (list.size() > kMostPlacements) list.pop_front();
}

void LiveWorld::restore(const Remembered& state) {
  scripted_ = scripted_ && state.scripted;
  session_->simulation.restore(state.simulation, scripted_);
  isAt_ = state.tick;
  status_.failure.clear();
  session_->watches = state.watches;
  open_.reset();
  showPresent();
}

/// What is to be shown is the world as it is, and no step leads there.
void LiveWorld::showPresent() {
  for (std::size_t g = 0; g < session_->goals.size(); ++g) session_->goals[g] = session_->watches[g].result();
  fillRecord(0);
  record_.commands.clear();
  record_.changes.clear();
  jumped_ = true;
  at_ns_ = clock_.now_ns();
  span_ns_ = 0;
}

void LiveWorld::refuse(const std::string& why) {
  status_.message = why;
  ++status_.messages;
}

void LiveWorld::fail(const std::string& why) {
  pace_.stop();
  unattended_ = single_ = false;
  session_->simulation.abandonStep();
  if (!anyHolds(world().tick())) open_.reset();  // what was grasped in that step was not
  showPresent();
  status_.failure = why;
  refuse(why);
  perform(MarkControl{{"failed", why}});
}

void LiveWorld::tellEvent(const char* kind, const std::string& text) {
  SessionEvent event;
  event.tick = told_;
  event.time = world().tick().time;
  event.kind = kind;
  event.text = text;
  trace_.events.push_back(std::move(event));
}

std::string LiveWorld::placementText(const physics::Grab& grab) const {
  const content::Scene& scene = *session_->scene;
  return fmt::format("{} by {}", scene.parts[static_cast<std::size_t>(grab.body.value)].name,
                     scene.hands[static_cast<std::size_t>(grab.hand.value)].name);
}

void LiveWorld::openPlacement() {
  if (open_ || anyHolds(world().tick())) return;
  for (const physics::Command& command : session_->simulation.commands()) {
    const auto* grab = std::get_if<physics::Grab>(&command);
    if (grab == nullptr) continue;
    open_ = remember(placementText(*grab));
    redo_.clear();
    return;
  }
}

void LiveWorld::closePlacement() {
  if (!open_ || anyHolds(world().tick())) return;
  keep(undo_, std::move(*open_));
  open_.reset();
}

void LiveWorld::step() {
  const std::int64_t begun = clock_.now_ns();
  const std::int64_t givenUp = pace_.giveUpLate(begun);
  const bool playing = pace_.isRunning();
  const std::int64_t due = playing ? pace_.due() : begun;
  status_.backlog_ns = std::max<std::int64_t>(0, begun - due);
  step_ns_ = pace_.period();
  single_ = false;
  Simulation& simulation = session_->simulation;
  simulation.gather();
  openPlacement();
  simulation.advance();
  status_.failure.clear();
  const std::int64_t done = clock_.now_ns();
  closePlacement();
  if (playing) pace_.stepDone();
  at_ns_ = due + step_ns_;
  span_ns_ = step_ns_;
  if (!scripted_) stamp_ns_ = mailbox_.stampTaken();
  assess(static_cast<double>(done - begun) * 1e-3);
  jumped_ = record_.jumps();
  tellTrace(static_cast<double>(begun - due) * 1e-3);
  const std::int64_t ended = clock_.now_ns();
  if (ended - begun > step_ns_) ++status_.overruns;
  if (playing) countStep(ended, givenUp);
  if (world().tick().report.notFinite > 0) stopAtNotFinite();
}

/// What such a world does further means nothing: undo and reset bring one back that does.
void LiveWorld::stopAtNotFinite() {
  pace_.stop();
  status_.failure = fmt::format("the simulation has stopped: the motion of {} is no finite number",
                                countText(world().tick().report.notFinite, "part"));
  refuse(status_.failure);
}

void LiveWorld::assess(double step_us) {
  Session& s = *session_;
  for (std::size_t g = 0; g < s.watches.size(); ++g) {
    s.watches[g].add(world().tick());
    s.goals[g] = s.watches[g].result();
  }
  fillRecord(step_us);
  record_.changes = changes_;
  if (recorder_) recorder_->add(s.simulation, s.goals, step_us, {changes_, marks_, mailbox_.takeHead()});
  changes_.clear();
  marks_.clear();
}

void LiveWorld::fillRecord(double step_us) {
  const Session& s = *session_;
  record_.tick = world().tick();
  record_.commands = s.simulation.commands();
  record_.samples = s.simulation.samples();
  record_.goals.clear();
  for (const GoalResult& g : s.goals)
    record_.goals.push_back({g.verdict, g.depth, g.tilt, g.push, g.maxPush});
  record_.step_us = step_us;
}

void LiveWorld::countStep(std::int64_t now, std::int64_t givenUp) {
  ++status_.steps;
  status_.givenUp += givenUp;
  ++counted_;
  countedGivenUp_ += givenUp;
  if (now - countedSince_ns_ < kCountFor_ns) return;
  status_.achieved = static_cast<double>(counted_) / static_cast<double>(counted_ + countedGivenUp_);
  countedSince_ns_ = now;
  counted_ = countedGivenUp_ = 0;
}

void LiveWorld::tellTrace(double lateness_us) {
  isAt_ = ++told_;
  events_.add(told_, record_);
  const physics::Tick& tick = record_.tick;
  const std::int64_t time_ns = simulated_ns(tick);
  trace_.steps.push_back({.time_ns = time_ns,
                          .step_us = record_.step_us,
                          .lateness_us = lateness_us,
                          .residual = tick.report.residual,
                          .penetration = tick.report.penetration,
                          .contacts = tick.report.contacts,
                          .linearisations = tick.report.linearisations,
                          .converged = tick.report.converged});
  for (std::size_t g = 0; g < record_.goals.size(); ++g) {
    if (!session_->goals[g].atHole()) continue;
    const GoalStand& goal = record_.goals[g];
    GoalPoint& last = lastPoints_[g];
    const bool same = last.goal >= 0 && std::abs(goal.depth - last.depth) < kDepthSeen &&
                      std::abs(goal.push - last.push) < std::max(kPushSeen, 0.01 * last.push);
    if (same) continue;
    last = {static_cast<int>(g), time_ns, goal.depth, goal.push};
    trace_.goals.push_back(last);
  }
}

void LiveWorld::tell(Moment& moment) const {
  const Session& s = *session_;
  moment.scene = s.scene;
  moment.record = record_;
  moment.goals = s.goals;
  moment.X_WP.resize(world().bodyCount());
  for (std::size_t k = 0; k < moment.X_WP.size(); ++k)
    moment.X_WP[k] = world().partPose({static_cast<int>(k)}, record_.tick.bodies[k]);
  moment.time_ns = simulated_ns(record_.tick);
  moment.at_ns = at_ns_;
  moment.span_ns = span_ns_;
  moment.stamp_ns = stamp_ns_;
  moment.jumped = jumped_;
  LiveStatus& status = moment.status;
  status = status_;
  status.paused = !pace_.isRunning();
  status.scripted = scripted_;
  status.scriptEnded = scripted_ && s.scriptEnd && record_.tick.time >= *s.scriptEnd;
  status.guidance = options_.guidance;
  status.speed = pace_.speed();
  status.rate = pace_.rate();
  status.solver = options_.world.solver;
  status.undoable = static_cast<int>(undo_.size()) + (open_ ? 1 : 0);
  status.redoable = static_cast<int>(redo_.size());
  status.undoText = open_ ? open_->text : undo_.empty() ? std::string() : undo_.back().text;
  status.redoText = redo_.empty() ? std::string() : redo_.back().text;
  status.recording = isRecording();
  status.recordingEndedEarly = recorder_ != nullptr ? !recorder_->isComplete() : !complete_;
}

bool LiveWorld::finish(const std::string& how) {
  if (!recorder_) return complete_;
  recorder_->finish(how);
  complete_ = recorder_->isComplete();
  recorder_.reset();
  return complete_;
}

}  // namespace tenon::runtime
