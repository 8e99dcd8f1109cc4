// Joints of scene files are read as written, and invalid ones are reported.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/model/build_world.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;
using physics::JointKind;

constexpr double kDegree = std::numbers::pi / 180;

/// A fixed post and two rods that overlap with it and with each other.
json joinedScene(const json& joints) {
  const json rod = {{"kind", "box"}, {"size", {10, 10, 100}}};
  return {{"tenon", 1},
          {"title", "joined"},
          {"unit", "mm"},
          {"duration_s", 1},
          {"materials", {{{"name", "steel"}, {"density_kg_per_m3", 7850}}}},
          {"parts",
           {{{"name", "post"}, {"motion", "fixed"}, {"shape", rod}},
            {{"name", "rod"},
             {"material", "steel"},
             {"shape", rod},
             {"position", {0, 200, 30}},
             {"rotation", {{"axis", {1, 0, 0}}, {"angle_deg", 90}}}},
            {{"name", "arm"}, {"material", "steel"}, {"shape", rod}, {"position", {50, 200, 0}}}}},
          {"joints", joints}};
}

Joint onlyJoint(const json& joint) {
  return parsed(joinedScene(json::array({joint}))).joints.at(0);
}

TEST(JointScene, everyKindIsReadByItsName) {
  const std::pair<const char*, JointKind> kinds[] = {{"fixed", JointKind::fixed},
                                                     {"ball", JointKind::ball},
                                                     {"hinge", JointKind::hinge},
                                                     {"slider", JointKind::slider},
                                                     {"cylindrical", JointKind::cylindrical},
                                                     {"helical", JointKind::helical}};
  for (const auto& [name, kind] : kinds) {
    SCOPED_TRACE(name);
    json joint = {{"name", "j"}, {"kind", name}, {"part", "rod"}};
    if (kind == JointKind::helical) joint["pitch"] = 1.5;
    const Scene scene = parsed(joinedScene(json::array({joint})));
    EXPECT_EQ(scene.joints.at(0).kind, kind);
    const physics::World world = buildWorld(scene, {});
    ASSERT_EQ(world.jointCount(), 1u);
    EXPECT_EQ(world.joint({0}).kind, kind);
    EXPECT_EQ(world.joint({0}).name, "j");
    EXPECT_LE(world.stepResult().joints[0].lengthError, 1e-15);
    EXPECT_LE(world.stepResult().joints[0].angleError, 1e-15);
  }
}

TEST(JointScene, framesAreRelativeToThePart) {
  const json joint = {
      {"name", "j"}, {"kind", "hinge"}, {"part", "rod"}, {"position", {0, 0, 50}}, {"axis", {3, 0, 0}}};
  json toArm = joint;
  toArm["to"] = "arm";
  // The rod's z is the world's −y: its end is at y = 150 mm, and its x is the world's.
  const Joint held = onlyJoint(joint), between = onlyJoint(toArm);
  EXPECT_EQ(held.to, -1);
  EXPECT_EQ(between.to, 2);
  EXPECT_EQ(between.part, 1);
  EXPECT_NEAR((held.X_PB.p - Vector3d(0, 0, 0.05)).norm(), 0, 1e-17);
  EXPECT_NEAR((held.X_PA.p - Vector3d(0, 0.15, 0.03)).norm(), 0, 1e-15);
  EXPECT_NEAR((between.X_PA.p - Vector3d(-0.05, -0.05, 0.03)).norm(), 0, 1e-15);
  for (const Joint& it : {held, between}) {
    EXPECT_NEAR((it.X_PB.q * Vector3d::UnitZ() - Vector3d::UnitX()).norm(), 0, 1e-15);
    EXPECT_NEAR((it.X_PA.q * Vector3d::UnitZ() - Vector3d::UnitX()).norm(), 0, 1e-15);
  }
}

TEST(JointScene, defaultsAreOriginZAxisAndNoLimits) {
  const Joint joint = onlyJoint({{"name", "j"}, {"kind", "cylindrical"}, {"part", "arm"}});
  EXPECT_EQ(joint.X_PB.p, Vector3d::Zero());
  EXPECT_NEAR((joint.X_PB.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 0, 1e-15);
  for (const double end : {-joint.angle.low, joint.angle.high, -joint.travel.low, joint.travel.high})
    EXPECT_EQ(end, HUGE_VAL);
  EXPECT_FALSE(joint.collides);
  EXPECT_EQ(joint.pitch, 0);
}

TEST(JointScene, limitsAndPitchAreInUnitsOfTheFile) {
  json document = joinedScene({{{"name", "j"},
                                {"kind", "cylindrical"},
                                {"part", "arm"},
                                {"limits", {{"angle_deg", {-90, 177}}, {"travel", {-2, 3}}}}},
                               {{"name", "k"},
                                {"kind", "helical"},
                                {"part", "rod"},
                                {"pitch", "=-5/4"},
                                {"limits", {{"travel", {0, 20}}}}}});
  const Scene scene = parsed(document);
  EXPECT_NEAR(scene.joints[0].angle.low, -90 * kDegree, 1e-15);
  EXPECT_NEAR(scene.joints[0].angle.high, 177 * kDegree, 1e-15);
  EXPECT_NEAR(scene.joints[0].travel.low, -0.002, 1e-17);
  EXPECT_NEAR(scene.joints[0].travel.high, 0.003, 1e-17);
  EXPECT_NEAR(scene.joints[1].pitch, -0.00125, 1e-17);
  EXPECT_EQ(scene.joints[1].travel.low, 0);
  EXPECT_NEAR(scene.joints[1].travel.high, 0.02, 1e-17);
  EXPECT_EQ(buildWorld(scene, {}).joint({1}).pitch, scene.joints[1].pitch);
  document["unit"] = "in";
  EXPECT_DOUBLE_EQ(parsed(document).joints[1].pitch, -1.25 * 0.0254);
  EXPECT_DOUBLE_EQ(parsed(document).joints[0].angle.low, -90 * kDegree);
}

TEST(JointScene, partsAtAJointMayOverlapUnlessTheyCollide) {
  json document = joinedScene({{{"name", "j"}, {"kind", "hinge"}, {"part", "arm"}, {"to", "rod"}}});
  document["parts"][2]["position"] = {0, 200, 30};
  EXPECT_EQ(errorFor(document.dump()), "");
  document["joints"][0]["collides"] = true;
  EXPECT_NE(errorFor(document.dump()).find("\"rod\" and \"arm\" overlap"), std::string::npos)
      << errorFor(document.dump());
  // A joint to the world does not disable collision of two parts.
  document["joints"][0].erase("to");
  document["joints"][0].erase("collides");
  EXPECT_NE(errorFor(document.dump()).find("overlap"), std::string::npos);
  // Nor do joints of both to the same third part.
  document["joints"] = {{{"name", "j"}, {"kind", "hinge"}, {"part", "arm"}, {"to", "post"}},
                        {{"name", "k"}, {"kind", "hinge"}, {"part", "rod"}, {"to", "post"}}};
  EXPECT_NE(errorFor(document.dump()).find("overlap"), std::string::npos);
}

TEST(JointScene, invalidJointsAreReportedInOneLine) {
  const json good = joinedScene(
      {{{"name", "turn"}, {"kind", "hinge"}, {"part", "arm"}, {"limits", {{"angle_deg", {-10, 10}}}}},
       {{"name", "slide"},
        {"kind", "slider"},
        {"part", "rod"},
        {"to", "arm"},
        {"limits", {{"travel", {-10, 10}}}}},
       {{"name", "screw"}, {"kind", "helical"}, {"part", "rod"}, {"to", "post"}, {"pitch", 2}}});
  ASSERT_EQ(errorFor(good.dump()), "");
  tests::expectErrors(
      good, "small.json",
      {
          {"no array", "/joints", "{}", "/joints", {"array"}},
          {"unknown field", "/joints/0/pivot", "1", "/joints/0/pivot", {"not a field", "\"position\""}},
          {"unknown limit", "/joints/0/limits/angle", "[-1, 1]", "/joints/0/limits/angle", {"\"angle_deg\""}},
          {"no name", "/joints/0/name", nullptr, "/joints/0/name", {"missing"}},
          {"a name twice", "/joints/1/name", "\"turn\"", "/joints/1/name", {"given twice"}},
          {"no kind", "/joints/0/kind", nullptr, "/joints/0/kind", {"missing"}},
          {"another kind", "/joints/0/kind", "\"hing\"", "/joints/0/kind", {"\"hinge\""}},
          {"no part", "/joints/0/part", nullptr, "/joints/0/part", {"missing"}},
          {"unknown part", "/joints/0/part", "\"amr\"", "/joints/0/part", {"\"amr\"", "\"arm\""}},
          {"unknown other part", "/joints/1/to", "\"amr\"", "/joints/1/to", {"\"amr\"", "\"arm\""}},
          {"to the world by name",
           "/joints/1/to",
           "\"world\"",
           "/joints/1/to",
           {"\"world\"", "remove \"to\""}},
          {"to itself", "/joints/1/to", "\"rod\"", "/joints/1/to", {"the part itself", "the world"}},
          {"fixed to the world",
           "/joints/0/part",
           "\"post\"",
           "/joints/0/part",
           {"not dynamic either", "\"dynamic\""}},
          {"fixed to fixed", "/parts/1/motion", "\"fixed\"", "/joints/2/part", {"not dynamic either"}},
          {"kinematic to fixed",
           "/parts/1/motion",
           "\"kinematic\"",
           "/joints/2/part",
           {"not dynamic either"}},
          {"a thread without pitch", "/joints/2/pitch", nullptr, "/joints/2/pitch", {"missing", "per turn"}},
          {"a pitch of 0",
           "/joints/2/pitch",
           "0",
           "/joints/2/pitch",
           {"too small for a thread", "1 µm", "left-handed"}},
          {"too fine a pitch", "/joints/2/pitch", "-0.0009", "/joints/2/pitch", {"too small for a thread"}},
          {"a pitch that is not finite", "/joints/2/pitch", "\"=0/0\"", "/joints/2/pitch", {"finite"}},
          {"too coarse a pitch", "/joints/2/pitch", "1e9", "/joints/2/pitch", {"at most"}},
          {"a hinge with a pitch", "/joints/0/pitch", "1", "/joints/0/pitch", {"not helical", "\"helical\""}},
          {"a slider that turns",
           "/joints/1/limits/angle_deg",
           "[-1, 1]",
           "/joints/1/limits/angle_deg",
           {"no such limit", "remove"}},
          {"a thread that turns",
           "/joints/2/limits",
           R"({"angle_deg": [-1, 1]})",
           "/joints/2/limits/angle_deg",
           {"\"travel\""}},
          {"a hinge that travels",
           "/joints/0/limits/travel",
           "[-1, 1]",
           "/joints/0/limits/travel",
           {"without travel"}},
          {"a range without the start",
           "/joints/0/limits/angle_deg",
           "[10, 20]",
           "/joints/0/limits/angle_deg",
           {"does not contain 0", "measure from the start poses"}},
          {"a range before the start",
           "/joints/1/limits/travel",
           "[-3, -1]",
           "/joints/1/limits/travel",
           {"does not contain 0"}},
          {"swapped ends",
           "/joints/1/limits/travel",
           "[10, -10]",
           "/joints/1/limits/travel",
           {"lower end above its upper", "swap"}},
          {"an empty range",
           "/joints/1/limits/travel",
           "[0, 0]",
           "/joints/1/limits/travel",
           {"empty range", "\"fixed\""}},
          {"no turn", "/joints/0/limits/angle_deg", "[0, 0]", "/joints/0/limits/angle_deg", {"\"fixed\""}},
          {"one end", "/joints/1/limits/travel", "[0]", "/joints/1/limits/travel", {"array of 1"}},
          {"an end that does not exist",
           "/joints/1/limits/travel/1",
           "\"=1/0\"",
           "/joints/1/limits/travel/1",
           {"finite"}},
          {"half a turn", "/joints/0/limits/angle_deg/1", "180", "/joints/0/limits/angle_deg/1", {"177"}},
          {"no axis", "/joints/0/axis", "[0, 0, 0]", "/joints/0/axis", {"no length"}},
          {"half a position", "/joints/0/position", "[0, 0]", "/joints/0/position", {"array of 2"}},
          {"perhaps it collides", "/joints/0/collides", "1", "/joints/0/collides", {"true"}},
      },
      [](const std::string& text) { return errorFor(text); });
}

/// The arm on two hinges, its upper one along (x, 0, 1).
std::string doorError(double x) {
  return errorFor(
      joinedScene({{{"name", "lower"}, {"kind", "hinge"}, {"part", "arm"}, {"position", {0, 0, -50}}},
                   {{"name", "other"}, {"kind", "ball"}, {"part", "rod"}},
                   {{"name", "upper"},
                    {"kind", "hinge"},
                    {"part", "arm"},
                    {"position", {0, 0, 50}},
                    {"axis", {x, 0, 1}}}})
          .dump());
}

TEST(JointScene, nearlyEqualJointsAreRejectedWithNamesAndDifference) {
  for (const double tilt : {1e-8, 1e-7, 1e-6}) {
    const std::string errorText = doorError(tilt);
    for (const char* expected :
         {"/joints/2: ", "\"lower\", \"upper\"", "locks", " rad for each radian", "1e-9"})
      EXPECT_NE(errorText.find(expected), std::string::npos) << expected << " in " << errorText;
    EXPECT_EQ(errorText.find("other"), std::string::npos) << errorText;
  }
  EXPECT_EQ(doorError(0), "");
  EXPECT_EQ(doorError(0.02), "") << "a part that is meant to be held, by two axes";
}

TEST(JointScene, jointsDrivenApartAreRejected) {
  json document = joinedScene({{{"name", "drive"}, {"kind", "fixed"}, {"part", "arm"}, {"to", "rod"}},
                               {{"name", "track"}, {"kind", "slider"}, {"part", "arm"}}});
  document["parts"][1]["motion"] = "kinematic";
  EXPECT_EQ(errorFor(document.dump()), "");
  document["parts"][1]["velocity_m_per_s"] = {0, 0, 0.1};
  EXPECT_EQ(errorFor(document.dump()), "") << "along the track";
  document["parts"][1]["velocity_m_per_s"] = {0.1, 0, 0};
  const std::string errorText = errorFor(document.dump());
  for (const char* expected :
       {"/joints/1: ", "\"drive\", \"track\"", "contradict", "100 mm per second", "velocities"})
    EXPECT_NE(errorText.find(expected), std::string::npos) << expected << " in " << errorText;
}

TEST(JointScene, aJointMovesAsDefined) {
  // The arm hangs on a hinge at its upper end and is pushed: it swings and keeps its end where it is.
  json document = joinedScene({{{"name", "j"},
                                {"kind", "hinge"},
                                {"part", "arm"},
                                {"position", {0, 0, 50}},
                                {"axis", {0, 1, 0}},
                                {"limits", {{"angle_deg", {-5, 5}}}}}});
  document["parts"][2]["velocity_m_per_s"] = {0.5, 0, 0};
  document["parts"][2]["angular_velocity_rad_per_s"] = {0, -10, 0};
  physics::World world = buildWorld(parsed(document), {});
  double least = 0, most = 0;
  for (int k = 0; k < 500; ++k) {
    const physics::JointState& joint = world.step().joints[0];
    least = std::min(least, joint.angle);
    most = std::max(most, joint.angle);
    ASSERT_LE(std::max(joint.lengthError, joint.angleError), 1e-9);
  }
  EXPECT_NEAR(least, -5 * kDegree, 1e-9);
  EXPECT_LE(most, 5 * kDegree + 1e-9);
}

}  // namespace
}  // namespace tenon::content::test
