// Bodies that an impact throws further in a step than they were searched for contacts: what was not in their
// way lets the step stand, and what was stops them.
#include <gtest/gtest.h>

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics {
namespace {

constexpr double kDt = 1e-3, kSpeed = 2;                         // way of a step: 2 mm
constexpr double kStriker = 1e-2, kNarrow = 3e-3, kCube = 5e-3;  // half sizes [m]
constexpr double kSheet = 1e-4, kWide = 2e-2;                    // half thickness and half width [m]

/// Without weight. A cube lies still before a striker that moves along x and meets it in this step.
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
  /// A sheet across the way whose near side is `gap` from the cube.
  BodyId addSheet(double gap, MotionType motion = MotionType::fixed) {
    return add(Box{{kSheet, kWide, kWide}}, 7800, motion, kCube + gap + kSheet, Vector3d::Zero());
  }
  double placeOf(BodyId body) const { return world.stepResult().bodies[body.value].X_WC.p.x(); }
};

TEST(Thrown, AStepStandsWhereNothingWasInTheWay) {
  Struck alone, beside;
  // Nearer than it goes, further than it was searched for, and beside its way.
  BodyDescription post;
  post.shape = Box{Vector3d::Constant(kCube)};
  post.motion = MotionType::fixed;
  post.X_WP = Pose::at({kCube, 2 * kCube + 1e-4, 0});
  beside.world.addBody(post);
  const int once = alone.world.step().report.linearizations;
  EXPECT_EQ(beside.world.step().report.linearizations, once);
  EXPECT_TRUE(beside.world.stepResult().report.converged);
  for (Struck* of : {&alone, &beside}) EXPECT_GT(of->placeOf(of->cube), 1.5e-3) << "it was not thrown";
  EXPECT_EQ(alone.placeOf(alone.cube), beside.placeOf(beside.cube));
}

TEST(Thrown, WhatIsInTheWayIsMet) {
  for (const double gap : {1e-4, 5e-4, 1e-3, 1.9e-3}) {
    Struck struck;
    const BodyId sheet = struck.addSheet(gap);
    for (int k = 0; k < 3; ++k) {
      struck.world.step();
      EXPECT_LE(struck.placeOf(struck.cube), gap + 1e-8) << "gap " << gap << ", step " << k;
      EXPECT_GE(struck.placeOf(struck.cube) - struck.placeOf(struck.striker), kCube + kStriker - 1e-8);
    }
    EXPECT_NEAR(struck.placeOf(struck.cube), gap, 1e-8) << "it was not thrown there";
    EXPECT_GT(struck.placeOf(sheet), gap);
  }
}

TEST(Thrown, WhatIsInTheWayAndFreeIsThrownAlong) {
  Struck struck;
  const BodyId sheet = struck.addSheet(5e-4, MotionType::dynamic);
  for (int k = 0; k < 3; ++k) {
    struck.world.step();
    EXPECT_GE(struck.placeOf(sheet) - struck.placeOf(struck.cube), kCube + kSheet - 1e-8) << "step " << k;
  }
  EXPECT_GT(struck.placeOf(sheet), 3e-3);
}

}  // namespace
}  // namespace tenon::physics
