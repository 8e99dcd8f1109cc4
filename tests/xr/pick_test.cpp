// Picking: a ray through a pixel hits the part drawn there and finds its hole or axis.
#include "xr/appearance/pick.h"

#include <gtest/gtest.h>

#include <numbers>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/appearance/fit_view.h"

namespace tenon::xr::pick_test {
namespace {

using physics::Pose;
using physics::Quaterniond;

struct Bench {
  content::Scene scene = content::loadScene(tests::scenePath("bolt-in-plate"));
  PartMeshes meshes{scene};
  Picker picker{scene, meshes};
  std::vector<Pose> X_WP;

  Bench() {
    for (const content::Part& part : scene.parts) X_WP.push_back(part.X_WP);
  }
  std::optional<PartHit> pick(const Vector3d& from, const Vector3d& along) const {
    return picker.pick({from, along.normalized()}, X_WP);
  }
  std::optional<PickedFeature> feature(const Vector3d& from, const Vector3d& along) const {
    const Ray ray{from, along.normalized()};
    return picker.featureAt(ray, picker.pick(ray, X_WP), X_WP);
  }
};

TEST(Pick, RayPassesThroughThePointOfItsPixel) {
  const std::vector<Vector3d> points = {{0.1, 0.2, 0.3}, {-0.1, 0, 0.05}};
  View view = fitView(points, Vector3d(1, -2, 1.5).normalized(), 1.6);
  view.left *= 1.3;  // as an eye of a headset: not in the middle
  for (const Vector3d& p : points) {
    const Vector3d seen = projected(view, p);
    const Ray ray = rayThrough(view, seen.x(), seen.y());
    EXPECT_LT((p - ray.origin).cross(ray.direction).norm(), 1e-12);
    EXPECT_GT((p - ray.origin).dot(ray.direction), 0);
  }
}

TEST(Pick, HitsTheNearestPartOnItsSurface) {
  const Bench bench;
  // The screw stands on its head beside the hole, its tip 38 mm above the plate.
  const auto screw = bench.pick({-0.028, 0, 0.2}, {0, 0, -1});
  ASSERT_TRUE(screw);
  EXPECT_EQ(screw->part, 1);
  EXPECT_NEAR(screw->distance, 0.2 - 0.038, 1e-12);
  EXPECT_NEAR(screw->normal_W.z(), 1, 1e-12);
  const auto shank = bench.pick({-0.2, 0.001, 0.02}, {1, 0, 0});
  ASSERT_TRUE(shank);
  EXPECT_EQ(shank->part, 1);
  const double exact = -0.028 - std::sqrt(0.004 * 0.004 - 0.001 * 0.001);
  EXPECT_NEAR(shank->p_W.x(), exact, 2.5e-5) << "a chord's sagitta";
  EXPECT_NEAR(shank->normal_W.y(), 0.25, 0.02) << "of the round surface, not of the facet";
  const auto plate = bench.pick({0.03, 0.03, 0.2}, {0, 0, -1});
  ASSERT_TRUE(plate);
  EXPECT_EQ(plate->part, 0);
  EXPECT_NEAR(plate->p_W.z(), 0, 1e-12);
}

TEST(Pick, RayThroughAHoleHitsNothing) {
  const Bench bench;
  EXPECT_FALSE(bench.pick({0, 0, 0.2}, {0, 0, -1}));
  EXPECT_TRUE(bench.pick({0.0043, 0, 0.2}, {0, 0, -1})) << "on the lead-in";
}

TEST(Pick, SkippedPartsAreIgnored) {
  const Bench bench;
  const auto hit =
      bench.picker.pick({Vector3d(-0.028, 0, 0.2), -Vector3d::UnitZ()}, bench.X_WP, {false, true});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->part, 0);
}

TEST(Pick, MovedPartsAreHitAtTheirPoses) {
  Bench bench;
  bench.X_WP[1] = {Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitY())), {0.1, 0, 0.3}};
  const auto hit = bench.pick({0.1, 0, 0.5}, {0, 0, -1});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->part, 1);
  EXPECT_NEAR(hit->p_W.z(), 0.3 + 0.004, 1e-4);
}

TEST(Pick, HoleIsFoundByItsMouthAndByItsWall) {
  const Bench bench;
  const auto mouth = bench.feature({0, 0, 0.2}, {0, 0, -1});
  ASSERT_TRUE(mouth) << "also where the ray goes on to nothing";
  EXPECT_EQ(mouth->kind, PickedFeature::Kind::hole);
  EXPECT_EQ(mouth->name, "hole");
  EXPECT_EQ(mouth->part, 0);
  EXPECT_NEAR((bench.X_WP[0] * mouth->X_PF).p.norm(), 0, 1e-12);
  const auto wall = bench.feature({0.001, 0, -0.01}, {1, 0, 0});  // from inside
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->kind, PickedFeature::Kind::hole);
  const auto face = bench.feature({0.02, 0, 0.2}, {0, 0, -1});
  ASSERT_TRUE(face);
  EXPECT_EQ(face->kind, PickedFeature::Kind::part);
  EXPECT_NEAR((bench.X_WP[0] * face->X_PF).p.x(), 0.02, 1e-12);
  const auto below = bench.feature({0, 0, -0.2}, {0, 0, 1});
  EXPECT_FALSE(below) << "from below it is the far end, and nothing else is there";
}

TEST(Pick, RoundPartIsFoundByItsAxis) {
  const Bench bench;
  const auto tip = bench.feature({-0.2, 0, 0.02}, {1, 0, 0});
  ASSERT_TRUE(tip);
  EXPECT_EQ(tip->kind, PickedFeature::Kind::axis);
  EXPECT_EQ(tip->name, "tip");
  const Pose X_WF = bench.X_WP[1] * tip->X_PF;
  EXPECT_NEAR(X_WF.p.z(), 0.038, 1e-12);
  EXPECT_NEAR((X_WF.q * Vector3d::UnitZ()).z(), 1, 1e-12) << "the way it points";
}

TEST(Pick, RayIntoTheSkyHitsNothing) {
  const Bench bench;
  EXPECT_FALSE(bench.feature({0, 0, 0.2}, {0, 0, 1}));
}

}  // namespace
}  // namespace tenon::xr::pick_test
