// Solids of revolution and exact holes are read as written, and every error is reported.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "content/model/build_world.h"
#include "physics/collision/revolved/revolved_geometry.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test::revolved_scene_test {
namespace {

using nlohmann::json;

/// The small scene with exact holes and a pin of revolution.
json exactScene() {
  json document = smallScene();
  document["parts"][0]["shape"].erase("sectors");
  document["parts"][1]["shape"] =
      json::parse(R"({"kind": "turned", "profile": [[-10, 0], [-10, 3], [-9, 4], [10, 4], [10, 0]]})");
  return document;
}

const physics::BlockWithHoles& blockOf(const Scene& scene) {
  return std::get<physics::BlockWithHoles>(scene.parts[0].shape);
}

using tests::Mistake;

void expectErrors(const std::vector<Mistake>& mistakes) {
  tests::expectErrors(exactScene(), "small.json", mistakes,
                      [](const std::string& text) { return errorFor(text); });
}

TEST(RevolvedScene, holesAreExactUnlessSectorsAreGiven) {
  EXPECT_TRUE(std::holds_alternative<physics::FacetedBlock>(parsed(smallScene()).parts[0].shape));
  const Scene scene = parsed(exactScene());
  const physics::BlockWithHoles& block = blockOf(scene);
  EXPECT_EQ(block.halfExtents, Vector3d(0.03, 0.02, 0.01));
  ASSERT_EQ(block.cavities.size(), 2u);
  const physics::Cavity &left = block.cavities[0], &right = block.cavities[1];
  EXPECT_EQ(left.name, "left");
  EXPECT_EQ(left.X_BH.p, Vector3d(-0.015, 0, 0.01));
  EXPECT_TRUE(left.through);
  ASSERT_EQ(left.profile.size(), 3u);
  EXPECT_LE((left.profile[0] - Eigen::Vector2d(0, 0.005025)).norm(), 1e-16);
  EXPECT_LE((left.profile[1] - Eigen::Vector2d(-0.0015, 0.004025)).norm(), 1e-16);
  EXPECT_LE((left.profile[2] - Eigen::Vector2d(-0.02, 0.004025)).norm(), 1e-16);
  EXPECT_FALSE(right.through);
  ASSERT_EQ(right.profile.size(), 4u);
  EXPECT_LE((right.profile[3] - Eigen::Vector2d(-0.012, 0)).norm(), 1e-16);
  // The goal's hole is found as before.
  EXPECT_EQ(scene.goals[0].X_IH.p, Vector3d(-0.015, 0, 0.01));
}

TEST(RevolvedScene, profilesAreInTheUnitOfTheFile) {
  const Scene scene = parsed(exactScene());
  const auto& profile = std::get<physics::SolidOfRevolution>(scene.parts[1].shape).profile;
  ASSERT_EQ(profile.size(), 5u);
  EXPECT_LE((profile[2] - Eigen::Vector2d(-0.009, 0.004)).norm(), 1e-16);
  EXPECT_GT(scene.parts[1].mass.mass, 0);
}

TEST(RevolvedScene, aHoleCanHaveAProfileOnAnyFace) {
  json document = exactScene();
  document["parts"][0]["shape"]["holes"][1] = json::parse(
      R"({"name": "right", "at": [12, 0], "face": "-z", "profile": [[0, 6], [4, 6], [4, 3], [12, 3], [14, 0]]})");
  document["parts"][0]["shape"]["holes"][2] =
      json::parse(R"({"name": "side", "at": [-10, 2], "face": "+x", "diameter": 6, "depth": 9})");
  const Scene scene = parsed(document);
  const physics::BlockWithHoles& block = blockOf(scene);
  ASSERT_EQ(block.cavities.size(), 3u);
  EXPECT_EQ(block.cavities[1].X_BH.p, Vector3d(0.012, 0, -0.01));
  EXPECT_EQ(block.cavities[1].profile.size(), 5u);
  EXPECT_EQ(block.cavities[2].X_BH.p, Vector3d(0.03, -0.01, 0.002));
  const auto geometry = physics::prepare(block);
  EXPECT_GT(physics::nearestOn(geometry, Vector3d(0.012, 0, 0.0)).distance, 0.001);
  EXPECT_GT(physics::nearestOn(geometry, Vector3d(0.025, -0.01, 0.002)).distance, 0.002);
  EXPECT_LT(physics::nearestOn(geometry, Vector3d(0.012, 0, 0.007)).distance, 0);
}

TEST(RevolvedScene, everyFaceOfABlockCanHaveAHole) {
  const char* faces[] = {"+x", "-x", "+y", "-y", "+z", "-z"};
  for (int k = 0; k < 6; ++k) {
    SCOPED_TRACE(faces[k]);
    json document = exactScene();
    document["goals"].clear();
    document["hands"].clear();
    document["parts"][0]["shape"]["holes"] =
        json::array({{{"name", "h"}, {"at", {1, 2}}, {"face", faces[k]}, {"diameter", 4}, {"depth", 5}}});
    const Scene scene = parsed(document);
    const physics::BlockWithHoles& block = blockOf(scene);
    const Vector3d normal = (k % 2 == 0 ? 1 : -1) * Vector3d::Unit(k / 2);
    EXPECT_LE((block.cavities[0].X_BH.q * Vector3d::UnitZ() - normal).norm(), 1e-15);
    EXPECT_NEAR(block.cavities[0].X_BH.p.dot(normal), block.halfExtents[k / 2], 1e-15);
  }
}

TEST(RevolvedScene, invalidProfilesAreReported) {
  const char* at = "/parts/1/shape/profile";
  expectErrors({
      {"crosses itself",
       at,
       "[[0,0],[0,2],[2,1],[-1,1],[3,2],[3,0]]",
       at,
       {"crosses or touches itself", "[z, r]"}},
      {"crosses the axis",
       at,
       "[[0,0],[0,-1],[1,0]]",
       "/parts/1/shape/profile/1",
       {"crosses the axis at point 1, [z, r] = [0, -1] mm"}},
      {"no length",
       at,
       "[[0,0],[0,1],[0,1],[1,0]]",
       "/parts/1/shape/profile/2",
       {"has no length at point 2, [z, r] = [0, 1] mm"}},
      {"off the axis", at, "[[0,1],[1,1],[1,0]]", "/parts/1/shape/profile/0", {"start and end on the axis"}},
      {"from the top down", at, "[[1,0],[1,1],[0,1],[0,0]]", at, {"bottom up"}},
      {"touches the axis",
       at,
       "[[0,0],[0,1],[1,0],[2,1],[3,0]]",
       "/parts/1/shape/profile/2",
       {"touches the axis at point 2"}},
      {"two points", at, "[[0,0],[1,0]]", at, {"array of 2", "3 to 500"}},
      {"no pair", at, "[[0,0],[0,1,2],[1,0]]", "/parts/1/shape/profile/1", {"array of 3"}},
      {"no number", at, "[[0,0],[0,\"r\"],[1,0]]", "/parts/1/shape/profile/1/1", {"begins with ="}},
      {"unknown field", "/parts/1/shape/radius", "3", "/parts/1/shape/radius", {"\"profile\""}},
  });
}

TEST(RevolvedScene, invalidHolesAreReported) {
  const char *hole = "/parts/0/shape/holes/1", *profile = "/parts/0/shape/holes/1/profile";
  std::deque<std::string> kept;  // whose texts stay where they are
  const auto with = [&](const char* points) {
    kept.push_back(std::string(R"({"name": "right", "at": [15, 0], "profile": )") + points + "}");
    return kept.back().c_str();
  };
  expectErrors({
      {"leaves below",
       hole,
       with("[[0,4],[20,4],[20,0]]"),
       "/parts/0/shape/holes/1/profile/1",
       {"leaves the block below at point 1, [depth, radius] = [20, 4] mm", "opposite face at 20 mm"}},
      {"back at the mouth",
       hole,
       with("[[0,4],[5,4],[0,3],[0,0]]"),
       "/parts/0/shape/holes/1/profile/2",
       {"back at the mouth at point 2"}},
      {"through, but not to the end",
       hole,
       R"({"name": "right", "at": [15, 0], "through": true, "profile": [[0,4],[18,4]]})",
       "/parts/0/shape/holes/1/profile/1",
       {"does not end on the opposite face at point 1, [depth, radius] = [18, 4] mm", "depth 20 mm"}},
      {"leaves aside", hole, with("[[0,4],[5,16],[9,0]]"), profile, {"leaves the block through a side face"}},
      {"not from the mouth",
       hole,
       with("[[1,4],[5,4],[5,0]]"),
       "/parts/0/shape/holes/1/profile/0",
       {"begin at the mouth"}},
      {"open end", hole, with("[[0,4],[5,4]]"), "/parts/0/shape/holes/1/profile/1", {"end on its axis"}},
      {"crosses itself", hole, with("[[0,4],[5,4],[3,5],[3,3],[5,0]]"), profile, {"crosses or touches"}},
      {"diameter, too",
       "/parts/0/shape/holes/1/profile",
       "[[0,4],[5,0]]",
       "/parts/0/shape/holes/1/chamfer",
       {"not a field", "\"profile\""}},
      {"meets another",
       "/parts/0/shape/holes/1/at/0",
       "-6",
       hole,
       {"\"right\" meets hole \"left\"", "apart"}},
      {"leaves its block", "/parts/0/shape/holes/1/at/0", "26", hole, {"leaves the block"}},
      {"as deep as the block",
       "/parts/0/shape/holes/1/depth",
       "20",
       "/parts/0/shape/holes/1/depth",
       {"\"through\""}},
      {"named twice", "/parts/0/shape/holes/1/name", "\"left\"", hole, {"second hole"}},
      {"unknown face", "/parts/0/shape/holes/1/face", "\"top\"", "/parts/0/shape/holes/1/face", {"\"+z\""}},
  });
}

TEST(RevolvedScene, profilesAndFacesOfFacetedHolesAreReported) {
  tests::expectErrors(smallScene(), "small.json",
                      {{"face",
                        "/parts/0/shape/holes/1/face",
                        "\"+x\"",
                        "/parts/0/shape/holes/1/face",
                        {"is given for a faceted hole", "remove \"sectors\""}},
                       {"profile",
                        "/parts/0/shape/holes/1",
                        R"({"name": "right", "at": [15, 0], "profile": [[0, 4], [5, 4], [5, 0]]})",
                        "/parts/0/shape/holes/1/profile",
                        {"is given for a faceted hole", "remove \"sectors\""}}},
                      [](const std::string& text) { return errorFor(text); });
}

TEST(RevolvedScene, overlappingPartsAreReported) {
  json document = exactScene();
  document["parts"][1]["position"] = {-12, 0, 0};
  EXPECT_NE(errorFor(document.dump()).find("overlap"), std::string::npos);
  document["parts"][1]["position"] = {-15, 0, -5};  // in its hole
  EXPECT_EQ(errorFor(document.dump()), "");
}

}  // namespace
}  // namespace tenon::content::test::revolved_scene_test
