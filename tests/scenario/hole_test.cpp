// What is not round in exact holes: loads, falls, comes to rest, and overlaps nowhere on the way.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/scenario/scene_run.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/block_reference.h"

namespace tenon::tests {
namespace {

using nlohmann::json;
using physics::Pose;
using physics::Vector3d;

/// A block with a counterbored hole in its top and a hole in its side, and one part.
content::Scene sceneWith(const std::string& part) {
  json document = json::parse(R"({
    "tenon": 1, "title": "hole", "unit": "mm", "duration_s": 1, "gravity_m_per_s2": [0, 0, -9.8],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed", "position": [0, 0, -20],
       "shape": {"kind": "block", "size": [80, 60, 40], "holes": [
         {"name": "top", "at": [0, 0], "profile": [[0, 8.5], [0.5, 8], [10, 8], [10, 3], [18, 3], [19.5, 0]]},
         {"name": "side", "at": [0, 0], "face": "+x", "diameter": 10, "depth": 20}]}}]
  })");
  document["parts"].push_back(json::parse(part));
  return content::parseScene(document.dump(), "hole.json", {});
}

std::vector<Vector3d> corners(const Vector3d& h) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(h.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return corners;
}

/// Signed distance of the part to the block by brute force [m].
double separation(const content::Scene& scene, const Pose& X_WP) {
  const auto& block = std::get<physics::BlockWithHoles>(scene.parts[0].shape);
  const physics::Shape& shape = scene.parts[1].shape;
  const Pose X_BP = scene.parts[0].X_WP.inverse() * X_WP;
  if (const auto* box = std::get_if<physics::Box>(&shape))
    return test::referenceSeparation(test::ConvexSolid(corners(box->halfExtents)), block, X_BP);
  if (const auto* hull = std::get_if<physics::Hull>(&shape))
    return test::referenceSeparation(test::ConvexSolid(hull->vertices), block, X_BP);
  if (const auto* capsule = std::get_if<physics::Capsule>(&shape))
    return test::referenceSeparation(test::CapsuleSolid{capsule->radius, capsule->halfLength}, block, X_BP);
  return test::referenceSeparation(std::get<physics::BlockWithHoles>(shape), block, X_BP);
}

struct Case {
  const char* name;
  const char* part;
  double speed = 1e-6;  ///< at the end, at most [m/s]
};

class Holes : public testing::TestWithParam<Case> {};

TEST_P(Holes, partsComeToRestInThemWithoutOverlap) {
  const content::Scene scene = sceneWith(GetParam().part);
  SceneRun run(scene, {.dt = 1e-3});
  const physics::BodyId part{1};
  double least = 1, speed = 0;
  for (int step = 0; step < 1500; ++step) {
    run.assessment.add(run.simulation.step());
    const physics::BodyState& state = run.world().stepResult().bodies[part.value];
    if (step % 100 == 99) least = std::min(least, separation(scene, run.world().partPose(part, state)));
    if (step >= 1400) speed = std::max(speed, state.v.norm());
  }
  EXPECT_GT(least, -1e-8);
  EXPECT_LT(least, 1e-5) << "it lies on something";
  EXPECT_LT(speed, GetParam().speed);
  EXPECT_EQ(run.assessment.summary().notConvergedSteps, 0);
  const std::int64_t before = allocationCount();
  for (int step = 0; step < 100; ++step) run.simulation.step();
  EXPECT_EQ(allocationCount() - before, 0);
}

INSTANTIATE_TEST_SUITE_P(
    parts, Holes,
    testing::Values(Case{"box_in_a_side_hole",
                         R"({"name": "box", "material": "steel", "position": [30, 0, -20],
             "shape": {"kind": "box", "size": [12, 4, 5]}})"},
                    Case{"box_standing_in_a_counterbore",
                         R"({"name": "box", "material": "steel", "position": [0.5, 0.3, 6],
                 "shape": {"kind": "box", "size": [8, 8, 30]}})"},
                    // Its foot slides over the floor to the wall, and without friction on along it.
                    Case{"box_leaning_in_a_counterbore",
                         R"({"name": "box", "material": "steel", "position": [0.2, 0.4, 8],
                 "rotation": {"axis": [0.1, 1, 0], "angle_deg": 14},
                 "shape": {"kind": "box", "size": [5, 6, 30]}})",
                         0.05},
                    Case{"spike_in_a_drill_point",
                         R"({"name": "spike", "material": "steel", "position": [0.3, 0.2, -16],
                 "rotation": {"axis": [1, 0.3, 0], "angle_deg": 1},
                 "shape": {"kind": "hull", "vertices": [[0, 0, -1], [1.5, 0, 7], [-1.2, 1, 7], [-1.2, -1, 7]]}})",
                         0.05},
                    Case{"capsule_standing_in_a_counterbore",
                         R"({"name": "capsule", "material": "steel", "position": [0, 0, 8],
                 "shape": {"kind": "capsule", "diameter": 14, "length": 20}})"},
                    Case{"capsule_over_a_rim",
                         R"({"name": "capsule", "material": "steel", "position": [6, 0, 8],
                 "rotation": {"axis": [0, 1, 0], "angle_deg": 80},
                 "shape": {"kind": "capsule", "diameter": 8, "length": 20}})"},
                    Case{"block_with_a_hole_over_a_hole",
                         R"({"name": "lid", "material": "steel", "position": [10, 5, 5.5],
                 "shape": {"kind": "block", "size": [30, 30, 10], "holes": [
                   {"name": "h", "at": [-6, -3], "diameter": 10, "through": true,
                    "chamfer": {"width": 1, "depth": 1}}]}})"},
                    // Without friction it slides on along the wall.
                    Case{"block_in_a_counterbore",
                         R"({"name": "key", "material": "steel", "position": [0.5, 0, 3],
                 "rotation": {"axis": [0, 1, 0], "angle_deg": 4},
                 "shape": {"kind": "block", "size": [9, 9, 25], "holes": [
                   {"name": "h", "at": [0, 0], "face": "-z", "diameter": 4, "depth": 8}]}})",
                         1e-4}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace tenon::tests
