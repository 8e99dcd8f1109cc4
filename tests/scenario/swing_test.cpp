// What swings on joints: the pendulum against its closed forms, and Newton's cradle.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenario/mechanism.h"
#include "tests/support/every_solver.h"

namespace tenon::tests::swing_test {
namespace {

using physics::SolverName;
using physics::Vector3d;

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180;

struct PendulumScene : testing::TestWithParam<std::tuple<double, SolverName>> {
  double start = std::get<0>(GetParam()) * kDegree;
  SceneRun run{shippedScene("pendulum", {{"angle_deg", std::get<0>(GetParam())}}),
               {.dt = 1e-3, .solver = std::get<1>(GetParam())}};
  // Steel, 20 × 10 × 200 mm, hung at its end.
  double mass = 7850 * 0.02 * 0.01 * 0.2, arm = 0.1;
  double inertia = mass * ((0.02 * 0.02 + 0.2 * 0.2) / 12 + arm * arm);

  /// From hanging [rad].
  double angle() const {
    const Vector3d center = run.world().stepResult().bodies[1].X_WC.p - Vector3d(0, 0, 0.3);
    return std::atan2(center.x(), -center.z());
  }
};

TEST_P(PendulumScene, swingsInThePeriodOfTheEllipticIntegral) {
  const double period =
      4 * std::sqrt(inertia / (mass * kGravity * arm)) * std::comp_ellint_1(std::sin(std::abs(start) / 2));
  std::vector<double> crossings;
  double last = angle();
  while (crossings.size() < 5) {
    run.run(1e-3, false);
    const double now = angle(), time = run.world().stepResult().time;
    ASSERT_LT(time, 10);
    if (now * last < 0) crossings.push_back(time - 1e-3 * now / (now - last));
    last = now;
  }
  EXPECT_NEAR(crossings[4] - crossings[0], 2 * period, 2e-3 * 2 * period);
  EXPECT_NEAR(crossings[0], period / 4, 2e-3 * period);
}

/// Along the bar m (l ω² + g cos θ), across it m g sin θ (1 − m l²/I), with I ω² = 2 m g l (cos θ − cos θ₀).
TEST_P(PendulumScene, pullsAtItsHingeAsTheClosedFormSays) {
  double worst = 0, largest = 0, error = 0;
  for (int k = 0; k < 1000; ++k) {
    run.run(1e-3, false);
    const physics::JointState& hinge = run.world().stepResult().joints[0];
    const double theta = angle();
    const Vector3d out(std::sin(theta), 0, -std::cos(theta)), across(std::cos(theta), 0, std::sin(theta));
    const double spin2 = 2 * mass * kGravity * arm * (std::cos(theta) - std::cos(start)) / inertia;
    const Vector3d force = -mass * (arm * spin2 + kGravity * std::cos(theta)) * out +
                           mass * kGravity * std::sin(theta) * (1 - mass * arm * arm / inertia) * across;
    worst = std::max(worst, (hinge.force - force).norm());
    largest = std::max(largest, force.norm());
    error = std::max({error, hinge.lengthError, hinge.angleError});
  }
  // First order: the spin of a step is that of its middle.
  EXPECT_LT(worst, 0.02 * largest);
  EXPECT_LE(error, 1e-9);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
}

std::string pendulumName(const testing::TestParamInfo<PendulumScene::ParamType>& it) {
  return std::to_string(std::lround(std::abs(std::get<0>(it.param)))) + "_degrees_" +
         solverName(std::get<1>(it.param));
}

INSTANTIATE_TEST_SUITE_P(solvers, PendulumScene,
                         testing::Combine(testing::Values(15.0, 90.0, -150.0), everySolver()), pendulumName);

struct Cradle : testing::TestWithParam<std::tuple<int, SolverName>> {
  int thrown = std::get<0>(GetParam());
  static constexpr double kString = 0.25, kAngle = 30 * kDegree;

  SceneRun cradle(double restitution) const {
    return {shippedScene("newtons-cradle",
                         {{"thrown", static_cast<double>(thrown)}, {"restitution", restitution}}),
            {.dt = 1e-3, .solver = std::get<1>(GetParam())}};
  }
  static double lifted() { return kString * (1 - std::cos(kAngle)); }
  /// Of a swing of 30°, without impacts [s].
  static double period() {
    const double inertia = kString * kString + 0.4 * 0.02 * 0.02;  // of a ball, about its hinge, for 1 kg
    return 4 * std::sqrt(inertia / (kGravity * kString)) * std::comp_ellint_1(std::sin(kAngle / 2));
  }
  /// How far the ball has swung to the right [m].
  static double aside(const SceneRun& run, int ball) {
    return poseOf(run, "ball " + std::to_string(ball)).p.x() - 0.04 * (ball - 3);
  }
};

TEST_P(Cradle, asManySwingOutAsCameInAndToTheSameHeight) {
  SceneRun run = cradle(1);
  for (const int side : {1, -1, 1, -1}) {
    // Half a period from end to end; the highest point is near, not at, that time.
    double highest[6] = {};
    for (int k = 0; k < std::lround(period() / 4 / 1e-3); ++k) run.run(1e-3, false);
    for (int k = 0; k < std::lround(period() / 4 / 1e-3); ++k) {
      run.run(1e-3, false);
      for (int ball = 1; ball <= 5; ++ball)
        if (side * aside(run, ball) > 0)
          highest[ball] = std::max(highest[ball], poseOf(run, "ball " + std::to_string(ball)).p.z() - 0.05);
    }
    for (int ball = 1; ball <= 5; ++ball) {
      const bool out = side > 0 ? ball > 5 - thrown : ball <= thrown;
      if (out)
        EXPECT_NEAR(highest[ball], lifted(), 0.04 * lifted()) << "ball " << ball << " to side " << side;
      else
        EXPECT_LT(highest[ball], 0.01 * lifted()) << "ball " << ball << " to side " << side;
    }
  }
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
}

TEST_P(Cradle, neverGainsEnergyAndNeverLeavesItsPlane) {
  for (const double restitution : {1.0, 0.7, 0.0}) {
    SceneRun run = cradle(restitution);
    const double start = potentialEnergy(run);
    const double scale = thrown * run.scene.parts[0].mass.mass * kGravity * lifted();
    double most = start, out = 0, error = 0;
    for (int k = 0; k < 2000; ++k) {
      run.run(1e-3, false);
      most = std::max(most, kineticEnergy(run) + potentialEnergy(run));
      for (int ball = 1; ball <= 5; ++ball)
        out = std::max(out, std::abs(poseOf(run, "ball " + std::to_string(ball)).p.y()));
      for (const physics::JointState& joint : run.world().stepResult().joints)
        error = std::max({error, joint.lengthError, joint.angleError});
    }
    EXPECT_LE(most - start, 0.01 * scale) << restitution;
    EXPECT_LE(out, 1e-9) << restitution;
    EXPECT_LE(error, 1e-9) << restitution;
    EXPECT_LE(run.assessment.summary().maxPenetration, 1e-8) << restitution;
    RecordProperty("gain_" + std::to_string(restitution), std::to_string((most - start) / scale));
  }
}

std::string cradleName(const testing::TestParamInfo<Cradle::ParamType>& it) {
  return std::to_string(std::get<0>(it.param)) + "_thrown_" + solverName(std::get<1>(it.param));
}

INSTANTIATE_TEST_SUITE_P(solvers, Cradle, testing::Combine(testing::Values(1, 2, 3, 4), everySolver()),
                         cradleName);

/// Without restitution all five go on together: of the energy, thrown/5 is left (momentum is kept).
TEST(CradleWithoutRestitution, goesOnTogether) {
  for (const int thrown : {1, 3}) {
    SceneRun run(
        shippedScene("newtons-cradle", {{"thrown", static_cast<double>(thrown)}, {"restitution", 0}}),
        {.dt = 1e-3});
    double highest = 0;
    for (int k = 0; k < 600; ++k) {
      run.run(1e-3, false);
      const double x = poseOf(run, "ball 1").p.x() + 0.08;
      if (x > 0) highest = std::max(highest, poseOf(run, "ball 1").p.z() - 0.05);
    }
    const double share = thrown / 5.0;
    EXPECT_NEAR(highest, share * share * 0.25 * (1 - std::cos(30 * kDegree)), 0.04 * share * 0.0335)
        << thrown;
  }
}

}  // namespace
}  // namespace tenon::tests::swing_test
