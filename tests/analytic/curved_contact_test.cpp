// Motion along curved surfaces against closed forms: forces along the normals of the start of a step take no
// energy, whatever the rate.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::curved_contact_test {
namespace {

constexpr double kRing = 0.045, kBall = 0.005, kSpeed = 1;  // radii [m], speed [m/s]
constexpr double kOrbit = kRing - kBall;                    // of the ball's center [m]

struct Track {
  World world;
  double dt;
  double penetration = 0;  ///< largest of all steps [m]
  double coneExcess = 0;   ///< largest |f_t| − µ f [N]
  bool converged = true;   ///< all steps
  int linearizations = 0;  ///< largest number of one step
  BodyId ball{1};

  /// A ball of 5 mm at 1 m/s in a ring of 45 mm, in the ring's plane.
  Track(double rate, double friction, const Vector3d& gravity = Vector3d::Zero(), double speed = kSpeed,
        double restitution = 0)
      : world({.dt = 1 / rate, .gravity = gravity, .allowSleep = false}, makeBulletCollider()), dt(1 / rate) {
    world.setSurfaces({0}, {0}, {.friction = friction, .restitution = restitution});
    BodyDescription ring;
    ring.shape = SolidOfRevolution{
        {{-0.02, kRing}, {-0.02, 0.06}, {0.02, 0.06}, {0.02, kRing}, {-0.02, kRing}}, "bore"};
    ring.motion = MotionType::fixed;
    ring.material = {0};
    world.addBody(ring);
    BodyDescription body;
    body.shape = Sphere{kBall};
    body.mass = massProperties(body.shape, 7850);
    body.X_WP = Pose::at({0, -kOrbit, 0});
    body.v = Vector3d(speed, 0, 0);
    body.material = {0};
    world.addBody(body);
  }
  const BodyState& state() const { return world.stepResult().bodies[1]; }
  /// Angle from the lowest point [rad].
  double angle() const { return std::atan2(state().X_WC.p.x(), -state().X_WC.p.y()); }
  void step(double friction = 0) {
    const StepResult& result = world.step();
    penetration = std::max(penetration, result.report.penetration);
    converged = converged && result.report.converged;
    linearizations = std::max(linearizations, result.report.linearizations);
    for (const ContactForce& c : result.contacts)
      coneExcess = std::max(coneExcess, c.friction.norm() - friction * c.force);
  }
};

struct AtRate : testing::TestWithParam<double> {};

// From x₀ at v₀ along the tangent the first step ends at the angle θ with ρ sin θ = v₀ Δt, as it is projected
// along the normal at x₀. All others turn by the same angle (SHAKE is symmetric in time), so that the
// velocity, a chord per Δt, is 2 ρ sin(θ/2)/Δt in all steps.
// The curvature of the track is no impact, whatever the restitution.
TEST_P(AtRate, aBallInASmoothRingKeepsItsSpeed) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    Track track(GetParam(), 0, Vector3d::Zero(), kSpeed, restitution);
    const double turn = std::asin(kSpeed * track.dt / kOrbit);
    double sum = 0, last = 0;
    const int steps = static_cast<int>(GetParam());
    for (int k = 0; k < steps; ++k) {
      track.step();
      sum += std::remainder(track.angle() - last, 2 * std::numbers::pi);
      last = track.angle();
    }
    EXPECT_GE(track.state().v.norm(), (GetParam() < 100 ? 0.95 : 0.99) * kSpeed) << restitution;
    EXPECT_NEAR(track.state().v.norm(), 2 * kOrbit * std::sin(turn / 2) / track.dt, 1e-5) << restitution;
    EXPECT_NEAR(sum, steps * turn, 1e-4) << restitution;
    EXPECT_TRUE(track.converged) << restitution;
    EXPECT_LE(track.penetration, 1e-9) << restitution;
    EXPECT_LE(track.linearizations, 6) << restitution;
  }
}

// From the center a ball meets the ring at a right angle, whatever its direction, and bounces.
TEST(Groove, aBallThrownAgainstTheRingBounces) {
  constexpr double kRestitution = 0.5;
  const Track track(1000, 0);
  World world({.dt = 1e-3, .gravity = Vector3d::Zero()}, makeBulletCollider());
  world.setSurfaces({0}, {0}, {.restitution = kRestitution});
  BodyDescription ball = track.world.body(track.ball);
  ball.X_WP = Pose();
  ball.v = Vector3d(0.6, -0.8, 0);
  world.addBody(track.world.body(BodyId{0}));
  world.addBody(ball);
  for (int k = 0; k < 60; ++k) world.step();
  EXPECT_LE((world.stepResult().bodies[1].v + kRestitution * ball.v).norm(), 1e-6);
}

// It slides until it rolls: by then friction has taken 2/7 of its speed (v₀ − v = J/m, r ω = 5 J/(2 m)).
struct Rolling : testing::TestWithParam<double> {};

TEST_P(Rolling, endsAtFiveSeventhsOfTheSpeed) {
  Track track(GetParam(), 0.2);
  for (int k = 0; k < static_cast<int>(GetParam()); ++k) track.step(0.2);
  // (Δt ω)²/12 of the spin, see physics/limits.md.
  const double spin = kSpeed * 5 / 7 / kBall, error = std::pow(track.dt * spin, 2) / 12;
  EXPECT_NEAR(track.state().v.norm(), 5.0 / 7, 1e-3 + error);
  EXPECT_NEAR(track.state().omega.norm() / spin, 1, 1e-3 + error);
  EXPECT_LE(track.coneExcess, 1e-9);
  EXPECT_TRUE(track.converged);
  EXPECT_LE(track.penetration, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(rates, AtRate, testing::Values(90.0, 240.0, 500.0, 1000.0, 4000.0));
INSTANTIATE_TEST_SUITE_P(rates, Rolling, testing::Values(500.0, 1000.0, 4000.0));

// A ball in a smooth groove swings as a pendulum of length ρ: from the lowest point at v₀ it rises to
// cos θ = 1 − v₀²/(2 g ρ), with the period 2π √(ρ/g)/agm(1, cos(θ/2)), for as long as it runs.
TEST(Groove, aBallSwingsForTwentyPeriodsAsAPendulum) {
  constexpr double kGravity = 9.81, kTop = 0.5;
  Track track(1000, 0, {0, -kGravity, 0}, kTop);
  const double amplitude = std::acos(1 - kTop * kTop / (2 * kGravity * kOrbit));
  double a = 1, b = std::cos(amplitude / 2);
  for (int k = 0; k < 8; ++k) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2 * std::numbers::pi * std::sqrt(kOrbit / kGravity) / a;
  int passages = 0;
  double last = 0, highest = 0, time = 0, crossing = 0;
  while (passages < 20) {
    track.step();
    time += track.dt;
    if (last < 0 && track.angle() >= 0) {
      ++passages;
      crossing = time - track.dt * track.angle() / (track.angle() - last);
      EXPECT_NEAR(track.state().v.norm(), kTop, 2e-3 * kTop) << passages;
      if (passages < 20) highest = 0;
    }
    last = track.angle();
    highest = std::max(highest, std::abs(last));
  }
  EXPECT_NEAR(crossing / (20 * period), 1, 1e-3);
  EXPECT_NEAR(highest, amplitude, 2e-3);
  EXPECT_TRUE(track.converged);
  EXPECT_LE(track.penetration, 1e-9);
}

}  // namespace
}  // namespace tenon::physics::curved_contact_test
