// What stands, stands still, without allocating; and the same scene gives the same bytes.
#include <gtest/gtest.h>

#include "tests/scenario/scene_run.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/every_solver.h"

namespace tenon::tests {
namespace {

using physics::SolverName;
using physics::Vector3d;

struct Standing : testing::TestWithParam<SolverName> {};

TEST_P(Standing, stackOfTenDoesNotDriftOrJitterInAMinute) {
  // Solved in each step, although it lies still.
  const content::Scene scene = shippedScene("stack");
  SceneRun run(scene, {.dt = 1e-3, .solver = GetParam(), .allowSleep = false});
  const physics::BodyId top = run.world().findBody("box 10").value();
  const physics::Pose before = run.world().stepResult().bodies[top.value].X_WC;
  double energy = 0, moved = 0, turned = 0;
  for (int step = 0; step < 60000; ++step) {
    run.assessment.add(run.simulation.step());
    double now = 0;
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      if (scene.parts[i].motion != physics::MotionType::dynamic) continue;
      const physics::BodyState& state = run.world().stepResult().bodies[i];
      const physics::Matrix3d R = state.X_WC.q.toRotationMatrix();
      const Vector3d momentum = R * scene.parts[i].mass.inertia * R.transpose() * state.omega;
      now += 0.5 * scene.parts[i].mass.mass * state.v.squaredNorm() + 0.5 * state.omega.dot(momentum);
    }
    const physics::Pose& pose = run.world().stepResult().bodies[top.value].X_WC;
    energy = std::max(energy, now);
    moved = std::max(moved, (pose.p - before.p).norm());
    turned = std::max(turned, physics::logarithm(pose.q * before.q.conjugate()).norm());
  }
  // gauss-seidel leaves 10⁻¹⁰ m a step, and some of that adds up.
  const double bound = GetParam() == SolverName::gaussSeidel ? 1e-5 : 1e-6;
  EXPECT_LT(moved, bound);
  EXPECT_LT(turned, bound);
  EXPECT_LT(energy, 1e-12);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  RecordProperty("moved_nm", std::to_string(moved * 1e9));
}

INSTANTIATE_TEST_SUITE_P(solvers, Standing, everySolver(), solverTestName);

struct NoAllocation : testing::TestWithParam<SolverName> {};

TEST_P(NoAllocation, whileAHandHoldsAPegInItsBore) {
  // 10 µm of room all round: always within reach. From 2 s on the hand holds still: nothing is new to any
  // buffer.
  const content::Scene scene = shippedScene("insertion-benchmark", {{"clearance_um", 20}});
  SceneRun run(scene, {.dt = 1e-3, .solver = GetParam()});
  run.run(2.1, false);
  const std::int64_t before = allocationCount();
  int contacts = 0;
  for (int step = 0; step < 200; ++step) contacts += run.simulation.step().report.contacts;
  EXPECT_EQ(allocationCount() - before, 0);
  EXPECT_GT(contacts, 10 * 200);
}

TEST_P(NoAllocation, whileAStackStands) {
  const content::Scene scene = shippedScene("stack");
  SceneRun run(scene, {.dt = 1e-3, .solver = GetParam(), .allowSleep = false});
  run.run(0.1, false);
  const std::int64_t before = allocationCount();
  int contacts = 0;
  for (int step = 0; step < 200; ++step) contacts += run.simulation.step().report.contacts;
  EXPECT_EQ(allocationCount() - before, 0);
  EXPECT_GE(contacts, 30 * 200);
}

// What gauss-seidel leaves open lets the number of contacts of a stack vary, and buffers grow for longer.
INSTANTIATE_TEST_SUITE_P(solvers, NoAllocation, everyExactSolver(), solverTestName);

struct SameBytes : testing::TestWithParam<const char*> {};

TEST_P(SameBytes, onRepeatAndWithTwoThreads) {
  const content::Scene scene = shippedScene(GetParam());
  std::vector<std::uint64_t> first;
  for (const int threads : {1, 1, 2}) {
    SceneRun run(scene, {.dt = 1.0 / 200, .threads = threads});
    std::vector<std::uint64_t> hashes;
    const int parts = 20;
    for (int part = 0; part < parts; ++part) {
      run.run(std::min(scene.duration, 10.0) / parts, false);
      hashes.push_back(run.world().stateHash());
    }
    if (first.empty()) first = hashes;
    EXPECT_EQ(hashes, first) << threads << " threads";
  }
  EXPECT_NE(first.front(), first.back()) << "nothing happened";
}

INSTANTIATE_TEST_SUITE_P(scenes, SameBytes,
                         testing::Values("bolt-in-plate", "four-bolts", "insertion-benchmark",
                                         "factory-peg-8mm", "free-fall", "newtons-cradle", "trammel",
                                         "connected-blocks"),
                         [](const auto& it) {
                           std::string name = it.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace tenon::tests
