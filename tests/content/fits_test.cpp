// The table of ISO 286 against its formulas, and fits applied to the shapes of a scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/fits/iso286.h"
#include "content/model/hole_sites.h"
#include "content/reader/load_scene.h"
#include "content/reader/read_fits.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;

// ISO 286-1: i = 0.45 ∛D + 0.001 D, IT6 = 10 i, IT7 = 16 i; g: −2.5 D^0.34; m: IT7 − IT6; p: IT7 + 0 … 5.
// D [mm] is the geometric mean of the range's ends. The standard rounds its results, up to 1.2 µm in this
// range.
TEST(Iso286, TableMatchesTheFormulasOfTheStandard) {
  const double ends[] = {1, 3, 6, 10, 18, 30, 50};
  for (int k = 0; k < 6; ++k) {
    const double D = std::sqrt(ends[k] * ends[k + 1]), i = 0.45 * std::cbrt(D) + 0.001 * D;
    const double it6 = 10 * i, it7 = 16 * i, rounding = 1.5;
    SCOPED_TRACE(ends[k + 1]);
    const auto of = [&](const char* text) { return *fitClass(text, ends[k + 1] * 1e-3); };
    const auto um = [](double length) { return length * 1e6; };
    EXPECT_EQ(of("H7/h6").hole.lower, 0);
    EXPECT_NEAR(um(of("H7/h6").hole.upper), it7, rounding);
    EXPECT_EQ(of("H7/h6").shaft.upper, 0);
    EXPECT_NEAR(um(of("H7/h6").shaft.lower), -it6, rounding);
    EXPECT_NEAR(um(of("H7/g6").shaft.upper), -2.5 * std::pow(D, 0.34), rounding);
    EXPECT_NEAR(um(of("H7/m6").shaft.lower), it7 - it6, rounding);
    EXPECT_GE(um(of("H7/p6").shaft.lower), it7 - 5);
    EXPECT_LE(um(of("H7/p6").shaft.lower), it7 + 5 + rounding);
    for (const char* text :
         {"H7/g6", "H7/h6", "H7/js6", "H7/k6", "H7/m6", "H7/n6", "H7/p6", "H7/r6", "H7/s6"}) {
      const Deviations shaft = of(text).shaft;
      EXPECT_NEAR(um(shaft.upper - shaft.lower), it6, rounding) << text;
    }
  }
}

// Limits [µm] as Sumitomo Electric prints them, after JIS B 0401 (1999), which has the values of ISO 286-2.
TEST(Iso286, ZonesHaveTheLimitsOfPrintedTables) {
  struct Printed {
    const char* zone;
    double diameter_mm, lower, upper;
  };
  for (const Printed& p :
       {Printed{"H7", 10, 0, 15},  Printed{"H7", 30, 0, 21},      Printed{"g6", 10, -14, -5},
        Printed{"h6", 20, -13, 0}, Printed{"js6", 10, -4.5, 4.5}, Printed{"js6", 40, -8, 8},
        Printed{"k6", 3, 0, 6},    Printed{"k6", 10, 1, 10},      Printed{"k6", 18, 1, 12},
        Printed{"k6", 25, 2, 15},  Printed{"k6", 50, 2, 18},      Printed{"m6", 10, 6, 15},
        Printed{"n6", 5, 8, 16},   Printed{"n6", 25, 15, 28},     Printed{"n6", 50, 17, 33},
        Printed{"p6", 16, 18, 29}, Printed{"r6", 6, 15, 23},      Printed{"r6", 10, 19, 28},
        Printed{"r6", 50, 34, 50}, Printed{"s6", 3, 14, 20},      Printed{"s6", 10, 23, 32},
        Printed{"s6", 15, 28, 39}, Printed{"s6", 40, 43, 59}}) {
    SCOPED_TRACE(std::string(p.zone) + " at " + std::to_string(p.diameter_mm));
    const auto zone = toleranceZone(p.zone, p.diameter_mm * 1e-3);
    ASSERT_TRUE(zone);
    EXPECT_NEAR(zone->lower, p.lower * 1e-6, 1e-15);
    EXPECT_NEAR(zone->upper, p.upper * 1e-6, 1e-15);
  }
  EXPECT_FALSE(toleranceZone("k7", 0.01));
  EXPECT_FALSE(toleranceZone("k6", 0.0505));
  EXPECT_FALSE(isFitClass("H7/H7"));
  EXPECT_FALSE(isFitClass("H7/"));
}

TEST(Iso286, FitsAreClassified) {
  const auto kind = [](const char* text) {
    const FitClass fit = *fitClass(text, 0.008);
    return classifyFit(fit.minClearance(), fit.maxClearance());
  };
  EXPECT_EQ(kind("H7/g6"), FitKind::clearance);
  EXPECT_EQ(kind("H7/h6"), FitKind::clearance);
  for (const char* text : {"H7/js6", "H7/k6", "H7/m6", "H7/n6"})
    EXPECT_EQ(kind(text), FitKind::transition) << text;
  for (const char* text : {"H7/p6", "H7/r6", "H7/s6"}) EXPECT_EQ(kind(text), FitKind::interference) << text;
  EXPECT_NEAR(fitClass("H7/g6", 0.008)->minClearance(), 5e-6, 1e-15);
  EXPECT_NEAR(fitClass("H7/g6", 0.008)->maxClearance(), 29e-6, 1e-15);
  EXPECT_FALSE(fitClass("H7/g6", 0.0505));
  EXPECT_FALSE(fitClass("H7/g6", 0.0009));
  EXPECT_FALSE(fitClass("H8/g6", 0.008));
}

/// A pin over an Ø 8 hole of the same size, with a goal; a stiffness of the materials where one is given.
json pinScene() {
  return json::parse(R"({"tenon": 1, "title": "pin", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
       "library": {"kind": "plate", "size": [60, 40, 20], "holes": [
         {"name": "a", "diameter": 8, "chamfer": 0.5, "at": [-15, 0]},
         {"name": "b", "diameter": 8, "depth": 12, "at": [15, 0]}]}},
      {"name": "pin", "material": "steel", "standard": "ISO 2338 8x30", "position": [0, 0, 40]}],
    "goals": [{"part": "pin", "feature": "tip", "into": "block", "hole": "a", "depth": 10,
               "depth_tolerance": 0.1, "tilt_tolerance_deg": 1, "fit": "H7/g6"}]})");
}

Scene read(const json& document) {
  return parseScene(document.dump(), "pin.json");
}

std::string errorForFit(const json& document) {
  try {
    read(document);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

double pinDiameter(const Scene& scene) {
  double radius = 0;
  for (const auto& p : std::get<physics::SolidOfRevolution>(scene.parts[1].shape).profile)
    radius = std::max(radius, p.y());
  return 2 * radius;
}

double boreDiameter(const Scene& scene, std::size_t hole) {
  return 2 * holesOf(scene.parts[0].shape)[hole].profile.back().y();
}

TEST(Fits, AreAppliedToHoleAndPartAtTheirPositionInTheTolerance) {
  struct Case {
    const char* fit;
    double hole_um, pin_um;
  };
  for (const Case& c :
       {Case{R"("H7/g6")", 7.5, -9.5}, Case{R"({"class": "H7/g6", "at": "max"})", 15, -14},
        Case{R"({"class": "H7/g6", "at": "min"})", 0, -5},
        Case{R"({"class": "H7/h6", "at": 0.25})", 3.75, -2.25},
        Case{R"({"class": "H7/h6", "at": "=1 / 4"})", 3.75, -2.25}, Case{R"({"clearance_um": 25})", 25, 0}}) {
    SCOPED_TRACE(c.fit);
    json document = pinScene();
    document["goals"][0]["fit"] = json::parse(c.fit);
    const Scene scene = read(document);
    EXPECT_NEAR(boreDiameter(scene, 0) - 0.008, c.hole_um * 1e-6, 1e-14);
    EXPECT_NEAR(pinDiameter(scene) - 0.008, c.pin_um * 1e-6, 1e-14);
    ASSERT_TRUE(scene.goals[0].fit);
    EXPECT_NEAR(scene.goals[0].fit->clearance(), (c.hole_um - c.pin_um) * 1e-6, 1e-14);
    EXPECT_NEAR(scene.goals[0].fit->nominal, 0.008, 1e-15);
    // The rest is unchanged: the mouth, the other hole, the pin's ends.
    const auto holes = holesOf(scene.parts[0].shape);
    EXPECT_DOUBLE_EQ(holes[0].profile.front().y(), 0.0045);
    EXPECT_DOUBLE_EQ(holes[1].profile.front().y(), 0.004);
    EXPECT_NEAR(std::get<physics::SolidOfRevolution>(scene.parts[1].shape).profile[1].y(),
                0.004 - 0.0016 * std::tan(M_PI / 12), 1e-15);
  }
}

TEST(Fits, RandomOnesStayInTheirToleranceAndDependOnTheSeed) {
  double least = 1, greatest = 0;
  for (int seed = 0; seed < 200; ++seed) {
    json document = pinScene();
    document["goals"][0]["fit"] = {{"class", "H7/g6"}, {"at", "random"}, {"seed", seed}};
    const double clearance = read(document).goals[0].fit->clearance();
    ASSERT_EQ(clearance, read(document).goals[0].fit->clearance());
    ASSERT_GE(clearance, 5e-6);
    ASSERT_LE(clearance, 29e-6);
    least = std::min(least, clearance);
    greatest = std::max(greatest, clearance);
  }
  // The sum of two even draws reaches within a tenth of either end some four times in 200.
  EXPECT_LT(least, 9e-6);
  EXPECT_GT(greatest, 25e-6);
}

TEST(Fits, APinOfTwoHolesGetsOneSize) {
  json document = pinScene();
  json second = document["goals"][0];
  second["hole"] = "b";
  document["goals"].push_back(second);
  const Scene scene = read(document);
  EXPECT_NEAR(pinDiameter(scene) - 0.008, -9.5e-6, 1e-14);
  EXPECT_NEAR(boreDiameter(scene, 0), 0.0080075, 1e-14);
  EXPECT_NEAR(2 * holesOf(scene.parts[0].shape)[1].profile.front().y(), 0.0080075, 1e-14);
  document["goals"][1]["fit"] = "H7/h6";
  const std::string errorText = errorForFit(document);
  EXPECT_NE(
      errorText.find("pin.json: /goals/1/fit: gives part \"pin\" (Ø8 mm) a different size than /goals/0/fit"),
      std::string::npos)
      << errorText;
}

TEST(Fits, InterferenceIsRejectedForRigidMaterials) {
  json document = pinScene();
  for (const auto& [fit, words] : {std::pair("H7/p6", "12 µm wider than its hole (an interference fit)"),
                                   std::pair("H7/m6", "3 µm wider than its hole (a transition fit)")}) {
    document["goals"][0]["fit"] = fit;
    const std::string errorText = errorForFit(document);
    EXPECT_NE(errorText.find(words), std::string::npos) << errorText;
    EXPECT_NE(errorText.find("; to press it in, give the pair of materials \"stiffness_n_per_m\""),
              std::string::npos);
  }
  document["goals"][0]["fit"] = {{"class", "H7/m6"}, {"at", "max"}};  // 9 µm of clearance
  EXPECT_EQ(errorForFit(document), "");
  document["goals"][0]["fit"] = "H7/p6";
  json elastic = document;
  document["material_pairs"][0]["stiffness_n_per_m"] = 5e8;
  EXPECT_NEAR(read(document).goals[0].fit->clearance(), -12e-6, 1e-14);
  elastic["materials"][0]["youngs_modulus_gpa"] = 210;
  EXPECT_NEAR(read(elastic).goals[0].fit->clearance(), -12e-6, 1e-14);
}

TEST(Fits, ErrorsAreReportedWithTheirPointer) {
  struct Case {
    const char* at;
    const char* value;
    const char* errorText;
  };
  for (const Case& c : {
           Case{"/goals/0/fit", R"("H7/f7")",
                "/goals/0/fit: is \"H7/f7\"; use one of H7/g6, H7/h6, H7/js6, H7/k6, "
                "H7/m6, H7/n6, H7/p6, H7/r6, H7/s6"},
           Case{"/goals/0/fit", R"({"class": "H8/h7"})", "/goals/0/fit/class: "},
           Case{"/goals/0/fit", R"({"class": "H7/h6", "clearance_um": 5})",
                "either \"class\" or \"clearance_um\""},
           Case{"/goals/0/fit", R"({"clearance_um": 5, "at": "mid"})", "a position in a tolerance"},
           Case{"/goals/0/fit", R"({"class": "H7/h6", "at": "mean"})", "/goals/0/fit/at: "},
           Case{"/goals/0/fit", R"({"class": "H7/h6", "at": 1.5})", "/goals/0/fit/at: "},
           Case{"/goals/0/fit", R"({"class": "H7/h6", "seed": 3})", "is not random"},
           Case{"/goals/0/fit", "7", "/goals/0/fit: contains no fit; give \"H7/g6\""},
           Case{"/goals/0/fit", R"({"clearance_um": 6000})", "/goals/0/fit/clearance_um: "},
           Case{"/parts/1/standard", R"("ISO 2338 6x30")",
                "/goals/0/fit: is for hole \"a\" of Ø8 mm, and part \"pin\" has no cylinder of that "
                "diameter"},
       }) {
    json document = pinScene();
    document[json::json_pointer(c.at)] = json::parse(c.value);
    const std::string errorText = errorForFit(document);
    EXPECT_NE(errorText.find(c.errorText), std::string::npos) << c.value << "\n" << errorText;
    EXPECT_NE(errorText.find("; "), std::string::npos) << errorText;
  }
}

TEST(Fits, AHoleWithoutMaterialAroundItIsRejected) {
  struct Case {
    const char* holes;
    int clearance_um;
    const char* errorText;
  };
  for (const Case& c : {
           Case{R"([{"name": "a", "diameter": 8, "at": [25.5, 0]}])", 1200,
                "/goals/0/fit: makes hole \"a\" of \"block\" Ø9.2 mm, and then cavity \"a\": it leaves the "
                "block through a "
                "side face (x)"},
           Case{
               R"([{"name": "a", "diameter": 8, "at": [0, 0]}, {"name": "b", "diameter": 8, "at": [10, 0]}])",
               4100, "/goals/0/fit: makes hole \"a\" of \"block\" Ø12.1 mm, and then it meets hole \"b\""},
       }) {
    json document = pinScene();
    document["parts"][0]["library"]["holes"] = json::parse(c.holes);
    EXPECT_EQ(errorForFit(document), "");
    document["goals"][0]["fit"] = {{"clearance_um", c.clearance_um}};
    const std::string errorText = errorForFit(document);
    EXPECT_NE(errorText.find(c.errorText), std::string::npos) << errorText;
    EXPECT_NE(errorText.find("; give a smaller \"clearance_um\", or more material around the hole"),
              std::string::npos)
        << errorText;
  }
}

TEST(Fits, AHoleAsWideAsItsChamferIsRejected) {
  json document = pinScene();
  for (const auto& [clearance_um, isRefused] : {std::pair(990, false), {1000, true}, {1100, true}}) {
    document["goals"][0]["fit"] = {{"clearance_um", clearance_um}};
    const std::string errorText = errorForFit(document);
    EXPECT_EQ(errorText.find("past its next edge at Ø9 mm") != std::string::npos, isRefused) << errorText;
    EXPECT_EQ(errorText.empty(), !isRefused) << errorText;
  }
  document["goals"][0]["fit"] = {{"clearance_um", 2500}};
  document["goals"][0]["hole"] = "bore";
  document["parts"][0]["library"] = {{"kind", "bushing"}, {"bore", 8}, {"outer", 10}, {"length", 20}};
  const std::string errorText = errorForFit(document);
  EXPECT_NE(errorText.find("makes hole \"bore\" of \"block\" Ø10.5 mm, past its next edge at Ø10 mm"),
            std::string::npos)
      << errorText;
}

TEST(Fits, ABearingGetsOneFitOutsideAndAnotherInside) {
  const Scene scene = loadScene(std::string(TENON_SOURCE_DIR) + "/content/scenes/bearing.json");
  ASSERT_EQ(scene.goals.size(), 2u);
  EXPECT_NEAR(scene.goals[0].fit->nominal, 0.047, 1e-15);
  EXPECT_NEAR(scene.goals[1].fit->nominal, 0.020, 1e-15);
  const auto& bearing =
      std::get<physics::SolidOfRevolution>(scene.parts[static_cast<std::size_t>(scene.goals[0].part)].shape);
  double outer = 0, inner = 1;
  for (const auto& p : bearing.profile) {
    outer = std::max(outer, p.y());
    inner = std::min(inner, p.y());
  }
  EXPECT_NEAR(2 * outer - 0.047, (-25 - 9) / 2.0 * 1e-6, 1e-14);
  EXPECT_NEAR(2 * inner - 0.020, 21 / 2.0 * 1e-6, 1e-14);
}

TEST(Fits, OfTwoBlindHolesAlongAnAxisOnlyTheGoalsIsWidened) {
  json document = pinScene();
  json& housing = document["parts"][0];
  housing.erase("library");
  housing["shape"] = json::parse(R"({"kind": "turned", "hole": "upper", "hole_below": "lower", "profile":
    [[10, 0], [10, 4], [0, 4], [0, 10], [40, 10], [40, 4.5], [39.5, 4], [25, 4], [25, 0]]})");
  housing["position"] = {0, 0, -40};
  document["goals"][0]["fit"] = json::parse(R"({"clearance_um": 25})");
  for (const std::size_t wider : {0U, 1U}) {
    document["goals"][0]["hole"] = wider == 0 ? "upper" : "lower";
    const Scene scene = read(document);
    const auto holes = holesOf(scene.parts[0].shape);
    ASSERT_EQ(holes.size(), 2U);
    EXPECT_EQ(holes[0].name, "upper");
    EXPECT_EQ(holes[1].name, "lower");
    for (const std::size_t k : {0U, 1U})
      EXPECT_NEAR(holes[k].profile.end()[-2].y(), k == wider ? 0.0040125 : 0.004, 1e-15) << wider << k;
    EXPECT_DOUBLE_EQ(holes[0].profile.front().y(), 0.0045);
  }
  document["goals"][0]["hole"] = "lower";
  document["goals"][0]["depth"] = 10.5;
  EXPECT_NE(errorForFit(document).find("deeper than the blind hole"), std::string::npos);
}

TEST(Fits, AClearanceIsAddedToTheHoleOfAGoal) {
  const Scene scene = parseScene(pinScene().dump(), "pin.json");
  Scene wider = scene;
  ASSERT_TRUE(addClearance(wider, wider.goals[0], 30e-6));
  const auto radiusOf = [](const Scene& of) {
    const auto site = mouthOf(of.part(of.goals[0].into).shape, of.goals[0].hole).value();
    double least = site.profile.front().y();
    for (const Eigen::Vector2d& p : site.profile)
      if (p.y() > 0) least = std::min(least, p.y());
    return least;
  };
  EXPECT_NEAR(radiusOf(wider) - radiusOf(scene), 15e-6, 1e-12);
  // Past its chamfer of 0.5 mm it is no longer that hole.
  wider = scene;
  EXPECT_FALSE(addClearance(wider, wider.goals[0], 1.1e-3));
}

}  // namespace
}  // namespace tenon::content::test
