// Properties of every step of any world: the complementarity of forces and distances, momentum, and
// invariance to the frame and the order of bodies. Seeded random scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "physics/math/tolerances.h"
#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

using tests::ExactCollider;

constexpr unsigned kSeed = 7;

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
Vector3d randomVector(std::mt19937& random, double size) {
  return Vector3d::NullaryExpr([&] { return uniform(random, -size, size); });
}

struct Scene {
  std::vector<BodyDescription> bodies;
  Vector3d gravity{0, 0, -9.81};

  World world(const WorldOptions& options) const {
    WorldOptions own = options;
    own.gravity = gravity;
    World made(own, std::make_unique<ExactCollider>());
    for (const BodyDescription& body : bodies) made.addBody(body);
    return made;
  }
};

/// Three walls of a funnel and boxes and balls over it.
Scene randomScene(std::mt19937& random) {
  Scene scene;
  for (int wall = 0; wall < 3; ++wall) {
    BodyDescription body;
    body.shape = HalfSpace{};
    body.motion = MotionType::fixed;
    body.X_WP = {exponential(randomVector(random, 0.5)), Vector3d::Zero()};
    scene.bodies.push_back(body);
  }
  for (int k = 0; k < 6; ++k) {
    BodyDescription body;
    if (k % 2 == 0)
      body.shape = Sphere{uniform(random, 0.005, 0.03)};
    else
      body.shape = Box{Vector3d::NullaryExpr([&] { return uniform(random, 0.005, 0.03); })};
    body.mass = massProperties(body.shape, uniform(random, 500, 8000));
    body.X_WP = {exponential(randomVector(random, 2)), Vector3d(0.12 * k - 0.3, 0, 0.35)};
    body.v = randomVector(random, 1);
    body.omega = randomVector(random, 5);
    scene.bodies.push_back(body);
  }
  return scene;
}

struct EveryWorld : testing::TestWithParam<SolverName> {};

TEST_P(EveryWorld, pushesOnlyWhereItTouchesAndNeverPulls) {
  std::mt19937 random(kSeed);
  int touching = 0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    World world = randomScene(random).world({.solver = GetParam()});
    for (int step = 0; step < 500; ++step) {
      const StepResult& tick = world.step();
      ASSERT_TRUE(tick.report.converged) << "seed " << kSeed << ", repeat " << repeat << ", step " << step;
      double largest = 0;
      for (const ContactForce& contact : tick.contacts) largest = std::max(largest, contact.force);
      for (const ContactForce& contact : tick.contacts) {
        ASSERT_GE(contact.force, 0);
        ASSERT_GE(contact.contact.separation, -kPenetrationTolerance);
        ASSERT_TRUE(contact.contact.separation <= kGapTolerance ||
                    contact.force <= kNegligibleForce * largest)
            << "seed " << kSeed << ", repeat " << repeat << ", step " << step;
        touching += contact.force > 0;
      }
      // All contacts of the accepted state: nothing overlaps without a row.
      for (const Contact& contact : world.contactsWithin(0))
        ASSERT_GE(contact.separation, -kPenetrationTolerance);
    }
  }
  EXPECT_GT(touching, 10000);
}

TEST_P(EveryWorld, changesMomentumByExactlyTheReportedForces) {
  std::mt19937 random(kSeed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Scene scene = randomScene(random);
    World world = scene.world({.solver = GetParam()});
    const double dt = world.options().dt;
    for (int step = 0; step < 400; ++step) {
      const std::vector<BodyState> before = world.stepResult().bodies;
      const StepResult& tick = world.step();
      std::vector<Vector3d> force(before.size(), Vector3d::Zero());
      double largest = 1;
      for (const ContactForce& contact : tick.contacts) {
        force[contact.contact.i.value] -= contact.force * contact.contact.n;
        force[contact.contact.j.value] += contact.force * contact.contact.n;
        largest = std::max(largest, contact.force);
      }
      for (std::size_t i = 3; i < before.size(); ++i) {
        const double mass = scene.bodies[i].mass.mass;
        const Vector3d change = mass * (tick.bodies[i].v - before[i].v) / dt - mass * scene.gravity;
        // Reported normals are those of the state reached, forces act along those of the previous trial.
        ASSERT_LT((change - force[i]).norm(), 1e-3 * largest)
            << "seed " << kSeed << ", repeat " << repeat << ", step " << step << ", body " << i;
      }
    }
  }
}

TEST_P(EveryWorld, gainsNoEnergy) {
  std::mt19937 random(kSeed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Scene scene = randomScene(random);
    World world = scene.world({.dt = 1e-3, .solver = GetParam()});
    const auto energy = [&] {
      double sum = 0;
      for (std::size_t i = 3; i < scene.bodies.size(); ++i) {
        const BodyState& s = world.stepResult().bodies[i];
        const Matrix3d R = s.X_WC.q.toRotationMatrix();
        sum += 0.5 * scene.bodies[i].mass.mass * s.v.squaredNorm() +
               0.5 * s.omega.dot(R * scene.bodies[i].mass.inertia * R.transpose() * s.omega) -
               scene.bodies[i].mass.mass * scene.gravity.dot(s.X_WC.p);
      }
      return sum;
    };
    double last = energy();
    for (int step = 0; step < 400; ++step) {
      world.step();
      const double now = energy();
      // Semi-implicit Euler's own error in free flight is m g² Δt²/2 a step, downwards.
      ASSERT_LE(now, last + 1e-9 * std::abs(last) + 1e-12)
          << "seed " << kSeed << ", repeat " << repeat << ", step " << step;
      last = now;
    }
  }
}

TEST_P(EveryWorld, behavesTheSameInARotatedFrame) {
  std::mt19937 random(kSeed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Scene scene = randomScene(random);
    const Pose turn{exponential(randomVector(random, 2)), randomVector(random, 0.5)};
    Scene turned = scene;
    turned.gravity = turn.q * scene.gravity;
    for (BodyDescription& body : turned.bodies) {
      body.X_WP = turn * body.X_WP;
      body.v = turn.q * body.v;
      body.omega = turn.q * body.omega;
    }
    World one = scene.world({.solver = GetParam()}), other = turned.world({.solver = GetParam()});
    // Before chaos: rounding grows with each impact.
    for (int step = 0; step < 250; ++step) {
      one.step();
      other.step();
    }
    for (std::size_t i = 3; i < scene.bodies.size(); ++i) {
      const Pose a = turn * one.stepResult().bodies[i].X_WC, b = other.stepResult().bodies[i].X_WC;
      EXPECT_LT((a.p - b.p).norm(), 1e-6) << "seed " << kSeed << ", repeat " << repeat << ", body " << i;
    }
  }
}

TEST_P(EveryWorld, behavesTheSameInAnyOrderOfBodies) {
  std::mt19937 random(kSeed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Scene scene = randomScene(random);
    Scene reversed = scene;
    std::reverse(reversed.bodies.begin(), reversed.bodies.end());
    World one = scene.world({.solver = GetParam()}), other = reversed.world({.solver = GetParam()});
    for (int step = 0; step < 250; ++step) {
      one.step();
      other.step();
    }
    const std::size_t count = scene.bodies.size();
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_LT((one.stepResult().bodies[i].X_WC.p - other.stepResult().bodies[count - 1 - i].X_WC.p).norm(),
                1e-6)
          << "seed " << kSeed << ", repeat " << repeat << ", body " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(solvers, EveryWorld, tests::everySolver(), tests::solverTestName);

}  // namespace
}  // namespace tenon::physics
