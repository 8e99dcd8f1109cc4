// The methods of the cone solver, each alone: closed forms of one contact, mass ratios and redundant contacts
// without compliance, problems without a solution.
#include "physics/solver/cone_solver.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/math/tolerances.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/linear_contacts.h"

namespace tenon::physics {
namespace {

using tests::ContactFamily;
using tests::LinearContacts;
using tests::makeLinearContacts;

constexpr unsigned kConeSeed = 4711;
constexpr double kStep = 1e-3;

/// A contact of two point masses along z; a = −1: the floor.
ContactRow pointContact(int a, int b, double mu, std::size_t feature) {
  ContactRow row;
  row.a = a;
  row.b = b;
  row.Ga << 0, 0, -1, 0, 0, 0;
  row.Gb << 0, 0, 1, 0, 0, 0;
  row.contact.n = Vector3d::UnitZ();
  row.mu = mu;
  row.key = {0, feature};
  return row;
}

/// Masses on each other, `copies` contacts between two of them, each mass with its velocity (vx, 0, vz).
LinearContacts tower(const std::vector<double>& masses, const Eigen::Vector2d& v, double mu, int copies) {
  LinearContacts problem;
  problem.dt = kStep;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    problem.massFactor.emplace_back(std::sqrt(masses[i]) * Matrix6d::Identity());
    problem.freeVelocity.insert(problem.freeVelocity.end(), {v[0], 0, v[1], 0, 0, 0});
    for (int copy = 0; copy < copies; ++copy) {
      problem.rows.push_back(
          pointContact(static_cast<int>(i) - 1, static_cast<int>(i), mu, problem.rows.size()));
      problem.gaps.push_back(0);
    }
  }
  problem.linearize(std::vector<double>(problem.freeVelocity.size(), 0.0));
  return problem;
}

struct Method {
  const char* name;
  bool (*solve)(const ScaledProblem&, std::vector<double>&, double tolerance);
};
void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

bool byNewton(const ScaledProblem& form, std::vector<double>& y, double tolerance) {
  int iterations = 0;
  return ProximalNewton().solve(form, y, tolerance, {}, iterations);
}
bool byInteriorPoint(const ScaledProblem& form, std::vector<double>& y, double tolerance) {
  int iterations = 0;
  return ConicPath().solve(form, y, isGuess(y), tolerance, iterations);
}
bool byAll(const ScaledProblem& form, std::vector<double>& y, double tolerance) {
  return ConeSolver().solve(form, y, tolerance).solved;
}

class ConeMethod : public testing::TestWithParam<Method> {};

TEST_P(ConeMethod, stopsOrSlowsASlidingMassAsCoulombSays) {
  // f = m v_n/Δt, friction μ f up to what stops it, m v_t/Δt.
  const double mass = 0.4, fall = 0.5;
  for (const double slide : {0.0, 0.1, 0.249, 0.251, 2.0}) {
    const double mu = 0.5;
    const LinearContacts problem = tower({mass}, {slide, -fall}, mu, 1);
    ScaledProblem form;
    form.build(problem, 0);
    std::vector<double> y(form.size(), 0.0);
    ASSERT_TRUE(GetParam().solve(form, y, 1e-13)) << slide;
    const double f = mass * fall / kStep;
    EXPECT_NEAR(form.toForce(0, y[0]), f, 1e-6 * f) << slide;
    const Eigen::Vector2d t(form.toForce(0, y[1]), form.toForce(0, y[2]));
    const Vector3d friction = problem.rows[0].directions() * t;
    EXPECT_NEAR(friction.x(), -std::min(mu * f, mass * slide / kStep), 1e-6 * f) << slide;
    EXPECT_NEAR(friction.y(), 0, 1e-6 * f) << slide;
  }
}

TEST_P(ConeMethod, liftsOffWhereTheMassLeaves) {
  const LinearContacts problem = tower({0.4, 2.0}, {0.3, 0.1}, 0.5, 2);
  ScaledProblem form;
  form.build(problem, 0);
  std::vector<double> y(form.size(), 0.0);
  ASSERT_TRUE(GetParam().solve(form, y, 1e-12));
  for (const double entry : y) EXPECT_NEAR(entry, 0, 1e-11);
}

TEST_P(ConeMethod, neverReportsSuccessWhereABodyIsPressed) {
  std::mt19937 random(kConeSeed);
  for (int repeat = 0; repeat < 5; ++repeat) {
    LinearContacts problem = tests::makePressedContacts(8, random);
    for (ContactRow& row : problem.rows) row.mu = 1e-3;
    ScaledProblem form;
    form.build(problem, 0);
    std::vector<double> y(form.size(), 0.0);
    EXPECT_FALSE(GetParam().solve(form, y, 1e-10 * form.scale())) << "seed " << kConeSeed;
    for (const double entry : y) EXPECT_TRUE(std::isfinite(entry)) << "seed " << kConeSeed;
  }
}

INSTANTIATE_TEST_SUITE_P(methods, ConeMethod,
                         testing::Values(Method{"newton", byNewton},
                                         Method{"interior_point", byInteriorPoint}, Method{"all", byAll}),
                         [](const auto& it) { return std::string(it.param.name); });

TEST(ConeSolver, carriesHeavyMassesOnLightOnesWithoutCompliance) {
  // The lowest contacts carry all weights: f = g Σ m.
  for (const double ratio : {1e2, 1e4, 1e6})
    for (const double mu : {0.0, 0.4}) {
      const double light = 1e-3, g = 9.81;
      const LinearContacts problem = tower({light, ratio * light, light}, {0, -g * kStep}, mu, 4);
      ScaledProblem form;
      form.build(problem, 0);
      std::vector<double> y(form.size(), 0.0);
      const double tolerance = 1e-11 / form.largestD();
      ASSERT_TRUE(ConeSolver().solve(form, y, tolerance).solved) << ratio << ", mu " << mu;
      double lowest = 0;
      for (int k = 0; k < 4; ++k) lowest += form.toForce(k, y[3 * k]);
      const double weight = g * light * (2 + ratio);
      // The contacts of the lightest mass may be 1e-11 m off: that much force moves it there.
      EXPECT_NEAR(lowest, weight, 1e-6 * weight + 10 * ratio * light * 1e-11 / (kStep * kStep))
          << ratio << ", mu " << mu;
      EXPECT_LE(form.naturalResidual(y), tolerance) << ratio << ", mu " << mu;
    }
}

TEST(ConeSolver, solvesContactsListedTwiceWithoutCompliance) {
  std::mt19937 random(kConeSeed);
  for (const double mu : {0.0, 0.3})
    for (int repeat = 0; repeat < 10; ++repeat) {
      LinearContacts problem = makeLinearContacts(ContactFamily::bolt, 24, random);
      const std::vector<ContactRow> rows = problem.rows;
      problem.rows.insert(problem.rows.end(), rows.begin(), rows.end());
      for (ContactRow& row : problem.rows) row.mu = mu;
      ScaledProblem form;
      form.build(problem, 0);
      std::vector<double> y(form.size(), 0.0);
      const double tolerance = 1e-11 / form.largestD();
      EXPECT_TRUE(ConeSolver().solve(form, y, tolerance).solved) << "seed " << kConeSeed << ", " << repeat;
      EXPECT_LE(form.naturalResidual(y), tolerance) << "seed " << kConeSeed << ", " << repeat;
    }
}

// Contacts pressed against each other have no rigid solution. What is returned is no worse than the starting
// forces, than sweeps from them, and than any reference point of Newton's method.
TEST(ConeSolver, returnsThePointOfTheLeastResidualWhereNoneSolves) {
  std::mt19937 random(kConeSeed);
  std::uniform_real_distribution<double> share(0, 1);
  for (const bool guessed : {false, true})
    for (int repeat = 0; repeat < 8; ++repeat) {
      LinearContacts problem = tests::makePressedContacts(8, random);
      for (ContactRow& row : problem.rows) row.mu = 0.3;
      ScaledProblem form;
      form.build(problem, 0);
      std::vector<double> start(form.size(), 0.0);
      for (std::size_t k = 0; guessed && k < start.size(); k += 3) start[k] = share(random) * form.scale();
      std::vector<double> y = start, swept = start, newton = start;
      const double tolerance = 1e-11 / form.largestD();
      ASSERT_FALSE(ConeSolver().solve(form, y, tolerance).solved) << "seed " << kConeSeed << ", " << repeat;
      const double least = form.naturalResidual(y);
      EXPECT_LE(least, form.naturalResidual(start)) << "seed " << kConeSeed << ", " << repeat;
      AndersonGaussSeidel().solve(form, swept, 0);
      if (guessed) newton = swept;
      EXPECT_LE(least, form.naturalResidual(swept)) << "seed " << kConeSeed << ", " << repeat;
      ProximalNewton alone;
      int iterations = 0;
      ASSERT_FALSE(alone.solve(form, newton, tolerance, {}, iterations));
      EXPECT_LE(least, alone.least().residual() * (1 + 1e-6)) << "seed " << kConeSeed << ", " << repeat;
    }
}

TEST(ConeSolver, returnsTheSameBytesFromAReusedWorkspace) {
  std::mt19937 random(kConeSeed);
  ConeSolver used;
  ScaledProblem form;
  for (int repeat = 0; repeat < 12; ++repeat) {
    LinearContacts problem =
        makeLinearContacts(repeat % 2 ? ContactFamily::stack : ContactFamily::random, 24, random);
    for (ContactRow& row : problem.rows) row.mu = 0.1 * (repeat % 5);
    form.build(problem, 0);
    std::vector<double> y(form.size(), 0.0), z(form.size(), 0.0);
    used.solve(form, y, 1e-11 / form.largestD());
    ConeSolver().solve(form, z, 1e-11 / form.largestD());
    EXPECT_EQ(y, z) << "seed " << kConeSeed << ", " << repeat;
  }
}

TEST(ConicPath, allocatesNothingOnceReserved) {
  std::mt19937 random(kConeSeed);
  LinearContacts problem = makeLinearContacts(ContactFamily::stack, 24, random);
  for (ContactRow& row : problem.rows) row.mu = 0.4;
  ScaledProblem form;
  form.build(problem, 0);
  ConicPath path;
  std::vector<double> y(form.size(), 0.0), again(form.size(), 0.0);
  int iterations = 0;
  path.solve(form, y, false, 1e-11 / form.largestD(), iterations);
  const std::int64_t before = tests::allocationCount();
  path.solve(form, again, false, 1e-11 / form.largestD(), iterations);
  EXPECT_EQ(tests::allocationCount(), before);
  EXPECT_EQ(y, again);
}

}  // namespace
}  // namespace tenon::physics
