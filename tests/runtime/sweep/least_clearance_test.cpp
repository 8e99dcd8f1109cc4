// Least clearances along paths against closed forms.
#include "runtime/sweep/least_clearance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/runtime/plan/plan_scene.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::ClearanceTimes;
using runtime::PartPath;

PartPath lineOf(const Vector3d& from, const Vector3d& to) {
  PartPath path;
  path.add(0, Pose::at(from));
  path.add(1, Pose::at(to));
  return path;
}

PartPath restAt(const Vector3d& p) {
  PartPath path;
  path.add(0, Pose::at(p));
  return path;
}

std::optional<runtime::LeastClearance> clearanceOf(const content::Scene& scene, const PartPath& a,
                                                   const PartPath& b, double range = 0.1,
                                                   ClearanceTimes times = ClearanceTimes::all) {
  runtime::PartDistance distance(scene);
  return runtime::leastClearance(distance, {0, a}, {1, b}, range, times, [] { return false; });
}

TEST(LeastClearance, ofASphereThatPassesAnother) {
  content::Scene scene = emptyScene();
  addPart(scene, "moving", physics::Sphere{0.004}, {});
  addPart(scene, "resting", physics::Sphere{0.006}, {});
  const Vector3d from(-0.03, 0.011, 0.002), to(0.05, 0.017, -0.004), center(0.005, 0, 0);
  const auto found = clearanceOf(scene, lineOf(from, to), restAt(center));
  ASSERT_TRUE(found);
  const double t = (center - from).dot(to - from) / (to - from).squaredNorm();
  const Vector3d nearest = from + t * (to - from);
  EXPECT_NEAR(found->distance, (nearest - center).norm() - 0.01, 1e-6);
  // Within the accuracy of the distance the time may differ by sqrt(2 · 1 µm · 20 mm) / 80 mm.
  EXPECT_NEAR(found->at, t, 0.003);
  const Vector3d midway = center + (0.006 + 0.5 * found->distance) * (nearest - center).normalized();
  EXPECT_LT((found->p - midway).norm(), 1e-4);
}

TEST(LeastClearance, ofASphereOnATurningArm) {
  // The arm sweeps 14 mm about the origin; the other sphere is 20 mm away, at 100°, passed in the middle of a
  // segment.
  content::Scene scene = emptyScene();
  physics::Compound arm;
  arm.children.push_back({physics::Sphere{0.002}, Pose::at({0.014, 0, 0})});
  addPart(scene, "arm", arm, {});
  addPart(scene, "resting", physics::Sphere{0.003}, {});
  PartPath path;
  for (int k = 0; k <= 4; ++k)
    path.add(k,
             {Quaterniond(Eigen::AngleAxisd(k * std::numbers::pi / 4, Vector3d::UnitZ())), Vector3d::Zero()});
  const double angle = 100 * std::numbers::pi / 180;
  const auto found = clearanceOf(scene, path, restAt(0.02 * Vector3d(std::cos(angle), std::sin(angle), 0)));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 0.02 - 0.014 - 0.005, 1e-6);
  EXPECT_NEAR(found->at, angle / (std::numbers::pi / 4), 0.05);
}

TEST(LeastClearance, ofTwoPartsThatMove) {
  content::Scene scene = emptyScene();
  addPart(scene, "one", physics::Sphere{0.002}, {});
  addPart(scene, "other", physics::Sphere{0.002}, {});
  // The paths cross at the origin, but not at the same time.
  const auto found =
      clearanceOf(scene, lineOf({-0.02, 0, 0}, {0.02, 0, 0}), lineOf({0, -0.01, 0}, {0, 0.03, 0}));
  ASSERT_TRUE(found);
  // Their difference (-0.02 + 0.04 t, 0.01 - 0.04 t) is shortest at t = 3/8.
  EXPECT_NEAR(found->distance, std::sqrt(2.0) * 0.005 - 0.004, 1e-6);
  EXPECT_NEAR(found->at, 0.375, 0.01);
}

TEST(LeastClearance, ofAPegInItsHoleIsThatOfTheFit) {
  content::Scene scene = emptyScene();
  addPart(scene, "peg", physics::Cylinder{0.005, 0.02}, {});
  physics::BlockWithHoles block{{0.02, 0.02, 0.01}, {}};
  physics::Cavity hole;
  hole.name = "hole";
  hole.X_BH.p = Vector3d(0, 0, 0.01);
  hole.profile = {{0, 0.005025}, {-0.02, 0.005025}};
  hole.through = true;
  block.cavities.push_back(hole);
  addPart(scene, "block", block, {});
  const auto found = clearanceOf(scene, lineOf({0, 0, 0.05}, {0, 0, 0}), restAt(Vector3d::Zero()));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 25e-6, 1e-6);
}

TEST(LeastClearance, isEmptyBeyondTheRange) {
  content::Scene scene = emptyScene();
  addPart(scene, "moving", physics::Sphere{0.001}, {});
  addPart(scene, "resting", physics::Sphere{0.001}, {});
  EXPECT_FALSE(clearanceOf(scene, lineOf({0, 0, 0.05}, {0.01, 0, 0.05}), restAt(Vector3d::Zero()), 0.01));
}

TEST(LeastClearance, atPosesIsTheSmallestOfThem) {
  content::Scene scene = emptyScene();
  addPart(scene, "moving", physics::Sphere{0.001}, {});
  addPart(scene, "resting", physics::Sphere{0.001}, {});
  PartPath path;
  double expected = 1;
  std::size_t nearest = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    const Vector3d p(-0.02 + 0.00087 * static_cast<double>(k), 0.004, 0);
    path.add(0.1 * static_cast<double>(k), Pose::at(p));
    if (p.norm() - 0.002 < expected) nearest = k;
    expected = std::min(expected, p.norm() - 0.002);
  }
  const auto found = clearanceOf(scene, path, restAt(Vector3d::Zero()), 0.1, ClearanceTimes::atPoses);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, expected, 1e-6);
  EXPECT_DOUBLE_EQ(found->at, path.times()[nearest]);
}

TEST(LeastClearance, atPosesCountsThoseOfTheOtherPart) {
  // The first part comes to rest before the second one passes it.
  content::Scene scene = emptyScene();
  addPart(scene, "resting", physics::Sphere{0.001}, {});
  addPart(scene, "passing", physics::Sphere{0.001}, {});
  PartPath rests, passes;
  rests.add(0, Pose::at({0, 0, 0.05}));
  rests.add(1, Pose::at(Vector3d::Zero()));
  rests.stay(1.5);
  rests.stay(3);
  EXPECT_EQ(rests.poses().size(), 3u);
  passes.add(0, Pose::at({-0.02, 0.003, 0}));
  passes.stay(1);
  passes.add(2, Pose::at({0, 0.003, 0}));
  passes.add(3, Pose::at({0.02, 0.003, 0}));
  const auto found = clearanceOf(scene, rests, passes, 0.1, ClearanceTimes::atPoses);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 0.001, 1e-6);
  EXPECT_DOUBLE_EQ(found->at, 2);
}

TEST(LeastClearance, ofAFloorThatRests) {
  content::Scene scene = emptyScene();
  addPart(scene, "falling", physics::Sphere{0.001}, {});
  addPart(scene, "floor", physics::HalfSpace{}, {});
  PartPath path = lineOf({0, 0, 0.05}, {0.01, 0, 0.002}), floor;
  floor.add(0, Pose());
  floor.stay(1);
  const auto found = clearanceOf(scene, path, floor);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 0.001, 1e-6);
  EXPECT_DOUBLE_EQ(found->at, 1);
}

TEST(LeastClearance, doesNotSeeWhatAJumpPasses) {
  content::Scene scene = emptyScene();
  addPart(scene, "moving", physics::Sphere{0.001}, {});
  addPart(scene, "resting", physics::Sphere{0.001}, {});
  PartPath path;
  path.add(0, Pose::at({-0.02, 0, 0}));
  path.add(1, Pose::at({-0.01, 0, 0}));
  path.add(2, Pose::at({0.02, 0, 0}), true);
  const auto found = clearanceOf(scene, path, restAt(Vector3d::Zero()));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 0.008, 1e-6);
}

}  // namespace
}  // namespace tenon::tests
