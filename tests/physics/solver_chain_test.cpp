// The result of a step that no solver solves: the best state, or none.
#include "physics/solver/solver_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "physics/math/tolerances.h"
#include "physics/solver/residuals.h"
#include "tests/support/every_solver.h"
#include "tests/support/particle.h"

namespace tenon::physics {
namespace {

/// Touches at its start, and overlaps by the same amount everywhere else: no force resolves it.
class Bog : public tests::Particle {
 public:
  using Particle::Particle;
  double depth = 0;

 protected:
  void touch(const Vector3d& p) override {
    addContact((p - start).norm() > 0 ? -depth : 0.0, Vector3d::UnitZ());
  }
};

struct SolverChainTest : testing::TestWithParam<SolverName> {
  SolverChain chain{GetParam()};
  ContactSolution solution;

  ChainReport fallIntoABogOf(double depth) {
    Bog bog(2, 1e-3, Vector3d(0, 0, 0), Vector3d(0.2, 0, -0.3));
    bog.depth = depth;
    bog.predicted = bog.freeVelocity;
    return chain.solve(bog, {}, solution);
  }
};

TEST_P(SolverChainTest, movesNowhereAndKeepsItsMomentumWhereEveryStateOverlaps) {
  const ChainReport report = fallIntoABogOf(1e-6);
  EXPECT_FALSE(report.solve.solved);
  EXPECT_EQ(report.solve.fraction, 0);
  EXPECT_EQ(report.solve.penetration, 0);
  // Nothing but the contact's force changes its velocity: 2 kg, for a millisecond, along z.
  EXPECT_NEAR(solution.u[0], 0.2, 1e-12);
  double force = 0;
  for (const double f : solution.f) force += f;
  EXPECT_NEAR(2 * (solution.u[2] + 0.3), 1e-3 * force, 1e-12);
  EXPECT_EQ(report.fallbacks[static_cast<std::size_t>(SolverName::proximalNewton)], 1);
}

TEST_P(SolverChainTest, acceptsAnOverlapWellBelowTheLimit) {
  const ChainReport report = fallIntoABogOf(0.9 * kAcceptedPenetration);
  EXPECT_FALSE(report.solve.solved);
  EXPECT_EQ(report.solve.fraction, 1);
  EXPECT_NEAR(report.solve.penetration, 0.9 * kAcceptedPenetration, 1e-18);
  EXPECT_NEAR(solution.u[0], 0.2, 1e-12) << "it keeps sliding";
}

/// Overlaps only beyond a plane that no linearization shows: x = 20 µm.
class Trap : public tests::Particle {
 public:
  using Particle::Particle;

 protected:
  void touch(const Vector3d& p) override { addContact(p.x() > 2e-5 ? -1e-6 : 1e-3, Vector3d::UnitZ()); }
};

TEST_P(SolverChainTest, movesUpToTheLastFeasibleStateOfAFailedStep) {
  Trap trap(2, 1e-3, Vector3d(0, 0, 0), Vector3d(0.2, 0, 0));
  trap.predicted = trap.freeVelocity;
  const ChainReport report = chain.solve(trap, {}, solution);
  EXPECT_FALSE(report.solve.solved);
  EXPECT_NEAR(report.solve.fraction, 0.1, 1e-3) << "20 of 200 µm";
  EXPECT_LE(report.solve.fraction, 0.1);
  EXPECT_EQ(report.solve.penetration, 0);
  EXPECT_NEAR(solution.u[0], 0.2, 1e-12);
}

/// Every attempt meets other surroundings: the first overlaps by 2 µm everywhere; the second is between walls
/// that are too close to each other by 0.2 µm, for which there are no forces; all others overlap by 5 µm.
class ChangingBog : public tests::Particle {
 public:
  using Particle::Particle;
  std::uint64_t attempt = 0;

  void linearize(const std::vector<double>& u) override {
    attempt += std::all_of(u.begin(), u.end(), [](double v) { return v == 0; }) ? 1 : 0;  // begins at rest
    Particle::linearize(u);
  }

 protected:
  void touch(const Vector3d& p) override {
    if (attempt == 1) {
      addContact(p.z() - start.z() - 1e-7, Vector3d::UnitZ());
      addContact(start.z() - p.z() - 1e-7, -Vector3d::UnitZ());
    } else {
      const double depth = attempt == 0 ? 2e-6 : 5e-6;
      addContact((p - start).norm() > 0 ? -depth : 0.0, Vector3d::UnitZ());
    }
    for (ContactRow& row : rows) row.key.feature += 10 * attempt;
  }
};

INSTANTIATE_TEST_SUITE_P(solvers, SolverChainTest, tests::everySolver(), tests::solverTestName);

// Forces that solve no problem may throw bodies apart: that leaves no overlap, and is worse all the same.
TEST(Residuals, anAnsweredStateIsBetterThanOneWithoutOverlapThatIsNot) {
  Residuals apart, overlapping, deeper;
  for (Residuals* each : {&apart, &overlapping, &deeper})
    each->penetration = each->gap = each->significantGap = each->jointError = 0;
  overlapping.answered = deeper.answered = true;
  overlapping.penetration = 1e-7;
  deeper.penetration = 2e-7;
  EXPECT_TRUE(overlapping.betterThan(apart));
  EXPECT_FALSE(apart.betterThan(overlapping));
  EXPECT_TRUE(overlapping.betterThan(deeper));
  apart.solved = true;
  EXPECT_TRUE(apart.betterThan(overlapping));
  EXPECT_TRUE(deeper.betterThan(Residuals{})) << "no state was reached";
}

/// One contact that overlaps by its compliance times its force.
struct YieldingContact : testing::Test {
  class One : public tests::Particle {
   public:
    using Particle::Particle;
    void touch(const Vector3d&) override {}
  } problem{1, 1e-3, Vector3d::Zero(), Vector3d::Zero()};
  ContactSolution solution;

  Residuals yielding(double by, bool rigid) {
    ContactRow row;
    row.b = 0;
    row.Gb << Vector3d::UnitZ(), Vector3d::Zero();
    row.contact.n = Vector3d::UnitZ();
    row.contact.separation = -by;
    row.compliance = 1e-10;
    row.rigid = rigid;
    problem.rows = solution.solved = {row};
    solution.f = {by / row.compliance};
    solution.friction = {Vector3d::Zero()};
    return evaluate(problem, solution);
  }
};

TEST_F(YieldingContact, isNoOverlapWhereTheMaterialsYieldAndBelowTheLimit) {
  EXPECT_LE(yielding(1e-5, false).size(), 1e-20);
  EXPECT_LE(yielding(0.9 * kMaxPenetration, true).size(), 1e-20);
}

TEST_F(YieldingContact, isAnOverlapWhereRigidPartsWouldExceedTheLimit) {
  EXPECT_EQ(yielding(1.1 * kMaxPenetration, true).penetration, 1.1 * kMaxPenetration);
}

TEST_F(YieldingContact, isAGapWhereItPushesAndDoesNotTouch) {
  yielding(1e-5, false);
  problem.rows[0].contact.separation = 3e-6;
  EXPECT_NEAR(evaluate(problem, solution).gap, 1.3e-5, 1e-15);
  EXPECT_NEAR(evaluate(problem, solution).significantGap, 1.3e-5, 1e-15);
  problem.rows.clear();
  EXPECT_GT(evaluate(problem, solution).gap, 1) << "no contact is left at all";
}

// With Accuracy::fast a contact may pass to another feature, but not be lost while it pushes.
TEST_F(YieldingContact, isNoSignificantGapOnlyWhileItsPartsHaveOtherContacts) {
  yielding(1e-5, false);
  problem.rows[0].key.feature = 7;
  problem.rows[0].contact.n = Vector3d::UnitX();
  EXPECT_EQ(evaluate(problem, solution).significantGap, 0);
  problem.rows.clear();
  EXPECT_GT(evaluate(problem, solution).significantGap, 1);
}

}  // namespace
}  // namespace tenon::physics
