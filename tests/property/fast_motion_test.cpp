// Fast bodies at half-spaces, rings and with the solver baraff, chains of impacts in one step, and swarms of
// rotating bars: closed forms of bounces, and energy that never grows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::fast_motion_test {
namespace {

constexpr double kDt = 1e-3, kRadius = 1e-3;
constexpr double kOverlap = 1e-8;  // guaranteed at the end of a step [m]

World makeWorld(double restitution, SolverName solver = SolverName::automatic, double friction = 0) {
  World world({.dt = kDt, .gravity = Vector3d::Zero(), .solver = solver}, makeBulletCollider());
  world.setSurfaces({0}, {0}, {.friction = friction, .restitution = restitution});
  return world;
}

BodyDescription fixedBody(const Shape& shape, const Pose& X = Pose()) {
  BodyDescription body;
  body.shape = shape;
  body.motion = MotionType::fixed;
  body.X_WP = X;
  body.material = {0};
  return body;
}

BodyDescription movingBody(const Shape& shape, const Pose& X, const Vector3d& v,
                           const Vector3d& omega = Vector3d::Zero()) {
  BodyDescription body;
  body.shape = shape;
  body.mass = massProperties(shape, 7800);
  body.X_WP = X;
  body.v = v;
  body.omega = omega;
  body.material = {0};
  return body;
}

SolidOfRevolution ring(double inner, double outer, double halfLength) {
  return {{{-halfLength, inner},
           {-halfLength, outer},
           {halfLength, outer},
           {halfLength, inner},
           {-halfLength, inner}},
          "bore"};
}

const BodyState& state(const World& world, BodyId body) {
  return world.stepResult().bodies[body.value];
}

// --- half-spaces and baraff --------------------------------------------------------------------------

struct Throw {
  SolverName solver;
  double speed, restitution;
};

struct FastBall : testing::TestWithParam<Throw> {};

TEST_P(FastBall, BouncesFromAHalfSpace) {
  const auto [solver, speed, e] = GetParam();
  World world = makeWorld(e, solver);
  world.addBody(fixedBody(HalfSpace{}));
  const Vector3d v(0.1 * speed, 0, -speed);
  const BodyId ball = world.addBody(movingBody(Sphere{kRadius}, Pose::at({0, 0, 0.0503}), v));
  for (int k = 0; k < 20; ++k) {
    EXPECT_TRUE(world.step().report.converged) << k;
    EXPECT_GE(state(world, ball).X_WC.p.z(), kRadius - kOverlap) << k;
  }
  EXPECT_LE((state(world, ball).v - Vector3d(v.x(), 0, e * speed)).norm(), 1e-6 * speed);
}

// At an offset the normal is known: its sine is offset / 2R.
TEST_P(FastBall, BouncesFromAPin) {
  const auto [solver, speed, e] = GetParam();
  constexpr double kOffset = 2e-4;
  World world = makeWorld(e, solver);
  world.addBody(fixedBody(Cylinder{kRadius, 0.02}));
  const Vector3d v(speed, 0, 0);
  const BodyId ball = world.addBody(movingBody(Sphere{kRadius}, Pose::at({-0.0503, kOffset, 0}), v));
  for (int k = 0; k < 20; ++k) {
    EXPECT_TRUE(world.step().report.converged) << k;
    EXPECT_GE(state(world, ball).X_WC.p.norm(), 2 * kRadius - kOverlap) << k;
  }
  const double sine = kOffset / (2 * kRadius);
  const Vector3d n(-std::sqrt(1 - sine * sine), sine, 0);
  EXPECT_LE((state(world, ball).v - (v - (1 + e) * v.dot(n) * n)).norm(), 3e-6 * speed);
}

INSTANTIATE_TEST_SUITE_P(Solvers, FastBall,
                         testing::Values(Throw{SolverName::automatic, 20, 0.5},
                                         Throw{SolverName::automatic, 100, 1},
                                         Throw{SolverName::baraff, 20, 0}, Throw{SolverName::baraff, 20, 0.5},
                                         Throw{SolverName::baraff, 50, 1}, Throw{SolverName::baraff, 100, 0},
                                         Throw{SolverName::baraff, 100, 0.5}));

// --- rings -------------------------------------------------------------------------------------------

TEST(FastMotion, TheThicknessOfARingIsThatOfItsWall) {
  const auto collider = makeBulletCollider();
  const BodyId thin = collider->addBody(ring(0.04, 0.0405, 0.01), Vector3d::Zero(), false);
  const BodyId flat = collider->addBody(ring(0.01, 0.04, 0.002), Vector3d::Zero(), false);
  EXPECT_NEAR(collider->thickness(thin), 5e-4, 1e-12);
  EXPECT_NEAR(collider->thickness(flat), 4e-3, 1e-9);
  EXPECT_FALSE(collider->isConvex(thin));
}

/// 4 mm a step: less than half of the ball, and eight times the wall.
TEST(FastMotion, AThinRingStopsABallThatIsThickerThanItsWall) {
  World world = makeWorld(1);
  world.addBody(fixedBody(ring(0.04, 0.0405, 0.01)));
  const Vector3d v(4, 0, 0);
  const BodyId ball = world.addBody(movingBody(Sphere{0.005}, Pose::at({0.0013, 0, 0}), v));
  int swept = 0;
  for (int k = 0; k < 15; ++k) {
    const StepReport& report = world.step().report;
    EXPECT_TRUE(report.converged) << k;
    swept += report.sweptPairs;
    EXPECT_LE(state(world, ball).X_WC.p.norm(), 0.035 + kOverlap) << k;
  }
  EXPECT_GT(swept, 0) << "swept only if the wall counts";
  EXPECT_LE((state(world, ball).v + v).norm(), 1e-6 * v.norm());
}

/// On chords of a ring it keeps its speed.
TEST(FastMotion, ABallFliesInsideARing) {
  constexpr double kOrbit = 0.044, kSpeed = 60;
  World world = makeWorld(1);
  world.addBody(fixedBody(ring(kOrbit + kRadius, 0.05, 0.01)));
  const Vector3d p(0, 0.02, 0), v(kSpeed, 0, 0);
  const BodyId ball = world.addBody(movingBody(Sphere{kRadius}, Pose::at(p), v));
  int bounces = 0;
  Vector3d last = v;
  for (int k = 0; k < 200; ++k) {
    EXPECT_TRUE(world.step().report.converged) << k;
    const BodyState& now = state(world, ball);
    ASSERT_LE(now.X_WC.p.norm(), kOrbit + kOverlap) << k;
    ASSERT_LE(std::abs(now.v.norm() - kSpeed), 1e-6 * kSpeed) << k;
    bounces += (now.v - last).norm() > 1;
    last = now.v;
  }
  EXPECT_GT(bounces, 40);
}

// --- more meetings than a step has rounds ------------------------------------------------------------

/// A heavy ball runs through a row of light ones in a substep: each passes the impact on to the next.
TEST(FastMotion, BodiesThatMeetTooOftenAreHeldBackAndKeepMomentum) {
  constexpr int kBalls = 45;
  World world = makeWorld(0);
  BodyDescription heavy = movingBody(Sphere{kRadius}, Pose::at({-0.0025, 0, 0}), {1600, 0, 0});
  heavy.mass = massProperties(Sphere{kRadius}, 7.8e7);
  world.addBody(heavy);
  for (int k = 0; k < kBalls; ++k)
    world.addBody(movingBody(Sphere{kRadius}, Pose::at({2.5e-3 * k, 0, 0}), Vector3d::Zero()));
  const auto momentum = [&world] {
    double sum = 0;
    for (std::size_t i = 0; i < world.bodyCount(); ++i) {
      const BodyId body{static_cast<int>(i)};
      sum += world.body(body).mass.mass * state(world, body).v.x();
    }
    return sum;
  };
  const double before = momentum();
  const StepReport& report = world.step().report;
  EXPECT_GT(report.heldBack, 0);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.fraction, 0);
  EXPECT_NEAR(momentum(), before, 1e-9 * before);
  for (int k = 0; k < 5; ++k) {
    world.step();
    for (int i = 1; i <= kBalls; ++i)
      EXPECT_GE(state(world, BodyId{i}).X_WC.p.x() - state(world, BodyId{i - 1}).X_WC.p.x(),
                2 * kRadius - kOverlap)
          << k << ", " << i;
  }
  EXPECT_NEAR(momentum(), before, 1e-9 * before);
}

// --- bars that turn by radians a step, and by tenths of one a substep
// ----------------------------------------------------

struct Bars : testing::TestWithParam<std::pair<double, double>> {};

// Also where steps are not solved.
TEST_P(Bars, NeverGainEnergy) {
  const auto [restitution, friction] = GetParam();
  constexpr double kSize = 0.05, kPlate = 2.5e-4;
  int failed = 0, guarded = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    World world = makeWorld(restitution, SolverName::automatic, friction);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto any = [&] {
      const double x = unit(random), y = unit(random), z = unit(random);
      return Vector3d(x, y, z);
    };
    for (int k = 0; k < 20; ++k) {
      const int layer = k / 9;
      const Vector3d p = 0.03 * Vector3d(k % 3 - 1, k / 3 % 3 - 1, layer - 1);
      const Quaterniond q = exponential(2 * any());
      const Vector3d v = 100 * any(), omega = 1500 * any();
      world.addBody(movingBody(Box{{0.012, 0.001, 0.001}}, {q, p}, v, omega));
    }
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        Vector3d half = Vector3d::Constant(kSize + 2 * kPlate);
        half[axis] = kPlate;
        world.addBody(fixedBody(Box{half}, Pose::at(side * (kSize + kPlate) * Vector3d::Unit(axis))));
      }
    const auto energy = [&world] {
      double sum = 0;
      for (int i = 0; i < 20; ++i) {
        const BodyState& body = state(world, BodyId{i});
        const MassProperties& m = world.body(BodyId{i}).mass;
        const Vector3d spin = body.X_WC.q.conjugate() * body.omega;
        sum += 0.5 * m.mass * body.v.squaredNorm() + 0.5 * spin.dot(m.inertia * spin);
      }
      return sum;
    };
    double last = energy();
    for (int k = 0; k < 50; ++k) {
      const StepReport& report = world.step().report;
      failed += !report.converged;
      guarded += report.energyGuarded;
      ASSERT_LE(energy(), last * (1 + 1e-9)) << "seed " << seed << ", step " << k;
      last = energy();
    }
  }
  EXPECT_GT(failed, 0) << "too easy: no step fails";
  EXPECT_GT(guarded, 0) << "too easy: no solution would gain energy";
}

INSTANTIATE_TEST_SUITE_P(Surfaces, Bars,
                         testing::Values(std::pair(0.0, 0.2), std::pair(0.5, 0.0), std::pair(0.5, 0.2)));

}  // namespace
}  // namespace tenon::physics::fast_motion_test
