// Set-up of a world: see world.h.
#include <algorithm>
#include <cmath>

#include "physics/math/elementary_functions.h"
#include "physics/world_implementation.h"

namespace tenon::physics {

namespace {

/// True if stiffness, damping and limits of a hand are valid.
bool isValid(const HandParameters& h) {
  return h.stiffness.allFinite() && h.angularStiffness.allFinite() && h.stiffness.minCoeff() > 0 &&
         h.angularStiffness.minCoeff() > 0 && std::isfinite(h.dampingRatio) && h.dampingRatio >= 0 &&
         h.maxForce > 0 && h.maxTorque > 0 && h.breakDistance > 0;
}

/// Largest error of a joint at the start [m, rad].
constexpr double kMaxStartError = 1e-6;

bool isThreadFriction(const JointDescription& d) {
  return d.friction == 0 || (d.kind == JointKind::helical && d.friction > 0 && std::isfinite(d.friction) &&
                             d.pitchDiameter > 0 && std::isfinite(d.pitchDiameter));
}

/// True if the range is not empty and contains `start`.
bool isRange(const JointRange& range, double start) {
  return range.low < range.high && range.low <= start + kMaxStartError &&
         range.high >= start - kMaxStartError;
}

/// The frames of a joint coincide at the start, within its limits.
void requireThatItIsClosed(const JointDescription& d, const JointFrames& at) {
  requireThat(jointError(d, at).cwiseAbs().maxCoeff() <= kMaxStartError,
              "a joint's frames must meet at the start");
  requireThat(!turns(d.kind) || (at.X_WA.q * Vector3d::UnitZ()).dot(at.X_WB.q * Vector3d::UnitZ()) > 0,
              "a joint's z axes must not point in opposite directions");
  requireThat(!turns(d.kind) || isRange(d.angle, jointAngle(at)), "a joint must start within its limits");
  requireThat(!travels(d.kind) || isRange(d.travel, jointTravel(at)), "a joint must start within its limits");
}

}  // namespace

void World::Implementation::setInitialState() {
  state.result.step = state.step;
  state.result.dynamics = state.dynamics;
  state.result.thrusters = state.thrusters;
  state.result.drivers.clear();
  for (const DriverSlot& driver : state.drivers) state.result.drivers.push_back(driver.state);
  state.result.bodies = state.bodies;
  state.result.hands.resize(state.hands.size());
  for (std::size_t h = 0; h < state.hands.size(); ++h) state.result.hands[h] = state.hands[h].state;
  auto initial = std::make_shared<WorldState>(state);
  initial->commands.clear();
  model.initial = std::move(initial);
}

void World::Implementation::findElasticFits() {
  model.hasPressFits = true;
  const auto partOf = [this](std::size_t i) {
    const Body& body = model.bodies[i];
    return FitPart{&body.description.shape, body.p_CP, model.surfaces.elasticity(body.description.material)};
  };
  for (const Body& body : model.bodies)
    model.hasFixedPhases.push_back(hasFixedPhases(body.description.shape));
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < model.bodies.size(); ++j)
      if (model.dynamic[i] || model.dynamic[j]) {
        const BodyPair pair{{static_cast<int>(i)}, {static_cast<int>(j)}};
        physics::findPressFits(pair, partOf(i), partOf(j), model.pressFits);
        physics::findElasticThreads(pair, {partOf(i), model.dynamic[i]}, {partOf(j), model.dynamic[j]},
                                    model.elasticThreads);
      }
}

void World::Implementation::resize() {
  const std::size_t n = model.bodies.size();
  state.stillSteps.resize(n, 0);
  state.accuracy.resize(n, Accuracy::exact);
  state.contactAcceleration.resize(n, Vector6d::Zero());
  work.free.start.resize(n);
  work.free.end.resize(n);
  work.free.meanSpin.resize(n, Vector3d::Zero());
  work.free.massFactor.resize(n, Matrix6d::Identity());
  work.free.velocity.resize(n, Vector6d::Zero());
  work.free.couplings.resize(state.hands.size());
  work.search.predicted.resize(n, Vector6d::Zero());
  work.search.margin.resize(n);
  work.search.queryPoses.resize(n);
  work.islands.velocity.resize(n, Vector6d::Zero());
  work.impact.velocity.resize(n, Vector6d::Zero());
  work.impact.changed.resize(n, 0);
}

World::World(const WorldOptions& options, std::unique_ptr<Collider> collider)
    : implementation_(std::make_unique<Implementation>()) {
  linkElementaryFunctions();
  requireThat(options.dt > 0 && std::isfinite(options.dt), "the time step must be a positive number");
  requireThat(options.threads >= 1, "a world needs at least one thread");
  requireThat(collider != nullptr, "a world needs a collider");
  Implementation& s = *implementation_;
  s.model.options = options;
  s.model.collider = std::move(collider);
  s.state.dynamics = {options.gravity, options.linearDamping, options.angularDamping, {}};
  requireThat(isValid(s.state.dynamics), "gravity and damping must be finite, and damping ≥ 0");
  s.state.law = {options.dt, options.solver, s.state.dynamics, options.solverOptions.accuracy};
  if (options.solver == SolverName::baraff) s.work.impact.solver.useBaraff(options.solverOptions.baraff);
  IslandWork& islands = s.work.islands;
  islands.workers = std::make_unique<IslandWorkers>(options.threads);
  for (int worker = 0; worker < islands.workers->count(); ++worker)
    islands.chains.emplace_back(options.solver, options.solverOptions);
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::addBody(const BodyDescription& description) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "bodies are added before the first step");
  requireThat(isPose(description.X_WP), "a body needs a pose of finite numbers");
  requireThat(description.v.allFinite() && description.omega.allFinite(), "velocities must be finite");
  const bool dynamic = description.motion == MotionType::dynamic;
  Body body;
  body.description = description;
  if (dynamic) {
    requireThat(description.mass.mass > 0 && std::isfinite(description.mass.mass),
                "a dynamic body needs a mass");
    requireThat(description.mass.center.allFinite(), "a center of mass must be finite");
    requireThat(isPhysicalInertia(description.mass.inertia), "a dynamic body needs a physical inertia");
    body.p_CP = -description.mass.center;
    body.mass = description.mass.mass;
    body.inertia = description.mass.inertia;
  }
  WorldModel& model = s.model;
  const BodyId id =
      model.collider->addBody(description.shape, body.p_CP, description.motion != MotionType::fixed);
  model.radius.push_back(model.collider->radius(id));
  model.thickness.push_back(model.collider->thickness(id));
  model.minThickness = std::min(model.minThickness, model.collider->thickness(id));
  BodyState state = restingAt(body, description.X_WP);
  if (description.motion != MotionType::fixed) {
    state.v = description.v;
    state.omega = description.omega;
  }
  model.bodies.push_back(std::move(body));
  model.dynamic.push_back(dynamic);
  model.material.push_back(description.material);
  s.state.bodies.push_back(state);
  s.resize();
  s.setInitialState();
  return id;
}

JointId World::addJoint(const JointDescription& d) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "joints are added before the first step");
  requireThat(s.has(d.j) && (!d.i.valid() || s.has(d.i)) && d.i != d.j,
              "a joint needs two bodies of this world, or one and the world");
  requireThat(s.model.dynamic[d.j.value] || (d.i.valid() && s.model.dynamic[d.i.value]),
              "one of a joint's bodies must be dynamic");
  requireThat(isPose(d.X_PA) && isPose(d.X_PB), "a joint needs frames of finite numbers");
  requireThat(d.kind != JointKind::helical || (std::isfinite(d.pitch) && d.pitch != 0),
              "a helical joint needs a pitch that is not 0");
  requireThat(isThreadFriction(d),
              "friction needs a helical joint with a pitch diameter, and must be finite and ≥ 0");
  const auto aboutCenter = [&](BodyId body, const Pose& X_P) {
    return Pose{X_P.q, s.model.bodies[body.value].p_CP + X_P.p};
  };
  const PlacedJoint joint{d, d.i.valid() ? aboutCenter(d.i, d.X_PA) : d.X_PA, aboutCenter(d.j, d.X_PB)};
  const Pose X_WI = d.i.valid() ? s.state.bodies[d.i.value].X_WC : Pose(),
             X_WJ = s.state.bodies[d.j.value].X_WC;
  const JointFrames at = jointFrames(joint, X_WI, X_WJ);
  requireThatItIsClosed(d, at);
  // The angle is computed from a pose, within half a turn: beyond it, one limit would act as the other.
  const bool unlimited = std::isinf(d.angle.low) && std::isinf(d.angle.high);
  requireThat(unlimited || (d.kind != JointKind::helical && std::abs(d.angle.low) <= kMaxJointAngle &&
                            std::abs(d.angle.high) <= kMaxJointAngle),
              "a joint's angle needs no limits or two within ±3.1 rad; a helical joint's angle has none");
  s.model.joints.push_back(joint);
  if (!d.collides && d.i.valid()) {
    s.model.collisionFilter.push_back({std::min(d.i, d.j), std::max(d.i, d.j)});
    std::sort(s.model.collisionFilter.begin(), s.model.collisionFilter.end());
  }
  s.state.result.joints.push_back(jointStateAt(joint, X_WI, X_WJ));
  s.setInitialState();
  return JointId{static_cast<int>(s.model.joints.size()) - 1};
}

HandId World::addHand(const HandParameters& parameters, const Pose& X_WH) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "hands are added before the first step");
  requireThat(isPose(X_WH), "a hand needs a pose of finite numbers");
  requireThat(isValid(parameters), "a hand's stiffness, damping and limits must be finite and not negative");
  HandSlot hand;
  hand.state.X_WH = X_WH;
  hand.lastTarget = X_WH;
  s.state.hands.push_back(hand);
  s.model.handParameters.push_back(parameters);
  s.resize();
  s.setInitialState();
  return HandId{static_cast<int>(s.state.hands.size()) - 1};
}

ThrusterId World::addThruster(const ThrusterDescription& d) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "thrusters are added before the first step");
  requireThat(s.has(d.body) && s.model.dynamic[d.body.value],
              "a thruster needs a dynamic body of this world");
  requireThat(d.p_PT.allFinite() && d.force.allFinite(), "a thruster's point and force must be finite");
  s.model.thrusters.push_back(d);
  s.state.thrusters.push_back(0);
  s.setInitialState();
  return ThrusterId{static_cast<int>(s.model.thrusters.size()) - 1};
}

HexagonId World::addHexagon(const HexagonDescription& d) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "hexagons are added before the first step");
  requireThat(s.has(d.body) && isPose(d.X_PH), "a hexagon needs a body of this world and a pose");
  requireThat(d.size.width > 0 && std::isfinite(d.size.width) && d.depth > 0 && std::isfinite(d.depth),
              "a hexagon's width and depth must be positive numbers");
  s.model.hexagons.push_back({d, {d.X_PH.q, s.model.bodies[d.body.value].p_CP + d.X_PH.p}});
  return HexagonId{static_cast<int>(s.model.hexagons.size()) - 1};
}

DriverId World::addDriver(const DriverDescription& d) {
  Implementation& s = *implementation_;
  requireThat(s.state.step == 0, "drivers are added before the first step");
  requireThat(s.has(d.body) && s.model.dynamic[d.body.value] && isPose(d.X_PT),
              "a driver needs a dynamic body of this world and a pose");
  requireThat(d.size.width > 0 && std::isfinite(d.size.width), "a driver's width must be a positive number");
  requireThat(d.torqueLimit > 0, "a driver's torque limit must be positive");
  s.model.drivers.push_back({d, {d.X_PT.q, s.model.bodies[d.body.value].p_CP + d.X_PT.p}});
  DriverSlot slot;
  slot.state.body = d.body;
  slot.state.size = d.size;
  s.state.drivers.push_back(slot);
  s.setInitialState();
  return DriverId{static_cast<int>(s.model.drivers.size()) - 1};
}

void World::setSurfaces(MaterialId a, MaterialId b, const SurfacePair& surfaces) {
  requireThat(implementation_->state.step == 0, "surfaces are set before the first step");
  requireThat(a.valid() && b.valid(), "surfaces need two valid materials");
  requireThat(surfaces.friction >= 0 && std::isfinite(surfaces.friction), "friction must be finite and ≥ 0");
  requireThat(surfaces.restitution >= 0 && surfaces.restitution <= 1, "restitution must be 0 to 1");
  requireThat(surfaces.stiffness >= 1, "a stiffness must be at least 1 N/m");
  implementation_->model.surfaces.set(a, b, surfaces);
}

void World::setElasticity(MaterialId material, const Elasticity& elasticity) {
  requireThat(implementation_->state.step == 0, "elasticity is set before the first step");
  requireThat(material.valid(), "elasticity needs a valid material");
  requireThat(elasticity.youngsModulus >= 0 && std::isfinite(elasticity.youngsModulus),
              "Young's modulus must be finite and ≥ 0");
  requireThat(elasticity.poissonsRatio >= 0 && elasticity.poissonsRatio <= 0.5,
              "Poisson's ratio must be 0 to 0.5");
  implementation_->model.surfaces.set(material, elasticity);
}

MobilityAnalysis World::analyzeMobility() const {
  const Implementation& s = *implementation_;
  std::vector<JointedBody> bodies(s.model.bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    bodies[k].X_WC = s.state.bodies[k].X_WC;
    bodies[k].moves = s.model.dynamic[k];
    if (s.model.dynamic[k])
      bodies[k].gyration = std::sqrt(s.model.bodies[k].inertia.trace() / (3 * s.model.bodies[k].mass));
    if (!s.model.dynamic[k]) bodies[k].u << s.state.bodies[k].v, s.state.bodies[k].omega;
  }
  return physics::analyzeMobility(s.model.joints, bodies);
}

}  // namespace tenon::physics
