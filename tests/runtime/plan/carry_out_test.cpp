// Plans that are carried out: of one that fails, its step is tried slowly, then other orders.
#include "runtime/commands/carry_out_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "content/reader/load_scene.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/plan_text.h"
#include "tests/runtime/plan/box_shapes.h"
#include "tests/support/program_run.h"
#include "tests/support/share.h"
#include "tests/support/step_file.h"

namespace tenon::tests {
namespace {

using runtime::AssemblyPlan;
using runtime::PlanTrial;

/// Time from grasping to releasing [s].
double durationOf(const AssemblyPlan& plan, std::size_t step) {
  return plan.steps.at(step).end - plan.steps.at(step).start;
}

std::string micrometers(double meters) {
  return std::to_string(std::lround(meters * 1e6)) + " µm";
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

TEST_F(CarryOut, APlanThatIsRejectedIsAFailureOfItsOrder) {
  int trials = 0;
  const auto rejected = [&](const AssemblyPlan&) -> PlanTrial {
    if (++trials == 1) throw content::InputError("the plan", "/hands/1", "cannot be loaded", "remedy");
    return {4, 4, -1, "", false};
  };
  const AssemblyPlan plan = runtime::carriedOut({plans_[0], plans_[0]}, scene_, rejected);
  EXPECT_TRUE(plan.carriedOut->isWhole());
  ASSERT_EQ(plan.carriedOut->attempts.size(), 2u);
  EXPECT_NE(plan.carriedOut->attempts[0].find("the plan: /hands/1: cannot be loaded"), std::string::npos)
      << plan.carriedOut->attempts[0];
  trials = 0;
  const AssemblyPlan none = runtime::carriedOut({plans_[0]}, scene_, rejected);
  EXPECT_EQ(none.carriedOut->reached, 0);
  EXPECT_EQ(none.carriedOut->goals, 4);
}

TEST_F(CarryOut, SeveralSlowStepsAreNamedTogether) {
  const AssemblyPlan plan = runtime::carriedOut({plans_[0]}, scene_, [&](const AssemblyPlan& tried) {
    for (const int step : {0, 1})
      if (!tried.steps.at(static_cast<std::size_t>(step)).isSlow)
        return PlanTrial{1, 4, step, "jammed", false};
    return PlanTrial{4, 4, -1, "", false};
  });
  EXPECT_EQ(plan.carriedOut->attempts.back(), "order 1, steps 1, 2 inserted slowly: every goal reached");
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

TEST_F(CarryOut, AStepThatFailsIsTriedWithMoreClearance) {
  const auto fails = [](const AssemblyPlan&) { return PlanTrial{1, 4, 1, "step 2: jammed", false}; };
  int trials = 0;
  double largest = 0;
  const auto widened = [&](double needed) {
    return [&, needed](const AssemblyPlan& tried, int last, const runtime::AddedClearance& added) {
      ++trials;
      largest = std::max(largest, added.clearance);
      EXPECT_EQ(last, 1);
      EXPECT_EQ(added.goals.size(), 1u);
      EXPECT_EQ(tried.assembly.unitOf(scene_.goals.at(static_cast<std::size_t>(added.goals.at(0))).part),
                tried.steps[1].units.at(0));
      if (added.clearance >= needed) return PlanTrial{2, 4, 2, "step 3: not reached", false};
      return PlanTrial{1, 4, 1, "step 2: jammed", false};
    };
  };
  const AssemblyPlan plan = runtime::carriedOut({plans_[0]}, scene_, fails, widened(37e-6));
  ASSERT_TRUE(plan.carriedOut->fit);
  const runtime::NeededFit& fit = *plan.carriedOut->fit;
  EXPECT_EQ(fit.step, 1);
  ASSERT_TRUE(fit.added && fit.present);
  // To 10 %.
  EXPECT_GE(*fit.added, 37e-6 - 1e-12);
  EXPECT_LT(*fit.added, 41e-6);
  EXPECT_LT(fit.notEnough, 37e-6);
  EXPECT_LE(trials, 12);
  EXPECT_NE(toText(plan).find("step 2 needs a fit of at least " + micrometers(*fit.present + *fit.added) +
                              ": \"screw 2\""),
            std::string::npos)
      << toText(plan);

  const AssemblyPlan none = runtime::carriedOut({plans_[0]}, scene_, fails, widened(1));
  ASSERT_TRUE(none.carriedOut->fit);
  EXPECT_FALSE(none.carriedOut->fit->added);
  EXPECT_NEAR(largest, 1e-3, 1e-12);
  EXPECT_NE(toText(none).find("µm are not enough"), std::string::npos) << toText(none);

  // Of a plan that reaches everything nothing is tried.
  trials = 0;
  const AssemblyPlan whole = runtime::carriedOut(
      {plans_[0]}, scene_,
      [](const AssemblyPlan&) {
        return PlanTrial{4, 4, -1, "", false};
      },
      widened(0));
  EXPECT_EQ(trials, 0);
  EXPECT_FALSE(whole.carriedOut->fit);
}

/// A hand that does not carry the weight of a peg of 20 g, with 2 N/mm, holds it 98 µm below the axis of a
/// hole with 50 µm of play and a sharp edge. `diameter` of the hole, the peg has 10 mm.
std::string saggingScene(double diameter) {
  nlohmann::json scene =
      nlohmann::json::parse(R"({"tenon": 1, "title": "a hand that sags", "unit": "mm", "duration_s": 5,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed",
       "shape": {"kind": "block", "size": [40, 60, 60],
                 "holes": [{"name": "bore", "face": "+x", "at": [0, 0], "diameter": 10, "depth": 30}]}},
      {"name": "peg", "material": "steel", "position": [100, 0, -45],
       "rotation": {"axis": [0, 1, 0], "angle_deg": 90},
       "mass": {"mass_kg": 0.02, "centre": [0, 0, 20], "inertia_kg_m2": [5e-5, 5e-5, 5e-6]},
       "shape": {"kind": "turned", "profile": [[-20, 0], [-20, 5], [60, 5], [60, 0]]},
       "features": [{"name": "tip", "origin": [0, 0, -20], "direction": [0, 0, -1]}]},
      {"name": "bench", "material": "steel", "motion": "fixed", "shape": {"kind": "half_space"},
       "position": [0, 0, -50]}
    ],
    "hands": [{"name": "right", "position": [100, 0, 100], "stiffness_n_per_m": 2000,
               "angular_stiffness_nm_per_rad": [20, 20, 20], "damping_ratio": 1, "carries_weight": false,
               "max_force_n": 30}],
    "goals": [{"part": "peg", "feature": "tip", "into": "block", "hole": "bore", "depth": 25,
               "depth_tolerance": 0.5, "tilt_tolerance_deg": 5}]})");
  scene["parts"][0]["shape"]["holes"][0]["diameter"] = diameter;
  return scene.dump();
}

TEST(CarryOutCommand, SaysWhichFitAStepNeeds) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json", plan = folder / "plan.json";
  const auto carryOut = [&](double diameter) {
    std::ofstream(scene) << saggingScene(diameter);
    return runTenon(
        {"plan", scene, "--carry-out", "--out", plan, "--report", folder / "plan.html", "--force"});
  };
  const Outcome failed = carryOut(10.1);
  EXPECT_EQ(failed.exitCode, 1) << failed.err;
  const auto fit = nlohmann::json::parse(fileText(plan)).at("carried_out").at("fit");
  EXPECT_EQ(fit.at("part"), "peg");
  EXPECT_EQ(fit.at("hole"), "bore");
  EXPECT_NEAR(fit.at("clearance_um").get<double>(), 100, 1e-6);
  const double needed = fit.at("needed_um");
  EXPECT_NE(failed.out.find("step 1 needs a fit of at least " + micrometers(1e-6 * needed) +
                            ": \"peg\" in hole \"bore\" of \"block\" has 100 µm, and "),
            std::string::npos)
      << failed.out;
  EXPECT_NE(fileText(folder / "plan.html").find("needs a fit of at least"), std::string::npos);
  // With that hole in the file it passes, with the largest one that was not enough it does not.
  EXPECT_EQ(carryOut(10 + 1e-3 * needed).exitCode, 0);
  EXPECT_EQ(carryOut(10.1 + 1e-3 * fit.at("not_enough_more_um").get<double>()).exitCode, 1);
}

/// A block in a T-slot of its own size, which friction stops: there is no hole to make wider.
TEST(CarryOutCommand, SaysWhyNoFitIsSuggested) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json";
  nlohmann::json scene = nlohmann::json::parse(R"({"tenon": 1, "title": "slot", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [{"name": "rail", "material": "steel", "motion": "fixed"}, {"name": "block", "material": "steel"}]})");
  scene["parts"][0]["shape"] = boxesShape({{0, -20, 0, 80, 20, 5},
                                           {0, -20, 5, 80, -10, 20},
                                           {0, 10, 5, 80, 20, 20},
                                           {0, -10, 12, 45, -5, 20},
                                           {0, 5, 12, 45, 10, 20},
                                           {80, -20, 0, 85, 20, 20},
                                           {-5, -20, 0, 0, 20, 20}});
  scene["parts"][1]["shape"] = boxesShape({{5, -10, 5, 35, 10, 12}, {5, -5, 12, 35, 5, 30}});
  std::ofstream(file) << scene;
  const Outcome failed = runTenon({"plan", file, "--carry-out", "--out", plan});
  EXPECT_EQ(failed.exitCode, 1) << failed.err << failed.out;
  const std::string why =
      "step 1: no fit is suggested, because \"block\" goes into no round hole that could be made wider";
  EXPECT_NE(failed.out.find(why), std::string::npos) << failed.out;
  EXPECT_EQ(nlohmann::json::parse(fileText(plan)).at("carried_out").value("no_fit", ""), why);
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

/// Stones that lean on each other until the keystone is in: a hand that others lean on yields, and only with
/// each in a fixture there is room for it.
TEST(CarryOutCommand, GivesWhatLeansOnAHandAFixture) {
  const Outcome planned = runTenon({"plan", scenePath("arch"), "--carry-out", "--json"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  const nlohmann::json carried = nlohmann::json::parse(planned.out).at("carried_out");
  EXPECT_EQ(carried.at("goals_reached"), carried.at("goals"));
  const std::string first = carried.at("attempts").front(), last = carried.at("attempts").back();
  EXPECT_EQ(first.find("every goal reached"), std::string::npos) << first;
  EXPECT_TRUE(last.starts_with("order 1, fixtures for all that does not stand")) << last;
  EXPECT_TRUE(last.ends_with(": every goal reached")) << last;
}

/// One of the screws of the torque driver's scene, which start in their threads.
TEST(CarryOutCommand, TurnsAScrewOnThatStartsInItsThread) {
  if (test::kShare > 1) GTEST_SKIP() << "simulates a thread";
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  nlohmann::json scene = nlohmann::json::parse(fileText(scenePath("torque-driver")));
  nlohmann::json parts = nlohmann::json::array();
  for (const nlohmann::json& part : scene["parts"])
    if (part["name"] == "base" || part["name"] == "cover" || part["name"] == "left screw")
      parts.push_back(part);
  scene["parts"] = parts;
  scene["hands"][0].erase("script");
  scene["goals"].erase(1);
  std::ofstream(file) << scene;
  const Outcome planned = runTenon({"plan", file, "--carry-out"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("order 1: every goal reached\n"), std::string::npos) << planned.out;
  EXPECT_EQ(planned.out.find("the path up"), std::string::npos) << planned.out;
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
