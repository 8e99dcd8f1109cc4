// Parts that overlap at the start are reported with the geometric depth; touching parts are valid.
#include <gtest/gtest.h>

#include <cmath>

#include "content/model/build_world.h"
#include "small_scene.h"

namespace tenon::content::test {
namespace {

nlohmann::json boxAt(const char* name, double x, double y, double z) {
  return {{"name", name},
          {"material", "steel"},
          {"position", {x, y, z}},
          {"shape", {{"kind", "box"}, {"size", {20, 20, 20}}}}};
}

/// A scene of only these parts.
nlohmann::json sceneOf(const std::vector<nlohmann::json>& parts) {
  return {{"tenon", 1},
          {"title", "boxes"},
          {"unit", "mm"},
          {"duration_s", 1},
          {"materials", {{{"name", "steel"}, {"density_kg_per_m3", 7850}}}},
          {"parts", parts}};
}

TEST(Overlap, boxesAreReportedWithTheDepth) {
  const auto document = sceneOf({boxAt("low", 0, 0, 0), boxAt("high", 3, 2, 19.75)});
  EXPECT_EQ(
      errorFor(document.dump()),
      "small.json: /parts/1: parts \"low\" and \"high\" overlap by 250 µm at the start; move them apart by "
      "changing \"position\" or \"rotation\"");
}

TEST(Overlap, isReportedInMillimetersFromAThousandMicrometers) {
  const auto errorText = [](double high) {
    return errorFor(sceneOf({boxAt("low", 0, 0, 0), boxAt("high", 3, 2, high)}).dump());
  };
  EXPECT_NE(errorText(19.0003).find("overlap by 0.9997 mm"), std::string::npos) << errorText(19.0003);
  EXPECT_NE(errorText(19.4).find("overlap by 600 µm"), std::string::npos) << errorText(19.4);
}

TEST(Overlap, theDeepestPairIsReported) {
  const auto document =
      sceneOf({boxAt("a", 0, 0, 0), boxAt("b", 0, 0, 19.9), boxAt("c", 0, 0, 38), boxAt("d", 50, 0, 0)});
  const std::string errorText = errorFor(document.dump());
  EXPECT_EQ(
      errorText.find("small.json: /parts/2: parts \"b\" and \"c\" overlap by 1.9 mm at the start (2 pairs"),
      0u)
      << errorText;
}

TEST(Overlap, manyOverlapsAreRejectedWithoutCountingThemAll) {
  std::vector<nlohmann::json> parts;
  for (int k = 0; k < 300; ++k) parts.push_back(boxAt(std::to_string(k).c_str(), 0, 0, 0.01 * k));
  const std::string errorText = errorFor(sceneOf(parts).dump());
  EXPECT_NE(errorText.find("(8 or more pairs overlap)"), errorText.npos) << errorText;
}

TEST(Overlap, fixedPartsMayNotOverlapEither) {
  auto low = boxAt("low", 0, 0, 0), high = boxAt("high", 0, 0, 19);
  low["motion"] = high["motion"] = "fixed";
  EXPECT_NE(errorFor(sceneOf({low, high}).dump()).find("overlap by 1 mm"), std::string::npos);
  const nlohmann::json floor = {{"name", "floor"},
                                {"motion", "fixed"},
                                {"position", {0, 0, -9.5}},
                                {"shape", {{"kind", "half_space"}}}};
  EXPECT_NE(errorFor(sceneOf({low, floor}).dump()).find("overlap by 500 µm"), std::string::npos);
}

TEST(Overlap, touchingIsValidAndANanometerIsNoOverlap) {
  for (const double high : {20.0, 20 - 0.5e-6}) {
    const Scene scene = parsed(sceneOf({boxAt("low", 0, 0, 0), boxAt("high", 3, 2, high)}));
    EXPECT_TRUE(scene.settled.empty());
    EXPECT_EQ(scene.part(1).X_WP.p.z(), high * 1e-3);
  }
}

TEST(Overlap, upToTenMicrometersPartsAreMovedApart) {
  for (const double overlap : {2e-6, 3e-3, 9.9e-3}) {
    const Scene scene = parsed(sceneOf({boxAt("low", 0, 0, 0), boxAt("high", 0, 0, 20 - overlap)}));
    ASSERT_EQ(scene.settled.size(), 1u) << overlap;
    EXPECT_NEAR(scene.settled[0].depth, overlap * 1e-3, 1e-12);
    // Equal masses: half the way each, straight up and down.
    EXPECT_NEAR(scene.part(1).X_WP.p.z() - scene.part(0).X_WP.p.z(), 20e-3, 1e-9);
    EXPECT_NEAR(scene.part(0).X_WP.p.z(), -0.5e-3 * overlap, 1e-9);
    EXPECT_NEAR(scene.part(1).X_WP.p.head<2>().norm(), 0, 1e-9);
    EXPECT_EQ(scene.part(1).v.norm(), 0);
  }
  EXPECT_NE(errorFor(sceneOf({boxAt("low", 0, 0, 0), boxAt("high", 0, 0, 20 - 11e-3)}).dump()), "");
}

TEST(Overlap, fixedPartsStayWhereTheyAreDrawn) {
  auto low = boxAt("low", 0, 0, 0), high = boxAt("high", 0, 0, 20 - 3e-3);
  low["motion"] = high["motion"] = "fixed";
  const Scene scene = parsed(sceneOf({low, high}));
  EXPECT_EQ(scene.settled.size(), 1u);
  EXPECT_EQ(scene.part(1).X_WP.p.z(), (20 - 3e-3) * 1e-3);
}

TEST(Overlap, whatCannotBeMovedApartIsRefused) {
  // Between two fixed boxes that leave 3 µm less than the third one needs.
  auto low = boxAt("low", 0, 0, 0), high = boxAt("high", 0, 0, 40 - 3e-3);
  low["motion"] = high["motion"] = "fixed";
  const std::string error = errorFor(sceneOf({low, high, boxAt("middle", 0, 0, 20 - 1e-3)}).dump());
  EXPECT_NE(error.find("overlap by"), std::string::npos) << error;
}

TEST(Overlap, aPinInTheMaterialBesideItsHoleIsFound) {
  nlohmann::json document = smallScene();
  document["parts"][1]["position"] = {-15, 0, -10};
  EXPECT_EQ(errorFor(document.dump()), "") << "a pin of 8 mm in a hole of 8.05 mm";
  document["parts"][1]["position"] = {0, 0, -10};
  EXPECT_NE(errorFor(document.dump()).find("small.json: /parts/1: parts \"block\" and \"pin\" overlap by"),
            std::string::npos)
      << errorFor(document.dump());
}

TEST(Overlap, wallOfAHoleIsWhereItsFacetsAre) {
  // Facets touch the true circle, one with its normal along x: moved by the play and 13 µm more along
  // x, the pin is 13 µm in the wall.
  nlohmann::json document = smallScene();
  document["parts"][1]["position"] = {-15 + 0.025 + 0.013, 0, -12};
  EXPECT_NE(errorFor(document.dump()).find("overlap by 13 µm"), std::string::npos)
      << errorFor(document.dump());
  document["parts"][1]["position"] = {-15 + 0.025 - 0.001, 0, -12};
  EXPECT_EQ(errorFor(document.dump()), "");
}

TEST(Overlap, childrenOfACompoundMayTouchButNotOverlap) {
  nlohmann::json document = smallScene();
  document["parts"][4]["shape"]["children"][1]["position"][2] = 2.9;
  EXPECT_EQ(
      errorFor(document.dump())
          .find("small.json: /parts/4/shape/children/1: overlaps child 0 of the same compound by 100 µm"),
      0u)
      << errorFor(document.dump());
}

TEST(Overlap, interferencesAreListedWithTheirParts) {
  // Built by hand: a scene out of loadScene() has none.
  Scene scene;
  for (const double x : {0.0, 0.9, 3.0}) {
    Part part;
    part.shape = physics::Sphere{0.5};
    part.X_WP.p.x() = x;
    scene.parts.push_back(part);
  }
  const auto found = findInterferences(scene, 1e-9);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a, 0);
  EXPECT_EQ(found[0].b, 1);
  EXPECT_NEAR(found[0].depth, 0.1, 1e-12);
  EXPECT_TRUE(findInterferences(scene, 0.11).empty());
}

}  // namespace
}  // namespace tenon::content::test
