// Orders of disassembly: what blocks what, what comes out together, and what cannot be separated.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "runtime/plan/linked_parts.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/removal_order.h"
#include "tests/runtime/plan/plan_scene.h"

namespace tenon::tests {
namespace {

using content::Scene;
using physics::Box;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::Assembly;
using runtime::RemovalOrder;

RemovalOrder orderOf(const Scene& scene) {
  const Assembly assembly = runtime::assembledState(scene);
  runtime::PartDistance distance(scene);
  const runtime::MotionSet motions = runtime::removalMotions(assembly, distance);
  runtime::PathCheck paths(assembly, motions, distance);
  return runtime::findRemovalOrder(assembly, motions, paths, runtime::OrderPreference::fewestTurns, {});
}

/// A box with an inner space that is open on top, as five plates in one part.
physics::Compound openBox() {
  const auto plate = [](const Vector3d& half, const Vector3d& at) {
    return physics::PlacedShape{Box{half}, Pose::at(at)};
  };
  return {{plate({0.03, 0.03, 0.0025}, {0, 0, 0.0025}), plate({0.0025, 0.03, 0.01}, {0.0275, 0, 0.015}),
           plate({0.0025, 0.03, 0.01}, {-0.0275, 0, 0.015}), plate({0.025, 0.0025, 0.01}, {0, 0.0275, 0.015}),
           plate({0.025, 0.0025, 0.01}, {0, -0.0275, 0.015})}};
}

TEST(RemovalOrder, takesTheLidOffBeforeWhatItCovers) {
  Scene scene = emptyScene();
  addPart(scene, "box", openBox(), Vector3d::Zero());
  addPart(scene, "inside", Box{Vector3d::Constant(0.01)}, {0, 0, 0.015});
  addPart(scene, "lid", Box{{0.03, 0.03, 0.002}}, {0, 0, 0.027});
  const RemovalOrder order = orderOf(scene);
  EXPECT_TRUE(order.isComplete());
  ASSERT_EQ(order.removals.size(), 2u);
  EXPECT_EQ(order.removals[0].units, std::vector<int>{1});
  EXPECT_EQ(order.removals[1].units, std::vector<int>{0});
}

/// Half of a block of 50 × 50 × 10 mm that ends in a step up at y > 0 and a step down at y < 0, and one that
/// fits into it, turned by 180° about z: neither moves up alone, and both together do.
physics::Compound steppedHalf() {
  return {{{Box{{0.01, 0.025, 0.005}}, Pose::at({-0.015, 0, 0.01})},
           {Box{{0.005, 0.0125, 0.0025}}, Pose::at({0, 0.0125, 0.0125})},
           {Box{{0.005, 0.0125, 0.0025}}, Pose::at({0, -0.0125, 0.0075})}}};
}

TEST(RemovalOrder, takesOutTogetherWhatBlocksEachOther) {
  Scene scene = emptyScene();
  addPart(scene, "box", openBox(), Vector3d::Zero());
  addPart(scene, "left", steppedHalf(), Vector3d::Zero());
  const int right = addPart(scene, "right", steppedHalf(), Vector3d::Zero());
  scene.part(right).X_WP.q = Quaterniond(0, 0, 0, 1);
  const RemovalOrder order = orderOf(scene);
  EXPECT_TRUE(order.isComplete());
  ASSERT_EQ(order.removals.size(), 1u);
  EXPECT_EQ(order.removals[0].units, (std::vector<int>{0, 1}));
  ASSERT_EQ(order.removals[0].inside.size(), 1u);
  const RemovalOrder& inside = order.removals[0].inside[0];
  ASSERT_EQ(inside.removals.size(), 1u);
  EXPECT_EQ(inside.base + inside.removals[0].units.at(0), 1);  // one stays, the other leaves
  // The plan builds them aside first.
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[0].group, 1);
  EXPECT_NEAR(std::abs(plan.steps[0].motion.direction.x()), 1, 1e-9);
  EXPECT_EQ(plan.steps[1].group, 0);
  EXPECT_NEAR(plan.steps[1].motion.direction.z(), 1, 1e-9);
}

/// A ball on inclined faces at these angles about the vertical is pressed on only where they enclose it:
/// between two at 120° it would slide out.
TEST(Plan, pressesOnWhatInclinedFacesEnclose) {
  const auto isPressed = [](const std::vector<double>& degrees) {
    constexpr double kRadius = 0.02, kThickness = 0.004, kTilt = 35 * std::numbers::pi / 180;
    physics::Compound faces;
    for (const double angle : degrees) {
      const double phi = angle * std::numbers::pi / 180;
      const Vector3d normal(std::sin(kTilt) * std::cos(phi), std::sin(kTilt) * std::sin(phi),
                            std::cos(kTilt));
      faces.children.push_back(
          {Box{{0.004, 0.004, kThickness}},
           Pose{physics::shortestRotation(Vector3d::UnitZ(), normal), -(kRadius + kThickness) * normal}});
    }
    Scene scene = emptyScene();
    addPart(scene, "faces", faces, Vector3d::Zero());
    addPart(scene, "ball", physics::Sphere{kRadius}, Vector3d::Zero());
    const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
    EXPECT_EQ(plan.steps.size(), 1u);
    EXPECT_NEAR(plan.steps.at(0).motion.direction.z(), 1, 1e-9);
    return plan.steps.at(0).isPressed;
  };
  EXPECT_FALSE(isPressed({0}));
  EXPECT_FALSE(isPressed({0, 120}));
  EXPECT_TRUE(isPressed({0, 120, 240}));
  EXPECT_TRUE(isPressed({0, 180}));
}

TEST(RemovalOrder, honorsAfterOfGoals) {
  // Two pegs that could come out in any order; the heavier one must be assembled last.
  Scene scene = emptyScene();
  physics::BlockWithHoles block{{0.03, 0.02, 0.01}, {}};
  for (const double x : {-0.015, 0.015}) {
    physics::Cavity hole;
    hole.name = x < 0 ? "left" : "right";
    hole.X_BH.p = Vector3d(x, 0, 0.01);
    hole.profile = {{0, 0.005}, {-0.02, 0.005}};
    hole.through = true;
    block.cavities.push_back(hole);
  }
  addPart(scene, "block", block, Vector3d::Zero());
  for (const double x : {-0.015, 0.015}) {
    const int peg = addPart(scene, x < 0 ? "light" : "heavy",
                            physics::Cylinder{0.00495, x < 0 ? 0.012 : 0.02}, {x, 0, 0.1});
    scene.part(peg).features = {{"tip", Vector3d(0, 0, x < 0 ? -0.012 : -0.02), Vector3d(0, 0, -1)}};
    content::Goal goal;
    goal.part = peg;
    goal.feature = 0;
    goal.into = 0;
    goal.hole = x < 0 ? "left" : "right";
    goal.X_IH.p = Vector3d(x, 0, 0.01);
    goal.depth = 0.015;
    goal.depthTolerance = 1e-4;
    scene.goals.push_back(goal);
  }
  // Without an order the lighter peg leaves first.
  EXPECT_EQ(orderOf(scene).removals.at(0).units, std::vector<int>{0});
  scene.goals[1].after = {0};
  EXPECT_EQ(orderOf(scene).removals.at(0).units, std::vector<int>{1});
  scene.goals[1].after.clear();
  scene.goals[0].after = {1};
  EXPECT_EQ(orderOf(scene).removals.at(0).units, std::vector<int>{0});
}

TEST(RemovalOrder, partsThatAJointConnectsToThatOfAGoalMoveAlong) {
  Scene scene = emptyScene();
  physics::BlockWithHoles block{{0.03, 0.02, 0.01}, {}};
  physics::Cavity hole;
  hole.name = "hole";
  hole.X_BH.p = Vector3d(0, 0, 0.01);
  hole.profile = {{0, 0.005}, {-0.02, 0.005}};
  hole.through = true;
  block.cavities.push_back(hole);
  addPart(scene, "block", block, Vector3d::Zero());
  const int peg = addPart(scene, "peg", physics::Cylinder{0.00495, 0.012}, {0.05, 0, 0.1});
  scene.part(peg).features = {{"tip", Vector3d(0, 0, -0.012), Vector3d(0, 0, -1)}};
  const int head = addPart(scene, "head", Box{Vector3d::Constant(0.004)}, {0.05, 0.001, 0.116});
  content::Joint joint;
  joint.kind = physics::JointKind::fixed;
  joint.part = head;
  joint.to = peg;
  joint.X_PA.p = Vector3d(0, 0.001, 0.016);
  scene.joints.push_back(joint);
  content::Goal goal;
  goal.part = peg;
  goal.feature = 0;
  goal.into = 0;
  goal.hole = "hole";
  goal.X_IH.p = Vector3d(0, 0, 0.01);
  goal.depth = 0.015;
  goal.depthTolerance = 1e-4;
  scene.goals.push_back(goal);
  const Assembly assembly = runtime::assembledState(scene);
  const auto position = [&](int part) { return assembly.X_WP[static_cast<std::size_t>(part)].p; };
  EXPECT_NEAR((position(peg) - Vector3d(0, 0, 0.007)).norm(), 0, 1e-9);
  EXPECT_NEAR((position(head) - Vector3d(0, 0.001, 0.023)).norm(), 0, 1e-9);
  EXPECT_TRUE(orderOf(scene).isComplete());
}

/// Two stepped halves in a box with goals at their places, the goal of `later` after that of the other one.
Scene halvesWithOrder(int later) {
  Scene scene = emptyScene();
  addPart(scene, "box", openBox(), Vector3d::Zero());
  addPart(scene, "left", steppedHalf(), Vector3d::Zero());
  addPart(scene, "right", steppedHalf(), Vector3d::Zero());
  scene.part(2).X_WP.q = Quaterniond(0, 0, 0, 1);
  for (const int part : {1, 2}) {
    content::Goal goal;
    goal.part = part;
    goal.into = 0;
    goal.pose.emplace();
    goal.pose->X_IP = scene.part(part).X_WP;
    if (part == later) goal.after = {part == 1 ? 1 : 0};
    scene.goals.push_back(goal);
  }
  return scene;
}

/// Of what comes out together, the part whose goal is later is built onto the other one.
TEST(RemovalOrder, honorsAfterOfGoalsWithinAGroup) {
  for (const int later : {1, 2}) {
    const Scene scene = halvesWithOrder(later);
    const RemovalOrder order = orderOf(scene);
    ASSERT_EQ(order.removals.size(), 1u);
    ASSERT_EQ(order.removals[0].inside.size(), 1u);
    const RemovalOrder& inside = order.removals[0].inside[0];
    EXPECT_TRUE(inside.isComplete());
    EXPECT_FALSE(inside.breaksAfter);
    EXPECT_EQ(inside.removals.at(0).units, std::vector<int>{later - 1});
    const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
    EXPECT_EQ(plan.orders.at(0).reason.find("after"), std::string::npos) << plan.orders[0].reason;
  }
}

/// A nut cannot be turned off its screw, only the screw out of it: an order that requires that is named.
TEST(RemovalOrder, saysThatAfterOfGoalsIsNotHonoredWhereOnlyTheOtherOneMoves) {
  Scene scene = emptyScene();
  addPart(scene, "box", openBox(), Vector3d::Zero());
  addPart(scene, "block", Box{Vector3d::Constant(0.01)}, {0, 0, 0.015});
  addPart(scene, "screw", Box{Vector3d::Constant(0.002)}, {0, 0, 0.0271});
  Assembly assembly = runtime::assembledState(scene);
  runtime::PartDistance distance(scene);
  for (const bool isLater : {false, true}) {
    assembly.units.at(1).thread =
        runtime::UnitThread{2, 1, "M4", {0, 0, 0.025}, Vector3d::UnitZ(), 0.0007, 0.003, 0.002};
    assembly.after.clear();
    if (isLater) assembly.after.emplace_back(0, 1);
    const runtime::MotionSet motions = runtime::removalMotions(assembly, distance);
    runtime::PathCheck paths(assembly, motions, distance);
    const RemovalOrder order =
        runtime::findRemovalOrder(assembly, motions, paths, runtime::OrderPreference::fewestTurns, {});
    EXPECT_TRUE(order.isComplete());
    if (!isLater) continue;
    // The screw must leave after the block that holds it: both leave together.
    ASSERT_EQ(order.removals.size(), 1u);
    EXPECT_EQ(order.removals[0].units, (std::vector<int>{0, 1}));
    EXPECT_EQ(order.removals[0].inside.at(0).base, 0);
    EXPECT_TRUE(order.removals[0].inside.at(0).breaksAfter);
  }
}

/// Two links of a chain, their surfaces 0.1 mm apart.
Scene linkedRings() {
  Scene scene = emptyScene();
  addPart(scene, "first", ringOf(0.017, 0.023, 0.003), Vector3d::Zero());
  // Of the first one's section between y = ±3 mm, the corners farthest from the second one's axis are 0.1 mm
  // inside its hole.
  const double nearest = std::sqrt(0.017 * 0.017 - 0.003 * 0.003);
  const int second = addPart(scene, "second", ringOf(0.017, 0.023, 0.003),
                             {nearest + std::sqrt(0.0169 * 0.0169 - 0.003 * 0.003), 0, 0});
  scene.part(second).X_WP.q = Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX()));
  return scene;
}

TEST(RemovalOrder, refusesLinkedRings) {
  const Scene scene = linkedRings();
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
  EXPECT_FALSE(plan.isComplete());
  ASSERT_EQ(plan.inseparable.size(), 1u);
  EXPECT_EQ(plan.inseparable[0], (std::vector<std::string>{"second", "first"}));
  EXPECT_TRUE(plan.steps.empty());
}

/// A screw M8 in a block, as if by a thread of 14 mm, with a head of 13 mm; and 2 mm above the head a lip of
/// the block, 3 mm thick, at this distance from the axis [m]: the head has passed it before the thread ends.
bool isGuideFree(double lip) {
  Scene scene = emptyScene();
  const auto box = [](const Vector3d& half, const Vector3d& at) {
    return physics::PlacedShape{Box{half}, Pose::at(at)};
  };
  addPart(scene, "block",
          physics::Compound{{box({0.008, 0.02, 0.01}, {0.0131, 0, -0.01}),
                             box({0.008, 0.02, 0.01}, {-0.0131, 0, -0.01}),
                             box({0.005, 0.005, 0.0015}, {lip + 0.005, 0, 0.0115})}},
          Vector3d::Zero());
  const int screw =
      addPart(scene, "screw",
              physics::SolidOfRevolution{
                  {{-0.014, 0}, {-0.014, 0.004}, {0, 0.004}, {0, 0.0065}, {0.008, 0.0065}, {0.008, 0}}},
              Vector3d::Zero());
  Assembly assembly = runtime::assembledState(scene);
  assembly.units.at(0).thread =
      runtime::UnitThread{screw, 0, "M8", Vector3d::Zero(), Vector3d::UnitZ(), 0.00125, 0.014, 0.004};
  runtime::PartDistance distance(scene);
  const runtime::MotionSet motions = runtime::removalMotions(assembly, distance);
  EXPECT_EQ(motions.ofUnit.at(0).size(), 1u);
  const int motion = motions.ofUnit.at(0).at(0);
  EXPECT_GT(motions.motions.at(static_cast<std::size_t>(motion)).pitch, 0);
  return !runtime::PathCheck(assembly, motions, distance).isBlockedByStatic(0, motion);
}

TEST(RemovalOrder, checksAScrewThatTurnsAgainstThePartWithItsThread) {
  EXPECT_TRUE(isGuideFree(0.0066));
  EXPECT_FALSE(isGuideFree(0.0064));
}

/// Circles of 10 mm: one through the other, beside it, around it, twice through it, and in its plane.
TEST(LinkedParts, areThoseWhoseCirclesCrossOnce) {
  const runtime::AxisCircle flat{Vector3d::Zero(), Vector3d::UnitZ(), 0.01};
  const auto upright = [](double x, double radius) {
    return runtime::AxisCircle{{x, 0, 0}, Vector3d::UnitY(), radius};
  };
  EXPECT_TRUE(isLink(flat, upright(0.01, 0.008)));
  EXPECT_TRUE(isLink(upright(0.01, 0.008), flat));
  EXPECT_TRUE(isLink(flat, upright(-0.012, 0.01)));
  EXPECT_FALSE(isLink(flat, upright(0.03, 0.01)));
  EXPECT_FALSE(isLink(flat, upright(0.001, 0.02)));
  EXPECT_FALSE(isLink(flat, upright(0.001, 0.005)));
  EXPECT_FALSE(isLink(flat, {{0.01, 0, 0}, Vector3d::UnitZ(), 0.01}));
  EXPECT_FALSE(isLink(flat, {{0.01, 0, 0.001}, Vector3d::UnitZ(), 0.01}));
  // A slanted one that crosses the plane at x = 4 mm and x = 28 mm.
  const Vector3d slanted = Vector3d(0.3, 0.9, 0.2).normalized();
  EXPECT_TRUE(isLink(flat, {{0.016, 0, 0}, slanted, 0.012}));
}

/// Two links, and the same two rings beside each other.
TEST(LinkedParts, areFoundInTheAssembledState) {
  Scene scene = linkedRings();
  EXPECT_TRUE(runtime::LinkedParts(runtime::assembledState(scene)).areLinked(1, 0));
  scene.part(1).X_WP.p.x() = 0.0461;
  EXPECT_FALSE(runtime::LinkedParts(runtime::assembledState(scene)).areLinked(0, 1));
}

/// A search would count its states.
TEST(RemovalOrder, refusesLinkedRingsWithoutASearch) {
  const Scene scene = linkedRings();
  int searched = 0;
  runtime::PlanSettings settings;
  settings.progress = [&](const std::string& what) { searched += what.find("states") != std::string::npos; };
  EXPECT_EQ(runtime::makePlan(scene, settings).inseparable.size(), 1u);
  EXPECT_EQ(searched, 0);
}

TEST(RemovalOrder, namesNoPartThatOnlyHappensToBeBelow) {
  // A table below the linked rings stops the loose one, too, but does not hold it.
  const Scene rings = linkedRings();
  Scene scene = emptyScene();
  addPart(scene, "table", Box{{0.1, 0.1, 0.005}}, {0, 0, -0.0281});
  scene.parts.insert(scene.parts.end(), rings.parts.begin(), rings.parts.end());
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.inseparable.size(), 1u);
  EXPECT_EQ(plan.inseparable[0], (std::vector<std::string>{"second", "first"}));
}

TEST(RemovalOrder, namesTheLidAndTheBoxThatEncloseAPart) {
  Scene scene = emptyScene();
  addPart(scene, "box", openBox(), Vector3d::Zero());
  const int lid = addPart(scene, "lid", Box{{0.03, 0.03, 0.002}}, {0, 0, 0.027});
  scene.part(lid).motion = physics::MotionType::fixed;
  const int table = addPart(scene, "table", Box{{0.1, 0.1, 0.005}}, {0, 0, -0.005});
  scene.part(table).motion = physics::MotionType::fixed;
  addPart(scene, "inside", Box{Vector3d::Constant(0.01)}, {0, 0, 0.015});
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.inseparable.size(), 1u);
  EXPECT_EQ(plan.inseparable[0], (std::vector<std::string>{"inside", "box", "lid"}));
}

TEST(RemovalOrder, takesLinkedRingsOutTogetherAndNamesThem) {
  // The rings lie in a box: together they come out upwards, but not apart.
  Scene scene = linkedRings();
  Scene boxed = emptyScene();
  addPart(boxed, "box", Box{{0.1, 0.1, 0.005}}, {0, 0, -0.0281});
  for (const content::Part& part : scene.parts) {
    boxed.parts.push_back(part);
    boxed.parts.back().motion = physics::MotionType::dynamic;
  }
  const RemovalOrder order = orderOf(boxed);
  EXPECT_FALSE(order.isComplete());
  ASSERT_EQ(order.removals.size(), 1u);
  EXPECT_EQ(order.removals[0].units, (std::vector<int>{0, 1}));
  ASSERT_EQ(order.removals[0].inside.size(), 1u);
  EXPECT_EQ(order.removals[0].inside[0].inseparable, (std::vector<int>{0, 1}));
}

TEST(RemovalOrder, stopsInTimeWithTheBestSoFar) {
  Scene scene = emptyScene();
  addPart(scene, "base", Box{{0.05, 0.05, 0.005}}, Vector3d::Zero());
  for (int k = 0; k < 5; ++k)
    addPart(scene, "block " + std::to_string(k), Box{Vector3d::Constant(0.005)}, {0, 0, 0.01 + 0.01 * k});
  int queries = 0;
  runtime::PlanSettings settings;
  settings.stop = [&] { return ++queries > 8; };
  const runtime::AssemblyPlan plan = runtime::makePlan(scene, settings);
  EXPECT_FALSE(plan.isComplete());
  EXPECT_TRUE(plan.inseparable.empty());
  EXPECT_EQ(plan.unplanned.size() + plan.steps.size(), 5u);
}

}  // namespace
}  // namespace tenon::tests
