// Baraff's solver on accelerations: velocity terms against closed forms, effect of the extra acceleration,
// impacts, policies and statistics.
#include "physics/solver/acceleration_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/solver/solver_chain.h"
#include "physics/world.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/empty_collider.h"
#include "tests/support/exact_collider.h"
#include "tests/support/linear_contacts.h"
#include "tests/support/particle.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr double kGravity = 9.81;
constexpr ExtraAcceleration kExtras[] = {
    ExtraAcceleration::none, ExtraAcceleration::velocity, ExtraAcceleration::velocityAndDistance,
    ExtraAcceleration::velocityJoints, ExtraAcceleration::velocityAndDistanceJoints};

WorldOptions baraffWith(ExtraAcceleration extra, double dt = 1e-3) {
  WorldOptions options;
  options.dt = dt;
  options.solver = SolverName::baraff;
  options.solverOptions.extraAcceleration = extra;
  return options;
}

/// A ball of radius 0.05 m on top of a fixed one of 0.15 m, at a speed across: it presses by m (g − v²/L)
/// with L = 0.2 m from center to center, and flies where that is negative.
double pressOverABall(double speed, ExtraAcceleration extra) {
  World world(baraffWith(extra), std::make_unique<tests::ExactCollider>());
  BodyDescription below, above;
  below.shape = Sphere{0.15};
  below.motion = MotionType::fixed;
  above.shape = Sphere{0.05};
  above.mass = massProperties(above.shape, 7850);
  above.X_WP = Pose::at({0, 0, 0.2});
  above.v = Vector3d(speed, 0, 0);
  world.addBody(below);
  world.addBody(above);
  const StepResult& tick = world.step();
  EXPECT_TRUE(tick.report.converged);
  return tick.contacts.empty() ? 0 : tick.contacts[0].force / (above.mass.mass * kGravity);
}

TEST(AccelerationSolver, includesTheCentripetalTermOfABallOverABall) {
  for (const ExtraAcceleration extra : {ExtraAcceleration::none, ExtraAcceleration::velocity})
    for (const double speed : {0.0, 0.3, 0.7, 1.2})
      EXPECT_NEAR(pressOverABall(speed, extra), 1 - speed * speed / (0.2 * kGravity), 1e-4) << speed;
  EXPECT_EQ(pressOverABall(1.5, ExtraAcceleration::none), 0) << "faster than √(g L) it flies";
  // With the distance, half of it: semi-implicit Euler falls by g Δt² in its first step, not by half of that.
  EXPECT_NEAR(pressOverABall(0.7, ExtraAcceleration::velocityAndDistance), 1 - 0.49 / (0.4 * kGravity), 1e-4);
}

/// A bar of 0.2 m on a ball joint at its end.
struct Sling {
  World world;
  double mass = 0;

  Sling(ExtraAcceleration extra, const Vector3d& gravity) : world(made(extra, gravity)) {
    BodyDescription bar;
    bar.shape = Box{Vector3d(0.1, 0.01, 0.02)};
    bar.mass = massProperties(bar.shape, 7850);
    bar.X_WP = Pose::at({0.1, 0, 0});
    bar.omega = Vector3d(0, 0, 3);
    bar.v = Vector3d(0, 0.3, 0);
    mass = bar.mass.mass;
    world.addBody(bar);
    JointDescription joint;
    joint.kind = JointKind::ball;
    joint.j = BodyId{0};
    joint.X_PB = Pose::at({-0.1, 0, 0});
    world.addJoint(joint);
  }
  static World made(ExtraAcceleration extra, const Vector3d& gravity) {
    WorldOptions options = baraffWith(extra);
    options.gravity = gravity;
    return World(options, std::make_unique<tests::EmptyCollider>());
  }
  double errorAfter(int steps) {
    double error = 0;
    for (int k = 0; k < steps; ++k) {
      const StepResult& tick = world.step();
      EXPECT_TRUE(tick.report.converged);
      EXPECT_EQ(tick.report.fallbacks[static_cast<std::size_t>(SolverName::baraff)], 0);
      error = std::max({error, tick.joints[0].lengthError, tick.joints[0].angleError});
    }
    return error;
  }
};

TEST(AccelerationSolver, includesTheCentripetalTermOfAJoint) {
  Sling sling(ExtraAcceleration::none, Vector3d::Zero());
  const double expected = sling.mass * 3 * 3 * 0.1;
  EXPECT_NEAR(sling.world.step().joints[0].force.x(), -expected, 1e-3 * expected);
}

TEST(AccelerationSolver, letsJointsDriftWithoutExtraAcceleration) {
  const Vector3d down(0, 0, -kGravity);
  const double drift = Sling(ExtraAcceleration::none, down).errorAfter(2000);
  const double slow = Sling(ExtraAcceleration::velocityJoints, down).errorAfter(2000);
  const double held = Sling(ExtraAcceleration::velocityAndDistanceJoints, down).errorAfter(2000);
  RecordProperty("drift_um", std::to_string(drift * 1e6));
  RecordProperty("velocity_um", std::to_string(slow * 1e6));
  RecordProperty("held_um", std::to_string(held * 1e6));
  EXPECT_GT(drift, 1e-4);
  EXPECT_LT(slow, 0.5 * drift);
  EXPECT_LT(held, 1e-6);
  EXPECT_EQ(Sling(ExtraAcceleration::velocityAndDistance, down).errorAfter(500),
            Sling(ExtraAcceleration::velocityAndDistanceJoints, down).errorAfter(500))
      << "without contacts they are the same";
}

/// Overlaps the floor by 1 µm, and sinks at half a millimeter a second under its weight.
class Sinking : public tests::Particle {
 public:
  explicit Sinking(double speed = -5e-4, double depth = 1e-6)
      : Particle(2, 1e-3, Vector3d(0, 0, -depth), Vector3d(0.1, 0, speed - kGravity * 1e-3)) {
    startVelocity = {0.1, 0, speed, 0, 0, 0};
    predicted = freeVelocity;
    linearize(predicted);
  }

 protected:
  void touch(const Vector3d& p) override { addContact(p.z(), Vector3d::UnitZ()); }
};

double endOf(ExtraAcceleration extra, Sinking& sinking) {
  AccelerationSolver solver({}, extra);
  ContactSolution solution;
  const SolveReport report = solver.solve(sinking, {}, solution);
  EXPECT_TRUE(report.solved);
  EXPECT_NEAR(solution.u[0], 0.1, 1e-15);
  const double end = sinking.start.z() + sinking.dt * solution.u[2];
  EXPECT_NEAR(report.penetration, std::max(0.0, -end), 1e-15) << "overlap is reported, solved or not";
  EXPECT_LE(report.residual, 1e-9) << "the residual is that of accelerations: overlap is no missing force";
  return end;
}

TEST(AccelerationSolver, endsApproachesAndOverlapsByItsExtraAcceleration) {
  Sinking sinking;
  EXPECT_NEAR(endOf(ExtraAcceleration::none, sinking), -1.5e-6, 1e-15) << "sinks on";
  EXPECT_NEAR(endOf(ExtraAcceleration::velocityJoints, sinking), -1.5e-6, 1e-15) << "is no joint";
  EXPECT_NEAR(endOf(ExtraAcceleration::velocityAndDistanceJoints, sinking), -1.5e-6, 1e-15) << "is no joint";
  EXPECT_NEAR(endOf(ExtraAcceleration::velocity, sinking), -1e-6, 1e-15) << "stops";
  EXPECT_NEAR(endOf(ExtraAcceleration::velocityAndDistance, sinking), 0, 1e-15) << "comes out";
}

TEST(AccelerationSolver, stopsImpactsWithEachExtraAccelerationAndReportsTheirForce) {
  for (const ExtraAcceleration extra : kExtras) {
    Sinking falling(-0.8, 0);
    AccelerationSolver solver({}, extra);
    ContactSolution solution;
    const SolveReport report = solver.solve(falling, {}, solution);
    EXPECT_TRUE(report.solved);
    EXPECT_LE(report.residual, 1e-9) << "an impact's force is no residual";
    EXPECT_NEAR(solution.u[2], 0, 1e-12) << static_cast<int>(extra);
    // Its momentum, and its weight.
    EXPECT_NEAR(solution.f[0], 2 * (0.8 / 1e-3 + kGravity), 1e-9) << static_cast<int>(extra);
  }
}

TEST(AccelerationSolver, letsSeparatingBodiesSlowDownInFlight) {
  // Half a millimeter a second upwards, then the weight pulls it back: no contact force may pull it.
  Sinking rising(5e-4, 0);
  AccelerationSolver solver({}, ExtraAcceleration::none);
  ContactSolution solution;
  EXPECT_TRUE(solver.solve(rising, {}, solution).solved);
  EXPECT_NEAR(solution.u[2], 0, 1e-12) << "it comes to rest on the floor and does not float on";
}

TEST(AccelerationSolver, writesTheComplianceOfEveryRow) {
  class Soft : public Sinking {
    void touch(const Vector3d& p) override {
      Sinking::touch(p);
      rows.back().compliance = 2e-7;
    }
  } soft;
  AccelerationSolver solver({}, ExtraAcceleration::velocityAndDistance);
  ContactSolution solution;
  solution.posedCompliance = {1, 1, 1};
  solver.solve(soft, {}, solution);
  ASSERT_EQ(solution.posedCompliance.size(), solution.f.size());
  EXPECT_EQ(solution.posedCompliance[0], 2e-7);
}

TEST(AccelerationSolver, reportsThatItDoesNotSolveFriction) {
  Sinking sinking;
  class Rough : public Sinking {
    void touch(const Vector3d& p) override {
      Sinking::touch(p);
      rows.back().mu = 0.3;
    }
  } rough;
  AccelerationSolver solver({}, ExtraAcceleration::velocityAndDistance);
  ContactSolution solution;
  EXPECT_FALSE(solver.solve(rough, {}, solution).solved);
}

/// Steps of Baraff's method and the motion, by a policy, over many problems.
struct Outcome {
  std::vector<int> steps;
  std::vector<std::vector<double>> u;  // empty where it was not solved
};
Outcome outcomeOf(const BaraffOptions& method) {
  std::mt19937 random(31);
  AccelerationSolver solver(method, ExtraAcceleration::velocityAndDistance);
  Outcome outcome;
  for (const ContactFamily family : {ContactFamily::stack, ContactFamily::bolt})
    for (int repeat = 0; repeat < 20; ++repeat) {
      LinearContacts problem = makeLinearContacts(family, 16, random);
      problem.predicted = problem.freeVelocity;
      ContactSolution solution;
      const SolveReport report = solver.solve(problem, {}, solution);
      outcome.steps.push_back(report.iterations);
      outcome.u.emplace_back();
      if (!report.solved) continue;
      EXPECT_LE(report.penetration, 1e-11) << "seed 31, " << toText(family) << ", repeat " << repeat;
      outcome.u.back() = solution.u;
    }
  return outcome;
}

TEST(AccelerationSolver, givesTheSameMotionByEveryPolicy) {
  const Outcome hybrid = outcomeOf({});
  for (const NextContact policy : {NextContact::minAccel, NextContact::random, NextContact::preOrdered}) {
    const Outcome other = outcomeOf({policy, 1});
    // Without joints, hybrid and minAccel are the same order.
    if (policy == NextContact::minAccel) {
      EXPECT_EQ(other.steps, hybrid.steps);
    } else {
      EXPECT_NE(other.steps, hybrid.steps) << static_cast<int>(policy);
    }
    int compared = 0;
    for (std::size_t n = 0; n < other.u.size(); ++n) {
      if (hybrid.u[n].empty() || other.u[n].empty()) continue;
      ++compared;
      for (std::size_t k = 0; k < other.u[n].size(); ++k) EXPECT_NEAR(other.u[n][k], hybrid.u[n][k], 1e-7);
    }
    EXPECT_GE(compared, 36) << "of 40; rounding hides dependency in a few";
  }
}

TEST(AccelerationSolver, drawsTheSameContactsFromTheSameSeed) {
  const Outcome first = outcomeOf({NextContact::random, 5});
  const Outcome again = outcomeOf({NextContact::random, 5});
  EXPECT_EQ(again.steps, first.steps);
  EXPECT_EQ(again.u, first.u);
  EXPECT_NE(outcomeOf({NextContact::random, 6}).steps, first.steps);
}

TEST(AccelerationSolver, countsRedundantEquationsAndMeasuresUnwantedAccelerations) {
  // A door on three hinges: ten of fifteen equations are redundant.
  World world(baraffWith(ExtraAcceleration::velocityAndDistance), std::make_unique<tests::EmptyCollider>());
  BodyDescription door;
  door.shape = Box{Vector3d(0.1, 0.01, 0.4)};
  door.mass = massProperties(door.shape, 700);
  world.addBody(door);
  for (const double z : {-0.3, 0.0, 0.3}) {
    JointDescription hinge;
    hinge.kind = JointKind::hinge;
    hinge.j = BodyId{0};
    hinge.X_PA = hinge.X_PB = Pose::at({-0.1, 0, z});
    world.addJoint(hinge);
  }
  for (int k = 0; k < 100; ++k) {
    const StepReport& report = world.step().report;
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.statistics.redundant, 10);
    EXPECT_LE(report.statistics.unwantedAcceleration, 1e-7 * kGravity);
    EXPECT_LE(report.statistics.unwantedForce, 1e-9);
  }
}

TEST(AccelerationSolver, allocatesNothingForProblemsOfASizeItHasSolved) {
  std::mt19937 random(8);
  std::vector<LinearContacts> problems;
  for (const int contacts : {9, 13, 16, 12})
    problems.push_back(makeLinearContacts(ContactFamily::bolt, contacts, random));
  AccelerationSolver solver({}, ExtraAcceleration::velocityAndDistance);
  ContactSolution solution;
  const auto solveAll = [&] {
    for (LinearContacts& problem : problems) solver.solve(problem, {}, solution);
  };
  solveAll();
  const std::int64_t before = tests::allocationCount();
  solveAll();
  EXPECT_EQ(tests::allocationCount() - before, 0);
}

/// Between a floor and a ceiling closer than the body is high.
class Pressed : public tests::Particle {
 public:
  Pressed() : Particle(1, 1e-3, Vector3d::Zero(), Vector3d(0, 0, -0.1)) { predicted = {0, 0, 0, 0, 0, 0}; }

 protected:
  void touch(const Vector3d& p) override {
    addContact(p.z() - 1e-6, Vector3d::UnitZ());
    addContact(-1e-6 - p.z(), -Vector3d::UnitZ());
  }
};

std::array<int, kSolverNames.size()> whoGaveUp(SolverName first, FallbackSolver fallbackSolver) {
  SolverOptions options;
  options.fallbackSolver = fallbackSolver;
  SolverChain chain(first, options);
  Pressed pressed;
  ContactSolution solution;
  return chain.solve(pressed, {}, solution).fallbacks;
}

TEST(FallbackSolvers, runInTheirOrderAndEachIsCountedOnce) {
  const auto count = [](const auto& fallbacks, SolverName name) {
    return fallbacks[static_cast<std::size_t>(name)];
  };
  for (const SolverName first :
       {SolverName::baraff, SolverName::bilateralNewton, SolverName::fischerNewton}) {
    const auto usual = whoGaveUp(first, FallbackSolver::automatic);
    EXPECT_EQ(count(usual, first), 1) << toText(first);
    EXPECT_EQ(count(usual, SolverName::gaussSeidel), 0) << toText(first);
    EXPECT_EQ(count(usual, SolverName::proximalNewton), 1) << toText(first);
    const auto swept = whoGaveUp(first, FallbackSolver::gaussSeidel);
    EXPECT_EQ(count(swept, first), 1) << toText(first);
    EXPECT_EQ(count(swept, SolverName::gaussSeidel), 1) << toText(first);
    EXPECT_EQ(count(swept, SolverName::proximalNewton), 1) << toText(first);
  }
}

/// A particle in a groove of two planes at right angles, one with a restitution of 0.5.
TEST(RowSystem, appliesTheRestitutionOfEachContact) {
  class Corner : public tests::Particle {
   public:
    using Particle::Particle;
    void touch(const Vector3d& p) override {
      addContact(p.x(), Vector3d::UnitX());
      addContact(p.z(), Vector3d::UnitZ());
    }
  } corner(3, 1e-3, Vector3d::Zero(), Vector3d(-2, 0.5, -4));
  corner.linearize(corner.freeVelocity);
  const int chosen[] = {0, 1};
  const double restitution[] = {0.5, 0};
  std::vector<double> u = corner.freeVelocity, impulse;
  RowSystem impact{BaraffOptions{}};
  EXPECT_TRUE(impact.solveImpacts(corner, corner.rows, chosen, restitution, u, impulse).solved);
  EXPECT_NEAR(u[0], 1, 1e-12);
  EXPECT_NEAR(u[1], 0.5, 1e-15);
  EXPECT_NEAR(u[2], 0, 1e-12);
  EXPECT_NEAR(impulse[0], 3 * 3, 1e-11);
  EXPECT_NEAR(impulse[1], 3 * 4, 1e-11);
}

}  // namespace
}  // namespace tenon::physics
