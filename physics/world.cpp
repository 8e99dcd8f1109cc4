// Running and querying a world: see world.h. Its set-up is in world_setup.cpp, the stages of a step in step/.
#include "physics/world.h"

#include <algorithm>
#include <cmath>

#include "physics/body/state_hash.h"
#include "physics/step/stages.h"
#include "physics/step/world_implementation.h"

namespace tenon::physics {

namespace {

constexpr int kMaxAttempts = 6;  ///< attempts of a step, each with larger search margins

void requireThat(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

/// Finite, with a quaternion of length 1 up to rounding.
bool isPose(const Pose& X) {
  return X.isFinite() && std::abs(X.q.norm() - 1) < 1e-6;
}

bool isStrength(const HandParameters& h) {
  return h.stiffness.allFinite() && h.angularStiffness.allFinite() && h.stiffness.minCoeff() > 0 &&
         h.angularStiffness.minCoeff() > 0 && std::isfinite(h.dampingRatio) && h.dampingRatio >= 0 &&
         h.maxForce > 0 && h.maxTorque > 0 && h.breakDistance > 0;
}

/// [m, rad]
constexpr double kJointStart = 1e-6;

bool isThreadFriction(const JointDescription& d) {
  return d.friction == 0 || (d.kind == JointKind::helical && d.friction > 0 && std::isfinite(d.friction) &&
                             d.pitchDiameter > 0 && std::isfinite(d.pitchDiameter));
}

bool isEntry(const JointDescription& d) {
  const ScrewEntry& entry = *d.entry;
  return d.kind == JointKind::helical && d.collides && entry.captureRadius > 0 &&
         std::isfinite(entry.captureRadius) && entry.captureAngle > 0 &&
         entry.captureAngle <= kMaxScrewTilt && entry.tightening > 0 &&
         d.travel.low == -std::numeric_limits<double>::infinity() && d.travel.high > 0;
}

/// Something is left between the ends, and `start` lies there.
bool isRange(const JointRange& range, double start) {
  return range.low < range.high && range.low <= start + kJointStart && range.high >= start - kJointStart;
}

/// The frames of a joint meet, and between its ends.
void requireThatItStarts(const JointDescription& d, const JointFrames& at) {
  requireThat(jointError(d, at).cwiseAbs().maxCoeff() <= kJointStart,
              "a joint's frames must meet at the start");
  requireThat(!turns(d.kind) || (at.X_WA.q * Vector3d::UnitZ()).dot(at.X_WB.q * Vector3d::UnitZ()) > 0,
              "a joint's axes must not meet head to tail");
  requireThat(!turns(d.kind) || isRange(d.angle, jointAngle(at)), "a joint must start between its ends");
  requireThat(!travels(d.kind) || isRange(d.travel, jointTravel(at)), "a joint must start between its ends");
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
  applyCommands(model, s.state, s.work);
  advanceScrewJoints(model, s.state, s.work.joints);
  computeFreeVelocities(model, s.state, s.work);
  bool& withinMargin = s.work.search.withinMargin;
  withinMargin = false;
  for (int attempt = 0; attempt < kMaxAttempts && !withinMargin; ++attempt) {
    if (attempt > 0) storeForces(s.state, s.work);
    findIslands(model, s.state, s.work, attempt > 0);
    withinMargin = solveIslands(model, s.state, s.work);
  }
  resolveImpacts(model, s.state, s.work);
  acceptState(model, s.state, s.work);
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
                  snapshot.result.joints.size() == implementation_->model.joints.size(),
              "the snapshot is of another world");
  const ForceLaw law = state.law;
  state = snapshot;
  if (law == snapshot.law) return;
  state.law = law;
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
