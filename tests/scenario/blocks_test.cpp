// Blocks that hang on each other, and boards that lean: joints, friction and edges on faces together.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenario/mechanism.h"
#include "tests/support/every_solver.h"

namespace tenon::tests::blocks_test {
namespace {

using physics::SolverName;
using physics::Vector3d;

constexpr double kGravity = 9.81;

struct ConnectedBlocks : testing::TestWithParam<SolverName> {};

TEST_P(ConnectedBlocks, comeToRestWithoutOverlapAndWithTheirJointsKept) {
  SceneRun run(shippedScene("connected-blocks"), {.dt = 1.0 / 250, .solver = GetParam()});
  const double start = potentialEnergy(run);
  double overlap = 0, error = 0, most = start, last = 0;
  for (int k = 0; k < 1000; ++k) {
    run.run(run.world().options().dt, false);
    overlap = std::max(overlap, boxOverlap(run));
    last = kineticEnergy(run);
    most = std::max(most, last + potentialEnergy(run));
    for (const physics::JointState& joint : run.world().stepResult().joints)
      error = std::max({error, joint.lengthError, joint.angleError});
  }
  EXPECT_LE(overlap, 1e-8);
  EXPECT_LE(error, 1e-9);
  EXPECT_LE(most - start, 1e-2 * start);
  EXPECT_LT(last, 1e-6 * start);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  // Over the edge of the step and down to the floor.
  EXPECT_GT(poseOf(run, "block 4").p.x(), 0.1);
  EXPECT_LT(poseOf(run, "block 6").p.z(), 0.03);
  RecordProperty("overlap_nm", std::to_string(overlap * 1e9));
  RecordProperty("energy_at_the_end", std::to_string(last / start));
}

INSTANTIATE_TEST_SUITE_P(solvers, ConnectedBlocks, everySolver(), solverTestName);

/// Weight, stop and floor at the foot, and a push at the top, of one board: what each presses with, from the
/// balance of forces in x and z and of moments about y.
struct LeaningBoard {
  double tilt, thickness, height, weight;
  Vector3d foot;  // lower right edge

  Vector3d at(double x, double z) const {  // from the foot, along the board's axes
    return foot +
           Vector3d(x * std::cos(tilt) + z * std::sin(tilt), 0, z * std::cos(tilt) - x * std::sin(tilt));
  }
  Vector3d heel() const { return at(-thickness, 0); }
  Vector3d top() const { return at(0, height); }

  /// {floor, stop, push}, the push along the unit vector n at `top`; `load` acts at `loadedAt` besides.
  Vector3d forces(const Vector3d& n, const Vector3d& load, const Vector3d& loadedAt) const {
    const auto column = [](const Vector3d& f, const Vector3d& p) {
      return Vector3d(f.x(), f.z(), p.cross(f).y());
    };
    Eigen::Matrix3d balance;
    balance << column(Vector3d::UnitZ(), foot), column(Vector3d::UnitX(), heel()), column(n, top());
    const Vector3d down(0, 0, -weight);
    return balance.partialPivLu().solve(
        -(column(down, at(-thickness / 2, height / 2)) + column(load, loadedAt)));
  }
};

struct LeaningBlocks : testing::TestWithParam<std::tuple<double, SolverName>> {
  SceneRun run{shippedScene("leaning-blocks", {{"friction", std::get<0>(GetParam())}}),
               {.dt = 1e-3, .solver = std::get<1>(GetParam())}};
};

TEST_P(LeaningBlocks, standStill) {
  const physics::Pose before[] = {poseOf(run, "board 1"), poseOf(run, "board 2")};
  double moved = 0, energy = 0, overlap = 0;
  for (int k = 0; k < 1000; ++k) {
    run.run(1e-3, false);
    energy = std::max(energy, kineticEnergy(run));
    overlap = std::max(overlap, boxOverlap(run));
    for (const int board : {0, 1}) {
      const physics::Pose now = poseOf(run, board ? "board 2" : "board 1");
      moved = std::max({moved, (now.p - before[board].p).norm(),
                        0.1 * physics::logarithm(now.q * before[board].q.conjugate()).norm()});
    }
  }
  EXPECT_LT(moved, 1e-8);
  EXPECT_LT(energy, 1e-12);
  EXPECT_LE(overlap, 1e-8);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  RecordProperty("moved_nm", std::to_string(moved * 1e9));
}

std::string leaningName(const testing::TestParamInfo<LeaningBlocks::ParamType>& it) {
  return (std::get<0>(it.param) > 0 ? "rough_" : "smooth_") + solverName(std::get<1>(it.param));
}

INSTANTIATE_TEST_SUITE_P(solvers, LeaningBlocks, testing::Combine(testing::Values(0.0, 0.4), everySolver()),
                         leaningName);

struct SmoothBoards : testing::TestWithParam<SolverName> {};

TEST_P(SmoothBoards, pressAsStaticsSays) {
  SceneRun run(shippedScene("leaning-blocks"), {.dt = 1e-3, .solver = GetParam()});
  run.run(0.5, false);
  const double a = 15 * std::numbers::pi / 180, b = 35 * std::numbers::pi / 180,
               density = 700 * 0.06 * kGravity;
  // Oak, 20 mm thick and 60 mm wide. The first one's top is at the wall, x = 0; the second one's on its face.
  const LeaningBoard first{a, 0.02, 0.2, density * 0.02 * 0.2, Vector3d(-0.2 * std::sin(a), 0, 0)};
  const double up = (0.15 * std::cos(b) - first.heel().z()) / std::cos(a);
  const Vector3d meeting = first.at(-0.02, up);
  const LeaningBoard second{b, 0.02, 0.15, density * 0.02 * 0.15,
                            meeting - Vector3d(0.15 * std::sin(b), 0, 0.15 * std::cos(b))};
  const Vector3d n(-std::cos(a), 0, std::sin(a));
  const Vector3d onSecond = second.forces(n, Vector3d::Zero(), Vector3d::Zero());
  const Vector3d onFirst = first.forces(-Vector3d::UnitX(), -onSecond.z() * n, meeting);
  const double scale = 1e-6 * first.weight;
  EXPECT_LT((forceBetween(run, "board 1", "board 2") - onSecond.z() * n).norm(), scale);
  EXPECT_NEAR(forceBetween(run, "floor", "board 2").z(), onSecond.x(), scale);
  EXPECT_NEAR(forceBetween(run, "stop 2", "board 2").x(), onSecond.y(), scale);
  EXPECT_NEAR(forceBetween(run, "floor", "board 1").z(), onFirst.x(), scale);
  EXPECT_NEAR(forceBetween(run, "stop 1", "board 1").x(), onFirst.y(), scale);
  EXPECT_NEAR(forceBetween(run, "wall", "board 1").x(), -onFirst.z(), scale);
}

INSTANTIATE_TEST_SUITE_P(solvers, SmoothBoards, everySolver(), solverTestName);

}  // namespace
}  // namespace tenon::tests::blocks_test
