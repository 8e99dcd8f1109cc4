// The few sizes of a fit from every shape that can be a peg or have a hole.
#include "runtime/assess/insertion_fit.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/runtime/goal_scene.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::runtime {
namespace {

using physics::Pose;
using tests::goalScene;

constexpr double kExact = 1e-12;

InsertionFit fitOf(const content::Scene& scene) {
  return insertionFitOf(scene, scene.goals[0]);
}

physics::PlacedShape at(double z, physics::Shape shape) {
  return {std::move(shape), Pose::at({0, 0, z})};
}

TEST(InsertionFit, OfASharpPegInAChamferedThroughHole) {
  const InsertionFit fit = fitOf(goalScene());
  EXPECT_NEAR(fit.boreRadius, 0.005, kExact);
  EXPECT_NEAR(fit.mouthRadius(), 0.006, kExact);
  EXPECT_NEAR(fit.leadInDepth, 0.001, kExact);
  EXPECT_TRUE(fit.through);
  EXPECT_NEAR(fit.leadInRadius, 0.006, kExact);
  EXPECT_NEAR(fit.pegRadius, 0.0049, kExact);
  EXPECT_NEAR(fit.tipRadius, 0.0049, kExact);
  EXPECT_EQ(fit.tipLength, 0);
  EXPECT_TRUE(std::isinf(fit.head));
  EXPECT_NEAR(fit.clearance(), 2e-4, kExact);
  EXPECT_NEAR(fit.captureRadius(), 0.0011, kExact);
}

TEST(InsertionFit, OfAScrewIsTheSameFromConvexPartsAndFromItsProfile) {
  content::Scene pieces = goalScene(), profile = goalScene();
  pieces.parts[1].shape = physics::Compound{{at(0.0005, physics::Frustum{0.003, 0.004, 0.0005}),
                                             at(0.0105, physics::Cylinder{0.004, 0.0095}),
                                             at(0.024, physics::Cylinder{0.0065, 0.004})}};
  profile.parts[1].shape = physics::SolidOfRevolution{
      {{0, 0}, {0, 0.003}, {0.001, 0.004}, {0.02, 0.004}, {0.02, 0.0065}, {0.028, 0.0065}, {0.028, 0}}};
  for (const content::Scene* scene : {&pieces, &profile}) {
    const InsertionFit fit = fitOf(*scene);
    EXPECT_NEAR(fit.pegRadius, 0.004, kExact);
    EXPECT_NEAR(fit.tipRadius, 0.003, kExact);
    EXPECT_NEAR(fit.tipLength, 0.001, kExact);
    EXPECT_FALSE(fit.roundTip);
    EXPECT_NEAR(fit.head, 0.02, kExact);
    EXPECT_NEAR(fit.captureRadius(), 0.003, kExact);
  }
}

TEST(InsertionFit, OfBlindAndThroughCavities) {
  content::Scene scene = goalScene();
  physics::Cavity cavity{"h", Pose::at({0.01, -0.02, 0.02}), {{0, 0.006}, {-0.001, 0.005}, {-0.025, 0.005}}};
  cavity.profile.emplace_back(-0.025, 0.0);
  scene.parts[0].shape = physics::BlockWithHoles{{0.05, 0.05, 0.02}, {cavity}};
  const InsertionFit blind = fitOf(scene);
  EXPECT_FALSE(blind.through);
  EXPECT_NEAR(blind.leadInDepth, 0.001, kExact);
  cavity.profile = {{0, 0.006}, {-0.001, 0.005}, {-0.04, 0.005}};
  cavity.through = true;
  scene.parts[0].shape = physics::BlockWithHoles{{0.05, 0.05, 0.02}, {cavity}};
  EXPECT_TRUE(fitOf(scene).through);
  EXPECT_EQ(fitOf(scene).hole.size(), 3u);
}

TEST(InsertionFit, OfARoundTipAndOfAPartThatIsNotRotational) {
  content::Scene scene = goalScene();
  scene.parts[1].shape = physics::Compound{{at(0.0229, physics::Capsule{0.0049, 0.018})}};
  const InsertionFit round = fitOf(scene);
  EXPECT_TRUE(round.roundTip);
  EXPECT_NEAR(round.tipLength, 0.0049, kExact);
  EXPECT_NEAR(round.tipRadius, 0, kExact);
  scene.parts[1].shape = physics::Box{{0.003, 0.003, 0.02}};
  EXPECT_FALSE(fitOf(scene).known());
  EXPECT_NEAR(fitOf(scene).radius(), 0.005, kExact);
  scene.goals[0].hole = "none";
  EXPECT_EQ(fitOf(scene).radius(), 0);
}

TEST(InsertionFit, IsTheSameForAConeOfConvexPartsAndOfItsProfile) {
  // Goals that end on the cone: its radius there counts, not its largest.
  content::Scene pieces = goalScene(), profile = goalScene();
  pieces.parts[1].shape = physics::Compound{{at(0.02, physics::Frustum{0.002, 0.0049, 0.02})}};
  profile.parts[1].shape = physics::SolidOfRevolution{{{0, 0}, {0, 0.002}, {0.04, 0.0049}, {0.04, 0}}};
  for (const double depth : {0.01, 0.02, 0.035}) {
    pieces.goals[0].depth = profile.goals[0].depth = depth;
    const InsertionFit a = fitOf(pieces), b = fitOf(profile);
    EXPECT_NEAR(a.pegRadius, b.pegRadius, kExact);
    EXPECT_NEAR(a.pegRadius, 0.002 + 0.0029 * (depth - 0.001) / 0.04, kExact);
    EXPECT_NEAR(a.tipLength, b.tipLength, kExact);
    EXPECT_NEAR(a.head, b.head, kExact);
  }
}

TEST(InsertionFit, FindsHolesInCompoundsAndPegsAboutTheAxis) {
  content::Scene scene = goalScene();
  scene.parts[0].shape = physics::Compound{{{scene.parts[0].shape, {}}}};
  EXPECT_NEAR(fitOf(scene).boreRadius, 0.005, kExact);
  EXPECT_NEAR(fitOf(scene).pegRadius, 0.0049, kExact);
  // What is beside the axis does not count.
  scene.parts[1].shape = physics::Compound{{at(0.0105, physics::Cylinder{0.0041, 0.0095}),
                                            {physics::Cylinder{0.02, 0.004}, Pose::at({0.001, 0, 0.004})}}};
  EXPECT_NEAR(fitOf(scene).pegRadius, 0.0041, kExact);
  scene.goals[0].hole = "other";
  EXPECT_EQ(fitOf(scene).boreRadius, 0);
}

TEST(InsertionFit, OfAScrewWhoseHeadSinksIntoACounterbore) {
  content::Scene scene = goalScene();
  // A counterbore Ø16 × 9 with a flat floor, a bore Ø10 with a lead-in 0.5, a drill's point.
  scene.parts[0].shape = physics::BlockWithHoles{
      {0.05, 0.05, 0.02},
      {{"h",
        Pose::at({0.01, -0.02, 0.02}),
        {{0, 0.008}, {-0.009, 0.008}, {-0.009, 0.0055}, {-0.0095, 0.005}, {-0.03, 0.005}, {-0.032, 0}},
        false}}};
  scene.parts[1].shape = physics::SolidOfRevolution{
      {{0, 0}, {0, 0.0039}, {0.001, 0.0049}, {0.02, 0.0049}, {0.02, 0.0075}, {0.028, 0.0075}, {0.028, 0}}};
  scene.goals[0].depth = 0.029;  // the head on the counterbore's floor
  const InsertionFit fit = fitOf(scene);
  EXPECT_NEAR(fit.boreRadius, 0.005, kExact);
  EXPECT_NEAR(fit.leadInDepth, 0.0095, kExact);
  EXPECT_NEAR(fit.leadInRadius, 0.0055, kExact);
  EXPECT_NEAR(fit.captureRadius(), 0.0016, kExact) << "not to the rim of the counterbore";
  EXPECT_NEAR(fit.pegRadius, 0.0049, kExact) << "the head passes no bore";
  EXPECT_NEAR(fit.head, 0.02, kExact);
  scene.goals[0].depth = 0.008;  // no deeper than the counterbore
  EXPECT_NEAR(fitOf(scene).boreRadius, 0.008, kExact);
  scene.goals[0].depth = 0.031;  // into the drill's point, which is no bore
  EXPECT_NEAR(fitOf(scene).boreRadius, 0.005, kExact);
}

/// The fit of a goal that names a hole of one CAD part and an end of another.
InsertionFit fitOfFiles(const char* part, const std::vector<double>& partSizes, const char* into,
                        const std::vector<double>& intoSizes, const char* hole) {
  const tests::TemporaryFolder folder;
  EXPECT_TRUE(tests::makeStep(part, folder / "part.step", partSizes));
  EXPECT_TRUE(tests::makeStep(into, folder / "into.step", intoSizes));
  const std::string text = std::string(R"({"tenon": 1, "title": "fit", "unit": "mm", "duration_s": 1,
      "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
      "parts": [
        {"name": "into", "material": "steel", "motion": "fixed", "shape": {"kind": "mesh", "file": "into.step"}},
        {"name": "part", "material": "steel", "shape": {"kind": "mesh", "file": "part.step"},
         "position": [0, 0, 5]}],
      "goals": [{"part": "part", "feature": "end -z", "into": "into", "depth": 8, "depth_tolerance": 0.1,
                 "tilt_tolerance_deg": 1, "hole": ")") +
                           hole + "\"}]}";
  return fitOf(content::parseScene(text, folder / "scene.json"));
}

// Its flat and its key do not count: the fit is that of the cylinders.
TEST(InsertionFit, OfRoundFacesWithFlatsAndKeys) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const InsertionFit flat = fitOfFiles("d-shaft", {6, 2, 25, 0.5}, "d-knob", {6.02, 2.01, 10}, "hole +z");
  EXPECT_NEAR(flat.boreRadius, 3.01e-3, 1e-9);
  EXPECT_NEAR(flat.pegRadius, 3e-3, 1e-9);
  EXPECT_NEAR(flat.tipRadius, 2.5e-3, 1e-9);
  const InsertionFit key =
      fitOfFiles("keyed-shaft", {10, 40, 0.5, 3, 6}, "keyed-hub", {10.02, 3.02, 6.2}, "hole +z");
  EXPECT_NEAR(key.clearance(), 20e-6, 1e-9);
  EXPECT_EQ(key.seatLevel, std::numeric_limits<double>::infinity());  // the key passes its keyway
}

// The cylinder of the shaft that the named bore guides.
TEST(InsertionFit, OfASplineIsThatOfTheNamedBore) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::vector<double> shaft{7, 9, 6, 4, 30}, hub{7.1, 9.02, 6, 4.02, 20};
  EXPECT_NEAR(fitOfFiles("spline-shaft", shaft, "spline-hub", hub, "hole +z").clearance(), 200e-6, 1e-9);
  EXPECT_NEAR(fitOfFiles("spline-shaft", shaft, "spline-hub", hub, "hole +z 2").clearance(), 40e-6, 1e-9);
}

}  // namespace
}  // namespace tenon::runtime
