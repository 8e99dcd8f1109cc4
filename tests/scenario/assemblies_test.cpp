// The assemblies: every part goes in, in its order, nothing overlaps on the way and no step fails.
#include <gtest/gtest.h>

#include <numbers>

#include "runtime/assess/precedence.h"
#include "runtime/report/diagnosis_text.h"
#include "tests/scenario/scene_run.h"

namespace tenon::tests {
namespace {

struct Assembly {
  const char* scene;
  std::size_t goals;
};

class Assemblies : public testing::TestWithParam<Assembly> {};
INSTANTIATE_TEST_SUITE_P(Each, Assemblies,
                         testing::Values(Assembly{"flange", 12}, Assembly{"bearing", 2},
                                         Assembly{"gearbox-cover", 8}, Assembly{"hinge", 3},
                                         Assembly{"peg-board", 16}),
                         [](const auto& test) {
                           std::string name = test.param.scene;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Assemblies, ArePutTogetherByTheirScripts) {
  const content::Scene scene = shippedScene(GetParam().scene);
  ASSERT_EQ(scene.goals.size(), GetParam().goals);
  SceneRun run(scene, {});
  run.run(scene.duration, 40);
  const auto& goals = run.assessment.goals();
  for (const runtime::GoalResult& goal : goals) {
    const content::Goal& asked = scene.goals[static_cast<std::size_t>(goal.goal)];
    EXPECT_TRUE(runtime::isReached(goal.verdict))
        << toText(goal.verdict) << ": " << scene.part(asked.part).name << ", " << goal.depth << " m deep";
    EXPECT_LT(goal.maxPush, 60) << asked.hole;
  }
  for (const runtime::OutOfOrder& wrong : runtime::outOfOrder(scene, goals))
    ADD_FAILURE() << toText(wrong, scene);
  const auto summary = run.assessment.summary();
  // A pin released in its knuckles meets them at ninety points in one step: rounding decides whether it
  // settles. Of 28 runs of the hinge with gravity other by 1e-14, four had one or two steps, with and without
  // parts at rest.
  EXPECT_LE(summary.notConvergedSteps, 3);
  EXPECT_LE(summary.maxPenetration, 3e-9);
  EXPECT_LE(run.worstPenetration, 3e-9) << "turned parts in blocks, by geometry";
}

TEST(Screwdriving, clampsACoverWhichFrictionThenHolds) {
  const content::Scene scene = shippedScene("screwdriving");
  SceneRun run(scene, {});
  run.run(scene.duration, 0);
  const auto& goals = run.assessment.goals();
  ASSERT_EQ(goals.size(), 3u);
  double clamping = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(goals[k].verdict, runtime::Verdict::tightened);
    ASSERT_TRUE(goals[k].thread);
    const runtime::ThreadEngagement& thread = *goals[k].thread;
    clamping += thread.preload;
    // VDI 2230-1: T = F (P/2π + µ d₂/(2 cos 30°) + µ D_h/2), up to the release.
    const double d2 = thread.external.pitchDiameter, mu = 0.12, mean = (13e-3 + 9e-3) / 2;
    const double perForce = thread.external.pitch / (2 * std::numbers::pi) +
                            mu * d2 / (2 * std::cos(std::numbers::pi / 6)) + mu * mean / 2;
    EXPECT_NEAR(thread.maxTorque, thread.preload * perForce, 0.05 * thread.maxTorque);
  }
  EXPECT_GT(clamping, 8000);
  // 600 N pull, and friction could hold more.
  EXPECT_EQ(goals[2].verdict, runtime::Verdict::inserted);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
}

// Tightened to 5.6 kN at 3.3 s.
TEST(Screwdriving, stripsAThreadBeyondItsProofLoad) {
  content::Scene scene = shippedScene("screwdriving");
  scene.goals[0].proofLoad = 3000;
  scene.goals[1].proofLoad = 3000;
  SceneRun run(scene, {});
  run.run(3.5, 0);
  const auto& goals = run.assessment.goals();
  EXPECT_EQ(goals[0].verdict, runtime::Verdict::stripped);
  ASSERT_TRUE(goals[0].thread);
  EXPECT_GT(goals[0].thread->maxPreload, 5000);
  const std::string text = runtime::explanationOf(goals[0], scene.goals[0]);
  EXPECT_EQ(text.find("stripped: the preload of 56"), 0u) << text;
  EXPECT_NE(text.find(" exceeded the proof load of 3000 N: "), std::string::npos) << text;
  EXPECT_NE(goals[1].verdict, runtime::Verdict::stripped);
}

}  // namespace
}  // namespace tenon::tests
