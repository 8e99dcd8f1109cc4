// Blocks face on face: an edge that two of them share holds neither, and hundreds of contacts settle in few
// iterations.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::block_grid_test {
namespace {

constexpr double kHalf = 0.01;  ///< of a cube [m]

ContactSet contactsOf(const Pose& X_WI, const Pose& X_WJ) {
  const auto collider = makeBulletCollider();
  const Shape cube = Box{Vector3d::Constant(kHalf)};
  const BodyPair pair{collider->addBody(cube, Vector3d::Zero(), true),
                      collider->addBody(cube, Vector3d::Zero(), true)};
  ContactSet contacts;
  collider->findContacts(pair, X_WI, X_WJ, 1e-6, contacts);
  return contacts;
}

// To one side of it they may pass each other along one face, to the other along the other one.
TEST(BlockGrid, anEdgeThatTwoBlocksShareIsNoContact) {
  for (const double rounding : {0.0, 1e-13, -1e-13, 1e-12}) {
    EXPECT_TRUE(contactsOf(Pose(), Pose::at({0, 2 * kHalf, 2 * kHalf + rounding})).empty()) << rounding;
    EXPECT_TRUE(contactsOf(Pose(), Pose::at({0.003, 2 * kHalf + rounding, 2 * kHalf})).empty()) << rounding;
    EXPECT_TRUE(contactsOf(Pose(), Pose::at({2 * kHalf, 2 * kHalf + rounding, 2 * kHalf})).empty());
  }
}

TEST(BlockGrid, anEdgeThatLapsOverTheOtherBlockIsHeld) {
  const ContactSet contacts = contactsOf(Pose(), Pose::at({0, 2 * kHalf - 1e-7, 2 * kHalf}));
  ASSERT_FALSE(contacts.empty());
  for (const Contact& contact : contacts) EXPECT_NEAR(contact.n.z(), 1, 1e-12);
}

// Edges that lie on each other cross nowhere, whatever rounding makes of their directions.
TEST(BlockGrid, facesOnEachOtherTouchAtTheirCorners) {
  for (const double turn : {0.0, 3e-12, -3e-12}) {
    const Quaterniond q(Eigen::AngleAxisd(turn, Vector3d::UnitZ()));
    for (const Contact& contact : contactsOf(Pose(), {q, Vector3d(0, 0, 2 * kHalf)}))
      for (const double x : {contact.p.x(), contact.p.y()})
        EXPECT_NEAR(std::abs(x), kHalf, 1e-9) << turn << " at " << contact.p.transpose();
  }
}

/// n × n × n cubes on a table.
World grid(int n, double mu) {
  World world({}, makeBulletCollider());
  const MaterialId steel{0};
  world.setSurfaces(steel, steel, {.friction = mu});
  BodyDescription body;
  body.material = steel;
  body.shape = Box{Vector3d(0.2, 0.2, 0.01)};
  body.motion = MotionType::fixed;
  body.X_WP = Pose::at({0, 0, -0.01});
  world.addBody(body);
  body.motion = MotionType::dynamic;
  body.shape = Box{Vector3d::Constant(kHalf)};
  body.mass = massProperties(body.shape, 7850);
  for (int k = 0; k < n * n * n; ++k) {
    const Eigen::Vector3i cell(k % n, k / n % n, k / (n * n));
    body.X_WP =
        Pose::at(2 * kHalf * (cell.cast<double>() - Vector3d(n - 1, n - 1, 0) / 2) + Vector3d(0, 0, kHalf));
    world.addBody(body);
  }
  return world;
}

// With the edges that diagonal neighbors share, some hundred iterations a trial and eight trials a step.
TEST(BlockGrid, settlesInFewIterations) {
  for (const double mu : {0.0, 0.1, 0.3, 0.6}) {
    World world = grid(3, mu);
    const Vector3d top = world.stepResult().bodies.back().X_WC.p;
    int iterations = 0, linearizations = 0;
    for (int k = 0; k < 100; ++k) {
      const StepReport& report = world.step().report;
      ASSERT_TRUE(report.converged) << mu << " step " << k;
      ASSERT_LE(report.penetration, 1e-9) << mu << " step " << k;
      iterations += report.iterations;
      linearizations += report.linearizations;
    }
    EXPECT_LE(iterations, 3000) << mu;
    EXPECT_LE(linearizations, 350) << mu;
    EXPECT_LT((world.stepResult().bodies.back().X_WC.p - top).norm(), 1e-9) << mu;
  }
}

}  // namespace
}  // namespace tenon::physics::block_grid_test
