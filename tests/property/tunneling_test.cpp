// Bodies that move further in a step than they are thick meet what is on their way: closed-form geometry of
// paths between recorded states, momentum and speed after bounces, seeded swarms. Slow worlds sweep nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/step/world_state.h"
#include "physics/world.h"

namespace tenon::physics::tunneling_test {
namespace {

constexpr double kRadius = 1e-3;         // of balls and pins [m]
constexpr double kOverlap = 1e-8;        // guaranteed at the end of a step [m]
constexpr double kPathOverlap = 1.1e-6;  // allowed between two states [m]

struct Setting {
  double restitution = 1;
  double friction = 0;
  int threads = 1;
  double rate = 1000;
};

World makeWorld(const Setting& setting) {
  World world({.dt = 1 / setting.rate, .gravity = Vector3d::Zero(), .threads = setting.threads},
              makeBulletCollider());
  world.setSurfaces({0}, {0}, {.friction = setting.friction, .restitution = setting.restitution});
  return world;
}

BodyId add(World& world, const Shape& shape, const Pose& X, const Vector3d& v = Vector3d::Zero(),
           MotionType motion = MotionType::dynamic, const Vector3d& omega = Vector3d::Zero()) {
  BodyDescription body;
  body.shape = shape;
  body.motion = motion;
  if (motion == MotionType::dynamic) body.mass = massProperties(shape, 7800);
  body.X_WP = X;
  body.v = v;
  body.omega = omega;
  body.material = {0};
  return world.addBody(body);
}

const BodyState& state(const World& world, BodyId body) {
  return world.stepResult().bodies[body.value];
}

/// A pin along z through the origin.
BodyId addPin(World& world) {
  return add(world, Cylinder{kRadius, 0.02}, Pose::at(Vector3d::Zero()), Vector3d::Zero(), MotionType::fixed);
}

/// Smallest distance of the points x + t (to − x), 0 ≤ t ≤ 1, from the origin.
double nearestOnPath(const Vector3d& from, const Vector3d& to) {
  const Vector3d path = to - from;
  const double squared = path.squaredNorm();
  const double t = squared > 0 ? std::clamp(-from.dot(path) / squared, 0.0, 1.0) : 0.0;
  return (from + t * path).norm();
}

Vector3d across(const Vector3d& p) {
  return {p.x(), p.y(), 0};
}

// --- a ball and a pin --------------------------------------------------------------------------------

struct Bounce {
  double speed, restitution, offset;
};

struct BallOnPin : testing::TestWithParam<Bounce> {};

// The normal at the impact is known: sin = offset / 2R.
TEST_P(BallOnPin, BouncesAsASmoothOneDoes) {
  const auto [speed, e, offset] = GetParam();
  World world = makeWorld({.restitution = e});
  addPin(world);
  const Vector3d before(speed, 0, 0);
  const BodyId ball = add(world, Sphere{kRadius}, Pose::at({-0.0503, offset, 0}), before);
  Vector3d last = state(world, ball).X_WC.p;
  bool met = false;
  for (int k = 0; k < 20; ++k) {
    const StepReport& report = world.step().report;
    EXPECT_TRUE(report.converged) << k;
    met = met || report.sweptContacts > 0;
    const Vector3d p = state(world, ball).X_WC.p;
    EXPECT_GE(nearestOnPath(across(last), across(p)), 2 * kRadius - kPathOverlap) << k;
    EXPECT_GE(across(p).norm(), 2 * kRadius - kOverlap) << k;
    last = p;
  }
  EXPECT_TRUE(met);
  const double sine = offset / (2 * kRadius);
  const Vector3d n(-std::sqrt(1 - sine * sine), sine, 0);
  const Vector3d after = before - (1 + e) * before.dot(n) * n;
  const double tolerance = offset == 0 ? 1e-9 : 3e-6;  // offset: the normal is that of a gap of 1 nm
  EXPECT_LE((state(world, ball).v - after).norm(), tolerance * speed)
      << state(world, ball).v.transpose() << ", expected " << after.transpose();
}

INSTANTIATE_TEST_SUITE_P(Speeds, BallOnPin,
                         testing::Values(Bounce{20, 1, 0}, Bounce{20, 0.5, 0}, Bounce{20, 0, 0},
                                         Bounce{100, 1, 0}, Bounce{100, 0.5, 0}, Bounce{100, 0, 0},
                                         Bounce{20, 0.7, 0.0005}, Bounce{100, 0.7, 0.0005},
                                         Bounce{100, 0, 0.001}, Bounce{100, 1, 0.0015},
                                         Bounce{100, 0.7, -0.0019}));

TEST(Tunneling, ABallThatPassesCloseByIsNotTouched) {
  for (const double gap : {1e-5, 1e-4, 1e-3}) {
    World world = makeWorld({});
    addPin(world);
    const Vector3d start(-0.0503, 2 * kRadius + gap, 0), v(100, 0, 0);
    const BodyId ball = add(world, Sphere{kRadius}, Pose::at(start), v);
    for (int k = 1; k <= 5; ++k) {
      const StepReport& report = world.step().report;
      EXPECT_EQ(report.sweptContacts, 0) << gap;
      EXPECT_TRUE(report.converged);
      EXPECT_LE((state(world, ball).X_WC.p - (start + k * 1e-3 * v)).norm(), 1e-12) << gap << ", step " << k;
      EXPECT_LE((state(world, ball).v - v).norm(), 1e-12 * v.norm()) << gap;
    }
  }
}

TEST(Tunneling, TwoMovingBallsKeepMomentumAndSeparateAsTheirRestitutionSays) {
  for (const double e : {0.0, 0.6, 1.0}) {
    World world = makeWorld({.restitution = e});
    const Vector3d va(100, 5, 0), vb(-60, 0, 3);
    const BodyId a = add(world, Sphere{kRadius}, Pose::at({-0.03, 0, 0}), va);
    const BodyId b = add(world, Sphere{2 * kRadius}, Pose::at({0.04, 0.003, 0}), vb);
    const double ma = world.body(a).mass.mass, mb = world.body(b).mass.mass;
    // Where they meet: |x + w t| = 3 R.
    const Vector3d x(0.07, 0.003, 0), w = vb - va;
    const double dot = x.dot(w), squared = w.squaredNorm();
    const double t =
        (-dot - std::sqrt(dot * dot - squared * (x.squaredNorm() - 9 * kRadius * kRadius))) / squared;
    const Vector3d n = (x + t * w).normalized();
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(world.step().report.converged);
    const Vector3d ua = state(world, a).v, ub = state(world, b).v;
    EXPECT_LE((ma * ua + mb * ub - ma * va - mb * vb).norm(), 1e-12 * (ma * va.norm() + mb * vb.norm()));
    EXPECT_NEAR((ub - ua).dot(n), -e * w.dot(n), 1e-5 * w.norm()) << e;
    EXPECT_LE(((ub - ua) - n * (ub - ua).dot(n) - (w - n * w.dot(n))).norm(), 1e-5 * w.norm()) << e;
  }
}

// --- other motions -----------------------------------------------------------------------------------

/// A bar along x that turns about z, and a fixed pin on its way.
TEST(Tunneling, ABarThatTurnsHalfARadianAStepMeetsAPin) {
  for (const double e : {0.0, 1.0}) {
    World world = makeWorld({.restitution = e});
    add(world, Cylinder{kRadius, 0.02}, Pose::at(0.04 * Vector3d(std::cos(0.3), std::sin(0.3), 0)),
        Vector3d::Zero(), MotionType::fixed);
    const BodyId bar = add(world, Box{{0.05, 0.001, 0.001}}, Pose::at(Vector3d::Zero()), Vector3d::Zero(),
                           MotionType::dynamic, Vector3d(0, 0, 500));
    const Vector3d pin = 0.04 * Vector3d(std::cos(0.3), std::sin(0.3), 0);
    const MassProperties& m = world.body(bar).mass;
    const auto energy = [&] {
      const BodyState& s = state(world, bar);
      const Vector3d spin = s.X_WC.q.conjugate() * s.omega;
      return 0.5 * m.mass * s.v.squaredNorm() + 0.5 * spin.dot(m.inertia * spin);
    };
    const double before = energy();
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(world.step().report.converged) << k;
      // While the pin is within the length of the bar, it stays on its side.
      const Vector3d p = state(world, bar).X_WC.inverse() * pin;
      const double side = std::abs(p.x()) < 0.05 ? p.y() : 1;
      EXPECT_GE(side, 0.001 + kRadius - kOverlap) << k << ", e " << e;
      EXPECT_LE(energy(), before * (1 + 1e-9)) << k;
    }
    EXPECT_LT(state(world, bar).v.y(), -1.0) << "the pin did not push the bar";
  }
}

TEST(Tunneling, ABodyOfGivenMotionHitsAFreeOne) {
  for (const double e : {0.0, 1.0}) {
    World world = makeWorld({.restitution = e});
    const Vector3d v(50, 0, 0);
    const BodyId bat =
        add(world, Cylinder{kRadius, 0.02}, Pose::at({-0.0203, 0, 0}), v, MotionType::kinematic);
    const BodyId ball = add(world, Sphere{kRadius}, Pose::at(Vector3d::Zero()));
    for (int k = 0; k < 4; ++k) {
      EXPECT_TRUE(world.step().report.converged) << k;
      EXPECT_GE(state(world, ball).X_WC.p.x() - state(world, bat).X_WC.p.x(), 2 * kRadius - kOverlap) << k;
    }
    EXPECT_LE((state(world, ball).v - (1 + e) * v).norm(), 1e-6 * v.norm()) << e;
  }
}

TEST(Tunneling, ABallPulledByAHandStaysBeforeThePin) {
  World world = makeWorld({.restitution = 0});
  addPin(world);
  const BodyId ball = add(world, Sphere{kRadius}, Pose::at({-0.03, 0, 0}));
  const HandId hand = world.addHand({.maxForce = 1e6, .breakDistance = 1}, Pose::at({-0.03, 0, 0}));
  world.apply(Grab{hand, ball, Pose::at({-0.03, 0, 0})});
  world.step();
  for (int k = 0; k < 20; ++k) {
    world.apply(MoveHand{hand, Pose::at({0.05, 0, 0})});
    EXPECT_TRUE(world.step().report.converged) << k;
    EXPECT_LE(state(world, ball).X_WC.p.x(), -2 * kRadius + kOverlap) << k;
  }
  EXPECT_NEAR(state(world, ball).X_WC.p.x(), -2 * kRadius, 1e-6);
}

TEST(Tunneling, AThinPlateStopsBallsAndCubesOnItsFaceAndItsEdge) {
  const double half = 2.5e-4, edge = 0.01;
  for (const Shape& shape : {Shape(Sphere{kRadius}), Shape(Box{Vector3d::Constant(kRadius)})})
    for (const double speed : {5.0, 20.0, 100.0})
      for (const bool onEdge : {false, true}) {
        World world = makeWorld({.restitution = 0.5});
        add(world, Box{{half, edge, edge}}, Pose::at(Vector3d::Zero()), Vector3d::Zero(), MotionType::fixed);
        const Vector3d from = onEdge ? Vector3d(0, -0.0307, 0) : Vector3d(-0.0307, 0.002, 0.001);
        const Vector3d v = onEdge ? Vector3d(0, speed, 0) : Vector3d(speed, 0, 0);
        const BodyId body = add(world, shape, Pose::at(from), v);
        const double limit = -(onEdge ? edge : half) - kRadius + kOverlap;
        for (int k = 0; k < 12; ++k) {
          EXPECT_TRUE(world.step().report.converged);
          EXPECT_LE(state(world, body).X_WC.p[onEdge], limit) << speed << ", " << onEdge << ", " << k;
        }
        EXPECT_LE((state(world, body).v + 0.5 * v).norm(), 1e-6 * speed) << shape.index() << ", " << onEdge;
      }
}

// --- many --------------------------------------------------------------------------------------------

/// Balls in a box of thin plates.
struct Swarm {
  World world;
  std::vector<BodyId> balls;
  static constexpr double kSize = 0.02;  // half size of the inside [m]
  static constexpr double kPlate = 2.5e-4;

  Swarm(unsigned seed, int count, double speed, bool walls, const Setting& setting)
      : world(makeWorld(setting)) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
    std::vector<Vector3d> places;
    while (static_cast<int>(places.size()) < count) {
      const Vector3d p = 0.9 * kSize * any();
      const bool clear = std::none_of(places.begin(), places.end(),
                                      [&](const Vector3d& q) { return (p - q).norm() < 2.1 * kRadius; });
      if (clear) places.push_back(p);
    }
    for (const Vector3d& p : places) balls.push_back(add(world, Sphere{kRadius}, Pose::at(p), speed * any()));
    for (int axis = 0; walls && axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        Vector3d half = Vector3d::Constant(kSize + 2 * kPlate);
        half[axis] = kPlate;
        add(world, Box{half}, Pose::at(side * (kSize + kPlate) * Vector3d::Unit(axis)), Vector3d::Zero(),
            MotionType::fixed);
      }
  }
  std::vector<Vector3d> positions() const {
    std::vector<Vector3d> p;
    for (const BodyId ball : balls) p.push_back(state(world, ball).X_WC.p);
    return p;
  }
  double energy() const {
    double sum = 0;
    for (const BodyId ball : balls) sum += 0.5 * state(world, ball).v.squaredNorm();
    return sum;
  }
  Vector3d momentum() const {
    Vector3d sum = Vector3d::Zero();
    for (const BodyId ball : balls) sum += state(world, ball).v;
    return sum;
  }
};

TEST(Tunneling, NoBallOfASwarmPassesThroughAnotherOrAWall) {
  int held = 0, met = 0, notConverged = 0, divided = 0, steps = 0;
  double travelled = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    Swarm swarm(seed, 30, 60, true, {.restitution = 1});
    std::vector<Vector3d> last = swarm.positions();
    double energy = swarm.energy();
    for (int k = 0; k < 100; ++k, ++steps) {
      const StepReport& report = swarm.world.step().report;
      held += report.heldBack;
      met += report.sweptContacts;
      notConverged += !report.converged;
      const bool isStraight = report.substeps == 1;  // else the ways bend in the step
      divided += !isStraight;
      const std::vector<Vector3d> now = swarm.positions();
      for (std::size_t a = 0; a < now.size(); ++a) {
        ASSERT_LE(now[a].cwiseAbs().maxCoeff(), Swarm::kSize - kRadius + kOverlap)
            << "seed " << seed << ", " << k;
        for (std::size_t b = 0; b < a; ++b) {
          ASSERT_GE((now[a] - now[b]).norm(), 2 * kRadius - kOverlap) << "seed " << seed << ", " << k;
          if (isStraight) {
            ASSERT_GE(nearestOnPath(last[a] - last[b], now[a] - now[b]), 2 * kRadius - kPathOverlap)
                << "seed " << seed << ", " << k;
          }
        }
        travelled += (now[a] - last[a]).norm();
      }
      EXPECT_LE(swarm.energy(), energy * (1 + 1e-9)) << "seed " << seed << ", " << k;
      energy = swarm.energy();
      last = now;
    }
  }
  EXPECT_GT(travelled / steps / 30, 10 * kRadius) << "the balls are slow";
  EXPECT_GT(met, 1000);
  EXPECT_LE(notConverged, steps / 20);
  EXPECT_LE(held, steps / 20);
  EXPECT_LE(divided, steps / 20);
}

TEST(Tunneling, AFreeSwarmKeepsItsMomentum) {
  for (const double e : {0.0, 0.7}) {
    Swarm swarm(7, 60, 80, false, {.restitution = e, .friction = 0.2});
    const Vector3d before = swarm.momentum();
    int met = 0;
    for (int k = 0; k < 5; ++k) met += swarm.world.step().report.sweptContacts;
    EXPECT_GT(met, 10);
    EXPECT_LE((swarm.momentum() - before).norm(), 1e-12 * 60 * 80);
  }
}

TEST(Tunneling, RepeatsEveryByteAfterRestoreAndWithThreads) {
  Swarm one(5, 30, 60, true, {}), four(5, 30, 60, true, {.threads = 3});
  for (int k = 0; k < 10; ++k) {
    one.world.step();
    four.world.step();
    ASSERT_EQ(one.world.stateHash(), four.world.stateHash()) << k;
  }
  const auto snapshot = one.world.snapshot();
  for (int k = 0; k < 10; ++k) one.world.step();
  const std::uint64_t hash = one.world.stateHash();
  one.world.restore(*snapshot);
  for (int k = 0; k < 10; ++k) one.world.step();
  EXPECT_EQ(one.world.stateHash(), hash);
}

TEST(Tunneling, SlowWorldsSweepNothing) {
  World world({.dt = 1e-3}, makeBulletCollider());
  add(world, HalfSpace{}, Pose(), Vector3d::Zero(), MotionType::fixed);
  add(world, Cylinder{kRadius, 0.02}, Pose::at({0, 0, 0.02}), Vector3d::Zero(), MotionType::fixed);
  for (int k = 0; k < 10; ++k)
    add(world, Sphere{kRadius}, Pose::at({4e-3 * (k - 5) + 2.1e-3, 0, 2e-3 + 3e-3 * (k % 3)}),
        Vector3d(k % 2 ? 0.2 : -0.2, 0, 0));
  for (int k = 0; k < 300; ++k) ASSERT_EQ(world.step().report.sweptPairs, 0) << k;
}

}  // namespace
}  // namespace tenon::physics::tunneling_test
