// The scaled form of a linearized problem against dense matrices, its unit diagonal and units.
#include "physics/solver/scaled_problem.h"

#include <gtest/gtest.h>

#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kScaledSeed = 4711;

struct ScaledProblemTest : testing::TestWithParam<ContactFamily> {
  std::mt19937 random{kScaledSeed};
  LinearContacts problem = makeLinearContacts(GetParam(), 24, random);
  ScaledProblem form;

  ScaledProblemTest() {
    RecordProperty("seed", static_cast<int>(kScaledSeed));
    form.build(problem, 1e-3);
  }
  std::vector<double> someForces() {
    std::vector<double> y(form.size(), 0.0);
    for (std::size_t k = 0; k < y.size(); k += 3)
      y[k] = std::uniform_real_distribution<double>(0, 1e-4)(random);
    return y;
  }
};

TEST_P(ScaledProblemTest, hasAUnitDiagonalAndIsSymmetric) {
  for (int k = 0; k < form.contacts(); ++k) {
    EXPECT_NEAR(form.coupling(k, k), 1, 1e-14);
    for (int l = 0; l < k; ++l) EXPECT_EQ(form.coupling(k, l), form.coupling(l, k));
  }
}

TEST_P(ScaledProblemTest, hasTheVelocitiesAndDistancesOfTheProblem) {
  const std::vector<double> y = someForces();
  std::vector<double> f, v(form.dimension()), z(y.size()), u;
  for (int k = 0; k < form.contacts(); ++k) {
    f.push_back(form.toForce(k, y[3 * k]));
    EXPECT_NEAR(form.toScaled(k, f[k]), y[3 * k], 1e-18);
  }
  form.velocity(y, v);
  form.distances(y, v, z);
  form.toVelocity(problem, v, u);
  const tests::DenseOutcome dense = tests::denseOutcome(problem, f, form.row(0).epsilon);
  const double speed = dense.u.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < form.dimension(); ++i) EXPECT_NEAR(u[i], dense.u[i], 1e-12 * speed);
  for (int k = 0; k < form.contacts(); ++k)
    EXPECT_NEAR((z[3 * k] - form.row(k).epsilon * y[3 * k]) * form.row(k).d, dense.separation[k],
                1e-12 * problem.dt * speed);
  EXPECT_NEAR(form.naturalResidual(y), dense.residual, 1e-12 * dense.residual);
}

TEST_P(ScaledProblemTest, givesTheProductOfRowsAsCoupling) {
  const std::vector<double> y = someForces();
  std::vector<double> v(form.dimension());
  form.velocity(y, v);
  for (int k = 0; k < form.contacts(); ++k) {
    double sum = 0;
    for (int l = 0; l < form.contacts(); ++l) sum += form.coupling(k, l) * y[3 * l];
    EXPECT_NEAR(form.normalComponent(k, v), sum, 1e-16);
  }
}

TEST_P(ScaledProblemTest, hasNoSmallResidualForNumbersThatAreNotFinite) {
  std::vector<double> y = someForces();
  y[3] = std::nan("");
  EXPECT_FALSE(form.naturalResidual(y) <= 1e300);
}

TEST_P(ScaledProblemTest, removesOnlyTheComplianceThatYieldsTooMuch) {
  // Yields of 2 nm: too much for ε, not for a contact's own compliance; 6 nm is too much for both.
  problem.rows[0].compliance = problem.rows[1].compliance = problem.rows[2].compliance = 1e-9;
  problem.rows[2].rigid = false;
  form.build(problem, 1e-3);
  const double yield[] = {2e-9, 6e-9, 6e-9, 2e-9, 0.9e-9};
  std::vector<double> y(form.size(), 0.0);
  for (int k = 0; k < 5; ++k) y[3 * k] = yield[k] / (form.row(k).epsilon * form.row(k).d);
  EXPECT_TRUE(form.removeCompliance(y));
  const bool kept[] = {true, false, true, false, true};
  for (int k = 0; k < 5; ++k) EXPECT_EQ(form.row(k).epsilon > 0, kept[k]) << k;
  EXPECT_FALSE(form.removeCompliance(y));
}

INSTANTIATE_TEST_SUITE_P(families, ScaledProblemTest,
                         testing::Values(ContactFamily::bolt, ContactFamily::zeroClearance,
                                         ContactFamily::stack, ContactFamily::random));

TEST(ScaledProblem, isEmptyWithoutContacts) {
  std::mt19937 random(kScaledSeed);
  LinearContacts problem = makeLinearContacts(ContactFamily::bolt, 4, random);
  problem.rows.clear();
  ScaledProblem form;
  form.build(problem, 1e-9);
  EXPECT_EQ(form.contacts(), 0);
  EXPECT_EQ(form.scale(), 0);
  std::vector<double> v(form.dimension()), u;
  form.velocity({}, v);
  form.toVelocity(problem, v, u);
  EXPECT_EQ(u, problem.freeVelocity);
}

}  // namespace
}  // namespace tenon::physics
