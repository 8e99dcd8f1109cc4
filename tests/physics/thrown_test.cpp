// Bodies that an impact moves further in a step than their search margin: without an obstacle the step is
// accepted at once; an obstacle stops them.
#include <gtest/gtest.h>

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::thrown_test {
namespace {

constexpr double kDt = 1e-3, kSpeed = 2;                         // displacement in a step: 2 mm
constexpr double kStriker = 1e-2, kNarrow = 3e-3, kCube = 5e-3;  // half sizes [m]
constexpr double kSheet = 1e-4, kWide = 2e-2;                    // half thickness and half width [m]

/// Without gravity. A cube at rest, and a striker that moves along x and hits it in the first step.
struct Struck {
  World world{{.dt = kDt, .gravity = Vector3d::Zero()}, makeBulletCollider()};
  BodyId striker, cube;

  Struck() {
    striker = add(Box{{kStriker, kNarrow, kNarrow}}, 7800, MotionType::dynamic, -kStriker - kCube - 1e-5,
                  Vector3d(kSpeed, 0, 0));
    cube = add(Box{Vector3d::Constant(kCube)}, 1000, MotionType::dynamic, 0, Vector3d::Zero());
  }
  BodyId add(const Shape& shape, double density, MotionType motion, double x, const Vector3d& v) {
    BodyDescription body;
    body.shape = shape;
    body.mass = massProperties(shape, density);
    body.motion = motion;
    body.X_WP = Pose::at({x, 0, 0});
    body.v = v;
    return world.addBody(body);
  }
  /// A sheet normal to x whose near side is `gap` from the cube.
  BodyId addSheet(double gap, MotionType motion = MotionType::fixed) {
    return add(Box{{kSheet, kWide, kWide}}, 7800, motion, kCube + gap + kSheet, Vector3d::Zero());
  }
  double positionOf(BodyId body) const { return world.stepResult().bodies[body.value].X_WC.p.x(); }
};

TEST(Thrown, AStepWithoutAnObstacleIsAcceptedAtOnce) {
  Struck alone, beside;
  // Nearer than its displacement, beyond its search margin, and beside its path.
  BodyDescription post;
  post.shape = Box{Vector3d::Constant(kCube)};
  post.motion = MotionType::fixed;
  post.X_WP = Pose::at({kCube, 2 * kCube + 1e-4, 0});
  beside.world.addBody(post);
  const int once = alone.world.step().report.linearizations;
  EXPECT_EQ(beside.world.step().report.linearizations, once);
  EXPECT_TRUE(beside.world.stepResult().report.converged);
  for (Struck* of : {&alone, &beside}) EXPECT_GT(of->positionOf(of->cube), 1.5e-3) << "the cube was not hit";
  EXPECT_EQ(alone.positionOf(alone.cube), beside.positionOf(beside.cube));
}

TEST(Thrown, AnObstacleStopsIt) {
  for (const double gap : {1e-4, 5e-4, 1e-3, 1.9e-3}) {
    Struck struck;
    const BodyId sheet = struck.addSheet(gap);
    for (int k = 0; k < 3; ++k) {
      struck.world.step();
      EXPECT_LE(struck.positionOf(struck.cube), gap + 1e-8) << "gap " << gap << ", step " << k;
      EXPECT_GE(struck.positionOf(struck.cube) - struck.positionOf(struck.striker), kCube + kStriker - 1e-8);
    }
    EXPECT_NEAR(struck.positionOf(struck.cube), gap, 1e-8) << "the cube did not reach the sheet";
    EXPECT_GT(struck.positionOf(sheet), gap);
  }
}

TEST(Thrown, AFreeObstacleIsPushedAlong) {
  Struck struck;
  const BodyId sheet = struck.addSheet(5e-4, MotionType::dynamic);
  for (int k = 0; k < 3; ++k) {
    struck.world.step();
    EXPECT_GE(struck.positionOf(sheet) - struck.positionOf(struck.cube), kCube + kSheet - 1e-8)
        << "step " << k;
  }
  EXPECT_GT(struck.positionOf(sheet), 3e-3);
}

}  // namespace
}  // namespace tenon::physics::thrown_test
