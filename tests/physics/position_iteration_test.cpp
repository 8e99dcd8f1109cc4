// The iteration on curved distances: a particle in a bowl, a disc in a V, a body between walls.
#include "physics/solver/position_iteration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/math/tolerances.h"
#include "tests/support/every_solver.h"
#include "tests/support/particle.h"

namespace tenon::physics {
namespace {

using tests::Particle;

/// δ = z − ½ κ (x² + y²) ≥ 0.
class Bowl : public Particle {
 public:
  using Particle::Particle;
  double curvature = 20;  ///< κ [1/m]
  double distance(const Vector3d& p) const { return p.z() - 0.5 * curvature * p.head<2>().squaredNorm(); }

  /// λ = Δt² f / m of the end state p = p_free + λ (−κx, −κy, 1) on the bowl: x = x_free / (1 + κλ) and
  /// z_free + λ = ½ κ |x|² leave one equation for λ, monotonic; by bisection.
  double lambda() const {
    const double r2 = free().head<2>().squaredNorm();
    const auto height = [&](double x) {
      const double shrink = 1 + curvature * x;
      return free().z() + x - 0.5 * curvature * r2 / (shrink * shrink);
    };
    double low = 0, high = 1;
    while (high - low > 1e-17 && 0.5 * (low + high) != low) {
      const double middle = 0.5 * (low + high);
      (height(middle) < 0 ? low : high) = middle;
    }
    return high;
  }

 protected:
  void touch(const Vector3d& p) override {
    addContact(distance(p), Vector3d(-curvature * p.x(), -curvature * p.y(), 1));
  }
};

/// As SolverChain calls a solver: linearized at u = 0.
SolveReport solveFromRest(ContactSolver& solver, ContactProblem& problem, const std::vector<WarmForce>& warm,
                          ContactSolution& solution) {
  problem.linearize(std::vector<double>(problem.freeVelocity.size(), 0.0));
  return solver.solve(problem, warm, solution);
}

struct EverySolver : testing::TestWithParam<SolverName> {
  std::unique_ptr<ContactSolver> solver = makeContactSolver(GetParam());
  ContactSolution solution;
};

TEST_P(EverySolver, findsTheEndStateOfAParticleInABowl) {
  for (const double step : {1e-3, 1.0 / 60})
    for (const double speed : {0.0, 0.3, 3.0}) {
      Bowl bowl(0.25, step, Vector3d(0.03, -0.02, 0.5 * 20 * 0.0013), Vector3d(speed, 0.5 * speed, -1));
      const SolveReport report = solveFromRest(*solver, bowl, {}, solution);
      ASSERT_TRUE(report.solved) << speed;
      ASSERT_EQ(solution.f.size(), 1u);
      const Vector3d end = bowl.start + step * Vector3d(solution.u[0], solution.u[1], solution.u[2]);
      EXPECT_GE(bowl.distance(end), -kPenetrationTolerance);
      EXPECT_LE(bowl.distance(end), kGapTolerance);
      const double lambda = bowl.lambda();
      EXPECT_GT(lambda, 0);
      // δ is left below 1e-9 m, and the force acts along the normal of the last state but one: they differ
      // by curvature times the last step.
      const double lastStep = (bowl.trials.back() - bowl.trials[bowl.trials.size() - 2]).norm();
      const double tolerance = 2e-9 + lambda * bowl.curvature * lastStep;
      EXPECT_LT(tolerance, 1e-3 * lambda);
      EXPECT_NEAR(solution.f[0] * step * step / bowl.mass, lambda, tolerance) << speed;
      const double shrink = 1 + bowl.curvature * lambda;
      const Vector3d expected(bowl.free().x() / shrink, bowl.free().y() / shrink, bowl.free().z() + lambda);
      EXPECT_LT((end - expected).norm(), 2 * tolerance) << speed;
    }
}

TEST_P(EverySolver, hasAnErrorOfTheSquareOfItsLastStep) {
  // The bowl is a quadric: the linear model at p misses δ at p + d by exactly ½ κ |d|².
  Bowl bowl(0.25, 1.0 / 60, Vector3d(0.03, -0.02, 0.5 * 20 * 0.0013), Vector3d(3, 1.5, -1));
  const SolveReport report = solveFromRest(*solver, bowl, {}, solution);
  ASSERT_TRUE(report.solved);
  ASSERT_GE(bowl.trials.size(), 4u) << "too easy to see an order";
  for (std::size_t k = 1; k < bowl.trials.size(); ++k) {
    const double step = (bowl.trials[k] - bowl.trials[k - 1]).head<2>().norm();
    // Plus the error by the compliance: a fraction of λ |∇δ|², here below 0.1 m.
    EXPECT_NEAR(bowl.distance(bowl.trials[k]), -0.5 * bowl.curvature * step * step, 0.1 * kRelativeCompliance)
        << k;
  }
  EXPECT_EQ(static_cast<int>(bowl.trials.size()), report.linearizations);
}

TEST_P(EverySolver, reducesItsStepsByTheCurvatureTimesTheDisplacementByTheForce) {
  // The force acts along the normal of the last state: a fixpoint with the rate κ λ, at 1 kHz a few
  // hundredths.
  for (const double step : {1e-3, 1.0 / 60}) {
    Bowl bowl(0.25, step, Vector3d(0.03, -0.02, 0.5 * 20 * 0.0013), Vector3d(3, 1.5, -1));
    const SolveReport report = solveFromRest(*solver, bowl, {}, solution);
    const double rate = bowl.curvature * bowl.lambda();
    for (std::size_t k = 3; k < bowl.trials.size(); ++k)
      EXPECT_LE((bowl.trials[k] - bowl.trials[k - 1]).norm(),
                1.1 * rate * (bowl.trials[k - 1] - bowl.trials[k - 2]).norm())
          << k;
    EXPECT_LE(report.linearizations, step == 1e-3 ? 4 : 20);
  }
}

TEST_P(EverySolver, convergesByCuttingPlanesWhereAPlainFixpointWouldAlternate) {
  // κ λ is the rate of the plain fixpoint: the normal turns by more than the displacement to correct. The
  // bowl is convex, so that each cutting plane is a valid bound.
  for (const double curvature : {1500.0, 4000.0, 20000.0}) {
    Bowl bowl(0.25, 1e-3, Vector3d(0.4 / curvature, -0.3 / curvature, 0), Vector3d(0.03, 0.01, -1));
    bowl.curvature = curvature;
    bowl.start.z() = 0.5 * curvature * bowl.start.head<2>().squaredNorm();
    ASSERT_GT(curvature * bowl.lambda(), 1.1);
    const SolveReport report = solveFromRest(*solver, bowl, {}, solution);
    ASSERT_TRUE(report.solved) << curvature;
    const Vector3d end = bowl.start + bowl.dt * Vector3d(solution.u[0], solution.u[1], solution.u[2]);
    EXPECT_NEAR(bowl.distance(end), 0, kPenetrationTolerance) << curvature;
    // Where the end is on a steep wall, 1 nm of distance is less than 1 nm of displacement.
    const double shrink = 1 + curvature * bowl.lambda();
    const Vector3d expected(bowl.free().x() / shrink, bowl.free().y() / shrink,
                            bowl.free().z() + bowl.lambda());
    EXPECT_LT((end - expected).norm(), 1e-3 * bowl.lambda()) << curvature;
  }
}

TEST_P(EverySolver, leavesAFreeParticleUnchanged) {
  Bowl bowl(0.25, 1e-3, Vector3d(0.03, 0, 0.1), Vector3d(1, 2, -3));
  const SolveReport report = solveFromRest(*solver, bowl, {}, solution);
  EXPECT_TRUE(report.solved);
  EXPECT_EQ(report.linearizations, 2);
  EXPECT_EQ(solution.u, bowl.freeVelocity);
  EXPECT_EQ(solution.f, std::vector<double>{0.0});
  EXPECT_EQ(report.penetration, 0);
  EXPECT_EQ(report.residual, 0);
}

/// A disc of radius r between two planes that rise at ±alpha from the line x = z = 0.
class Groove : public Particle {
 public:
  using Particle::Particle;
  double alpha = 0.6, r = 0.01;

 protected:
  void touch(const Vector3d& p) override {
    for (const double side : {-1.0, 1.0}) {
      const Vector3d n(-side * std::sin(alpha), 0, std::cos(alpha));
      addContact(n.dot(p) - r, n);
    }
  }
};

TEST_P(EverySolver, needsOneLinearizationAndItsVerificationWhereDistancesAreLinear) {
  const double dt = 1e-3, mass = 0.7, g = 9.81;
  Groove groove(mass, dt, Vector3d(0, 0, 0.01 / std::cos(0.6)), Vector3d(0, 0.4, -g * dt));
  const SolveReport report = solveFromRest(*solver, groove, {}, solution);
  EXPECT_TRUE(report.solved);
  EXPECT_EQ(report.linearizations, 2);
  // It rests: both planes carry m g / (2 cos α); along the groove it goes on.
  const double expected = mass * g / (2 * std::cos(0.6));
  EXPECT_NEAR(solution.f[0], expected, 1e-8 * expected);
  EXPECT_NEAR(solution.f[1], expected, 1e-8 * expected);
  EXPECT_NEAR(solution.u[0], 0, 1e-12);
  EXPECT_NEAR(solution.u[1], 0.4, 1e-15);
  EXPECT_NEAR(solution.u[2], 0, 1e-10);
  EXPECT_LE(report.residual, 1e-6);
}

TEST(ProximalNewtonSolver, triesTheContactsThatCarriedForceLast) {
  const auto solver = makeContactSolver(SolverName::proximalNewton);
  ContactSolution solution;
  Groove groove(0.7, 1e-3, Vector3d(0, 0, 0.01 / std::cos(0.6)), Vector3d(0, 0.4, -0.00981));
  solveFromRest(*solver, groove, {}, solution);
  std::vector<WarmForce> warm;
  for (std::size_t k = 0; k < solution.f.size(); ++k) warm.push_back({solution.solved[k].key, solution.f[k]});
  const SolveReport report = solveFromRest(*solver, groove, warm, solution);
  EXPECT_TRUE(report.solved);
  EXPECT_EQ(report.iterations, 1) << "one factorization";
}

/// Between a floor at z = 0 and a ceiling `overlap` below it: nothing fits.
class Press : public Particle {
 public:
  using Particle::Particle;
  double overlap = 2e-4;

 protected:
  void touch(const Vector3d& p) override {
    addContact(p.z(), Vector3d::UnitZ());
    addContact(-overlap - p.z(), -Vector3d::UnitZ());
  }
};

TEST_P(EverySolver, reportsAnInfeasibleProblemAndSharesTheOverlap) {
  Press press(0.2, 1e-3, Vector3d(0, 0, 0), Vector3d(0.1, 0, -2));
  const SolveReport report = solveFromRest(*solver, press, {}, solution);
  EXPECT_FALSE(report.solved);
  EXPECT_LT(report.linearizations, 8) << "another trial changes nothing";
  const double end = press.dt * solution.u[2];
  EXPECT_NEAR(end, -0.5 * press.overlap, 1e-3 * press.overlap) << "half the overlap on each side";
  EXPECT_NEAR(report.penetration, 0.5 * press.overlap, 1e-3 * press.overlap);
  EXPECT_GT(report.residual, 0);
  EXPECT_NEAR(solution.u[0], 0.1, 1e-12);
  for (const double f : solution.f) EXPECT_TRUE(std::isfinite(f) && f >= 0) << f;
}

TEST_P(EverySolver, removesAnOverlapInOneStep) {
  Groove groove(0.7, 1e-3, Vector3d(0, 0, 0.01 / std::cos(0.6) - 1e-4), Vector3d(0, 0, -0.5));
  EXPECT_TRUE(solveFromRest(*solver, groove, {}, solution).solved);
  EXPECT_NEAR(groove.start.z() + groove.dt * solution.u[2], 0.01 / std::cos(0.6), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(solvers, EverySolver,
                         testing::Values(SolverName::fischerNewton, SolverName::lemkeFixpoint,
                                         SolverName::bilateralNewton),
                         tests::solverTestName);

}  // namespace
}  // namespace tenon::physics
