// Screws and pegs really go into their holes: at every rate, by every solver, without overlapping.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/scenario/scene_run.h"
#include "tests/support/every_solver.h"

namespace tenon::tests::insertion_test {
namespace {

using physics::SolverName;

constexpr SolverName kSolvers[] = {SolverName::fischerNewton, SolverName::lemkeFixpoint,
                                   SolverName::automatic};

/// Where the ends of all turned parts are.
std::vector<physics::Vector3d> endsOf(const SceneRun& run) {
  std::vector<physics::Vector3d> ends;
  for (std::size_t i = 0; i < run.scene.parts.size(); ++i) {
    const auto* turned = std::get_if<physics::SolidOfRevolution>(&run.scene.parts[i].shape);
    if (!turned) continue;
    const physics::BodyId id{static_cast<int>(i)};
    const physics::Pose X_WP = run.world().partPose(id, run.world().stepResult().bodies[i]);
    ends.push_back(X_WP * physics::Vector3d(0, 0, turned->profile.front().x()));
    ends.push_back(X_WP * physics::Vector3d(0, 0, turned->profile.back().x()));
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
  int sectors = 0;  ///< 0: exact holes
};

std::string nameOf(const Case& c) {
  std::string name = c.scene;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::to_string(static_cast<int>(c.rate)) + "_Hz" + (c.sectors > 0 ? "_faceted" : "");
}

const auto kCases =
    testing::Values(Case{"bolt-in-plate", 200}, Case{"bolt-in-plate", 1000}, Case{"bolt-in-plate", 2000},
                    Case{"bolt-in-plate", 1000, 128}, Case{"four-bolts", 1000, 128},
                    Case{"factory-peg-8mm", 1000}, Case{"factory-peg-16mm", 1000}, Case{"four-bolts", 200},
                    Case{"four-bolts", 1000}, Case{"four-bolts", 2000});

struct Bolts : testing::TestWithParam<Case> {};

TEST_P(Bolts, areInsertedWithoutOverlapAndToTheSamePlaceByEverySolver) {
  const int sectors = GetParam().sectors;
  // Without friction there is one place where a part comes to rest.
  const content::ParameterValues smooth = {{"friction", 0.0}};
  const content::Scene scene =
      sectors > 0 ? facetedScene(GetParam().scene, sectors, smooth) : shippedScene(GetParam().scene, smooth);
  std::vector<std::vector<physics::Vector3d>> ends;
  for (const SolverName solver : kSolvers) {
    SCOPED_TRACE(toText(solver));
    SceneRun run(scene, {.dt = 1 / GetParam().rate, .solver = solver});
    run.run(scene.duration, true);
    expectAllInserted(run);
    EXPECT_LE(run.worstPenetration, sectors > 0 ? 1e-7 : 1e-8);
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

TEST(RoughBolts, areInsertedWithoutOverlap) {
  const double friction = 0.1;
  for (const char* name : {"bolt-in-plate", "four-bolts"}) {
    SCOPED_TRACE(name);
    SceneRun run(shippedScene(name, {{"friction", friction}}), {.dt = 1e-3});
    run.run(run.scene.duration, true);
    expectAllInserted(run);
    EXPECT_LE(run.worstPenetration, 1e-8);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
    // Friction is there: on a chamfer of 45° it makes the smooth push of 0.7 N larger by (1 + μ)/(1 − μ).
    EXPECT_GT(run.assessment.summary().maxPush, 0.7 * (1 + friction) / (1 - friction));
  }
}

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
                         testing::Combine(testing::Values(500, 100, 20, 10, 5), testing::ValuesIn(kSolvers)),
                         [](const auto& it) {
                           return std::to_string(std::get<0>(it.param)) + "_" +
                                  solverName(std::get<1>(it.param));
                         });

// The referee: facets in place of the bore, convex pieces in place of the peg.
TEST(FacetedPeg, slidesInAsTheExactOneDoes) {
  const content::ParameterValues values = {{"clearance_um", 100.0}};
  SceneRun exact(shippedScene("insertion-benchmark", values), {.dt = 1e-3});
  SceneRun faceted(facetedScene("insertion-benchmark", 256, values), {.dt = 1e-3});
  for (SceneRun* run : {&exact, &faceted}) {
    run->run(2.5, run == &exact);
    expectAllInserted(*run);
    EXPECT_LE(run->worstPenetration, 1e-8);
    EXPECT_LE(run->assessment.summary().maxPenetration, 1e-8);
  }
  EXPECT_NEAR(exact.assessment.summary().maxPush, faceted.assessment.summary().maxPush, 0.05);
}

struct InterferenceFit : testing::TestWithParam<SolverName> {};

TEST_P(InterferenceFit, restsOnTheChamferAndSaysThatItIsBlocked) {
  const content::Scene scene = shippedScene("insertion-benchmark", {{"clearance_um", -20}});
  SceneRun run(scene, {.dt = 1e-3, .solver = GetParam()});
  run.run(1.5, true);
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
  const content::ParameterValues values = {{"clearance_um", 4.0}};
  const physics::Pose aside = physics::Pose::at({3e-6, 0, -0.02});
  const content::Scene faceted = facetedScene("insertion-benchmark", 256, values);
  const content::Part& holed = faceted.parts[0];
  const auto& peg = std::get<physics::SolidOfRevolution>(faceted.parts[1].shape);
  EXPECT_NEAR(penetration(std::get<physics::FacetedBlock>(holed.shape), holed.X_WP, profileOf(peg), aside),
              1e-6, 1e-9);
  const content::Scene exact = shippedScene("insertion-benchmark", values);
  const content::Part& bored = exact.parts[0];
  EXPECT_NEAR(test::referencePenetration(peg, std::get<physics::BlockWithHoles>(bored.shape),
                                         bored.X_WP.inverse() * aside),
              1e-6, 1e-12);
}

}  // namespace
}  // namespace tenon::tests::insertion_test
