// A step with frozen friction: the forces of its solution are all that act on its bodies, also where a
// contact is no longer found or where its friction acted in several rows.
#include "physics/solver/frozen_friction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/solver/residuals.h"

namespace tenon::physics::frozen_friction_test {
namespace {

constexpr double kDt = 1e-3, kMass = 2, kInertia = 3e-3;

/// A body at the origin with the rows that a test gives it, the same at every trial state.
class Scripted : public ContactProblem {
 public:
  std::vector<ContactRow> found;

  Scripted() {
    dt = kDt;
    Matrix6d factor = std::sqrt(kMass) * Matrix6d::Identity();
    factor.bottomRightCorner<3, 3>() = std::sqrt(kInertia) * Matrix3d::Identity();
    massFactor = {factor};
    freeVelocity = {0.3, -0.2, -0.1, 1, 2, -3};
    predicted = freeVelocity;
  }
  void linearize(const std::vector<double>& u) override {
    rows = found;
    for (ContactRow& row : rows) row.b0 = row.contact.separation - dt * row.Gb.dot(block(std::span(u), 0));
  }
};

/// A contact of the body at `p`, which pushes it along z.
ContactRow rowAt(const Vector3d& p, std::uint64_t feature, std::uint32_t cut = 0) {
  ContactRow row;
  row.b = 0;
  row.mu = 0.4;
  row.point = row.contact.p = row.rb = p;
  row.contact.n = Vector3d::UnitZ();
  row.Gb << Vector3d::UnitZ(), p.cross(Vector3d::UnitZ());
  row.key = {7, feature, cut};
  return row;
}

/// Momentum and angular momentum that the forces of a solution give the body in the step.
Vector6d impulseOf(const ContactSolution& solution) {
  Vector6d sum = Vector6d::Zero();
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const Vector3d force = solution.f[k] * solution.solved[k].normal() + solution.friction[k];
    sum.head<3>() += kDt * force;
    sum.tail<3>() += kDt * solution.solved[k].point.cross(force);
  }
  return sum;
}

struct FrozenFrictionTest : testing::Test {
  Scripted problem;
  ContactSolution before, after;
  FrozenFriction frozen;

  void addForce(const ContactRow& row, double f, const Vector3d& friction) {
    before.solved.push_back(row);
    before.f.push_back(f);
    before.friction.push_back(friction);
    before.posedCompliance.push_back(0);
  }
  /// The body moves by the friction of `before` and the normal forces `f` of the rows found in the step.
  void solveWith(const std::vector<double>& f) {
    frozen.begin(problem, before);
    after = {};
    after.u = frozen.freeVelocity;
    after.solved = frozen.rows;
    after.f = f;
    after.friction.assign(f.size(), Vector3d::Zero());
    after.posedCompliance.assign(f.size(), 0.0);
    for (std::size_t k = 0; k < f.size(); ++k) {
      block(std::span(after.u), 0).head<3>() += kDt * f[k] / kMass * after.solved[k].Gb.head<3>();
      block(std::span(after.u), 0).tail<3>() += kDt * f[k] / kInertia * after.solved[k].Gb.tail<3>();
    }
    frozen.writeFriction(after);
  }
  void expectAllForcesAct() const {
    const Vector6d change =
        block(std::span(after.u), 0) - block(std::span<const double>(problem.freeVelocity), 0);
    Vector6d expected;
    expected << kMass * change.head<3>(), kInertia * change.tail<3>();
    EXPECT_LE((impulseOf(after) - expected).norm(), 1e-15);
    for (std::size_t k = 1; k < after.solved.size(); ++k)
      EXPECT_LE(after.solved[k - 1].key, after.solved[k].key);
  }
};

TEST_F(FrozenFrictionTest, StaysAtTheContactThatItBelongsTo) {
  const ContactRow a = rowAt({0.01, 0, -0.02}, 1), b = rowAt({-0.01, 0.003, -0.02}, 2);
  addForce(a, 5, {1.5, 0.5, 0});
  addForce(b, 4, {-1, 0.25, 0});
  problem.found = {a, b};
  solveWith({6, 3});
  expectAllForcesAct();
  ASSERT_EQ(after.f.size(), 2u);
  EXPECT_EQ(after.friction[0], Vector3d(1.5, 0.5, 0));
  EXPECT_EQ(after.solved[1].mu, 0.4);
}

TEST_F(FrozenFrictionTest, IsReportedWhereItsContactIsNoLongerFound) {
  const ContactRow a = rowAt({0.01, 0, -0.02}, 1), gone = rowAt({-0.01, 0.003, -0.02}, 2),
                   c = rowAt({0, 0.01, -0.02}, 3);
  addForce(a, 5, {1.5, 0.5, 0});
  addForce(gone, 4, {-1, 0.25, 0});
  problem.found = {a, c};
  solveWith({6, 3});
  expectAllForcesAct();
  ASSERT_EQ(after.f.size(), 3u);
  EXPECT_EQ(after.f[1], 0);
  EXPECT_TRUE(after.acts(1));
  EXPECT_EQ(after.friction[2], Vector3d(0, 0, 0));
}

TEST_F(FrozenFrictionTest, OfSeveralRowsOfAFeatureIsTheirSum) {
  const Vector3d p(0.01, 0, -0.02), moved = p + Vector3d(0, 2e-4, 0);
  addForce(rowAt(p, 1), 5, {1.5, 0.5, 0});
  addForce(rowAt(p, 1, 1), 5, {0.5, 0, 0});
  addForce(rowAt(moved, 1, 2), 5, {0.25, 0, 0});
  problem.found = {rowAt(p, 1)};
  solveWith({6});
  expectAllForcesAct();
  ASSERT_EQ(after.f.size(), 2u) << "two act at the same point, one beside it";
  EXPECT_EQ(after.friction[0], Vector3d(2, 0.5, 0));
}

TEST_F(FrozenFrictionTest, IsAddedInTheOrderOfKeysBeforeCuttingPlanes) {
  const Vector3d p(0.01, 0, -0.02), q = p + Vector3d(0, 1e-4, 0), moved = p + Vector3d(0, 2e-4, 0);
  addForce(rowAt(moved, 1), 5, {0.25, 0, 0});
  problem.found = {rowAt(p, 1), rowAt(q, 1, 1), rowAt(p, 2)};
  solveWith({6, 2, 1});
  expectAllForcesAct();
  ASSERT_EQ(after.f.size(), 4u);
  EXPECT_EQ(after.solved[1].key, problem.found[0].key);
  EXPECT_EQ(after.friction[1], Vector3d(0.25, 0, 0));
}

// Its size is the distance to Coulomb's law, which allows no friction without a normal force.
TEST_F(FrozenFrictionTest, WithoutANormalForceIsAResidual) {
  ContactRow apart = rowAt({0.01, 0, -0.02}, 1);
  apart.contact.separation = 1e-3;
  addForce(apart, 5, {1.5, 0.5, 0});
  problem.found = {apart};
  solveWith({0});
  problem.linearize(after.u);
  EXPECT_NEAR(residualInNewtons(problem, after), 1.5, 1e-12);
  problem.found = {};
  solveWith({});
  problem.linearize(after.u);
  EXPECT_NEAR(residualInNewtons(problem, after), std::hypot(1.5, 0.5), 1e-12);
}

TEST_F(FrozenFrictionTest, BeginsWithTheDirectionsOfTheStart) {
  frozen.begin(problem, before);
  frozen.usesStartDirections = false;
  frozen.begin(problem, before);
  EXPECT_TRUE(problem.usesStartDirections);
}

}  // namespace
}  // namespace tenon::physics::frozen_friction_test
