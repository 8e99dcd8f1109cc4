// Parts without a round hole, drawn in nominal sizes: with a fit laid on their walls they go in.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/scenario/scene_run.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::wall_fit_test {
namespace {

using Json = nlohmann::json;

/// Two nominal parts of tests/support/step/mating_parts.cpp; the part ends at this height in the frame of
/// the other one [mm].
struct Pair {
  const char* name;
  const char* intoKind;
  std::vector<double> intoSizes;
  const char* partKind;
  std::vector<double> partSizes;
  double end_mm, depth_mm;
};

void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.name;
}

/// The hand goes down 2 µm beside the axis, with the part turned by 0.01° about x.
Json sceneOf(const Pair& pair, const Json& fit) {
  const Json shift = {0.002, 0.002, pair.end_mm + pair.depth_mm + 0.5}, end = {0.002, 0.002, pair.end_mm},
             rotation = {{"axis", {1, 0, 0}}, {"angle_deg", 0.01}};
  const auto mesh = [](const char* file) { return Json{{"kind", "mesh"}, {"file", file}}; };
  const auto move = [&](double time, const Json& position) {
    return Json{{"at_s", time},
                {"move", {{"frame", "part"}, {"position", position}, {"rotation", rotation}}}};
  };
  return {
      {"tenon", 1},
      {"unit", "mm"},
      {"gravity_m_per_s2", {0, 0, 0}},
      {"duration_s", 2.2},
      {"materials", {{{"name", "steel"}, {"density_kg_per_m3", 7850}}}},
      {"material_pairs", {{{"materials", {"steel", "steel"}}, {"friction", 0.1}}}},
      {"parts",
       {{{"name", "into"}, {"material", "steel"}, {"motion", "fixed"}, {"shape", mesh("into.step")}},
        {{"name", "part"},
         {"material", "steel"},
         {"shape", mesh("part.step")},
         {"position", shift},
         {"rotation", rotation}}}},
      {"hands",
       {{{"position", shift}, {"script", {{{"at_s", 0}, {"grab", "part"}}, move(0, shift), move(2, end)}}}}},
      {"goals",
       {{{"part", "part"},
         {"into", "into"},
         {"pose", {{"position", {0, 0, pair.end_mm}}}},
         {"along", {0, 0, -1}},
         {"depth", pair.depth_mm},
         {"depth_tolerance", 0.1},
         {"tolerance", 0.05},
         {"tilt_tolerance_deg", 0.2},
         {"fit", fit}}}}};
}

class WallFit : public testing::TestWithParam<Pair> {};

TEST_P(WallFit, LetsNominalPartsGoIn) {
  if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  const Pair& pair = GetParam();
  tests::TemporaryFolder folder;
  ASSERT_TRUE(tests::makeStep(pair.intoKind, folder / "into.step", pair.intoSizes));
  ASSERT_TRUE(tests::makeStep(pair.partKind, folder / "part.step", pair.partSizes));
  content::MeshReadOptions meshes;
  meshes.cacheFolder = folder / "cache";
  for (const Json& fit : {Json("H7/g6"), Json{{"clearance_um", 10}}}) {
    SCOPED_TRACE(fit.dump());
    std::ofstream(folder / "scene.json") << sceneOf(pair, fit);
    const content::Scene scene = content::loadScene(folder / "scene.json", {}, meshes);
    ASSERT_TRUE(scene.goals[0].fit);
    EXPECT_GT(scene.goals[0].fit->clearance(), 9.9e-6);
    tests::SceneRun run(scene, {.dt = 1 / scene.rate});
    run.run(scene.duration, 0);
    EXPECT_EQ(toText(run.assessment.goals().front().verdict), toText(runtime::Verdict::inserted));
    EXPECT_LE(run.assessment.summary().maxPenetration, 1e-8);
    EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, WallFit,
    testing::Values(Pair{"square", "square-socket", {10, 15}, "square-peg", {10, 30}, -15, 15},
                    Pair{"d", "d-knob", {6, 2, 10}, "d-shaft", {6, 2, 25, 0.5}, -10, 10},
                    Pair{"key", "keyed-hub", {10, 3, 6}, "keyed-shaft", {10, 40, 0.5, 3, 6}, -20, 20},
                    Pair{"dovetail", "dovetail-block", {6, 9, 6, 30}, "dovetail", {6, 9, 6, 30}, -25, 25},
                    Pair{
                        "spline", "spline-hub", {7, 9, 6, 4, 20}, "spline-shaft", {7, 9, 6, 4, 30}, -15, 15}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace tenon::wall_fit_test
