// Motion with and without contact against closed forms, at the integrator's order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/world.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

using tests::ExactCollider;

constexpr double kFallGravity = 9.81;

World worldOf(double dt, const Vector3d& gravity = {0, 0, -kFallGravity}) {
  return World({.dt = dt, .gravity = gravity}, std::make_unique<ExactCollider>());
}

BodyDescription solid(const Shape& shape, const Pose& X_WP, double density = 7850) {
  BodyDescription body;
  body.shape = shape;
  body.mass = massProperties(shape, density);
  body.X_WP = X_WP;
  return body;
}

BodyDescription fixedSurface(const Shape& shape, const Pose& X_WP) {
  BodyDescription body;
  body.shape = shape;
  body.motion = MotionType::fixed;
  body.X_WP = X_WP;
  return body;
}

/// Ratio of two errors as an order of convergence, for steps in the ratio 2.
double order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

// --- free fall ----------------------------------------------------------------------------------

/// A thrown point under constant gravity (Galilei): x = x0 + v0 t + g t²/2. Semi-implicit Euler gives
/// after n steps exactly v_n = v0 + n Δt g and x_n = x0 + n Δt v0 + n (n + 1)/2 Δt² g.
struct Throw {
  Vector3d x0, v0, g;
  Vector3d at(double t) const { return x0 + t * v0 + 0.5 * t * t * g; }
  Vector3d discrete(int n, double dt) const { return x0 + n * dt * v0 + 0.5 * n * (n + 1.0) * dt * dt * g; }
};

const Throw kThrow{{0.1, -0.2, 0.5}, {0.5, 0.3, 3}, {0.2, 0, -kFallGravity}};

World thrown(double dt) {
  World world = worldOf(dt, kThrow.g);
  BodyDescription body = solid(Box{Vector3d(0.02, 0.03, 0.05)}, Pose::at(kThrow.x0));
  body.v = kThrow.v0;
  body.omega = Vector3d(1, 2, 3);
  world.addBody(body);
  return world;
}

TEST(FreeFall, isTheDiscreteSumToRounding) {
  const double dt = 1e-3;
  World world = thrown(dt);
  for (int n = 1; n <= 2000; ++n) {
    const BodyState& state = world.step().bodies[0];
    ASSERT_LT((state.v - kThrow.v0 - n * dt * kThrow.g).norm(), 1e-12) << n;
    // Each of n additions rounds: 2000 × 1e-16 × 20 m.
    ASSERT_LT((state.X_WC.p - kThrow.discrete(n, dt)).norm(), 4e-12) << n;
  }
}

TEST(FreeFall, approachesTheParabolaAtFirstOrder) {
  const auto error = [](double dt) {
    World world = thrown(dt);
    const int steps = static_cast<int>(std::lround(1 / dt));
    for (int n = 0; n < steps; ++n) world.step();
    return (world.stepResult().bodies[0].X_WC.p - kThrow.at(1)).norm();
  };
  const double fine = error(5e-4);
  EXPECT_NEAR(fine, 0.5 * 5e-4 * kThrow.g.norm(), 1e-9);
  EXPECT_NEAR(order(error(1e-3), fine), 1, 1e-6);
}

// --- ramp ----------------------------------------------------------------------------------------

/// A block on a frictionless ramp of inclination α (Galilei): a = g sin α, pressed by m g cos α.
struct Ramp {
  double alpha;
  Pose surface() const { return {exponential(Vector3d(0, alpha, 0)), Vector3d(0.3, 0, 0.2)}; }
  Vector3d down() const { return surface().q * Vector3d::UnitX(); }
  Vector3d normal() const { return surface().q * Vector3d::UnitZ(); }
  double acceleration() const { return kFallGravity * std::sin(alpha); }
  double pressure(double mass) const { return mass * kFallGravity * std::cos(alpha); }
};

TEST(Ramp, letsABlockSlideAtGravityTimesTheSine) {
  const double dt = 1e-3;
  for (const double degrees : {1.0, 20.0, 60.0, 85.0}) {
    const Ramp ramp{degrees * std::numbers::pi / 180};
    World world = worldOf(dt);
    world.addBody(fixedSurface(HalfSpace{}, ramp.surface()));
    const Box box{Vector3d(0.03, 0.02, 0.01)};
    const Pose start = ramp.surface() * Pose::at({0, 0, box.halfExtents.z()});
    const BodyDescription block = solid(box, start);
    world.addBody(block);
    for (int n = 1; n <= 500; ++n) {
      const StepResult& tick = world.step();
      const BodyState& state = tick.bodies[1];
      const Vector3d displacement = state.X_WC.p - start.p;
      ASSERT_NEAR(displacement.dot(ramp.down()), 0.5 * n * (n + 1.0) * dt * dt * ramp.acceleration(), 1e-11)
          << n;
      ASSERT_NEAR(displacement.dot(ramp.normal()), 0, 1e-9) << n;
      ASSERT_NEAR(logarithm(state.X_WC.q * start.q.conjugate()).norm(), 0, 1e-9) << n;
      double force = 0;
      for (const ContactForce& contact : tick.contacts) force += contact.force;
      ASSERT_NEAR(force, ramp.pressure(block.mass.mass), 1e-7 * block.mass.mass * kFallGravity) << n;
    }
  }
}

// --- pendulum of contacts -------------------------------------------------------------------------

/// A frictionless ball of radius r in a trough of radius R is a pendulum of length L = R − r: period
/// 4 √(L/g) K(sin(θ0/2)), which is 2π √(L/g) / agm(1, cos(θ0/2)) (Gauss; Abramowitz & Stegun 17.6).
struct Pendulum {
  double length, amplitude;
  double period() const {
    double a = 1, b = std::cos(amplitude / 2);
    for (int k = 0; k < 8; ++k) {
      const double mean = 0.5 * (a + b);
      b = std::sqrt(a * b);
      a = mean;
    }
    return 2 * std::numbers::pi * std::sqrt(length / kFallGravity) / a;
  }
  /// Speed at the lowest point, from the height fallen [m/s].
  double topSpeed() const { return std::sqrt(2 * kFallGravity * length * (1 - std::cos(amplitude))); }
};

struct Swing {
  double quarter = 0;  ///< time of the first passage through the lowest point [s]
  double speed = 0;    ///< then [m/s]
  double worstGap = 0;
};

Swing swing(const Pendulum& pendulum, double dt) {
  const double r = 0.01, R = pendulum.length + r;
  World world = worldOf(dt);
  const Pose trough{exponential(Vector3d(std::numbers::pi / 2, 0, 0)), Vector3d::Zero()};  // axis −y
  world.addBody(fixedSurface(Cylinder{R, 1}, trough));
  const double a = pendulum.amplitude;
  world.addBody(solid(Sphere{r}, Pose::at(pendulum.length * Vector3d(-std::sin(a), 0, -std::cos(a)))));
  Swing result;
  double last = -1;
  while (true) {
    const StepResult& tick = world.step();
    const BodyState& state = tick.bodies[1];
    result.worstGap = std::max(result.worstGap, std::abs(state.X_WC.p.norm() - pendulum.length));
    const double x = state.X_WC.p.x();
    if (x >= 0) {
      result.quarter = tick.time - dt * x / (x - last);
      result.speed = state.v.norm();
      return result;
    }
    last = x;
  }
}

TEST(PendulumOfContacts, swingsWithThePeriodOfTheEllipticIntegralAtFirstOrder) {
  const Pendulum pendulum{0.2, 1.2};
  const double exact = pendulum.period() / 4;
  const Swing coarse = swing(pendulum, 5e-4), fine = swing(pendulum, 2.5e-4);
  EXPECT_LT(std::abs(fine.quarter - exact), 3e-3 * exact);
  EXPECT_NEAR(order(coarse.quarter - exact, fine.quarter - exact), 1, 0.1);
  // Forces along the normals of the start take no energy, except while the ball is slow. A step from the
  // lowest point, 1 mm, the speed is less by 1e-5.
  for (const Swing& swing : {coarse, fine}) EXPECT_NEAR(swing.speed, pendulum.topSpeed(), 5e-5);
}

TEST(PendulumOfContacts, neverLeavesItsCircle) {
  // The distances are curved here: no drift means that they are satisfied at the end of every step.
  EXPECT_LE(swing(Pendulum{0.2, 1.2}, 1e-3).worstGap, 1e-9);
  EXPECT_LE(swing(Pendulum{0.2, 1.2}, 1.0 / 60).worstGap, 1e-9);
}

// --- impact ---------------------------------------------------------------------------------------

TEST(InelasticDrop, sticksWithoutRebound) {
  for (const double dt : {1.0 / 60, 1e-3, 1e-4})
    for (const double speed : {0.0, 0.7, 20.0}) {
      World world = worldOf(dt);
      world.addBody(fixedSurface(HalfSpace{}, Pose{}));
      BodyDescription ball = solid(Sphere{0.01}, Pose::at({0, 0, 0.013}));
      ball.v = Vector3d(0.2, 0, -speed);
      world.addBody(ball);
      bool landed = false;
      for (int n = 0; n < static_cast<int>(0.2 / dt); ++n) {
        const StepResult& tick = world.step();
        const double height = tick.bodies[1].X_WC.p.z() - 0.01;
        ASSERT_GE(height, -1e-9) << dt << " " << speed;
        // The step in which it lands ends on the floor; from the next one it stays there.
        if (landed) {
          ASSERT_LE(height, 1e-9) << dt << " " << speed;
          ASSERT_NEAR(tick.bodies[1].v.z(), 0, 2e-9 / dt) << dt << " " << speed;
        }
        landed = landed || height <= 1e-9;
        ASSERT_NEAR(tick.bodies[1].v.x(), 0.2, 1e-12);
      }
      EXPECT_TRUE(landed);
    }
}

/// Two bodies that collide without rebound move on together: v = (m1 v1 + m2 v2) / (m1 + m2) (Newton).
TEST(PlasticCollision, leavesTheCommonVelocity) {
  World world = worldOf(1e-3, Vector3d::Zero());
  BodyDescription left = solid(Sphere{0.01}, Pose::at({-0.05, 0, 0}));
  BodyDescription right = solid(Sphere{0.02}, Pose::at({0.05, 0, 0}), 2700);
  left.v = Vector3d(0.8, 0, 0);
  right.v = Vector3d(-0.3, 0, 0);
  world.addBody(left);
  world.addBody(right);
  for (int n = 0; n < 200; ++n) world.step();
  const double m1 = left.mass.mass, m2 = right.mass.mass;
  const double common = (m1 * 0.8 - m2 * 0.3) / (m1 + m2);
  const auto& bodies = world.stepResult().bodies;
  EXPECT_NEAR(bodies[0].v.x(), common, 1e-6);
  EXPECT_NEAR(bodies[1].v.x(), common, 1e-6);
  EXPECT_NEAR((m1 * bodies[0].v + m2 * bodies[1].v).x(), (m1 + m2) * common, 1e-14);
  EXPECT_NEAR(bodies[1].X_WC.p.x() - bodies[0].X_WC.p.x(), 0.03, 1e-9);
}

}  // namespace
}  // namespace tenon::physics
