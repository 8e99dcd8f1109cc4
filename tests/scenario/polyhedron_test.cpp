// Parts whose own triangles collide: at rest, flush on each other, in a prismatic hole, and in a heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/triangle_meshes.h"

namespace tenon::polyhedron_test {
namespace {

using namespace physics;

constexpr double kDensity = 7850;
/// Largest overlap at the end of a step [m].
constexpr double kOverlap = 1.5e-9;

World emptyWorld(double dt = 1e-3) {
  return World(WorldOptions{.dt = dt}, makeBulletCollider());
}

BodyId addFloor(World& world, const Pose& X_WP = {}) {
  BodyDescription floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.motion = MotionType::fixed;
  floor.X_WP = X_WP;
  return world.addBody(floor);
}

BodyId add(World& world, const Shape& shape, const Pose& X_WP, MotionType motion = MotionType::dynamic) {
  BodyDescription part;
  part.name = "part " + std::to_string(world.bodyCount());
  part.shape = shape;
  part.mass = massProperties(shape, kDensity);
  part.motion = motion;
  part.X_WP = X_WP;
  return world.addBody(part);
}

Pose poseOf(const World& world, BodyId id) {
  return world.partPose(id, world.stepResult().bodies[static_cast<std::size_t>(id.value)]);
}

/// The region between two rectangles [m] from z = −depth to 0: a frame with a rectangular hole.
BoundarySolid frameWithHole(double outer, double inner, double depth) {
  BoundarySolid frame;
  for (const double z : {-depth, 0.0})
    for (const double half : {outer, inner})
      for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
        frame.vertices.emplace_back(x * half, y * half, z);
  const auto quad = [&](int a, int b, int c, int d) {
    frame.triangles.push_back({a, b, c});
    frame.triangles.push_back({a, c, d});
  };
  for (int k = 0; k < 4; ++k) {
    const int n = (k + 1) % 4;
    quad(k, n, 8 + n, 8 + k);            // outer walls
    quad(4 + n, 4 + k, 12 + k, 12 + n);  // inner walls
    quad(8 + k, 8 + n, 12 + n, 12 + k);  // top
    quad(n, k, 4 + k, 4 + n);            // bottom
  }
  return frame;
}

BoundarySolid cuboid(const Vector3d& h) {
  BoundarySolid p;
  for (int k = 0; k < 8; ++k)
    p.vertices.emplace_back((k & 1) != 0 ? h.x() : -h.x(), (k & 2) != 0 ? h.y() : -h.y(),
                            (k & 4) != 0 ? h.z() : -h.z());
  for (const auto& q :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}}) {
    p.triangles.push_back({q[0], q[1], q[2]});
    p.triangles.push_back({q[0], q[2], q[3]});
  }
  return p;
}

TEST(PolyhedronScene, AStarFallsOntoAStarAndBothRest) {
  std::mt19937 random(1);
  World world = emptyWorld();
  addFloor(world);
  const BoundarySolid one = tests::starPrism(5, 0.02, 5e-3, random),
                      two = tests::starPrism(7, 0.02, 4e-3, random);
  const BodyId lower = add(world, one, Pose::at({0, 0, 6e-3})),
               upper = add(world, two, Pose::at({1e-3, 0, 17e-3}));
  for (int k = 0; k < 500; ++k) {
    const StepReport report = world.step().report;
    ASSERT_TRUE(report.converged) << k;
    ASSERT_LE(report.penetration, kOverlap) << k;
  }
  EXPECT_NEAR(poseOf(world, lower).p.z(), 5e-3, 1e-8);
  EXPECT_NEAR(poseOf(world, upper).p.z(), 14e-3, 1e-8);
  for (const BodyId id : {lower, upper})
    EXPECT_LT(world.stepResult().bodies[static_cast<std::size_t>(id.value)].v.norm(), 1e-6);
}

// By planes: each corner of the peg below the mouth stays within the hole.
TEST(PolyhedronScene, ASquarePegSlidesIntoASquareHole) {
  constexpr double kHalf = 5e-3, kClearance = 20e-6, kDepth = 20e-3;
  World world = emptyWorld();
  add(world, frameWithHole(0.02, kHalf + kClearance, kDepth), Pose::at({0, 0, 0}), MotionType::fixed);
  addFloor(world, Pose::at({0, 0, -kDepth}));
  const BoundarySolid peg = cuboid({kHalf, kHalf, 15e-3});
  // Turned by 1 mrad about each axis: less than the clearance over its half lengths.
  const Pose start{Quaterniond(Eigen::AngleAxisd(1e-3, Vector3d(1, 1, 1).normalized())), {0, 0, 13e-3}};
  const BodyId id = add(world, peg, start);
  for (int k = 0; k < 400; ++k) {
    const StepReport report = world.step().report;
    ASSERT_TRUE(report.converged) << k;
    const Pose X = poseOf(world, id);
    for (const Vector3d& corner : peg.vertices) {
      const Vector3d p = X * corner;
      ASSERT_GE(p.z(), -kDepth - kOverlap) << k;
      if (p.z() >= 0) continue;
      ASSERT_LE(std::max(std::abs(p.x()), std::abs(p.y())), kHalf + kClearance + kOverlap) << k;
    }
  }
  EXPECT_NEAR(poseOf(world, id).p.z(), -kDepth + 15e-3, 1e-8);
}

/// A prism over an L of 40 × 30 × 20 mm, 10 mm wide.
BoundarySolid angle() {
  BoundarySolid p;
  for (const double z : {0.0, 0.02})
    for (const auto& [x, y] :
         {std::pair{0.0, 0.0}, {0.04, 0.0}, {0.04, 0.01}, {0.01, 0.01}, {0.01, 0.03}, {0.0, 0.03}})
      p.vertices.emplace_back(x, y, z);
  for (int k = 0; k < 6; ++k) {
    const int n = (k + 1) % 6;
    p.triangles.push_back({k, n, 6 + n});
    p.triangles.push_back({k, 6 + n, 6 + k});
  }
  for (int k = 1; k < 5; ++k) {
    p.triangles.push_back({0, k + 1, k});
    p.triangles.push_back({6, 6 + k, 6 + k + 1});
  }
  return p;
}

// Edges cross near the borders of their normal cones, and in the corners of the recesses.
TEST(PolyhedronScene, AnglesHeapUpWithoutOverlap) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  World world = emptyWorld();
  addFloor(world);
  add(world, frameWithHole(0.1, 0.06, 0.05), Pose::at({0, 0, 0.05}), MotionType::fixed);
  for (int k = 0; k < 8; ++k) {
    const Quaterniond q = Quaterniond(unit(random), unit(random), unit(random), unit(random)).normalized();
    const int layer = k / 4;
    const Vector3d middle((k % 2 - 0.5) * 0.058, (k / 2 % 2 - 0.5) * 0.058, 0.035 + 0.055 * layer);
    add(world, angle(), {q, middle - q * Vector3d(0.015, 0.01, 0.01)});
  }
  int failed = 0;
  for (int k = 0; k < 300; ++k) {
    const StepReport report = world.step().report;
    failed += report.converged ? 0 : 1;
    if (!report.converged) continue;
    ASSERT_LE(report.penetration, kOverlap) << k;
  }
  EXPECT_LE(failed, 3);
}

TEST(PolyhedronScene, BumpyBallsHeapUpWithoutOverlap) {
  std::mt19937 random(2);
  World world = emptyWorld();
  addFloor(world);
  add(world, frameWithHole(0.1, 0.05, 0.05), Pose::at({0, 0, 0.05}), MotionType::fixed);
  std::vector<BoundarySolid> balls;
  std::vector<BodyId> ids;
  for (int k = 0; k < 8; ++k) {
    const int layer = k / 4;
    balls.push_back(tests::bumpyBall(2, 0.015, 0.1, random));
    ids.push_back(add(world, balls.back(),
                      Pose::at({(k % 2 - 0.5) * 0.04, (k / 2 % 2 - 0.5) * 0.04, 0.02 + 0.04 * layer})));
  }
  world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.3});
  int failed = 0;
  for (int k = 0; k < 400; ++k) {
    const StepReport report = world.step().report;
    failed += report.converged ? 0 : 1;
    if (!report.converged) continue;
    ASSERT_LE(report.penetration, kOverlap) << k;
  }
  EXPECT_LE(failed, 4);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const Pose X = poseOf(world, ids[k]);
    for (const Vector3d& v : balls[k].vertices) EXPECT_GE((X * v).z(), -kOverlap);
  }
}

}  // namespace
}  // namespace tenon::polyhedron_test
