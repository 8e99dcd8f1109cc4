// The accuracy of a step is the person's choice: no number of bodies selects a method or a tolerance. And
// steps that fail keep momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/math/tolerances.h"
#include "physics/world.h"

namespace tenon::physics::accuracy_test {
namespace {

BodyDescription plane(const Pose& X_WP) {
  BodyDescription body;
  body.shape = HalfSpace{};
  body.motion = MotionType::fixed;
  body.material = {0};
  body.X_WP = X_WP;
  return body;
}

BodyDescription block(const Vector3d& halfExtents, double mass, const Vector3d& p, const Vector3d& v) {
  BodyDescription body;
  body.shape = Box{halfExtents};
  body.mass = massProperties(body.shape, mass / (8 * halfExtents.prod()));
  body.material = {0};
  body.X_WP = Pose::at(p);
  body.v = v;
  return body;
}

/// Cubes of 40 mm and 0.5 kg, face to face on the floor, solved in every step.
struct Tower {
  World world;
  std::vector<Vector3d> start;
  double worstPenetration = 0, moved = 0;
  int notConverged = 0, fast = 0;
  int bySweeps = 0;  ///< steps of gauss-seidel

  explicit Tower(int boxes, Accuracy accuracy = Accuracy::exact)
      : world({.solverOptions = {.accuracy = accuracy}, .allowSleep = false}, makeBulletCollider()) {
    world.addBody(plane(Pose{}));
    for (int k = 0; k < boxes; ++k) {
      start.emplace_back(0, 0, 0.02 + 0.04 * k);
      world.addBody(block(Vector3d::Constant(0.02), 0.5, start.back(), Vector3d::Zero()));
    }
  }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepResult& result = world.step();
      worstPenetration = std::max(worstPenetration, result.report.penetration);
      notConverged += !result.report.converged;
      fast += result.report.accuracy == Accuracy::fast;
      bySweeps += result.report.solver == SolverName::gaussSeidel;
      for (std::size_t i = 0; i < start.size(); ++i)
        moved = std::max(moved, (result.bodies[i + 1].X_WC.p - start[i]).norm());
    }
  }
};

class TowerOf : public testing::TestWithParam<int> {};

TEST_P(TowerOf, restsToNanometersWhateverItsHeight) {
  Tower tower(GetParam());
  tower.run(200);
  EXPECT_EQ(tower.notConverged, 0);
  EXPECT_EQ(tower.fast, 0);
  EXPECT_EQ(tower.bySweeps, 0);
  EXPECT_LE(tower.worstPenetration, kPenetrationTolerance);
  EXPECT_LE(tower.moved, kPenetrationTolerance * GetParam()) << "each contact within its tolerance";
}

TEST_P(TowerOf, isSolvedBySweepsOnlyWhereFastIsChosen) {
  Tower tower(GetParam(), Accuracy::fast);
  tower.run(50);
  EXPECT_EQ(tower.notConverged, 0);
  EXPECT_EQ(tower.fast, 50);
  EXPECT_EQ(tower.bySweeps, 50);
  EXPECT_LE(tower.worstPenetration, kFastPenetration);
}

INSTANTIATE_TEST_SUITE_P(boxes, TowerOf, testing::Values(2, 10, 32, 33, 64),
                         [](const auto& it) { return std::to_string(it.param); });

TEST(Accuracy, ofASingleBodyIsAlwaysExact) {
  Tower box(1, Accuracy::fast);
  box.run(20);
  EXPECT_EQ(box.fast, 0);
  EXPECT_LE(box.worstPenetration, kPenetrationTolerance);
}

TEST(Accuracy, isFastWithTheAutomaticSolverAlone) {
  World world({.solver = SolverName::lemkeFixpoint, .solverOptions = {.accuracy = Accuracy::fast}},
              makeBulletCollider());
  world.addBody(plane(Pose{}));
  for (int k = 0; k < 3; ++k)
    world.addBody(block(Vector3d::Constant(0.02), 0.5, {0, 0, 0.02 + 0.04 * k}, Vector3d::Zero()));
  EXPECT_EQ(world.step().report.accuracy, Accuracy::exact);
  EXPECT_EQ(world.step().report.solver, SolverName::lemkeFixpoint);
}

/// A heavy smooth block slides at 20 mm/s on a light one: it weighs its partner down by up to 10⁷ times its
/// weight.
struct MassRatio {
  double heavy, light, rate;  ///< [kg], [kg], [Hz]
};

class HeavyOnLight : public testing::TestWithParam<MassRatio> {};

TEST_P(HeavyOnLight, KeepsSliding) {
  const auto [heavy, light, rate] = GetParam();
  World world({.dt = 1 / rate}, makeBulletCollider());
  world.addBody(plane(Pose{}));
  world.addBody(block({0.02, 0.02, 0.01}, light, {0, 0, 0.01}, Vector3d::Zero()));
  const BodyId top = world.addBody(block(Vector3d::Constant(0.05), heavy, {0, 0, 0.07}, {0.02, 0, 0}));
  int failed = 0;
  double penetration = 0;
  const int steps = static_cast<int>(0.2 * rate);
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = world.step().report;
    failed += !report.converged;
    penetration = std::max(penetration, report.penetration);
  }
  const BodyState& state = world.stepResult().bodies[top.value];
  EXPECT_EQ(failed, 0);
  EXPECT_LE(penetration, kPenetrationTolerance);
  EXPECT_NEAR(state.v.x(), 0.02, 1e-6);
  EXPECT_NEAR(state.X_WC.p.x(), 0.02 * steps / rate, 1e-7);
  EXPECT_NEAR(state.X_WC.p.z(), 0.07, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(ratios, HeavyOnLight,
                         testing::Values(MassRatio{1, 1, 1000}, MassRatio{10, 1e-3, 90},
                                         MassRatio{10, 1e-3, 200}, MassRatio{10, 1e-3, 2000},
                                         MassRatio{1000, 1e-3, 1000}),
                         [](const auto& it) {
                           return "of_1e" +
                                  std::to_string(std::lround(std::log10(it.param.heavy / it.param.light))) +
                                  "_at_" + std::to_string(std::lround(it.param.rate)) + "_Hz";
                         });

/// A block between two smooth walls 10 µm closer than it is wide: no state is without overlap.
struct Clamped : testing::Test {
  static constexpr double kSpeed = 0.3;
  World world{{.gravity = Vector3d::Zero()}, makeBulletCollider()};
  BodyId part;

  Clamped() {
    const auto wall = [](double x, double angle) {
      Pose X_WP = Pose::at({x, 0, 0});
      X_WP.q = Eigen::AngleAxisd(angle, Vector3d::UnitY());
      return plane(X_WP);
    };
    const double half = 0.02 - 5e-6;
    world.addBody(wall(-half, 0.5 * M_PI));
    world.addBody(wall(half, -0.5 * M_PI));
    part = world.addBody(block(Vector3d::Constant(0.02), 1, Vector3d::Zero(), {0, kSpeed, 0}));
  }
};

TEST_F(Clamped, keepsMovingAlongTheWallsInStepsThatFail) {
  int failed = 0;
  for (int k = 0; k < 50; ++k) failed += !world.step().report.converged;
  const BodyState& state = world.stepResult().bodies[part.value];
  EXPECT_EQ(failed, 50) << "the test tests nothing";
  EXPECT_NEAR(state.v.y(), kSpeed, 1e-9);
  EXPECT_NEAR(state.X_WC.p.y(), 50e-3 * kSpeed, 1e-6);
  EXPECT_NEAR(state.X_WC.p.x(), 0, 1e-6);
}

}  // namespace
}  // namespace tenon::physics::accuracy_test
