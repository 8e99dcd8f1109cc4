// See served_session.h.
#include "runtime/service/worker/served_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "content/input/input_error.h"
#include "content/model/solver_support.h"
#include "runtime/report/units_text.h"
#include "runtime/service/messages/command_messages.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"
#include "runtime/session/record_session.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMaxRecentEvents = 10'000;

bool anyHolds(const physics::StepResult& tick) {
  return std::any_of(tick.hands.begin(), tick.hands.end(),
                     [](const physics::HandState& hand) { return hand.body.valid(); });
}

physics::WorldOptions worldOptions(const content::Scene& scene, const runtime::RunSettings& run) {
  runtime::requireValid(run);
  content::requireSolverSupports(run.solver.solver(), scene);
  physics::WorldOptions options;
  options.dt = 1 / (run.rate > 0 ? run.rate : scene.rate);
  options.solver = run.solver.solver();
  options.solverOptions = runtime::solverOptions(run.solver, run.seed);
  options.threads = run.threads;
  return options;
}

}  // namespace

ServedSession::ServedSession(runtime::LoadedScene loaded, const SessionSettings& settings)
    : loaded_(std::move(loaded)),
      scheduler_(1000, 1),
      leases_(loaded_.scene->hands.size(), 0),
      events_(
          [this](const runtime::SessionEvent& event) {
            const std::lock_guard lock(mutex_);
            recentEvents_.push_back(messageOf(event));
            if (recentEvents_.size() <= kMaxRecentEvents) return;
            recentEvents_.pop_front();
            ++firstEvent_;
          },
          [](const runtime::ContactEpisode&) {}) {
  options_ = worldOptions(scene(), settings.run);
  startRate_ = rate_ = settings.run.rate > 0 ? settings.run.rate : scene().rate;
  solver_ = settings.run.solver.name;
  scheduler_ = runtime::StepScheduler(rate_, 1);
  simulation_ = std::make_unique<runtime::LockstepSimulation>(loaded_.scene, options_, settings.scripted);
  history_.begin(makeCheckpoint("reset"));
  const physics::StepResult& start = simulation_->world().stepResult();
  for (std::size_t k = 0; k < start.bodies.size(); ++k)
    startPoses_.push_back(simulation_->world().partPose({static_cast<int>(k)}, start.bodies[k]));
  if (settings.record)
    recorder_ = std::make_unique<runtime::Recorder>(
        *settings.record, false,
        runtime::makeSessionHeader(scene(), loaded_.text, loaded_.meshFiles, settings.run.solver, rate_,
                                   settings.run.seed, settings.run.threads),
        scene(), simulation_->world(), runtime::OverflowPolicy::wait, [](const std::string&) {});
  thread_ = std::thread([this] { work(); });
}

ServedSession::~ServedSession() {
  finish("given up");
}

// --- the session's thread -------------------------------------------------------------------------------

void ServedSession::requireWaiting(const Canceled& canceled) {
  if (canceled && canceled())
    throw StatusError(StatusCode::CANCELLED, "the client no longer waits for this call; nothing was done");
}

void ServedSession::enqueue(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (stop_) throw StatusError(StatusCode::ABORTED, "the session has ended");
  tasks_.push_back(std::move(task));
  woken_.notify_one();
}

/// True if there were any.
bool ServedSession::runTasks() {
  std::deque<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
  return !tasks.empty();
}

void ServedSession::work() {
  while (!stop_) {
    const bool hadTasks = runTasks();
    const std::int64_t due = scheduler_.nextStepTime_ns();
    const bool isDue = due <= now_ns();
    if (isDue) stepByClock();  // however many calls come
    if (isDue || hadTasks) {
      publishIfDue();
      continue;
    }
    // A change that came too soon after the last publication waits for its time.
    const std::int64_t wake = streams_ > 0 && changed_ ? std::min(due, nextPublish_ns_) : due;
    std::unique_lock lock(mutex_);
    const auto isWoken = [this] { return stop_ || !tasks_.empty(); };
    if (wake == runtime::StepScheduler::kNever)
      woken_.wait(lock, isWoken);
    else
      woken_.wait_until(lock, steady_clock::time_point(nanoseconds(wake)), isWoken);
    lock.unlock();
    publishIfDue();
  }
  runTasks();  // their callers wait
  recordChanges();
  if (streams_ > 0 && changed_) publish();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  published_.notify_all();
}

void ServedSession::stepByClock() {
  dropped_ += scheduler_.dropLateSteps(now_ns());
  lateness_ns_ = now_ns() - scheduler_.nextStepTime_ns();
  try {
    stepOnce();
    scheduler_.stepDone();
    ++played_;
  } catch (const std::exception& error) {
    failure_ = fmt::format("the simulation has stopped: {}", error.what());
  }
  if (failure_.empty()) return;
  scheduler_.stop();
  changed_ = true;  // observers get the failure
}

void ServedSession::requireAdvancing() const {
  if (!failure_.empty()) throw StatusError(StatusCode::FAILED_PRECONDITION, failure_);
}

bool ServedSession::mayUse(int hand, std::int64_t lease) const {
  if (hand < 0) return true;
  const std::int64_t holder = leases_[static_cast<std::size_t>(hand)];
  return holder == 0 || holder == lease;
}

void ServedSession::applyPending() {
  const std::int64_t next = simulation_->world().stepResult().step + 1;
  const auto [begin, end] = pending_.equal_range(next);
  for (auto at = begin; at != end; ++at) {
    const auto& [command, lease] = at->second;
    // Another client may have leased the hand since.
    if (mayUse(handOf(command), lease)) simulation_->apply(commandOf(command, *simulation_));
  }
  pending_.erase(begin, end);
}

void ServedSession::stepOnce() {
  requireAdvancing();
  queued_ = 0;
  applyPending();
  const std::int64_t begun = now_ns();
  const physics::StepResult& tick =
      simulation_->step([this](const std::vector<physics::Command>& commands) { openPlacement(commands); });
  const std::int64_t step_ns = now_ns() - begun;
  const double step_us = static_cast<double>(step_ns) * 1e-3;
  ++steps_;
  stepTime_ns_ += step_ns;
  if (history_.isOpen() && !anyHolds(tick)) history_.close();
  currentTick_ = ++ticks_;
  changed_ = true;
  assess(tick, step_us);
  if (tick.report.notFinite > 0)
    failure_ =
        fmt::format("at {:.6g} s the motion of {} is not finite; lower speeds or forces, or raise the rate",
                    tick.time, runtime::countText(tick.report.notFinite, "part"));
}

void ServedSession::assess(const physics::StepResult& tick, double step_us) {
  const std::vector<runtime::GoalResult> goals = simulation_->goals();
  record_.tick = tick;
  record_.commands = simulation_->commands();
  record_.samples = simulation_->samples();
  record_.changes = changes_;
  record_.step_us = step_us;
  record_.goals.clear();
  for (const runtime::GoalResult& goal : goals)
    record_.goals.push_back({goal.verdict, goal.depth, goal.tilt, goal.push, goal.maxPush});
  events_.add(ticks_, record_);
  if (recorder_)
    recorder_->add(simulation_->world(), simulation_->commands(), simulation_->samples(), goals, step_us,
                   {changes_, marks_, {}});
  changes_.clear();
  marks_.clear();
}

/// A record has changes with the step after them: one more is computed for the last ones.
void ServedSession::recordChanges() {
  if (!recorder_ || changes_.empty() || !failure_.empty()) return;
  try {
    stepOnce();
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
}

/// A placement begins with the first grasp of a world in which no hand holds a part.
void ServedSession::openPlacement(const std::vector<physics::Command>& commands) {
  if (history_.isOpen() || anyHolds(simulation_->world().stepResult())) return;
  for (const physics::Command& command : commands) {
    const auto* grab = std::get_if<physics::Grab>(&command);
    if (grab == nullptr) continue;
    history_.open(
        makeCheckpoint(fmt::format("{} by {}", scene().part(grab->body.value).name,
                                   scene().hands[static_cast<std::size_t>(grab->hand.value)].name)));
    return;
  }
}

ServedSession::Checkpoint ServedSession::makeCheckpoint(std::string text) const {
  return {std::move(text), simulation_->snapshot(), currentTick_};
}

/// The world is again that of `state`.
void ServedSession::restore(const Checkpoint& state) {
  simulation_->restore(state.value);
  history_.discardOpen();
  failure_.clear();
  pending_.clear();
  queued_ = 0;
  currentTick_ = state.tick;
  changed_ = true;
  ++returns_;
  // Earlier returns, without a step, left no trace; solver and rate stay as they are.
  std::erase_if(changes_, [](const runtime::WorldChange& change) {
    return std::holds_alternative<runtime::ReturnTo>(change);
  });
  changes_.emplace_back(runtime::ReturnTo{state.tick});
}

// --- calls ------------------------------------------------------------------------------------------------

v1::State ServedSession::step(std::int64_t steps, const Canceled& canceled) {
  return perform([&] {
    if (scheduler_.isRunning())
      throw StatusError(StatusCode::FAILED_PRECONDITION,
                        "the session plays: its steps follow the clock; pause it first");
    for (std::int64_t k = 0; k < steps && !stop_ && !canceled(); ++k) {
      stepOnce();
      publishIfDue();
      requireAdvancing();
    }
    if (stop_) throw StatusError(StatusCode::ABORTED, "the session has ended");
    return currentState();
  });
}

void ServedSession::apply(const std::vector<v1::Command>& commands, std::int64_t lease,
                          const Canceled& canceled) {
  perform(canceled, [&] {
    const std::int64_t done = simulation_->world().stepResult().step;
    if (queued_ + pending_.size() + commands.size() > kMaxPendingCommands)
      throw StatusError(StatusCode::RESOURCE_EXHAUSTED,
                        "too many commands wait for their steps; compute steps");
    for (const v1::Command& command : commands) {
      commandOf(command, *simulation_);
      const int hand = handOf(command);
      if (!mayUse(hand, lease))
        throw StatusError(StatusCode::PERMISSION_DENIED,
                          fmt::format("the hand {} belongs to another client until its stream of hands ends",
                                      scene().hands[static_cast<std::size_t>(hand)].name));
      if (command.step() != 0 && command.step() <= done)
        throw content::InputError("Command", "step",
                                  fmt::format("{} is not after the last step, {}", command.step(), done),
                                  "name a later step, or 0 for the next one");
    }
    for (const v1::Command& command : commands) {
      const bool beginsDynamics = command.has_set_dynamics() && !command.set_dynamics().continues();
      if (command.step() == 0 && beginsDynamics && !history_.isOpen())
        history_.add(makeCheckpoint("dynamics"));
      if (command.step() == 0) {
        simulation_->apply(commandOf(command, *simulation_));
        ++queued_;
      } else {
        pending_.emplace(command.step(), ScheduledCommand{command, lease});
      }
    }
  });
}

v1::State ServedSession::state() {
  return perform([&] { return currentState(); });
}

std::int64_t ServedSession::snapshot(const Canceled& canceled) {
  return perform(canceled, [&] {
    snapshots_.emplace(++snapshotNumber_, makeCheckpoint(""));
    if (snapshots_.size() > kMaxSnapshots) snapshots_.erase(snapshots_.begin());
    return snapshotNumber_;
  });
}

v1::State ServedSession::restore(std::int64_t snapshot, const Canceled& canceled) {
  return perform(canceled, [&] {
    const auto at = snapshots_.find(snapshot);
    if (at == snapshots_.end())
      throw StatusError(StatusCode::NOT_FOUND,
                        fmt::format("snapshot {} does not exist; the session keeps the newest {}", snapshot,
                                    kMaxSnapshots));
    restore(at->second);
    return currentState();
  });
}

// --- states -----------------------------------------------------------------------------------------------

ServedSession::Counters ServedSession::counters() const {
  return {steps_, stepTime_ns_, played_, dropped_, lateness_ns_, streams_};
}

v1::State ServedSession::currentState() const {
  v1::State state = stateMessage(*simulation_);
  *state.mutable_pace() = pace();
  *state.mutable_settings() = settings();
  state.set_step_time(1e-6 * record_.step_us);
  return state;
}

void ServedSession::publishIfDue() {
  if (streams_ == 0 || !changed_ || now_ns() < nextPublish_ns_) return;
  publish();
}

void ServedSession::publish() {
  auto observation = std::make_shared<const Observation>(
      Observation{currentState(), ticks_, simulation_->world().stepResult(), simulation_->goals()});
  changed_ = false;
  nextPublish_ns_ = now_ns() + std::llround(1e9 / kMaxStreamRate);
  const std::lock_guard lock(mutex_);
  newest_ = std::move(observation);
  ++newestNumber_;
  published_.notify_all();
}

void ServedSession::beginStream(Cursor& cursor, bool withPast) {
  {
    const std::lock_guard lock(mutex_);
    cursor = {newestNumber_,
              withPast ? firstEvent_ : firstEvent_ + static_cast<std::int64_t>(recentEvents_.size())};
  }
  enqueue([this] { publish(); });  // during a call of many steps the next step publishes
  ++streams_;
}

void ServedSession::endStream() {
  --streams_;
}

bool ServedSession::next(Cursor& cursor, std::shared_ptr<const Observation>& newest,
                         std::vector<v1::Event>& events, steady_clock::time_point limit) {
  std::unique_lock lock(mutex_);
  if (!published_.wait_until(lock, limit, [&] { return newestNumber_ > cursor.state || ended_; }) ||
      newestNumber_ <= cursor.state)
    return false;
  newest = newest_;
  cursor.state = newestNumber_;
  const std::int64_t end = firstEvent_ + static_cast<std::int64_t>(recentEvents_.size());
  for (std::int64_t k = std::max(cursor.event, firstEvent_); k < end; ++k)
    events.push_back(recentEvents_[static_cast<std::size_t>(k - firstEvent_)]);
  cursor.event = end;
  return true;
}

bool ServedSession::next(Cursor& cursor, v1::State& state, steady_clock::time_point limit) {
  std::shared_ptr<const Observation> newest;
  std::vector<v1::Event> events;
  if (!next(cursor, newest, events, limit)) return false;
  state = newest->state;
  for (v1::Event& event : events) *state.add_events() = std::move(event);
  return true;
}

bool ServedSession::finish(const std::string& reason) {
  const std::lock_guard finishing(finishMutex_);
  if (finished_) return complete_;
  finished_ = true;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    woken_.notify_all();
  }
  thread_.join();
  if (recorder_) {
    recorder_->finish(reason);
    complete_ = recorder_->isComplete();
  }
  return complete_;
}

}  // namespace tenon::service
