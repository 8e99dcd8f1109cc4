// Plans that are carried out: of one that fails, its step is tried slowly, then other orders.
#include "runtime/commands/carry_out_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "runtime/plan/make_plan.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::tests {
namespace {

using runtime::AssemblyPlan;
using runtime::PlanTrial;

/// Time from grasping to releasing [s].
double durationOf(const AssemblyPlan& plan, std::size_t step) {
  return plan.steps.at(step).end - plan.steps.at(step).start;
}

class CarryOut : public testing::Test {
 protected:
  const content::Scene scene_ = content::loadScene(scenePath("four-bolts"));
  const std::vector<AssemblyPlan> plans_ = runtime::makePlans(scene_, {});
};

TEST_F(CarryOut, AStepThatFailsIsInsertedSlowly) {
  int trials = 0;
  const AssemblyPlan plan = carriedOut(plans_, scene_, [&](const AssemblyPlan& tried) {
    ++trials;
    PlanTrial trial;
    trial.reached = trial.goals = 4;
    if (tried.steps.at(1).isSlow) return trial;
    trial.reached = 1;
    trial.failedStep = 1;
    trial.failure = "step 2, bolt: jammed";
    return trial;
  });
  EXPECT_EQ(trials, 2);
  EXPECT_TRUE(plan.steps[1].isSlow);
  EXPECT_FALSE(plan.steps[0].isSlow);
  EXPECT_NEAR(durationOf(plan, 0), durationOf(plans_[0], 0), 1e-9);
  EXPECT_GT(durationOf(plan, 1), durationOf(plans_[0], 1) + 0.3);
  ASSERT_TRUE(plan.carriedOut);
  EXPECT_TRUE(plan.carriedOut->isWhole());
  const std::vector<std::string> attempts{"order 1: step 2, bolt: jammed",
                                          "order 1, step 2 inserted slowly: every goal reached"};
  EXPECT_EQ(plan.carriedOut->attempts, attempts);
}

TEST_F(CarryOut, OfPlansThatFailTheOneThatReachesMostIsGiven) {
  std::vector<AssemblyPlan> plans{plans_[0], plans_[0]};
  int trials = 0;
  const AssemblyPlan plan = carriedOut(plans, scene_, [&](const AssemblyPlan& tried) {
    ++trials;
    const int slow = tried.steps[2].isSlow ? 1 : 0;
    return PlanTrial{2 + slow, 4, 2, "step 3: jammed", false};
  });
  EXPECT_EQ(trials, 4) << "each order twice";
  ASSERT_TRUE(plan.carriedOut);
  EXPECT_EQ(plan.carriedOut->reached, 3);
  EXPECT_FALSE(plan.carriedOut->isWhole());
  EXPECT_TRUE(plan.steps[2].isSlow);
  EXPECT_EQ(plan.carriedOut->attempts.size(), 4U);
}

TEST_F(CarryOut, AStopEndsIt) {
  int trials = 0;
  const AssemblyPlan plan = carriedOut(plans_, scene_, [&](const AssemblyPlan&) {
    ++trials;
    return PlanTrial{0, 4, 0, "", true};
  });
  EXPECT_EQ(trials, 1);
  EXPECT_EQ(plan.carriedOut->attempts, std::vector<std::string>{"order 1: stopped"});
}

TEST(PlanSimulation, ReportsWhichStepFails) {
  runtime::SceneOptions options;
  options.file = scenePath("insertion-benchmark");
  const runtime::LoadedScene loaded = runtime::loadScene(options);
  const AssemblyPlan plan = runtime::makePlan(*loaded.scene, {});
  const PlanTrial whole = simulatePlan(plan, loaded, options, {});
  EXPECT_EQ(whole.reached, 1);
  EXPECT_EQ(whole.goals, 1);
  EXPECT_EQ(whole.failedStep, -1);
  EXPECT_EQ(whole.failure, "");
  // The plan is for a clearance; with an interference the peg stays above the bore.
  options.settings = {"clearance_um=-50"};
  const PlanTrial failing = simulatePlan(plan, runtime::loadScene(options), options, {});
  EXPECT_EQ(failing.reached, 0);
  EXPECT_EQ(failing.failedStep, 0);
  EXPECT_TRUE(failing.failure.starts_with("step 1, peg: ")) << failing.failure;
}

TEST(CarryOutCommand, PrintsWhatWasReached) {
  const Outcome planned = runTenon({"plan", scenePath("bolt-in-plate"), "--carry-out"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("carried out: 1 of 1 goal reached\n    order 1: every goal reached\n"),
            std::string::npos)
      << planned.out;
}

TEST(CarryOutCommand, OfAStepAssemblyWithoutASceneFile) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const TemporaryFolder folder;
  ASSERT_TRUE(makeStep("assembly", folder / "bench.step", {0, 0, 9, 1}));
  const Outcome planned = runTenon({"plan", folder / "bench.step", "--carry-out"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("carried out: 3 of 3 goals reached\n"), std::string::npos) << planned.out;
}

}  // namespace
}  // namespace tenon::tests
