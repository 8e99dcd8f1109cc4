// Properties of impacts among free bodies, without gravity: momentum is kept, energy never grows, and bodies
// separate as their restitution says, however many bodies collide. Seeded random swarms and chains.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics::impacts_test {
namespace {

constexpr double kRadius = 0.01;      // of balls [m]
constexpr double kTolerance = 1e-12;  // of momentum, relative [-]

World freeWorld(double rate, double restitution, double friction, std::unique_ptr<Collider> collider,
                SolverName solver = SolverName::automatic) {
  World world({.dt = 1 / rate, .gravity = Vector3d::Zero(), .solver = solver, .allowSleep = false},
              std::move(collider));
  world.setSurfaces({0}, {0}, {.friction = friction, .restitution = restitution});
  return world;
}

BodyDescription bodyOf(const Shape& shape, const Vector3d& center, const Vector3d& v) {
  BodyDescription body;
  body.shape = shape;
  body.mass = massProperties(shape, 2700);
  body.X_WP = Pose::at(center);
  body.v = v;
  body.material = {0};
  return body;
}

/// Sums over all bodies; angular momentum about the world's origin.
struct Balance {
  Vector3d momentum = Vector3d::Zero(), angular = Vector3d::Zero();
  double energy = 0;
  double momentumScale = 0, angularScale = 0;  ///< sums of absolute values
};

Balance balanceOf(const World& world) {
  Balance sum;
  for (std::size_t k = 0; k < world.bodyCount(); ++k) {
    const MassProperties& m = world.body({static_cast<int>(k)}).mass;
    const BodyState& state = world.stepResult().bodies[k];
    const Vector3d spin = state.X_WC.q.conjugate() * state.omega, p = m.mass * state.v;
    const Vector3d own = state.X_WC.q * (m.inertia * spin), orbital = state.X_WC.p.cross(p);
    sum.momentum += p;
    sum.angular += own + orbital;
    sum.energy += 0.5 * m.mass * state.v.squaredNorm() + 0.5 * spin.dot(m.inertia * spin);
    sum.momentumScale += p.norm();
    sum.angularScale += own.norm() + orbital.norm();
  }
  return sum;
}

// --- chains ------------------------------------------------------------------------------------------

/// n balls in a row along x with gaps of `gap`; the first comes in at 1 m/s from a distance of 5.3 mm.
struct Chain {
  World world;

  Chain(int n, double restitution, double gap, double rate = 1000, SolverName solver = SolverName::automatic)
      : world(freeWorld(rate, restitution, 0, std::make_unique<tests::ExactCollider>(), solver)) {
    for (int k = 0; k < n; ++k)
      world.addBody(bodyOf(Sphere{kRadius}, {(2 * kRadius + gap) * k - (k == 0 ? 0.0053 : 0), 0, 0},
                           {k == 0 ? 1.0 : 0.0, 0, 0}));
  }
  double speed(int ball) const { return world.stepResult().bodies[ball].v.x(); }
  double mass() const { return world.body({0}).mass.mass; }
};

struct ChainOf : testing::TestWithParam<int> {};

TEST_P(ChainOf, ejectsItsLastBallAtTheSpeedOfTheFirst) {
  const int n = GetParam();
  for (const double gap : {0.0, 3e-9, 2e-7, 1e-5}) {
    Chain chain(n, 1, gap);
    for (int k = 0; k < 10 + (gap > 0 ? n : 0); ++k) chain.world.step();
    const Balance end = balanceOf(chain.world);
    EXPECT_NEAR(chain.speed(n - 1), 1, 1e-6) << "gap " << gap;
    EXPECT_NEAR(end.momentum.x() / chain.mass(), 1, kTolerance) << "gap " << gap;
    EXPECT_NEAR(2 * end.energy / chain.mass(), 1, 1e-9) << "gap " << gap;
  }
}

TEST_P(ChainOf, keepsMomentumAndLosesEnergyBelowFullRestitution) {
  const int n = GetParam();
  for (const double e : {0.3, 0.8}) {
    Chain chain(n, e, 0);
    Balance last = balanceOf(chain.world);
    const double start = last.energy;
    for (int k = 0; k < 20; ++k) {
      chain.world.step();
      const Balance now = balanceOf(chain.world);
      ASSERT_NEAR(now.momentum.x() / chain.mass(), 1, kTolerance) << "e " << e << ", step " << k;
      ASSERT_LE(now.energy, last.energy * (1 + 1e-12)) << "e " << e << ", step " << k;
      last = now;
    }
    EXPECT_LT(last.energy, (1 - 0.4 * (1 - e * e)) * start) << "e " << e;
    for (int k = 1; k < n; ++k)
      ASSERT_GE(chain.speed(k), chain.speed(k - 1) - 1e-6) << "balls approach after the impact";
    if (n == 2) {
      EXPECT_NEAR(chain.speed(1) - chain.speed(0), e, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(balls, ChainOf, testing::Values(2, 3, 5, 10, 33, 62, 100, 200),
                         testing::PrintToStringParamName());

struct BaraffChainOf : testing::TestWithParam<int> {};

TEST_P(BaraffChainOf, movesAsWithOtherSolversAndGainsNoEnergy) {
  const int n = GetParam();
  for (const double e : {0.3, 0.8, 1.0}) {
    Chain chain(n, e, 0, 1000, SolverName::baraff), other(n, e, 0);
    Balance last = balanceOf(chain.world);
    for (int k = 0; k < 20; ++k) {
      EXPECT_TRUE(chain.world.step().report.converged) << "e " << e << ", step " << k;
      const Balance now = balanceOf(chain.world);
      ASSERT_NEAR(now.momentum.x() / chain.mass(), 1, kTolerance) << "e " << e << ", step " << k;
      ASSERT_LE(now.energy, last.energy * (1 + 1e-12)) << "e " << e << ", step " << k;
      last = now;
      other.world.step();
    }
    for (int k = 0; k < n; ++k) EXPECT_NEAR(chain.speed(k), other.speed(k), 1e-6) << "e " << e << ", " << k;
    if (e == 1) {
      EXPECT_NEAR(chain.speed(n - 1), 1, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(balls, BaraffChainOf, testing::Values(2, 3, 5, 10, 33),
                         testing::PrintToStringParamName());

// --- swarms ------------------------------------------------------------------------------------------

enum class Kind { balls, boxes };

/// A cube of `side`³ bodies that fly towards its center.
World swarm(Kind kind, int side, double rate, double restitution, double friction, unsigned seed,
            SolverName solver = SolverName::automatic) {
  World world = freeWorld(rate, restitution, friction, makeBulletCollider(), solver);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&](double size) {
    return Vector3d(size * Vector3d::NullaryExpr([&] { return uniform(random); }));
  };
  for (int k = 0; k < side * side * side; ++k) {
    const int column = k % side, row = k / side % side, layer = k / (side * side);
    const Vector3d cell(column, row, layer);
    const Vector3d center = 0.04 * (cell - Vector3d::Constant(0.5 * (side - 1))) + vector(0.002);
    const Shape shape =
        kind == Kind::balls ? Shape(Sphere{kRadius}) : Shape(Box{Vector3d(0.011, 0.009, 0.007)});
    BodyDescription body = bodyOf(shape, center, -8 * center + vector(0.3) + Vector3d(0.2, 0.1, 0));
    body.X_WP.q = exponential(vector(1.5));
    body.omega = vector(5);
    world.addBody(body);
  }
  return world;
}

struct FreeSwarm : testing::TestWithParam<std::tuple<Kind, int, double>> {};

/// Angular momentum just before the impacts of a step: of balls with their velocities of before the step at
/// the poses after it, their spin turned with them. Impulses keep it. (The step itself moves the centers of
/// colliding bodies aside from their paths, by Δt times the change of velocity: by that first order of Δt the
/// angular momentum of a swarm changes.)
Vector3d angularMomentumBefore(const World& world, const std::vector<BodyState>& last) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t k = 0; k < world.bodyCount(); ++k) {
    const MassProperties& m = world.body({static_cast<int>(k)}).mass;
    const Pose& X = world.stepResult().bodies[k].X_WC;
    sum += m.inertia(0, 0) * ((X.q * last[k].X_WC.q.conjugate()) * last[k].omega);
    sum += X.p.cross(m.mass * last[k].v);
  }
  return sum;
}

/// Largest changes in one step, relative to the sums of absolute values (energy: to that of the start).
struct Changes {
  double momentum = 0, angular = 0, angularOfImpacts = 0, energyGain = 0;
};

Changes largestChanges(World world, int steps) {
  Changes largest;
  Balance last = balanceOf(world);
  const double start = last.energy;
  for (int k = 0; k < steps; ++k) {
    const std::vector<BodyState> before = world.stepResult().bodies;
    world.step();
    const Balance now = balanceOf(world);
    const auto relative = [&](const Vector3d& to, const Vector3d& from) {
      return (to - from).norm() / last.angularScale;
    };
    largest.momentum = std::max(largest.momentum, (now.momentum - last.momentum).norm() / last.momentumScale);
    largest.angular = std::max(largest.angular, relative(now.angular, last.angular));
    // Swept contacts act where the parts met, not where the step ends.
    if (world.stepResult().report.sweptContacts == 0)
      largest.angularOfImpacts =
          std::max(largest.angularOfImpacts, relative(now.angular, angularMomentumBefore(world, before)));
    largest.energyGain = std::max(largest.energyGain, (now.energy - last.energy) / start);
    last = now;
  }
  EXPECT_LT(last.energy, start * (1 + 1e-9));
  return largest;
}

TEST_P(FreeSwarm, keepsItsMomentumAndGainsNoEnergy) {
  const auto [kind, side, rate] = GetParam();
  for (const double e : {0.8, 1.0})
    for (const double friction : {0.0, 0.3})
      for (const unsigned seed : {1u, 2u, 3u}) {
        const Changes largest = largestChanges(swarm(kind, side, rate, e, friction, seed),
                                               static_cast<int>(std::lround(0.15 * rate)));
        const std::string which = "e " + std::to_string(e) + ", friction " + std::to_string(friction) +
                                  ", seed " + std::to_string(seed);
        EXPECT_LE(largest.momentum, kTolerance) << which;
        EXPECT_LE(largest.energyGain, 1e-10) << which;
        EXPECT_LE(largest.angular, 3 / rate) << which;
        if (kind == Kind::balls) {
          EXPECT_LE(largest.angularOfImpacts, kTolerance) << which;
        }
      }
}

TEST(BaraffSwarm, keepsItsMomentumAndGainsNoEnergy) {
  for (const Kind kind : {Kind::balls, Kind::boxes})
    for (const double rate : {240.0, 1000.0})
      for (const double e : {0.5, 1.0})
        for (const unsigned seed : {1u, 2u}) {
          const Changes largest = largestChanges(swarm(kind, 3, rate, e, 0, seed, SolverName::baraff),
                                                 static_cast<int>(std::lround(0.15 * rate)));
          const std::string which = (kind == Kind::balls ? "balls at " : "boxes at ") + std::to_string(rate) +
                                    " Hz, e " + std::to_string(e) + ", seed " + std::to_string(seed);
          EXPECT_LE(largest.momentum, kTolerance) << which;
          EXPECT_LE(largest.energyGain, 1e-10) << which;
          if (kind == Kind::balls) {
            EXPECT_LE(largest.angularOfImpacts, kTolerance) << which;
          }
        }
}

INSTANTIATE_TEST_SUITE_P(bodies, FreeSwarm,
                         testing::Combine(testing::Values(Kind::balls, Kind::boxes), testing::Values(2, 3, 4),
                                          testing::Values(240.0, 1000.0)),
                         [](const auto& it) {
                           const int side = std::get<1>(it.param);
                           return std::to_string(side * side * side) +
                                  (std::get<0>(it.param) == Kind::balls ? "_balls_" : "_boxes_") +
                                  std::to_string(std::lround(std::get<2>(it.param))) + "_Hz";
                         });

}  // namespace
}  // namespace tenon::physics::impacts_test
