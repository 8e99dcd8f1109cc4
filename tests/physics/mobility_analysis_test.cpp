// Degrees of freedom against hand counts; joints that bind, are apart or are driven apart.
#include "physics/joint/mobility_analysis.h"

#include <gtest/gtest.h>

#include "physics/world.h"
#include "tests/support/empty_collider.h"

namespace tenon::physics {
namespace {

World emptyWorld() {
  return World({.gravity = Vector3d::Zero()}, std::make_unique<tests::EmptyCollider>());
}

BodyDescription plate(const Vector3d& center, MotionType motion = MotionType::dynamic) {
  BodyDescription body;
  body.shape = Box{Vector3d(0.1, 0.01, 0.3)};
  body.mass = massProperties(body.shape, 7850);
  body.motion = motion;
  body.X_WP = Pose::at(center);
  return body;
}

/// Between i (none: the world) and j, at a point and along an axis of the world.
JointDescription jointAt(const World& world, JointKind kind, BodyId i, BodyId j, const Vector3d& p,
                         const Vector3d& axis = Vector3d::UnitZ()) {
  const Pose X{physics::shortestRotation(Vector3d::UnitZ(), axis), p};
  JointDescription joint;
  joint.kind = kind;
  joint.i = i;
  joint.j = j;
  joint.X_PA = X;
  if (i.valid()) joint.X_PA = world.body(i).X_WP.inverse() * X;
  joint.X_PB = world.body(j).X_WP.inverse() * X;
  return joint;
}

/// A door on two hinges, the upper one leaning by `tilt` [rad] and beside the lower one's axis by `offset`
/// [m].
MobilityAnalysis doorAccount(double tilt, double offset = 0) {
  World world = emptyWorld();
  const BodyId door = world.addBody(plate({0.1, 0, 0}));
  world.addJoint(jointAt(world, JointKind::hinge, {}, door, {0, 0, -0.3}));
  world.addJoint(jointAt(world, JointKind::hinge, {}, door, {offset, 0, 0.3}, {tilt, 0, 1}));
  return world.analyzeMobility();
}

TEST(MobilityAnalysis, countsDegreesOfFreedom) {
  World world = emptyWorld();
  const BodyId a = world.addBody(plate({0, 0, 0})), b = world.addBody(plate({1, 0, 0})),
               c = world.addBody(plate({2, 0, 0}));
  world.addBody(plate({3, 0, 0}));
  world.addJoint(jointAt(world, JointKind::hinge, {}, a, {0, 0, 0}));
  world.addJoint(jointAt(world, JointKind::ball, b, c, {1.5, 0, 0}));
  world.addJoint(jointAt(world, JointKind::hinge, {}, a, {0, 0, 1}));
  const MobilityAnalysis account = world.analyzeMobility();
  EXPECT_FALSE(account.conflict);
  ASSERT_EQ(account.mechanisms.size(), 2u);
  EXPECT_EQ(account.mechanisms[0].bodies, std::vector<BodyId>{a});
  EXPECT_EQ(account.mechanisms[0].joints, (std::vector<JointId>{{0}, {2}}));
  EXPECT_EQ(account.mechanisms[0].degreesOfFreedom, 1);
  EXPECT_EQ(account.mechanisms[0].redundant, 5);
  EXPECT_EQ(account.mechanisms[1].bodies, (std::vector<BodyId>{b, c}));
  EXPECT_EQ(account.mechanisms[1].degreesOfFreedom, 9);
  EXPECT_EQ(account.mechanisms[1].redundant, 0);
}

TEST(MobilityAnalysis, hingesThatNearlyAgreeBindByTheirTilt) {
  for (const double tilt : {1e-8, 1e-7, 1e-6}) {
    SCOPED_TRACE(tilt);
    const MobilityAnalysis account = doorAccount(tilt);
    ASSERT_TRUE(account.conflict);
    EXPECT_EQ(account.conflict->kind, JointConflict::Kind::binding);
    EXPECT_EQ(account.conflict->joints, (std::vector<JointId>{{0}, {1}}));
    EXPECT_TRUE(account.conflict->turning);
    EXPECT_FALSE(account.conflict->isLength);
    // Rotation by θ moves the leaning axis by tilt · θ; the other equations take up to half of it.
    EXPECT_GE(account.conflict->by, 0.1 * tilt);
    EXPECT_LE(account.conflict->by, 1.001 * tilt);
  }
}

TEST(MobilityAnalysis, hingesBesideEachOtherBindByTheirDistance) {
  const MobilityAnalysis account = doorAccount(0, 1e-7);
  ASSERT_TRUE(account.conflict);
  EXPECT_EQ(account.conflict->kind, JointConflict::Kind::binding);
  EXPECT_TRUE(account.conflict->turning);
  // Reported as the length, or as the angle of the line from one hinge to the other, 0.6 m away.
  EXPECT_NEAR(account.conflict->by, account.conflict->isLength ? 1e-7 : 1e-7 / 0.6, 1e-8);
}

TEST(MobilityAnalysis, slidersThatNearlyAgreeBindPerMeter) {
  World world = emptyWorld();
  const BodyId body = world.addBody(plate({0, 0, 0}));
  world.addJoint(jointAt(world, JointKind::slider, {}, body, {0, 0, 0}));
  world.addJoint(jointAt(world, JointKind::slider, {}, body, {0, 0, 0.1}, {0, 1e-7, 1}));
  const auto conflict = world.analyzeMobility().conflict;
  ASSERT_TRUE(conflict);
  EXPECT_FALSE(conflict->turning);
  EXPECT_TRUE(conflict->isLength);
  EXPECT_NEAR(conflict->by, 1e-7, 1e-10);
}

TEST(MobilityAnalysis, reportsNoConflictForRoundingOrFullyConstrainedBodies) {
  for (const double tilt : {0.0, 1e-15}) {
    const MobilityAnalysis account = doorAccount(tilt);
    EXPECT_FALSE(account.conflict) << tilt;
    EXPECT_EQ(account.mechanisms.at(0).degreesOfFreedom, 1) << tilt;
  }
  // A degree is intended: no degrees of freedom, but no conflict.
  const MobilityAnalysis held = doorAccount(0.0175);
  EXPECT_FALSE(held.conflict);
  EXPECT_EQ(held.mechanisms.at(0).degreesOfFreedom, 0);
}

TEST(MobilityAnalysis, massesDoNotMakeJointsNearlyAgree) {
  // A rod of a milligram between two bodies of a thousand tons.
  World world = emptyWorld();
  BodyDescription heavy = plate({0, 0, 0}), rod = plate({0.5, 0, 0});
  heavy.mass.mass *= 1e6;
  heavy.mass.inertia *= 1e6;
  rod.mass.mass *= 1e-6;
  rod.mass.inertia *= 1e-6;
  const BodyId a = world.addBody(heavy), link = world.addBody(rod);
  heavy.X_WP = Pose::at({1, 0, 0});
  const BodyId b = world.addBody(heavy);
  world.addJoint(jointAt(world, JointKind::ball, a, link, {0, 0, 0}));
  world.addJoint(jointAt(world, JointKind::ball, link, b, {1, 0, 0}));
  EXPECT_FALSE(world.analyzeMobility().conflict);
}

TEST(MobilityAnalysis, framesThatMeetOnlyNearlyStandApartWhereJointsRepeatEachOther) {
  World world = emptyWorld();
  const BodyId door = world.addBody(plate({0.1, 0, 0}));
  world.addJoint(jointAt(world, JointKind::hinge, {}, door, {0, 0, -0.3}));
  JointDescription upper = jointAt(world, JointKind::hinge, {}, door, {0, 0, 0.3});
  upper.X_PA.p.z() += 5e-7;
  world.addJoint(upper);
  const auto conflict = world.analyzeMobility().conflict;
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, JointConflict::Kind::apart);
  EXPECT_TRUE(conflict->isLength);
  EXPECT_NEAR(conflict->by, 5e-7, 1e-12);
}

TEST(MobilityAnalysis, jointsDrivenApartContradict) {
  const auto conflictAt = [](double speed) {
    World world = emptyWorld();
    BodyDescription base = plate({0, 0, 0}, MotionType::kinematic);
    base.v = {0, speed, 0};
    const BodyId driven = world.addBody(base), body = world.addBody(plate({1, 0, 0}));
    world.addJoint(jointAt(world, JointKind::fixed, driven, body, {0.5, 0, 0}));
    world.addJoint(jointAt(world, JointKind::slider, {}, body, {0.5, 0, 0}, Vector3d::UnitX()));
    return world.analyzeMobility().conflict;
  };
  EXPECT_FALSE(conflictAt(0));
  const auto conflict = conflictAt(0.2);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, JointConflict::Kind::driven);
  EXPECT_EQ(conflict->joints, (std::vector<JointId>{{0}, {1}}));
  EXPECT_NEAR(conflict->by, 0.2, 1e-12);
  EXPECT_TRUE(conflict->isLength);
}

TEST(MobilityAnalysis, aLinkageAtAnyAngleHasOneDegreeOfFreedom) {
  // A parallelogram of three bars on four hinges: in space three redundant equations.
  for (const double angle : {0.3, 1.0, 2.0}) {
    SCOPED_TRACE(angle);
    World world = emptyWorld();
    const Vector3d crank(std::cos(angle), std::sin(angle), 0), base(2, 0, 0);
    const BodyId left = world.addBody(plate(0.5 * crank)), rod = world.addBody(plate(crank + 0.5 * base)),
                 right = world.addBody(plate(base + 0.5 * crank));
    world.addJoint(jointAt(world, JointKind::hinge, {}, left, {0, 0, 0}));
    world.addJoint(jointAt(world, JointKind::hinge, left, rod, crank));
    world.addJoint(jointAt(world, JointKind::hinge, rod, right, crank + base));
    world.addJoint(jointAt(world, JointKind::hinge, {}, right, base));
    const MobilityAnalysis account = world.analyzeMobility();
    EXPECT_FALSE(account.conflict);
    ASSERT_EQ(account.mechanisms.size(), 1u);
    EXPECT_EQ(account.mechanisms[0].degreesOfFreedom, 1);
    EXPECT_EQ(account.mechanisms[0].redundant, 3);
  }
}

}  // namespace
}  // namespace tenon::physics
