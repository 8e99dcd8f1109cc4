// Impacts with restitution against closed forms, and that no impact gains energy.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "physics/world.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

using tests::ExactCollider;

constexpr double kImpactGravity = 9.81, kRadius = 0.01;
const MaterialId kBallMaterial{0};

World impactWorld(double dt, double restitution, double friction = 0,
                  const Vector3d& gravity = {0, 0, -kImpactGravity}) {
  World world({.dt = dt, .gravity = gravity}, std::make_unique<ExactCollider>());
  world.setSurfaces(kBallMaterial, kBallMaterial, {.friction = friction, .restitution = restitution});
  return world;
}

BodyDescription ball(const Vector3d& center, const Vector3d& v = Vector3d::Zero()) {
  BodyDescription body;
  body.shape = Sphere{kRadius};
  body.mass = massProperties(body.shape, 7850);
  body.X_WP = Pose::at(center);
  body.v = v;
  body.material = kBallMaterial;
  return body;
}

BodyDescription floor() {
  BodyDescription body;
  body.shape = HalfSpace{};
  body.motion = MotionType::fixed;
  body.material = kBallMaterial;
  return body;
}

double kineticEnergy(const World& world, const StepResult& tick) {
  double energy = 0;
  for (std::size_t k = 0; k < world.bodyCount(); ++k) {
    if (world.body({static_cast<int>(k)}).motion != MotionType::dynamic) continue;
    const MassProperties& m = world.body({static_cast<int>(k)}).mass;
    const BodyState& state = tick.bodies[k];
    const Vector3d spin = state.X_WC.q.conjugate() * state.omega;
    energy += 0.5 * m.mass * state.v.squaredNorm() + 0.5 * spin.dot(m.inertia * spin);
  }
  return energy;
}

double energyOfBalls(const World& world, const StepResult& tick) {
  double energy = kineticEnergy(world, tick);
  for (std::size_t k = 0; k < world.bodyCount(); ++k)
    if (world.body({static_cast<int>(k)}).motion == MotionType::dynamic)
      energy += world.body({static_cast<int>(k)}).mass.mass * kImpactGravity * tick.bodies[k].X_WC.p.z();
  return energy;
}

/// The heights that a ball released `height` above the floor reaches after its first bounces [m].
std::vector<double> bounces(double dt, double height, double restitution, int count) {
  World world = impactWorld(dt, restitution);
  world.addBody(floor());
  const BodyId body = world.addBody(ball({0, 0, kRadius + height}));
  std::vector<double> heights;
  double highest = 0, lastSpeed = 0;
  while (static_cast<int>(heights.size()) < count) {
    const StepResult& tick = world.step();
    const BodyState& state = tick.bodies[body.value];
    EXPECT_GE(state.X_WC.p.z(), kRadius - 1e-9);
    highest = std::max(highest, state.X_WC.p.z() - kRadius);
    if (lastSpeed > 0 && state.v.z() <= 0) heights.push_back(highest);
    if (state.v.z() > 0 && lastSpeed <= 0) highest = 0;
    lastSpeed = state.v.z();
  }
  return heights;
}

TEST(DroppedBall, BouncesToTheHeightsOfItsRestitution) {
  // h_n = e²ⁿ h (Newton). A step is of first order: off by about Δt v for each fall and each rise.
  const double height = 0.1, e = 0.8;
  for (const double dt : {1e-3, 1e-4}) {
    const std::vector<double> heights = bounces(dt, height, e, 5);
    for (int n = 0; n < 5; ++n) {
      const double ideal = height * std::pow(e, 2 * (n + 1));
      EXPECT_NEAR(heights[n], ideal, (n + 1) * dt * std::sqrt(2 * kImpactGravity * height))
          << n << " at " << dt;
    }
  }
}

TEST(DroppedBall, KeepsBouncingWithoutLoss) {
  const std::vector<double> heights = bounces(1e-4, 0.1, 1, 20);
  for (const double height : heights) EXPECT_LE(height, 0.1);
  EXPECT_NEAR(heights.back(), 0.1, 0.1 * 0.06);
}

TEST(DroppedBall, ComesToRest) {
  World world = impactWorld(1e-3, 0.5);
  world.addBody(floor());
  const BodyId body = world.addBody(ball({0, 0, kRadius + 0.05}));
  for (int k = 0; k < 1000; ++k) world.step();
  EXPECT_NEAR(world.stepResult().bodies[body.value].v.z(), 0, 1e-12);
  EXPECT_NEAR(world.stepResult().bodies[body.value].X_WC.p.z(), kRadius, 1e-9);
}

/// Speeds of five balls in a row, touching, after `thrown` of them came in at 1 m/s.
std::vector<double> cradle(int thrown, double restitution) {
  World world = impactWorld(1e-3, restitution, 0, Vector3d::Zero());
  for (int k = 0; k < 5; ++k) {
    const bool flies = k < thrown;
    world.addBody(ball({2 * kRadius * k - (flies ? 0.0053 : 0), 0, 0}, {flies ? 1.0 : 0.0, 0, 0}));
  }
  for (int k = 0; k < 20; ++k) world.step();
  std::vector<double> speeds;
  for (const BodyState& state : world.stepResult().bodies) speeds.push_back(state.v.x());
  return speeds;
}

TEST(NewtonsCradle, EjectsAsManyBallsAsCameIn) {
  for (int thrown = 1; thrown < 5; ++thrown) {
    const std::vector<double> speeds = cradle(thrown, 1);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(speeds[k], k >= 5 - thrown ? 1 : 0, 1e-8) << thrown << " " << k;
  }
}

TEST(NewtonsCradle, EjectsOneBallWhereItsNeighborsDriftAgainstEachOther) {
  // Balls that approach at 0.5 mm/s do not bounce, and do not act as one body for the one that hits them.
  const double drift = 5e-4;
  World world = impactWorld(1e-3, 1, 0, Vector3d::Zero());
  for (int k = 0; k < 5; ++k) {
    // All meet a tenth of a millisecond after the start.
    const double v = k == 0 ? 1 : drift * (2 - k);
    world.addBody(ball({2 * kRadius * k - 1e-4 * v, 0, 0}, {v, 0, 0}));
  }
  for (int k = 0; k < 20; ++k) world.step();
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(world.stepResult().bodies[k].v.x(), 0, 3 * drift) << k;
  EXPECT_NEAR(world.stepResult().bodies[4].v.x(), 1, 3 * drift);
}

TEST(NewtonsCradle, KeepsMomentumAndLosesEnergyBelowOne) {
  const std::vector<double> speeds = cradle(1, 0.9);
  double momentum = 0, energy = 0;
  for (const double v : speeds) {
    momentum += v;
    energy += v * v;
  }
  EXPECT_NEAR(momentum, 1, 1e-8);
  EXPECT_LT(energy, 1 - 1e-3);
  // (1 + e)/2 from ball to ball.
  EXPECT_NEAR(speeds[4], std::pow(0.95, 4), 1e-8);
}

TEST(SpinningBall, GripsTheFloorByCoulombsLaw) {
  // Impulse p = m (1 + e) v down; friction takes what stops the slip, m (v_t − r ω)·2/7, at most μ p.
  const double v = 1, e = 0.6;
  for (const double mu : {0.05, 0.8}) {
    World world = impactWorld(1e-3, e, mu, Vector3d::Zero());
    world.addBody(floor());
    BodyDescription thrown = ball({0, 0, kRadius + 2.5e-3}, {1, 0, -v});
    thrown.omega = {0, -20, 0};
    const BodyId body = world.addBody(thrown);
    for (int k = 0; k < 10; ++k) world.step();
    const BodyState& state = world.stepResult().bodies[body.value];
    const double slip = 1 + 20 * kRadius;
    const double lost = std::min(mu * (1 + e) * v, slip * 2 / 7);
    EXPECT_NEAR(state.v.z(), e * v, 1e-8);
    // The spin of a step is that of its pose up to (Δt ω)²/12.
    EXPECT_NEAR(state.v.x(), 1 - lost, 1e-5) << mu;
    EXPECT_NEAR(state.omega.y(), -20 + 2.5 * lost / kRadius, 1e-3) << mu;
  }
}

/// Speed after a box has fallen flat on the floor at 1 m/s, on four corners at the same time.
double reboundOfABox(SolverName solver, double restitution) {
  World world({.dt = 1e-3, .gravity = Vector3d::Zero(), .solver = solver}, std::make_unique<ExactCollider>());
  world.setSurfaces(kBallMaterial, kBallMaterial, {.restitution = restitution});
  world.addBody(floor());
  BodyDescription box = ball({0, 0, 0.01 + 2.5e-3}, {0, 0, -1});
  box.shape = Box{Vector3d(0.02, 0.02, 0.01)};
  box.mass = massProperties(box.shape, 7850);
  const BodyId body = world.addBody(box);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(world.step().report.converged) << toText(solver);
  return world.stepResult().bodies[body.value].v.z();
}

TEST(Impacts, OfSeveralContactsAreSimultaneousAndExactWithBaraff) {
  for (const double e : {0.0, 0.4, 1.0}) {
    EXPECT_NEAR(reboundOfABox(SolverName::automatic, e), e, 1e-7);
    // No compliance in Baraff's method: to rounding.
    EXPECT_NEAR(reboundOfABox(SolverName::baraff, e), e, 1e-13) << "e " << e;
  }
}

TEST(Impacts, ReportTheirImpulse) {
  World world = impactWorld(1e-3, 0.5, 0, Vector3d::Zero());
  world.addBody(floor());
  const BodyId body = world.addBody(ball({0, 0, kRadius + 2.5e-3}, {0, 0, -1}));
  Vector3d impulse = Vector3d::Zero();
  for (int k = 0; k < 10; ++k)
    for (const ContactForce& contact : world.step().contacts) impulse += contact.impulse;
  EXPECT_NEAR(impulse.z(), 1.5 * world.body(body).mass.mass, 1e-9);
}

TEST(Impacts, NeverGainEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  // With gravity, a step of baraff adds up to some 1e-5 of the energy with e = 1, and 1e-6 with half of that:
  // it treats velocities first.
  struct Case {
    double friction, restitution;
    SolverName solver;
    double gain;
  };
  for (const auto& [friction, restitution, solver, gain] : {Case{0, 1, SolverName::automatic, 1e-9},
                                                            {0.4, 1, SolverName::automatic, 1e-9},
                                                            {0, 0.5, SolverName::baraff, 1e-6}}) {
    World world({.dt = 1e-3, .solver = solver}, std::make_unique<ExactCollider>());
    const MaterialId materials[] = {{0}, {1}, {2}};
    for (const MaterialId a : materials)
      for (const MaterialId b : materials)
        world.setSurfaces(a, b,
                          {.friction = friction, .restitution = restitution * 0.25 * (a.value + b.value)});
    BodyDescription bottom = floor();
    bottom.material = materials[0];
    world.addBody(bottom);
    for (int k = 0; k < 24; ++k) {
      const int column = k % 3, row = k / 3 % 3, layer = k / 9;
      const Vector3d at(0.025 * column, 0.025 * row, 0.03 + 0.025 * layer);
      BodyDescription thrown = ball(at);
      if (k % 4 == 0) {
        thrown.shape = Box{Vector3d::Constant(0.007)};
        thrown.mass = massProperties(thrown.shape, 2700);
      }
      for (int i = 0; i < 3; ++i) {
        thrown.v[i] = uniform(random);
        thrown.omega[i] = 30 * uniform(random);
      }
      thrown.material = materials[k % 3];
      world.addBody(thrown);
    }
    double before = energyOfBalls(world, world.stepResult());
    const double scale = before;
    for (int k = 0; k < 2000; ++k) {
      const StepResult& tick = world.step();
      ASSERT_TRUE(tick.report.converged) << k;
      const double now = energyOfBalls(world, tick);
      ASSERT_LE(now, before + gain * scale) << k << " with friction " << friction << ", " << toText(solver);
      before = now;
    }
    EXPECT_LT(before, 0.5 * scale);
  }
}

TEST(TumblingBox, WithFrictionKeepsBouncingAtFullRestitution) {
  // Newton's restitution at an edge, with friction, can gain energy; then it is reduced just enough to gain
  // none: the box keeps bouncing.
  World world = impactWorld(1e-4, 1, 0.5);
  world.addBody(floor());
  BodyDescription box = ball({0, 0, 0.11});
  box.shape = Box{Vector3d(0.01, 0.015, 0.02)};
  box.mass = massProperties(box.shape, 7850);
  box.omega = {0, 5, 0};
  world.addBody(box);
  const double start = energyOfBalls(world, world.stepResult());
  double before = start;
  for (int k = 0; k < 20000; ++k) {
    const double now = energyOfBalls(world, world.step());
    // The inertia of an impact is that of the start of its step.
    ASSERT_LE(now, before + 1e-3 * start) << k;
    // An edge that hits with friction loses up to 43 % (the most of 24 throws).
    ASSERT_GE(now, 0.5 * before) << "in one step, " << k;
    before = now;
  }
}

TEST(Impacts, RejectInvalidRestitutions) {
  World world({}, std::make_unique<ExactCollider>());
  for (const double e : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(world.setSurfaces(kBallMaterial, kBallMaterial, {.restitution = e}), std::invalid_argument)
        << e;
}

}  // namespace
}  // namespace tenon::physics
