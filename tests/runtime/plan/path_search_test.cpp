// Paths with corners: what they consist of, in the plan, its file, its scripts, its pictures and its text.
#include "runtime/plan/path_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "runtime/plan/explode.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/part_levels.h"
#include "runtime/plan/plan_json.h"
#include "runtime/plan/plan_page.h"
#include "runtime/plan/plan_text.h"
#include "runtime/sweep/swept_parts.h"
#include "tests/runtime/plan/corner_scenes.h"

namespace tenon::tests {
namespace {

using content::Scene;
using physics::Pose;
using physics::Vector3d;
using runtime::AssemblyPlan;
using runtime::PathLeg;
using runtime::PlanStep;

TEST(PathSearch, slidesABlockToWhereItCanBeLifted) {
  const Scene scene = tSlot();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  EXPECT_TRUE(plan.isComplete());
  ASSERT_EQ(plan.steps.size(), 1u);
  const PlanStep& step = plan.steps[0];
  ASSERT_EQ(step.legs.size(), 1u);
  EXPECT_NEAR(step.motion.direction.z(), 1, 1e-9);
  // Between the lips, from x = 45 mm, and the end, at 80 mm, 5 mm are left for 30 mm: the middle has 2.5 mm.
  EXPECT_NEAR((step.legs[0].displacement - Vector3d(0.0425, 0, 0)).norm(), 0, 1e-4);
  EXPECT_EQ(step.legs[0].rotation.norm(), 0);
  // Lifted out of 15 mm.
  EXPECT_NEAR(step.travel, 0.015 + 0.001, 1e-5);
  EXPECT_FALSE(step.movesOthers());
  EXPECT_NEAR((step.firstDirection().value() - Vector3d(1, 0, 0)).norm(), 0, 1e-9);
}

TEST(PathSearch, liftsADrawerOverALip) {
  const Scene scene = drawerBehindALip();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  ASSERT_EQ(plan.steps[0].legs.size(), 1u);
  // 3 mm are needed, 5 mm are possible.
  EXPECT_NEAR((plan.steps[0].legs[0].displacement - Vector3d(0, 0, 0.004)).norm(), 0, 1e-4);
  EXPECT_NEAR(plan.steps[0].motion.direction.y(), -1, 1e-9);
}

TEST(PathSearch, turnsABayonetToItsSlot) {
  const Scene scene = bayonet();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  ASSERT_EQ(plan.steps[0].legs.size(), 1u);
  const PathLeg& leg = plan.steps[0].legs[0];
  EXPECT_EQ(leg.displacement.norm(), 0);
  // The bar of 16 × 4 mm in the slot of 16.6 × 4.6 mm: some 2° to both sides.
  EXPECT_NEAR(std::abs(leg.rotation.z()), std::numbers::pi / 2, 0.01);
  EXPECT_FALSE(plan.steps[0].firstDirection());
}

TEST(PathSearch, turnsAHookThroughItsHole) {
  const Scene scene = hookInAPlate(7);
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_TRUE(plan.isComplete());
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_GT(plan.steps[0].legs.size(), 1u);
  // Again, the same bits.
  EXPECT_EQ(toJson(plan), toJson(runtime::makePlan(scene, {})));
  // Through a hole narrower than the bar, nothing leads.
  const Scene narrow = hookInAPlate(3);
  const AssemblyPlan none = runtime::makePlan(narrow, {});
  EXPECT_FALSE(none.isComplete());
  EXPECT_NE(
      toText(none).find("inseparable: \"hook\", \"plate\": no straight or screw motion separates them, and a "
                        "search for paths found none"),
      std::string::npos)
      << toText(none);
}

TEST(PathSearch, takesTheKeyOutOfABurrFirst) {
  const std::vector<Voxels> pieces = randomBurr(4);
  const Scene scene = burrScene(pieces);
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  EXPECT_TRUE(plan.isComplete());
  // The key is the heaviest piece, but not the base: it comes last, on a straight path.
  ASSERT_FALSE(plan.steps.empty());
  EXPECT_EQ(partsText(plan.steps.back(), plan), "piece 1");
  EXPECT_TRUE(plan.steps.back().legs.empty());
  EXPECT_TRUE(plan.assembly.baseIsChosen);
  // The other five do not come apart by straight motions (the voxels do not either).
  EXPECT_FALSE(comesApartStraight({pieces.begin() + 1, pieces.end()}));
  EXPECT_TRUE(std::any_of(plan.steps.begin(), plan.steps.end(),
                          [](const PlanStep& step) { return !step.legs.empty(); }));
}

TEST(PathSearch, namesPartsWhosePathsWereNotSearchedInTime) {
  const Scene scene = tSlot();
  runtime::PlanSettings settings;
  settings.stopSearch = [] { return true; };
  const AssemblyPlan plan = runtime::makePlan(scene, settings);
  ASSERT_EQ(plan.inseparable.size(), 1u);
  EXPECT_EQ(plan.inseparable[0], (std::vector<std::string>{"block", "rail"}));
  EXPECT_TRUE(plan.unplanned.empty());
  EXPECT_NE(toText(plan).find("found none in half of the time limit"), std::string::npos) << toText(plan);
}

/// All legs of a plan that was read are those that were written.
TEST(PathSearch, isReadFromThePlanFile) {
  for (const Scene& scene : {tSlot(), bayonet(), hookInAPlate(7), burrScene(randomBurr(4))}) {
    const AssemblyPlan plan = runtime::makePlan(scene, {});
    const std::string json = toJson(plan);
    const auto assembly = runtime::assembledState(scene, runtime::planBase(json, "plan.json", scene));
    const std::vector<PlanStep> steps = runtime::readPlanSteps(json, "plan.json", assembly);
    ASSERT_EQ(steps.size(), plan.steps.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      ASSERT_EQ(steps[k].legs.size(), plan.steps[k].legs.size());
      EXPECT_EQ(steps[k].units, plan.steps[k].units);
      for (std::size_t leg = 0; leg < steps[k].legs.size(); ++leg) {
        const PathLeg &read = steps[k].legs[leg], &written = plan.steps[k].legs[leg];
        EXPECT_EQ(read.units, written.units);
        for (const Vector3d& p : {Vector3d::Zero().eval(), Vector3d(0.1, 0.2, 0.3)})
          EXPECT_LT((poseAlong(read, Pose::at(p), 1).p - poseAlong(written, Pose::at(p), 1).p).norm(), 1e-9);
      }
    }
  }
}

/// The script moves the part along the legs backwards; its last waypoint is the place.
TEST(PathSearch, isInTheScriptOfTheHand) {
  const Scene scene = tSlot();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.hands.size(), 1u);
  std::vector<Vector3d> path;
  for (const content::Waypoint& waypoint : plan.hands[0].script)
    if (waypoint.X_W && waypoint.frame == content::WaypointFrame::part) path.push_back(waypoint.X_W->p);
  ASSERT_GE(path.size(), 3u);
  EXPECT_LT(path.back().norm(), 1e-9);
  const Vector3d mouth = path[path.size() - 2], entry = path[path.size() - 3];
  EXPECT_LT((mouth - plan.steps[0].legs[0].displacement).norm(), 1e-9);
  EXPECT_NEAR((entry - mouth).normalized().z(), 1, 1e-9);
}

TEST(PathSearch, isInTheAnimationAndThePictures) {
  const Scene scene = bayonet();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  runtime::PartDistance distance(scene);
  const runtime::Explosion explosion = runtime::explosionOf(plan, distance);
  const auto motion = runtime::assemblyAnimation(plan, explosion).at(1);
  EXPECT_TRUE(std::is_sorted(motion.times.begin(), motion.times.end()));
  EXPECT_LT(motion.poses.back().p.norm() + motion.poses.back().q.vec().norm(), 1e-9);
  // Before it is in its place it is turned, and down already before it turns.
  EXPECT_NEAR(motion.poses.front().q.angularDistance(physics::Quaterniond::Identity()), std::numbers::pi / 2,
              0.01);
  const auto down =
      std::find_if(motion.poses.begin(), motion.poses.end(), [](const Pose& X) { return X.p.norm() < 1e-6; });
  ASSERT_NE(down, motion.poses.end());
  EXPECT_NEAR(down->q.angularDistance(physics::Quaterniond::Identity()), std::numbers::pi / 2, 0.01);

  const Scene slotted = tSlot();
  const AssemblyPlan along = runtime::makePlan(slotted, {});
  runtime::PartDistance slotDistance(slotted);
  const Scene apart = runtime::explodedScene(along, runtime::explosionOf(along, slotDistance));
  // The block is above the place where it is lifted, with a line for each of the two motions.
  ASSERT_EQ(apart.parts.size(), 4u);
  EXPECT_NEAR(apart.parts[1].X_WP.p.x(), 0.0425, 1e-4);
  EXPECT_GT(apart.parts[1].X_WP.p.z(), 0.015);
  EXPECT_NE(planPage(along, {}).find("then (-1, 0, 0) by 42.5"), std::string::npos) << planPage(along, {});
  EXPECT_NE(toText(along).find("down, then 1 move"), std::string::npos) << toText(along);
  EXPECT_NE(toText(along).find("step 1: then (-1, 0, 0) by 42.5"), std::string::npos) << toText(along);
}

TEST(PathSearch, isInTheSweptVolume) {
  const Scene scene = tSlot();
  const AssemblyPlan plan = runtime::makePlan(scene, {});
  const runtime::SweptParts swept = runtime::plannedParts(plan.assembly, plan.steps);
  ASSERT_EQ(swept.swept.size(), 1u);
  const runtime::PartPath& path = swept.swept[0].path;
  EXPECT_NEAR(path.end(), plan.steps[0].travel + 0.0425, 1e-4);
  EXPECT_LT(path.poses().back().p.norm(), 1e-9);
  EXPECT_NEAR((path.poses().front().p - Vector3d(0.0425, 0, plan.steps[0].travel)).norm(), 0, 1e-4);
}

TEST(PartLevels, areThoseOfFacesAndAxes) {
  const std::vector<double> box = runtime::levelsOf(physics::Box{{0.01, 0.02, 0.03}}, Vector3d::UnitY());
  EXPECT_EQ(box, (std::vector<double>{-0.02, 0, 0.02}));
  physics::BlockWithHoles block{{0.03, 0.02, 0.01}, {}};
  physics::Cavity hole;
  hole.X_BH.p = Vector3d(0.005, 0, 0.01);
  hole.profile = {{0, 0.006}, {-0.001, 0.004}, {-0.008, 0.004}, {-0.008, 0}};
  block.cavities.push_back(hole);
  const std::vector<double> across = runtime::levelsOf(block, Vector3d::UnitX());
  const std::vector<double> wanted{-0.03, -0.001, 0, 0.001, 0.005, 0.009, 0.011, 0.03};
  ASSERT_EQ(across.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(across[k], wanted[k], 1e-12);
  const std::vector<double> along = runtime::levelsOf(block, Vector3d::UnitZ());
  const std::vector<double> depths{-0.01, 0, 0.002, 0.009, 0.01};
  ASSERT_EQ(along.size(), depths.size());
  for (std::size_t k = 0; k < depths.size(); ++k) EXPECT_NEAR(along[k], depths[k], 1e-12);
}

}  // namespace
}  // namespace tenon::tests
