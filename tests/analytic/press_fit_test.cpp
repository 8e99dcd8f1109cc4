// Press fits against Lamé's thick-walled cylinders: the push grows with the engaged length.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/contact/press_fit.h"
#include "physics/world.h"

namespace tenon::physics::press_fit_test {
namespace {

constexpr double kRadius = 0.003, kFriction = 0.1;        // of the pin [m]; [-]
constexpr double kPinChamfer = 0.0006, kLeadIn = 0.0005;  // axial lengths [m]
constexpr double kSpeed = 5e-3;                           // of the press [m/s]
constexpr Elasticity kSteel{210e9, 0.3}, kAluminium{70e9, 0.33};

/// Pressure of a shaft with a bore in a hub (Lamé) [Pa]; diameters [m].
double pressure(double interference, double d, double hub, const Elasticity& ofHub, double hollow,
                const Elasticity& ofShaft) {
  const double h = (hub * hub + d * d) / (hub * hub - d * d) + ofHub.poissonsRatio,
               s = (d * d + hollow * hollow) / (d * d - hollow * hollow) - ofShaft.poissonsRatio;
  return interference / (d * (h / ofHub.youngsModulus + s / ofShaft.youngsModulus));
}

/// A pin of 6 mm over a narrower hole, pressed down at constant speed by a hand.
struct Press {
  World world;
  double dt;
  BodyId pin{1};
  int notConverged = 0;

  Press(const Shape& hub, const Pose& X_WP, const Shape& shaft, const Elasticity& ofHub,
        const Elasticity& ofShaft, double rate, double offset, double pairStiffness = 0)
      : world({.dt = 1 / rate, .allowSleep = false}, makeBulletCollider()), dt(1 / rate) {
    SurfacePair surfaces{.friction = kFriction};
    if (pairStiffness > 0) surfaces.stiffness = pairStiffness;
    world.setSurfaces({0}, {1}, surfaces);
    world.setElasticity({0}, ofHub);
    world.setElasticity({1}, ofShaft);
    BodyDescription fixed;
    fixed.shape = hub;
    fixed.motion = MotionType::fixed;
    fixed.X_WP = X_WP;
    fixed.material = {0};
    world.addBody(fixed);
    const Pose start = Pose::at({offset, 0, 1e-4});
    BodyDescription moved;
    moved.shape = shaft;
    moved.mass = massProperties(shaft, 7850);
    moved.X_WP = start;
    moved.material = {1};
    world.addBody(moved);
    HandParameters hand;
    hand.stiffness.setConstant(2e7);
    hand.angularStiffness.setConstant(50);
    hand.maxForce = 1e6;
    hand.maxTorque = 1e3;
    const HandId id = world.addHand(hand, start);
    world.apply(Grab{id, pin, start});
  }
  double depth() const { return -world.partPose(pin, world.stepResult().bodies[1]).p.z(); }
  /// Of the hand, along the hole [N].
  double push() const { return -world.stepResult().hands[0].force.z(); }
  void pressTo(double depth_, double offset) {
    double target = -world.stepResult().hands[0].X_WH.p.z();
    while (depth() < depth_) {
      target += kSpeed * dt;
      ASSERT_LT(target, depth_ + 1e-3) << "it does not go in";
      // The hand brings it to the axis while it is above the hole.
      const double aside = target < 2e-4 ? offset * std::min(1.0, (2e-4 - target) / 2e-4) : 0;
      world.apply(MoveHand{{0}, Pose::at({aside, 0, -target})});
      notConverged += world.step().report.converged ? 0 : 1;
    }
  }
};

Shape block(double bore) {
  BlockWithHoles block{{0.02, 0.02, 0.008}, {}};
  block.cavities.push_back(
      {"hole", Pose::at({0, 0, 0.008}), {{0, bore + kLeadIn}, {-kLeadIn, bore}, {-0.016, bore}}, true});
  return block;
}

Shape pinOf(double radius) {
  return SolidOfRevolution{
      {{0, 0}, {0, radius - kPinChamfer}, {kPinChamfer, radius}, {0.02, radius}, {0.02, 0}}};
}

struct Interference : testing::TestWithParam<std::tuple<double, double, double>> {};

TEST_P(Interference, ThePushIsThatOfThePressureOnTheEngagedArea) {
  const auto& [interference, rate, offset] = GetParam();
  const double bore = kRadius - interference / 2, d = 2 * kRadius;
  Press press(block(bore), Pose::at({0, 0, -0.008}), pinOf(kRadius), kSteel, kSteel, rate, offset);
  const double p = pressure(interference, d, 0.04, kSteel, 0, kSteel);
  for (const double length : {0.001, 0.003, 0.006, 0.009, 0.012}) {
    press.pressTo(length + kPinChamfer + kLeadIn, offset);
    const double engaged = press.depth() - kPinChamfer - kLeadIn;
    EXPECT_NEAR(press.push() / (kFriction * p * std::numbers::pi * d * engaged), 1, 0.02) << length;
    double normal = 0;
    for (const ContactForce& c : press.world.stepResult().contacts) {
      normal += c.force;
      EXPECT_LE(c.friction.norm(), kFriction * c.force * (1 + 1e-6));
    }
    EXPECT_NEAR(normal / (p * std::numbers::pi * d * engaged), 1, 0.02) << length;
  }
  EXPECT_EQ(press.notConverged, 0);
  EXPECT_NEAR(press.world.stepResult().report.penetration, interference / 2, 0.02 * interference);
}

INSTANTIATE_TEST_SUITE_P(cases, Interference,
                         testing::Values(std::tuple(1e-6, 1000.0, 0.0), std::tuple(4e-6, 1000.0, 1e-4),
                                         std::tuple(4e-6, 200.0, 1e-4), std::tuple(20e-6, 1000.0, 0.0),
                                         std::tuple(20e-6, 500.0, 5e-5)));

// A bush of aluminium on a hollow shaft of steel: both diameters of both parts count.
TEST(PressFit, UsesTheOuterDiameterOfTheHubAndTheBoreOfTheShaft) {
  constexpr double kInterference = 6e-6, kHub = 0.005, kHollow = 0.0015;  // radii [m]
  const double bore = kRadius - kInterference / 2;
  const SolidOfRevolution hub{
      {{-0.01, bore}, {-0.01, kHub}, {0, kHub}, {0, bore + kLeadIn}, {-kLeadIn, bore}, {-0.01, bore}},
      "bore"};
  const SolidOfRevolution shaft{{{0, kHollow},
                                 {0, kRadius - kPinChamfer},
                                 {kPinChamfer, kRadius},
                                 {0.02, kRadius},
                                 {0.02, kHollow},
                                 {0, kHollow}},
                                "hollow"};
  Press press(hub, Pose{}, shaft, kAluminium, kSteel, 1000, 0);
  const double d = 2 * kRadius, p = pressure(kInterference, d, 2 * kHub, kAluminium, 2 * kHollow, kSteel);
  for (const double length : {0.002, 0.005, 0.008}) {
    press.pressTo(length + kPinChamfer + kLeadIn, 0);
    const double engaged = press.depth() - kPinChamfer - kLeadIn;
    EXPECT_NEAR(press.push() / (kFriction * p * std::numbers::pi * d * engaged), 1, 0.02) << length;
  }
  EXPECT_EQ(press.notConverged, 0);
}

/// The shape of a ring (z, r) on cylinders and planes, of a mesh with 48 facets.
BoundarySolid facesOf(const SolidOfRevolution& ring) {
  constexpr int kFacets = 48;
  BoundarySolid solid;
  const auto count = static_cast<int>(ring.profile.size()) - 1;
  for (int i = 0; i < count; ++i) {
    const auto &p = ring.profile[static_cast<std::size_t>(i)],
               &q = ring.profile[static_cast<std::size_t>(i) + 1];
    for (int k = 0; k < kFacets; ++k) {
      const double angle = 2 * std::numbers::pi * k / kFacets;
      solid.vertices.emplace_back(p.y() * std::cos(angle), p.y() * std::sin(angle), p.x());
      const int a = i * kFacets + k, b = i * kFacets + (k + 1) % kFacets;
      const int c = (a + kFacets) % (count * kFacets), d = (b + kFacets) % (count * kFacets);
      solid.triangles.push_back({a, b, d});
      solid.triangles.push_back({a, d, c});
      const int surface = p.y() == q.y() ? static_cast<int>(solid.surfaces.size()) : -1;
      solid.surfaceOf.insert(solid.surfaceOf.end(), 2, surface);
    }
    if (p.y() != q.y()) continue;
    Surface cylinder;
    cylinder.kind = SurfaceKind::cylinder;
    cylinder.radius = p.y();
    solid.surfaces.push_back(cylinder);
  }
  return solid;
}

TEST(PressFit, OfPartsThatCollideOnTheirFacesIsThatOfTheirProfiles) {
  const SolidOfRevolution hub{{{-0.01, 0.00299}, {-0.01, 0.005}, {0, 0.005}, {0, 0.00299}, {-0.01, 0.00299}},
                              "bore"};
  const SolidOfRevolution shaft{{{0, 0.0015}, {0, 0.003}, {0.02, 0.003}, {0.02, 0.0015}, {0, 0.0015}},
                                "hollow"};
  const auto found = [](const Shape& i, const Shape& j) {
    std::vector<PressFit> fits;
    findPressFits({{0}, {1}}, {&i, {}, kAluminium}, {&j, {}, kSteel}, fits);
    return fits;
  };
  const auto expected = found(hub, shaft), faces = found(facesOf(hub), facesOf(shaft));
  ASSERT_EQ(expected.size(), 1u);
  ASSERT_EQ(faces.size(), 1u);
  EXPECT_DOUBLE_EQ(faces[0].stiffnessPerLength, expected[0].stiffnessPerLength);
  EXPECT_DOUBLE_EQ(faces[0].radius, expected[0].radius);
  EXPECT_EQ(faces[0].shaftIsI, expected[0].shaftIsI);
  EXPECT_LT((faces[0].shaft - expected[0].shaft).norm(), 1e-15);
  EXPECT_LT((faces[0].bore - expected[0].bore).norm(), 1e-15);
}

// A pair's own stiffness takes the place of Lamé's, at any depth.
TEST(PressFit, APairsStiffnessIsAnOverride) {
  Press press(block(kRadius - 2e-6), Pose::at({0, 0, -0.008}), pinOf(kRadius), kSteel, kSteel, 1000, 0, 5e8);
  for (const double length : {0.004, 0.008}) {
    press.pressTo(length + kPinChamfer + kLeadIn, 0);
    EXPECT_NEAR(press.push(), kFriction * 5e8 * 2e-6, 2) << length;
  }
}

// Elastic materials change nothing where the pin is not wider than the hole.
TEST(PressFit, AClearanceFitStaysRigid) {
  Press press(block(kRadius + 5e-6), Pose::at({0, 0, -0.008}), pinOf(kRadius), kSteel, kSteel, 1000, 2e-5);
  press.pressTo(0.008, 2e-5);
  EXPECT_LE(press.world.stepResult().report.penetration, 1e-9);
  EXPECT_LT(std::abs(press.push()), 5);
}

}  // namespace
}  // namespace tenon::physics::press_fit_test
