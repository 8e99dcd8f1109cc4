// A Scene contains the values of its file, in SI units.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/model/build_world.h"
#include "small_scene.h"

namespace tenon::content::test {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(GoodScene, headerIsReadAsWritten) {
  const Scene scene = parsed(smallScene());
  EXPECT_EQ(scene.file, "small.json");
  EXPECT_EQ(scene.name, "small");
  EXPECT_EQ(scene.title, "small");
  EXPECT_EQ(scene.unit, "mm");
  EXPECT_EQ(scene.duration, 2);
  EXPECT_EQ(scene.rate, 500);
  EXPECT_EQ(scene.gravity, Vector3d(0, 0, -9.8));
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[1].density, 700);
  ASSERT_EQ(scene.pairs.size(), 1u);
  EXPECT_EQ(scene.pairs[0].a, 0);
  EXPECT_EQ(scene.pairs[0].b, 1);
  EXPECT_EQ(scene.pairs[0].friction, 0.3);
  EXPECT_EQ(scene.pairs[0].restitution, 0.1);
  EXPECT_EQ(scene.pairs[0].stiffness, 2e8);
}

TEST(GoodScene, ElasticConstantsAreThoseOfTheMaterial) {
  nlohmann::json document = smallScene();
  document["materials"][0]["youngs_modulus_gpa"] = 210;
  document["materials"][1]["youngs_modulus_gpa"] = 11;
  document["materials"][1]["poissons_ratio"] = 0.4;
  const Scene scene = parsed(document);
  EXPECT_DOUBLE_EQ(scene.materials[0].elasticity.youngsModulus, 210e9);
  EXPECT_EQ(scene.materials[0].elasticity.poissonsRatio, 0.3) << "unless it is given";
  EXPECT_DOUBLE_EQ(scene.materials[1].elasticity.youngsModulus, 11e9);
  EXPECT_EQ(scene.materials[1].elasticity.poissonsRatio, 0.4);
  EXPECT_EQ(parsed(smallScene()).materials[0].elasticity.youngsModulus, 0) << "rigid";
}

TEST(GoodScene, blockAndItsHolesAreInMeters) {
  const Scene scene = parsed(smallScene());
  const auto& block = std::get<physics::FacetedBlock>(scene.parts[0].shape);
  EXPECT_EQ(block.halfExtents, Vector3d(0.03, 0.02, 0.01));
  EXPECT_EQ(block.sectors, 64);
  ASSERT_EQ(block.holes.size(), 2u);
  EXPECT_NEAR(block.holes[0].radius, 0.004025, 1e-17);
  EXPECT_EQ(block.holes[0].center.x(), -0.015);
  EXPECT_EQ(block.holes[0].depth, 0.02);  // through
  EXPECT_EQ(block.holes[0].chamferWidth, 0.001);
  EXPECT_EQ(block.holes[0].chamferDepth, 0.0015);
  EXPECT_EQ(block.holes[1].depth, 0.012);
  EXPECT_NEAR(block.holes[1].chamferDepth, 0.001, 1e-15);  // 45°
}

TEST(GoodScene, chamferAngleIsMeasuredFromTheAxis) {
  nlohmann::json document = smallScene();
  document["parts"][0]["shape"]["holes"][1]["chamfer"]["angle_deg"] = 30;
  const Scene scene = parsed(document);
  const auto& block = std::get<physics::FacetedBlock>(scene.parts[0].shape);
  EXPECT_NEAR(block.holes[1].chamferDepth, 0.001 * std::sqrt(3.0), 1e-15);
}

TEST(GoodScene, partsAreReadAsWritten) {
  const Scene scene = parsed(smallScene());
  ASSERT_EQ(scene.parts.size(), 8u);
  EXPECT_EQ(scene.parts[0].motion, physics::MotionType::fixed);
  EXPECT_EQ(scene.parts[1].motion, physics::MotionType::dynamic);
  EXPECT_EQ(scene.parts[2].motion, physics::MotionType::kinematic);
  EXPECT_EQ(scene.parts[2].v, Vector3d(0.1, 0, 0));
  EXPECT_EQ(scene.parts[1].X_WP.p, Vector3d(-0.015, 0, 0.015));
  EXPECT_EQ(scene.parts[1].features[0].origin, Vector3d(0, 0, -0.01));
  EXPECT_EQ(scene.parts[1].features[0].direction, Vector3d(0, 0, -1));
  const auto& lump = std::get<physics::Compound>(scene.parts[4].shape);
  const auto& capsule = std::get<physics::Capsule>(lump.children[1].shape);
  EXPECT_EQ(capsule.radius, 0.003);
  EXPECT_NEAR(capsule.halfLength, 0.007, 1e-17);  // 20 mm end to end
  // A quarter turn about x takes z to −y.
  EXPECT_NEAR((lump.children[1].X_PS.q * Vector3d::UnitZ() - Vector3d(0, -1, 0)).norm(), 0, 1e-15);
}

TEST(GoodScene, massComesFromShapeAndDensityUnlessGiven) {
  const Scene scene = parsed(smallScene());
  const double mass = 7850 * kPi * 0.004 * 0.004 * 0.02;
  EXPECT_NEAR(scene.parts[1].mass.mass, mass, 1e-15);
  EXPECT_NEAR(scene.parts[1].mass.inertia(2, 2), 0.5 * mass * 0.004 * 0.004, 1e-18);
  EXPECT_EQ(scene.parts[4].mass.mass, 0.2);
  EXPECT_EQ(scene.parts[4].mass.center, Vector3d(0, 0, 0.001));
  EXPECT_EQ(scene.parts[4].mass.inertia.diagonal(), Vector3d(3e-5, 4e-5, 5e-5));
}

TEST(GoodScene, massAloneScalesTheUniformShape) {
  nlohmann::json document = smallScene();
  document["parts"][1]["mass"] = {{"mass_kg", 3.0}};
  const Part pin = parsed(document).parts[1];
  EXPECT_EQ(pin.mass.mass, 3.0);
  const double across = 3.0 * (3 * 0.004 * 0.004 + 0.02 * 0.02) / 12;
  EXPECT_NEAR(pin.mass.inertia(0, 0), across, 1e-15);
}

TEST(GoodScene, handIsReadAsWritten) {
  const Scene scene = parsed(smallScene());
  ASSERT_EQ(scene.hands.size(), 1u);
  const Hand& hand = scene.hands[0];
  EXPECT_EQ(hand.name, "right");
  EXPECT_EQ(hand.X_WH.p, Vector3d(-0.015, 0, 0.04));
  EXPECT_EQ(hand.parameters.stiffness, Vector3d(1000, 1500, 2000));
  EXPECT_EQ(hand.parameters.angularStiffness, Vector3d(3, 3, 3));
  EXPECT_EQ(hand.parameters.dampingRatio, 0.8);
  EXPECT_EQ(hand.parameters.maxForce, 100);
  EXPECT_EQ(hand.parameters.maxTorque, 5);
  EXPECT_EQ(hand.parameters.breakDistance, 0.05);
  EXPECT_FALSE(hand.parameters.carriesWeight);
  ASSERT_EQ(hand.script.size(), 3u);
  EXPECT_EQ(hand.script[0].grab, 1);
  EXPECT_FALSE(hand.script[0].X_W.has_value());
  EXPECT_EQ(hand.script[1].frame, WaypointFrame::part);
  EXPECT_EQ(hand.script[1].X_W->p, Vector3d(-0.015, 0, -0.005));
  EXPECT_EQ(hand.script[2].time, 1.2);
  EXPECT_TRUE(hand.script[2].release);
}

TEST(GoodScene, fixturesAreHands) {
  nlohmann::json document = smallScene();
  for (const char* name : {"left", "fixture 1", "fixture 62"})
    document["hands"].push_back({{"name", name}, {"position", {1, 2, 3}}});
  const Scene scene = parsed(document);
  ASSERT_EQ(scene.hands.size(), 4u);
  EXPECT_EQ(scene.hands[3].name, "fixture 62");
  EXPECT_EQ(buildWorld(scene, {}).handCount(), 4u);
}

TEST(GoodScene, goalHasTheMouthOfItsHole) {
  const Scene scene = parsed(smallScene());
  ASSERT_EQ(scene.goals.size(), 1u);
  const Goal& goal = scene.goals[0];
  EXPECT_EQ(goal.part, 1);
  EXPECT_EQ(goal.feature, 0);
  EXPECT_EQ(goal.into, 0);
  EXPECT_EQ(goal.hole, "left");
  EXPECT_EQ(goal.X_IH.p, Vector3d(-0.015, 0, 0.01));
  EXPECT_EQ(goal.depth, 0.015);
  EXPECT_NEAR(goal.tiltTolerance, kPi / 180, 1e-17);
  EXPECT_EQ(goal.timeLimit, 2);  // the scene's duration
}

TEST(GoodScene, holeInsideACompoundHasThePoseOfTheChild) {
  nlohmann::json document = smallScene();
  nlohmann::json& block = document["parts"][0];
  const nlohmann::json shape = block["shape"];
  block["shape"] = {{"kind", "compound"},
                    {"children",
                     {{{"shape", shape},
                       {"position", {1, 2, 3}},
                       {"rotation", {{"axis", {1, 0, 0}}, {"angle_deg", 180}}}}}}};
  const Goal goal = parsed(document).goals[0];
  EXPECT_NEAR((goal.X_IH.p - Vector3d(-0.014, 0.002, -0.007)).norm(), 0, 1e-15);
  EXPECT_NEAR((goal.X_IH.q * Vector3d::UnitZ() + Vector3d::UnitZ()).norm(), 0, 1e-15);
}

TEST(GoodScene, unitScalesEveryLengthAndNothingElse) {
  for (const auto& [unit, metres] : {std::pair{"m", 1.0}, {"in", 0.0254}, {"mm", 0.001}}) {
    SCOPED_TRACE(unit);
    nlohmann::json document = smallScene();
    document["unit"] = unit;
    const Scene scene = parsed(document);
    EXPECT_DOUBLE_EQ(std::get<physics::Cylinder>(scene.parts[1].shape).radius, 4 * metres);
    EXPECT_DOUBLE_EQ(scene.parts[1].X_WP.p.z(), 15 * metres);
    EXPECT_DOUBLE_EQ(scene.hands[0].parameters.breakDistance, 50 * metres);
    EXPECT_DOUBLE_EQ(scene.goals[0].depth, 15 * metres);
    EXPECT_EQ(scene.parts[2].v.x(), 0.1);
    EXPECT_EQ(scene.hands[0].parameters.stiffness.x(), 1000);
    EXPECT_EQ(scene.parts[4].mass.inertia(0, 0), 3e-5);
  }
}

TEST(GoodScene, parametersEnterByExpressions) {
  const Scene plain = parsed(smallScene());
  EXPECT_EQ(plain.parameters[0].value, 50);
  EXPECT_EQ(plain.parameters[0].description, "play");
  const Scene set = parsed(smallScene(), {{"gap_um", 500}, {"lift", 9}});
  EXPECT_EQ(set.parameters[0].value, 500);
  EXPECT_EQ(set.parameters[0].defaultValue, 50);
  EXPECT_NEAR(std::get<physics::FacetedBlock>(set.parts[0].shape).holes[0].radius, 0.00425, 1e-17);
  EXPECT_EQ(set.parts[1].X_WP.p.z(), 0.019);
}

TEST(GoodScene, parametersAreCheckedByNameAndRange) {
  const std::string text = smallScene().dump();
  EXPECT_NE(errorFor(text, {{"gap", 1}})
                .find("small.json: /parameters: has no parameter \"gap\"; did you mean \"gap_um\"?"),
            std::string::npos)
      << errorFor(text, {{"gap", 1}});
  for (const double value : {-1.0, 501.0, std::nan(""), HUGE_VAL}) {
    const std::string errorText = errorFor(text, {{"gap_um", value}});
    EXPECT_EQ(errorText.find("small.json: /parameters/0 (gap_um): "), 0u) << errorText;
    EXPECT_NE(errorText.find("at least 0 and at most 500 um"), errorText.npos) << errorText;
  }
  nlohmann::json document = smallScene();
  document["parameters"][0]["whole"] = true;
  EXPECT_EQ(errorFor(document.dump(), {{"gap_um", 51}}), "");
  EXPECT_TRUE(parsed(document).parameters[0].isInteger);
  EXPECT_NE(
      errorFor(document.dump(), {{"gap_um", 50.5}}).find("is set to 50.5; give a whole number, at least 0"),
      std::string::npos)
      << errorFor(document.dump(), {{"gap_um", 50.5}});
  document["parameters"][0]["maximum"] = 500.5;
  EXPECT_NE(errorFor(document.dump()).find("/parameters/0/maximum: is 500.5; give a whole number"),
            std::string::npos)
      << errorFor(document.dump());
  nlohmann::json none = smallScene();
  none.erase("parameters");
  none.erase("damping");
  none["parts"][1].erase("thrusters");
  none["parts"][0]["shape"]["holes"][0]["diameter"] = 8.1;
  none["parts"][1]["position"][2] = 15;
  EXPECT_EQ(errorFor(none.dump()), "");
  EXPECT_NE(errorFor(none.dump(), {{"gap_um", 1}}).find("none"), std::string::npos);
}

TEST(GoodScene, dampingAndThrustersAreReadAndBuilt) {
  const Scene scene = parsed(smallScene());
  EXPECT_EQ(scene.linearDamping, 0.5);
  EXPECT_EQ(scene.angularDamping, 0.25);
  const std::vector<const Thruster*> thrusters = thrustersOf(scene);
  ASSERT_EQ(thrusters.size(), 2u);
  EXPECT_EQ(thrusters[0]->name, "up");
  EXPECT_EQ(thrusters[0]->key, 'I');
  EXPECT_EQ(thrusters[0]->position, Vector3d(0, 0, -0.01));
  EXPECT_EQ(thrusters[0]->force, Vector3d(0, 0, 5));
  EXPECT_FALSE(thrusters[0]->inWorldAxes);
  EXPECT_TRUE(thrusters[1]->inWorldAxes);
  EXPECT_EQ(thrusters[1]->position, Vector3d::Zero());
  const physics::World world = buildWorld(scene, {});
  EXPECT_EQ(world.thrusterCount(), 2u);
  EXPECT_EQ(world.stepResult().dynamics,
            (physics::Dynamics{.gravity = scene.gravity, .linearDamping = 0.5, .angularDamping = 0.25}));
}

TEST(GoodScene, worldHasPartsAndHandsAtTheirStartPoses) {
  const Scene scene = parsed(smallScene());
  physics::WorldOptions options;
  options.dt = 0.002;
  const physics::World world = buildWorld(scene, options);
  EXPECT_EQ(world.options().dt, 0.002);
  EXPECT_EQ(world.options().gravity, scene.gravity);
  ASSERT_EQ(world.bodyCount(), scene.parts.size());
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    SCOPED_TRACE(scene.parts[k].name);
    const physics::BodyId id{static_cast<std::int32_t>(k)};
    EXPECT_EQ(world.findBody(scene.parts[k].name), id);
    const physics::BodyState& state = world.stepResult().bodies[k];
    EXPECT_NEAR((world.partPose(id, state).p - scene.parts[k].X_WP.p).norm(), 0, 1e-15);
    EXPECT_EQ(state.v, scene.parts[k].v);
  }
  // The lump's center of mass is 1 mm above its origin.
  EXPECT_NEAR((world.stepResult().bodies[4].X_WC.p - Vector3d(0, -0.1, 0.001)).norm(), 0, 1e-15);
  ASSERT_EQ(world.handCount(), 1u);
  EXPECT_EQ(world.stepResult().hands[0].X_WH.p, scene.hands[0].X_WH.p);
}

}  // namespace
}  // namespace tenon::content::test
