// Screws and pegs really go into their holes: at every rate, by every solver, without overlapping.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/scenario/scene_run.h"
#include "tests/support/every_solver.h"

namespace tenon::tests {
namespace {

using physics::SolverName;

constexpr SolverName kSolvers[] = {SolverName::fischerNewton, SolverName::lemkeFixpoint,
                                   SolverName::automatic};

/// Where the ends of all turned parts are.
std::vector<physics::Vector3d> endsOf(const SceneRun& run) {
  std::vector<physics::Vector3d> ends;
  for (std::size_t i = 0; i < run.scene.parts.size(); ++i) {
    if (!std::holds_alternative<physics::Compound>(run.scene.parts[i].shape)) continue;
    const physics::BodyId id{static_cast<int>(i)};
    const physics::Pose X_WP = run.world().partPose(id, run.world().tick().bodies[i]);
    const auto profile = profileOf(run.scene.parts[i].shape);
    ends.push_back(X_WP * physics::Vector3d(0, 0, profile.front().z));
    ends.push_back(X_WP * physics::Vector3d(0, 0, profile.back().z));
  }
  return ends;
}

void expectAllInserted(const SceneRun& run) {
  ASSERT_FALSE(run.scene.goals.empty());
  for (const runtime::GoalResult& goal : run.assessment.goals())
    EXPECT_EQ(goal.verdict, runtime::Verdict::inserted) << "goal " << goal.goal << " at depth " << goal.depth;
}

struct Case {
  const char* scene;
  double rate;
};

std::string nameOf(const Case& c) {
  std::string name = c.scene;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::to_string(static_cast<int>(c.rate)) + "_Hz";
}

const auto kCases =
    testing::Values(Case{"bolt-in-plate", 200}, Case{"bolt-in-plate", 1000}, Case{"bolt-in-plate", 2000},
                    Case{"four-bolts", 200}, Case{"four-bolts", 1000}, Case{"four-bolts", 2000});

struct Bolts : testing::TestWithParam<Case> {};

TEST_P(Bolts, areInsertedWithoutOverlapAndToTheSamePlaceByEverySolver) {
  const content::Scene scene = shippedScene(GetParam().scene);
  std::vector<std::vector<physics::Vector3d>> ends;
  for (const SolverName solver : kSolvers) {
    SCOPED_TRACE(toText(solver));
    SceneRun run(scene, {.dt = 1 / GetParam().rate, .solver = solver});
    run.run(scene.duration, true);
    expectAllInserted(run);
    EXPECT_LE(run.worstPenetration, 1e-7);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
    EXPECT_TRUE(run.assessment.summary().fallbacks.empty()) << "the other solver did part of the work";
    ends.push_back(endsOf(run));
  }
  ASSERT_FALSE(ends.front().empty());
  for (const auto& other : ends)
    for (std::size_t k = 0; k < other.size(); ++k)
      EXPECT_LT((ends[0][k] - other[k]).norm(), 1e-6) << "end " << k;
}

INSTANTIATE_TEST_SUITE_P(scenes, Bolts, kCases, [](const auto& it) { return nameOf(it.param); });

struct Peg : testing::TestWithParam<std::tuple<int, SolverName>> {};

TEST_P(Peg, slidesIntoAFittingBoreWithNanometresAtMost) {
  const auto& [clearance, solver] = GetParam();
  const content::Scene scene =
      shippedScene("insertion-benchmark", {{"clearance_um", static_cast<double>(clearance)}});
  SceneRun run(scene, {.dt = 1e-3, .solver = solver});
  run.run(scene.duration, true);
  expectAllInserted(run);
  EXPECT_LE(run.worstPenetration, 1e-8);
  RecordProperty("worst_penetration_nm", std::to_string(run.worstPenetration * 1e9));
  RecordProperty("peak_push_n", std::to_string(run.assessment.summary().maxPush));
}

INSTANTIATE_TEST_SUITE_P(clearances_um, Peg,
                         testing::Combine(testing::Values(500, 100, 20), testing::ValuesIn(kSolvers)),
                         [](const auto& it) {
                           return std::to_string(std::get<0>(it.param)) + "_" +
                                  solverName(std::get<1>(it.param));
                         });

struct InterferenceFit : testing::TestWithParam<SolverName> {};

TEST_P(InterferenceFit, restsOnTheChamferAndSaysThatItIsBlocked) {
  const content::Scene scene = shippedScene("insertion-benchmark", {{"clearance_um", -20}});
  SceneRun run(scene, {.dt = 1e-3, .solver = GetParam()});
  run.run(0.6, true);
  const runtime::GoalResult& goal = run.assessment.goals().front();
  EXPECT_EQ(goal.verdict, runtime::Verdict::blocked);
  // The chamfer is 1.5 mm deep and as wide: a peg 20 µm too thick meets it 10 µm above its foot, more or
  // less of it where it is tilted.
  EXPECT_LT(goal.depth, 1.5e-3);
  EXPECT_GT(goal.depth, 1.2e-3);
  EXPECT_LE(run.worstPenetration, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(solvers, InterferenceFit, everySolver(), solverTestName);

TEST(Probe, seesAPegThatIsTooFarToTheSide) {
  // The measure itself: a peg 3 µm to the side in a bore with 2 µm of room all round. A facet faces +x.
  const content::Scene scene = shippedScene("insertion-benchmark", {{"clearance_um", 4}});
  const content::Part &block = scene.parts[0], &peg = scene.parts[1];
  EXPECT_NEAR(penetration(std::get<physics::HoledBlock>(block.shape), block.X_WP, profileOf(peg.shape),
                          physics::Pose::at({3e-6, 0, -0.02})),
              1e-6, 1e-9);
}

}  // namespace
}  // namespace tenon::tests
