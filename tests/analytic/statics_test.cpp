// Forces at rest against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

using tests::ExactCollider;

constexpr double kStaticsGravity = 9.81;

struct Statics : testing::TestWithParam<SolverName> {
  World world{{.dt = 1e-3, .solver = GetParam()}, std::make_unique<ExactCollider>()};

  BodyId addSurface(const Pose& X_WP) {
    BodyDescription body;
    body.shape = HalfSpace{};
    body.motion = MotionType::fixed;
    body.X_WP = X_WP;
    return world.addBody(body);
  }
  BodyId addSolid(const Shape& shape, const Pose& X_WP) {
    BodyDescription body;
    body.shape = shape;
    body.mass = massProperties(shape, 7850);
    body.X_WP = X_WP;
    return world.addBody(body);
  }
  double mass(BodyId body) const { return world.body(body).mass.mass; }
  /// Sum of the forces between two bodies [N].
  double forceBetween(BodyId i, BodyId j) const {
    double sum = 0;
    for (const ContactForce& contact : world.stepResult().contacts)
      if (contact.contact.i == i && contact.contact.j == j) sum += contact.force;
    return sum;
  }
};

/// A half-space whose surface passes through `p` and rises against `n`.
Pose facing(const Vector3d& p, const Vector3d& n) {
  return {physics::shortestRotation(Vector3d::UnitZ(), n), p};
}

TEST_P(Statics, boxOnAPlateIsCarriedEquallyByItsFourCorners) {
  const BodyId plate = addSurface(Pose{});
  const BodyId box = addSolid(Box{Vector3d(0.03, 0.02, 0.01)}, Pose::at({0.1, 0.2, 0.01}));
  for (int n = 0; n < 100; ++n) {
    const StepResult& tick = world.step();
    const double weight = mass(box) * kStaticsGravity;
    ASSERT_EQ(tick.contacts.size(), 4u);
    // The compliance, 1e-9 of a contact's own, is compressed by the first step and released by the second.
    ASSERT_NEAR(forceBetween(plate, box), weight, n < 3 ? 2e-9 * weight : 1e-9) << "step " << n;
    for (const ContactForce& contact : tick.contacts) {
      ASSERT_NEAR(contact.force, weight / 4, 1e-7 * weight) << "step " << n;
      ASSERT_LT((contact.contact.n - Vector3d::UnitZ()).norm(), 1e-12);
    }
  }
}

/// A box whose center of mass is off the middle by (x, y): lever law, corners sum to
/// m g (1 ± x/a)/2 on the two sides (Archimedes).
TEST_P(Statics, boxWithAnOffsetCenterOfMassFollowsTheLeverLaw) {
  const BodyId plate = addSurface(Pose{});
  const Box box{Vector3d(0.03, 0.02, 0.01)};
  BodyDescription body;
  body.shape = box;
  body.mass = massProperties(box, 7850);
  body.mass.center = Vector3d(0.012, -0.005, 0.002);
  body.X_WP = Pose::at({0, 0, 0.01});
  const BodyId id = world.addBody(body);
  for (int n = 0; n < 100; ++n) world.step();
  const double weight = body.mass.mass * kStaticsGravity;
  double right = 0, back = 0;
  for (const ContactForce& contact : world.stepResult().contacts) {
    if (contact.contact.p.x() > 0) right += contact.force;
    if (contact.contact.p.y() > 0) back += contact.force;
  }
  EXPECT_NEAR(forceBetween(plate, id), weight, 1e-9);
  EXPECT_NEAR(right, weight * 0.5 * (1 + 0.012 / 0.03), 1e-8);
  EXPECT_NEAR(back, weight * 0.5 * (1 - 0.005 / 0.02), 1e-8);
}

/// Two equal balls of radius r one upon the other between walls a width w apart (a standard problem of
/// statics, e.g. Hibbeler, Engineering Mechanics: Statics, ch. 5): with cos β = (w − 2r)/(2r) the line of
/// centers rises by β, the balls press each other by m g / sin β, each wall by m g / tan β, and the floor
/// carries 2 m g.
struct BallsInAChannel {
  double r, w, weight;
  double beta() const { return std::acos((w - 2 * r) / (2 * r)); }
  double between() const { return weight / std::sin(beta()); }
  double wall() const { return weight / std::tan(beta()); }
  double floor() const { return 2 * weight; }
};

TEST_P(Statics, twoBallsInAChannelPressByTheSlopeOfTheLineOfCenters) {
  const double r = 0.02, w = 0.07;
  const BodyId floor = addSurface(Pose{});
  const BodyId left = addSurface(facing({0, 0, 0}, Vector3d::UnitX()));
  const BodyId right = addSurface(facing({w, 0, 0}, -Vector3d::UnitX()));
  BallsInAChannel channel{r, w, 0};
  const BodyId low = addSolid(Sphere{r}, Pose::at({r, 0, r}));
  const BodyId high = addSolid(
      Sphere{r},
      Pose::at(Vector3d(r, 0, r) + 2 * r * Vector3d(std::cos(channel.beta()), 0, std::sin(channel.beta()))));
  channel.weight = mass(low) * kStaticsGravity;
  for (int n = 0; n < 50; ++n) {
    world.step();
    const double tolerance = 1e-6 * channel.weight;  // of the angle: 1e-9 m over 2 r
    ASSERT_NEAR(forceBetween(low, high), channel.between(), tolerance) << "step " << n;
    ASSERT_NEAR(forceBetween(left, low), channel.wall(), tolerance) << "step " << n;
    ASSERT_NEAR(forceBetween(right, high), channel.wall(), tolerance) << "step " << n;
    ASSERT_NEAR(forceBetween(floor, low), channel.floor(), tolerance) << "step " << n;
  }
}

/// A ladder of length L that leans on a wall at the angle α from the floor, its foot held by a block: the
/// wall and the block press by m g / (2 tan α), the floor carries m g (Hibbeler, ch. 5). Here a thin box.
TEST_P(Statics, ladderLeansOnTheWallByHalfItsWeightOverTheTangent) {
  const double length = 0.4, thick = 1e-4, alpha = 1.1;
  const Box box{Vector3d(0.5 * thick, 0.05, 0.5 * length)};
  const Quaterniond q = exponential(Vector3d(0, std::numbers::pi / 2 - alpha, 0));
  // Its lowest edge touches the floor and, where it leans, the block; its highest the wall.
  const auto reach = [&](const Vector3d& direction) {
    return (q.conjugate() * direction).cwiseAbs().dot(box.halfExtents);
  };
  const double height = reach(Vector3d::UnitZ()), width = reach(Vector3d::UnitX());
  const BodyId floor = addSurface(Pose{});
  const BodyId wall = addSurface(facing({width, 0, 0}, -Vector3d::UnitX()));
  const BodyId block = addSurface(facing({-width, 0, 0}, Vector3d::UnitX()));
  const BodyId ladder = addSolid(box, {q, Vector3d(0, 0, height)});
  for (int n = 0; n < 50; ++n) world.step();
  const double weight = mass(ladder) * kStaticsGravity;
  EXPECT_NEAR(forceBetween(floor, ladder), weight, 1e-8);
  // Lever arms between the edges that carry, of a box that is thick/length = 1/4000 thick.
  const Vector3d top = q * Vector3d(0.5 * thick, 0, 0.5 * length);
  const Vector3d foot = q * Vector3d(0.5 * thick, 0, -0.5 * length);   // the lowest edge
  const Vector3d heel = q * Vector3d(-0.5 * thick, 0, -0.5 * length);  // the one at the block
  const double side = weight * -foot.x() / (top.z() - heel.z());
  EXPECT_NEAR(side, weight / (2 * std::tan(alpha)), 1e-3 * weight);
  EXPECT_NEAR(forceBetween(wall, ladder), side, 1e-6 * weight);
  EXPECT_NEAR(forceBetween(block, ladder), side, 1e-6 * weight);
}

/// A hand whose target is a distance e behind a wall presses the part to it by K e.
TEST_P(Statics, handPressesAgainstAWallByStiffnessTimesStretch) {
  const BodyId wall = addSurface(facing({0.05, 0, 0}, -Vector3d::UnitX()));
  const BodyId box = addSolid(Box{Vector3d::Constant(0.02)}, Pose::at({0, 0, 0}));
  HandParameters parameters;
  const HandId hand = world.addHand(parameters, Pose{});
  world.apply(Grab{hand, box, Pose{}});
  const double behind = 0.004;
  for (int n = 1; n <= 3000; ++n) {
    world.apply(MoveHand{hand, Pose::at({std::min(1.0, n / 500.0) * (0.03 + behind), 0, 0})});
    world.step();
  }
  const double expected = parameters.stiffness.x() * behind;
  EXPECT_NEAR(forceBetween(wall, box), expected, 1e-5 * expected);
  EXPECT_NEAR(world.stepResult().hands[0].force.x(), expected, 1e-5 * expected);
  EXPECT_NEAR(world.stepResult().bodies[box.value].X_WC.p.x(), 0.03, 1e-9);
}

/// However far behind the wall its target is, a hand presses by its cap at most.
TEST_P(Statics, handPressesByItsCapAtMost) {
  const BodyId wall = addSurface(facing({0.05, 0, 0}, -Vector3d::UnitX()));
  const BodyId box = addSolid(Box{Vector3d::Constant(0.02)}, Pose::at({0, 0, 0}));
  HandParameters parameters;
  parameters.maxForce = 25;
  const HandId hand = world.addHand(parameters, Pose{});
  world.apply(Grab{hand, box, Pose{}});
  for (int n = 1; n <= 3000; ++n) {
    world.apply(MoveHand{hand, Pose::at({std::min(1.0, n / 500.0) * 0.1, 0, 0})});
    world.step();
  }
  EXPECT_NEAR(forceBetween(wall, box), 25, 1e-4);
}

/// A box squeezed by two hands from both sides stays where it is and is not crushed into anything.
TEST_P(Statics, twoHandsThatPullApartHoldEachOther) {
  const BodyId box = addSolid(Box{Vector3d(0.1, 0.02, 0.02)}, Pose{});
  HandParameters parameters;
  const Vector3d at(0.08, 0, 0), pull(0.003, 0, 0);
  const HandId left = world.addHand(parameters, Pose::at(-at));
  const HandId right = world.addHand(parameters, Pose::at(at));
  world.apply(Grab{left, box, Pose::at(-at)});
  world.apply(Grab{right, box, Pose::at(at)});
  for (int n = 0; n < 2000; ++n) {
    world.apply(MoveHand{left, Pose::at(-at - pull)});
    world.apply(MoveHand{right, Pose::at(at + pull)});
    world.step();
  }
  EXPECT_NEAR(world.stepResult().bodies[0].X_WC.p.norm(), 0, 1e-9);
  EXPECT_NEAR(world.stepResult().hands[0].force.x(), -parameters.stiffness.x() * pull.x(), 1e-6);
  EXPECT_NEAR(world.stepResult().hands[1].force.x(), parameters.stiffness.x() * pull.x(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(solvers, Statics, tests::everyExactSolver(), tests::solverTestName);

}  // namespace
}  // namespace tenon::physics
