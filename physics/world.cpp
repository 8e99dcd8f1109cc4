// See world.h. The stages of a step are in step/.
#include "physics/world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "physics/body/state_hash.h"
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

constexpr int kWidenings = 6;  ///< a step is repeated at most so often with a larger reach

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
  return d.kind == JointKind::helical && d.collides && entry.reach > 0 && std::isfinite(entry.reach) &&
         entry.tilt > 0 && entry.tilt <= kMaxScrewTilt && entry.tightening > 0 &&
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

struct World::Implementation : StepState {
  void rememberStart() {
    tick.step = step;
    tick.bodies = states;
    tick.hands.resize(hands.size());
    for (std::size_t h = 0; h < hands.size(); ++h) tick.hands[h] = hands[h].state;
    auto first = std::make_shared<Snapshot>();
    *first = {options.dt, options.solver, options.gravity, step, states, hands,
              warm,       screwJoints,    stillSteps,      {},   tick};
    initial = std::move(first);
  }

  void resizeScratch() {
    const std::size_t n = bodies.size();
    meanFreeSpin.resize(n, Vector3d::Zero());
    massFactor.resize(n, Matrix6d::Identity());
    freeVelocity.resize(n, Vector6d::Zero());
    predicted.resize(n, Vector6d::Zero());
    velocity.resize(n, Vector6d::Zero());
    rebound.resize(n, Vector6d::Zero());
    rebounds.resize(n, 0);
    start.resize(n);
    end.resize(n);
    searchMargin.resize(n);
    stillSteps.resize(n, 0);
    queryPoses.resize(n);
    radius.resize(n);
    for (std::size_t i = 0; i < n; ++i) radius[i] = bodies[i].radius;
    couplings.resize(hands.size());
  }

  bool isJoined(BodyId body) const {
    return std::any_of(joints.begin(), joints.end(), [body](const PlacedJoint& joint) {
      return !joint.description.entry && (joint.description.i == body || joint.description.j == body);
    });
  }
  bool knows(BodyId body) const { return body.valid() && body.value < static_cast<int>(bodies.size()); }
  bool knows(HandId hand) const { return hand.valid() && hand.value < static_cast<int>(hands.size()); }
};

World::World(const WorldOptions& options, std::unique_ptr<Collider> collider)
    : implementation_(std::make_unique<Implementation>()) {
  requireThat(options.dt > 0 && std::isfinite(options.dt), "the time step must be a positive number");
  requireThat(options.threads >= 1, "a world needs at least one thread");
  requireThat(collider != nullptr, "a world needs a collider");
  Implementation& s = *implementation_;
  s.options = options;
  s.collider = std::move(collider);
  s.workers = std::make_unique<IslandWorkers>(options.threads);
  for (int worker = 0; worker < s.workers->count(); ++worker)
    s.chains.emplace_back(options.solver, options.solverOptions);
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::addBody(const BodyDescription& description) {
  Implementation& s = *implementation_;
  requireThat(s.step == 0, "bodies are added before the first step");
  requireThat(isPose(description.X_WP), "a body needs a pose of finite numbers");
  requireThat(description.v.allFinite() && description.omega.allFinite(), "velocities must be finite");
  const bool dynamic = description.motion == MotionType::dynamic;
  Body body;
  body.description = description;
  if (dynamic) {
    requireThat(description.mass.mass > 0 && std::isfinite(description.mass.mass),
                "a dynamic body needs a mass");
    requireThat(description.mass.center.allFinite(), "a centre of mass must be finite");
    requireThat(isPhysicalInertia(description.mass.inertia), "a dynamic body needs a physical inertia");
    body.p_CP = -description.mass.center;
    body.mass = description.mass.mass;
    body.inertia = description.mass.inertia;
  }
  const BodyId id =
      s.collider->addBody(description.shape, body.p_CP, description.motion != MotionType::fixed);
  body.radius = s.collider->radius(id);
  s.minThickness = std::min(s.minThickness, s.collider->thickness(id));
  BodyState state = restingAt(body, description.X_WP);
  if (description.motion != MotionType::fixed) {
    state.v = description.v;
    state.omega = description.omega;
  }
  s.bodies.push_back(std::move(body));
  s.dynamic.push_back(dynamic);
  s.material.push_back(description.material);
  s.states.push_back(state);
  s.resizeScratch();
  s.rememberStart();
  return id;
}

JointId World::addJoint(const JointDescription& d) {
  Implementation& s = *implementation_;
  requireThat(s.step == 0, "joints are added before the first step");
  requireThat(s.knows(d.j) && (!d.i.valid() || s.knows(d.i)) && d.i != d.j,
              "a joint needs two bodies of this world, or one and the world");
  requireThat(s.dynamic[d.j.value] || (d.i.valid() && s.dynamic[d.i.value]),
              "one of a joint's bodies must be dynamic");
  requireThat(isPose(d.X_PA) && isPose(d.X_PB), "a joint needs frames of finite numbers");
  requireThat(d.kind != JointKind::helical || (std::isfinite(d.pitch) && d.pitch != 0),
              "a helical joint needs a pitch that is not 0");
  requireThat(isThreadFriction(d),
              "friction in a thread must be finite and ≥ 0, of a helical joint, with its pitch diameter");
  const auto inCentre = [&](BodyId body, const Pose& X_P) {
    return Pose{X_P.q, s.bodies[body.value].p_CP + X_P.p};
  };
  const PlacedJoint joint{d, d.i.valid() ? inCentre(d.i, d.X_PA) : d.X_PA, inCentre(d.j, d.X_PB)};
  const Pose X_WI = d.i.valid() ? s.states[d.i.value].X_WC : Pose(), X_WJ = s.states[d.j.value].X_WC;
  const JointFrames at = jointFrames(joint, X_WI, X_WJ);
  requireThat(
      !d.entry || isEntry(d),
      "what has an entry is a thread of bodies that collide, with reach, tilt and torque above 0 and a "
      "travel whose lower end is open");
  JointState start;
  if (d.entry) {
    start.phase = JointPhase::apart;
    start.travel = jointTravel(at);
  } else {
    requireThatItStarts(d, at);
    start = jointStateAt(joint, X_WI, X_WJ);
  }
  // The angle is told from a pose, within half a turn: with one end free it would come round to the other.
  const bool free = std::isinf(d.angle.low) && std::isinf(d.angle.high);
  requireThat(free || (d.kind != JointKind::helical && std::abs(d.angle.low) <= kMaxJointAngle &&
                       std::abs(d.angle.high) <= kMaxJointAngle),
              "turning has no ends or two, within 3.1 rad, and that of a thread has none");
  s.joints.push_back(joint);
  s.engagedJoints.push_back(joint);
  s.screwJoints.emplace_back().phase = start.phase;
  if (!d.collides && d.i.valid()) {
    s.collisionFilter.push_back({std::min(d.i, d.j), std::max(d.i, d.j)});
    std::sort(s.collisionFilter.begin(), s.collisionFilter.end());
  }
  s.tick.joints.push_back(start);
  s.rememberStart();
  return JointId{static_cast<int>(s.joints.size()) - 1};
}

MobilityAnalysis World::analyzeMobility() const {
  const Implementation& s = *implementation_;
  std::vector<JointedBody> bodies(s.bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    bodies[k].X_WC = s.states[k].X_WC;
    bodies[k].moves = s.dynamic[k];
    if (s.dynamic[k]) bodies[k].gyration = std::sqrt(s.bodies[k].inertia.trace() / (3 * s.bodies[k].mass));
    if (!s.dynamic[k]) bodies[k].u << s.states[k].v, s.states[k].omega;
  }
  std::vector<PlacedJoint> joints;  // without screws that are not in their threads: these take nothing away
  std::vector<JointId> ids;
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    if (s.joints[n].description.entry) continue;
    joints.push_back(s.joints[n]);
    ids.push_back({static_cast<int>(n)});
  }
  MobilityAnalysis account = physics::analyzeMobility(joints, bodies);
  const auto rename = [&ids](std::vector<JointId>& list) {
    for (JointId& id : list) id = ids[id.value];
  };
  for (Mechanism& mechanism : account.mechanisms) rename(mechanism.joints);
  if (account.conflict) rename(account.conflict->joints);
  return account;
}

HandId World::addHand(const HandParameters& parameters, const Pose& X_WH) {
  Implementation& s = *implementation_;
  requireThat(s.step == 0, "hands are added before the first step");
  requireThat(isPose(X_WH), "a hand needs a pose of finite numbers");
  requireThat(isStrength(parameters), "a hand's stiffness, damping and caps must be finite and not negative");
  HandSlot hand;
  hand.state.X_WH = X_WH;
  hand.lastTarget = X_WH;
  s.hands.push_back(hand);
  s.handParameters.push_back(parameters);
  s.resizeScratch();
  s.rememberStart();
  return HandId{static_cast<int>(s.hands.size()) - 1};
}

void World::setSurfaces(MaterialId a, MaterialId b, const SurfacePair& surfaces) {
  requireThat(implementation_->step == 0, "surfaces are set before the first step");
  requireThat(a.valid() && b.valid(), "surfaces are those of two materials");
  requireThat(surfaces.friction >= 0 && std::isfinite(surfaces.friction), "friction must be finite and ≥ 0");
  requireThat(surfaces.restitution >= 0 && surfaces.restitution <= 1, "restitution must be 0 to 1");
  requireThat(surfaces.stiffness >= 1, "a stiffness must be at least 1 N/m");
  implementation_->surfaces.set(a, b, surfaces);
}

void World::apply(const Command& command) {
  Implementation& s = *implementation_;
  std::visit(
      [&s](const auto& c) {
        if constexpr (requires { c.X_WH; }) requireThat(isPose(c.X_WH), "a hand's pose must be finite");
        if constexpr (requires { c.X_WP; }) requireThat(isPose(c.X_WP), "a part's pose must be finite");
        if constexpr (requires { c.hand; })
          requireThat(s.knows(c.hand), "the command names no hand of this world");
        if constexpr (requires { c.body; }) {
          requireThat(s.knows(c.body), "the command names no body of this world");
          requireThat(s.dynamic[c.body.value], "only dynamic bodies can be grabbed or placed");
        }
        if constexpr (std::is_same_v<std::decay_t<decltype(c)>, SetPose>)
          requireThat(!s.isJoined(c.body), "a body with a joint cannot be placed: its joint would throw it");
      },
      command);
  s.commands.push_back(command);
}

const StepResult& World::step() {
  Implementation& s = *implementation_;
  if (!s.initial) s.rememberStart();
  applyCommands(s);
  advanceScrewJoints(s);
  computeFreeVelocities(s);
  s.withinMargin = false;
  for (int attempt = 0; attempt < kWidenings && !s.withinMargin; ++attempt) {
    if (attempt > 0) rememberForces(s);
    findIslands(s, attempt > 0);
    s.withinMargin = solveIslands(s);
  }
  resolveImpacts(s);
  acceptState(s);
  return s.tick;
}

const StepResult& World::stepResult() const {
  return implementation_->tick;
}

ContactSet World::contactsWithin(double range) {
  Implementation& s = *implementation_;
  ContactSet contacts;
  std::vector<Pose> poses;
  for (const BodyState& state : s.states) poses.push_back(state.X_WC);
  const std::vector<double> searchMargin(poses.size(), 0.5 * range);
  std::vector<BodyPair> pairs;
  s.collider->findPairs(poses, searchMargin, pairs);
  for (const BodyPair& pair : pairs)
    s.collider->findContacts(pair, poses[pair.i.value], poses[pair.j.value], range, contacts);
  return contacts;
}

std::shared_ptr<const Snapshot> World::snapshot() const {
  const Implementation& s = *implementation_;
  auto copy = std::make_shared<Snapshot>();
  *copy = {s.options.dt, s.options.solver, s.options.gravity, s.step,     s.states, s.hands,
           s.warm,       s.screwJoints,    s.stillSteps,      s.commands, s.tick};
  return copy;
}

void World::restore(const Snapshot& snapshot) {
  Implementation& s = *implementation_;
  requireThat(snapshot.bodies.size() == s.bodies.size() && snapshot.hands.size() == s.hands.size() &&
                  snapshot.tick.joints.size() == s.joints.size(),
              "the snapshot is of another world");
  s.step = snapshot.step;
  s.states = snapshot.bodies;
  s.hands = snapshot.hands;
  s.warm = snapshot.warm;
  s.screwJoints = snapshot.screwJoints;
  s.stillSteps = snapshot.stillSteps;
  s.commands = snapshot.commands;
  s.tick = snapshot.tick;
  const bool sameLaw = snapshot.solver == s.options.solver && snapshot.gravity == s.options.gravity;
  if (!sameLaw || snapshot.dt != s.options.dt) wakeAll(s);
  if (snapshot.dt == s.options.dt) return;
  s.step = s.tick.step = std::llround(snapshot.tick.time / s.options.dt);
  s.tick.time = static_cast<double>(s.step) * s.options.dt;
}

std::uint64_t World::stateHash() const {
  return physics::stateHash(implementation_->states);
}

const WorldOptions& World::options() const {
  return implementation_->options;
}
std::size_t World::bodyCount() const {
  return implementation_->bodies.size();
}
std::size_t World::handCount() const {
  return implementation_->hands.size();
}
std::size_t World::jointCount() const {
  return implementation_->joints.size();
}
const JointDescription& World::joint(JointId id) const {
  return implementation_->joints[id.value].description;
}
const BodyDescription& World::body(BodyId id) const {
  return implementation_->bodies[id.value].description;
}

std::optional<BodyId> World::findBody(std::string_view name) const {
  const auto& bodies = implementation_->bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].description.name == name) return BodyId{static_cast<int>(i)};
  return std::nullopt;
}

Pose World::partPose(BodyId id, const BodyState& state) const {
  return {state.X_WC.q, state.X_WC * implementation_->bodies[id.value].p_CP};
}

}  // namespace tenon::physics
