// Running and querying a world: see world.h. Its set-up is in world_setup.cpp, the stages of a step in step/.
#include "physics/world.h"

#include <algorithm>
#include <cmath>

#include "physics/body/state_hash.h"
#include "physics/step/report_step.h"
#include "physics/step/stages.h"
#include "physics/world_implementation.h"

namespace tenon::physics {

namespace {

constexpr int kMaxAttempts = 6;  ///< attempts of a step, each with larger search margins
/// Substeps of a step that cannot be solved as a whole. A power of 2, so that their lengths are exact.
constexpr int kSubsteps = 8;

bool isJoined(const WorldModel& model, BodyId body) {
  return std::any_of(model.joints.begin(), model.joints.end(), [body](const PlacedJoint& joint) {
    return joint.description.i == body || joint.description.j == body;
  });
}

/// Velocities of all bodies at the end of the substep, before impacts. False where an island failed in a
/// substep that is divided then: the rest of it was not solved.
bool solveVelocities(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  computeFreeVelocities(model, state, work);
  bool& withinMargin = work.search.withinMargin;
  withinMargin = false;
  beginSweep(model, work);
  for (int attempt = 0, widened = 0; widened < kMaxAttempts; ++attempt) {
    if (attempt > 0) storeForces(state, work);
    findIslands(model, state, work, attempt > 0);
    withinMargin = solveIslands(model, state, work);
    if (work.substep.isDivisible && hasFailedIsland(work)) return false;
    if (withinMargin && !sweepPairs(model, work)) break;
    widened += !withinMargin;
  }
  if (!withinMargin) holdBackMeetings(model, work);
  return true;
}

/// Solves the present substep; true if all its islands are solved. The state keeps its bodies; its forces and
/// drivers may be those of an attempt.
bool solveSubstep(const WorldModel& model, WorldState& state, StepWorkspace& work) {
  coupleDrivers(model, state, work);
  do
    if (!solveVelocities(model, state, work)) return false;
  while (clickDrivers(model, state, work));
  resolveImpacts(model, state, work);
  return isSolved(work);
}

}  // namespace

void World::apply(const Command& command) {
  Implementation& s = *implementation_;
  std::visit(
      [&s](const auto& c) {
        if constexpr (requires { c.X_WH; }) requireThat(isPose(c.X_WH), "a hand's pose must be finite");
        if constexpr (requires { c.X_WP; }) requireThat(isPose(c.X_WP), "a part's pose must be finite");
        if constexpr (requires { c.hand; })
          requireThat(s.has(c.hand), "the command names no hand of this world");
        if constexpr (requires { c.body; }) {
          requireThat(s.has(c.body), "the command names no body of this world");
          requireThat(s.model.dynamic[c.body.value], "only dynamic bodies can be grabbed or placed");
        }
        if constexpr (requires { c.dynamics; })
          requireThat(isValid(c.dynamics),
                      "gravity and damping must be finite, damping ≥ 0 and restitution 0 to 1");
        if constexpr (requires { c.thruster; }) {
          requireThat(s.has(c.thruster), "the command names no thruster of this world");
          requireThat(c.level >= 0 && c.level <= 1, "a thruster's level must be 0 to 1");
        }
        if constexpr (std::is_same_v<std::decay_t<decltype(c)>, SetPose>)
          requireThat(!isJoined(s.model, c.body),
                      "a body with a joint cannot be placed: its joint would throw it");
      },
      command);
  s.state.commands.push_back(command);
}

const StepResult& World::step() {
  Implementation& s = *implementation_;
  const WorldModel& model = s.model;
  if (!model.initial) s.setInitialState();
  if (!model.hasPressFits) s.findElasticFits();
  applyCommands(model, s.state, s.work);
  const double dt = model.options.dt;
  ReportWork& report = s.work.report;
  const double last = 1.0 / s.state.result.report.substeps;  // relative to dt
  s.work.substep = {dt, 1, last, true};
  report.startWarm = s.state.warm;
  report.startDrivers = s.state.drivers;
  if (solveSubstep(model, s.state, s.work)) {
    acceptState(model, s.state, s.work);
    return s.state.result;
  }
  beginSubsteps(reportNumerics(s.state, s.work), report.sums);
  s.state.warm = report.startWarm;
  s.state.drivers = report.startDrivers;
  for (int rest = kSubsteps; rest > 0; --rest) {
    s.work.substep = {dt / kSubsteps, 1.0 / rest, rest == kSubsteps ? kSubsteps * last : 1, false};
    solveSubstep(model, s.state, s.work);
    acceptState(model, s.state, s.work);
    addSubstep(s.state.result, s.work, report.sums);
  }
  completeSubsteps(report.sums, kSubsteps, s.work, s.state.result);
  return s.state.result;
}

const StepResult& World::stepResult() const {
  return implementation_->state.result;
}

ContactSet World::contactsWithin(double range) {
  const Implementation& s = *implementation_;
  const Collider& collider = *s.model.collider;
  ContactSet contacts;
  std::vector<Pose> poses;
  for (const BodyState& body : s.state.bodies) poses.push_back(body.X_WC);
  const std::vector<double> searchMargin(poses.size(), 0.5 * range);
  std::vector<BodyPair> pairs;
  s.model.collider->findPairs(poses, searchMargin, pairs);
  for (const BodyPair& pair : pairs)
    collider.findContacts(pair, poses[pair.i.value], poses[pair.j.value], range, contacts);
  return contacts;
}

std::shared_ptr<const WorldState> World::snapshot() const {
  return std::make_shared<const WorldState>(implementation_->state);
}

void World::restore(const WorldState& snapshot) {
  WorldState& state = implementation_->state;
  requireThat(snapshot.bodies.size() == state.bodies.size() && snapshot.hands.size() == state.hands.size() &&
                  snapshot.result.joints.size() == implementation_->model.joints.size() &&
                  snapshot.thrusters.size() == state.thrusters.size() &&
                  snapshot.drivers.size() == state.drivers.size(),
              "the snapshot is of another world");
  const ForceLaw law = state.law;
  state = snapshot;
  if (law == snapshot.law) return;
  state.law = law;
  if (law.start != snapshot.law.start) state.dynamics = state.result.dynamics = law.start;
  wakeAll(state);
  if (law.dt == snapshot.law.dt) return;
  state.step = state.result.step = std::llround(snapshot.result.time / law.dt);
  state.result.time = static_cast<double>(state.step) * law.dt;
}

std::uint64_t World::stateHash() const {
  return physics::stateHash(implementation_->state.bodies);
}

const WorldOptions& World::options() const {
  return implementation_->model.options;
}
std::size_t World::bodyCount() const {
  return implementation_->model.bodies.size();
}
std::size_t World::handCount() const {
  return implementation_->state.hands.size();
}
std::size_t World::thrusterCount() const {
  return implementation_->model.thrusters.size();
}
std::size_t World::driverCount() const {
  return implementation_->model.drivers.size();
}
std::size_t World::jointCount() const {
  return implementation_->model.joints.size();
}
const JointDescription& World::joint(JointId id) const {
  return implementation_->model.joints[id.value].description;
}
const BodyDescription& World::body(BodyId id) const {
  return implementation_->model.bodies[id.value].description;
}

std::optional<BodyId> World::findBody(std::string_view name) const {
  const auto& bodies = implementation_->model.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].description.name == name) return BodyId{static_cast<int>(i)};
  return std::nullopt;
}

Pose World::partPose(BodyId id, const BodyState& state) const {
  return {state.X_WC.q, state.X_WC * implementation_->model.bodies[id.value].p_CP};
}

}  // namespace tenon::physics
