// Drivers at the hexagons of screws: what they fit, turn and hold back, at their torque limit and in a
// ratchet.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/step/world_state.h"
#include "physics/world.h"

namespace tenon::physics {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kDepth = 4e-3, kTop = 8e-3;

Quaterniond aboutZ(double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
}

struct Setting {
  HexagonSize head{6e-3, true}, tip{6e-3, false};
  double torqueLimit = std::numeric_limits<double>::infinity();
  bool ratchet = false;
  Vector3d offset{0, 0, 1e-4};  ///< of the tip from the mouth
  double tilt = 0, angle = 0;   ///< [rad]
  bool screwTurns = true;       ///< on a hinge in the world; else it is fixed
  double damping = 0;           ///< of rotations [1/s]
};

WorldOptions optionsOf(const Setting& setting) {
  WorldOptions options;
  options.dt = 2e-3;
  options.angularDamping = setting.damping;
  return options;
}

/// A head whose top is at kTop, and a driver above it in a hand.
struct Bench {
  explicit Bench(const Setting& setting) : world(optionsOf(setting), makeBulletCollider()) {
    const Cylinder head{6.5e-3, kTop / 2}, blade{3e-3, 0.04};
    BodyDescription body;
    body.name = "screw";
    body.shape = head;
    body.mass = massProperties(head, 7850);
    body.motion = setting.screwTurns ? MotionType::dynamic : MotionType::fixed;
    body.X_WP = Pose::at({0, 0, kTop / 2});
    screw = world.addBody(body);
    if (setting.screwTurns) {
      JointDescription axis;
      axis.kind = JointKind::hinge;
      axis.j = screw;
      axis.X_PA = body.X_WP;
      world.addJoint(axis);
    }
    const Quaterniond q =
        aboutZ(setting.angle) * Quaterniond(Eigen::AngleAxisd(setting.tilt, Vector3d::UnitX()));
    const Vector3d tip = Vector3d(0, 0, kTop) + setting.offset;
    X_WP = {q, tip + q * Vector3d(0, 0, 0.04)};
    body = {};
    body.name = "driver";
    body.shape = blade;
    body.mass = massProperties(blade, 7850);
    body.X_WP = X_WP;
    driver = world.addBody(body);
    world.addHexagon({screw, Pose::at({0, 0, kTop / 2}), setting.head, kDepth});
    world.addDriver({driver, Pose::at({0, 0, -0.04}), setting.tip, setting.torqueLimit, setting.ratchet});
    HandParameters strong;
    strong.angularStiffness = Vector3d::Constant(20);
    strong.maxTorque = 40;
    hand = world.addHand(strong, X_WP);
    world.apply(Grab{hand, driver, X_WP});
  }

  /// Moves the hand evenly: up, and about z from its first angle.
  void move(double up, double angle, int steps) {
    for (int k = 1; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      world.apply(MoveHand{
          hand, {aboutZ(at + share * (angle - at)), Vector3d(0, 0, height + share * (up - height) + 0.04)}});
      world.step();
      const Vector3d p = world.stepResult().bodies[driver.value].X_WC.p;
      lowest = std::min(lowest, p.z() - 0.04);
      torque = std::max(torque, std::abs(result().torque));
    }
    at = angle;
    height = up;
  }

  const DriverState& result() const { return world.stepResult().drivers[0]; }
  double angleOf(BodyId body) const {
    const Quaterniond& q = world.stepResult().bodies[body.value].X_WC.q;
    return 2 * std::atan2(q.z(), q.w());
  }

  World world;
  BodyId screw, driver;
  HandId hand;
  Pose X_WP;
  double at = 0, height = kTop, lowest = 1, torque = 0;
};

TEST(Driver, couplesWhereItFitsWithinDistanceTiltAndAngle) {
  const auto isOn = [](const Setting& setting) {
    Bench bench(setting);
    bench.world.step();
    return bench.result().screw.valid();
  };
  EXPECT_TRUE(isOn({}));
  EXPECT_TRUE(isOn({.offset = {1.4e-3, 0, 5e-4}, .tilt = 8 * kDegree, .angle = 64 * kDegree}));
  EXPECT_FALSE(isOn({.offset = {1.6e-3, 0, 1e-4}})) << "beside the socket";
  EXPECT_FALSE(isOn({.offset = {0, 0, 1.1e-3}})) << "above it";
  EXPECT_FALSE(isOn({.offset = {0, 0, 6e-4}, .tilt = 11 * kDegree})) << "tilted";
  EXPECT_FALSE(isOn({.angle = 30 * kDegree})) << "corner on flat";
}

TEST(Driver, thatDoesNotFitStaysOnTheHeadAndReportsBothSizes) {
  Bench bench({.tip = {4e-3, false}});
  bench.move(kTop - 2e-3, 60 * kDegree, 200);
  EXPECT_FALSE(bench.result().screw.valid());
  EXPECT_EQ(bench.result().misfit, bench.screw);
  EXPECT_EQ(bench.result().head.width, 6e-3);
  EXPECT_TRUE(bench.result().head.isInternal);
  EXPECT_GT(bench.lowest, kTop - 1e-8) << "it went into the head";

  Bench key({.head = {6e-3, false}});
  key.world.step();
  EXPECT_FALSE(key.result().screw.valid()) << "a key at a hexagon of the same width";
}

TEST(Driver, goesToTheBottomOfTheSocketAndNoFurther) {
  Bench bench({.offset = {1e-3, 0, 6e-4}, .tilt = 5 * kDegree});
  bench.move(kTop - 10e-3, 0, 20);
  EXPECT_GT(bench.lowest, kTop - 1e-8) << "it enters before it is aligned";
  bench.move(kTop - 10e-3, 0, 500);
  EXPECT_NEAR(bench.lowest, kTop - kDepth, 1e-9);
}

TEST(Driver, turnsTheScrewAfterThePlayAndLeavesItWhereItIs) {
  Bench bench({});
  bench.move(kTop - kDepth, 0, 100);
  bench.move(kTop - kDepth, -50 * kDegree, 200);
  const double turned = bench.angleOf(bench.screw);
  EXPECT_NEAR(turned, bench.angleOf(bench.driver) + kHexagonPlay, 0.1 * kDegree);
  bench.move(kTop + 0.02, -50 * kDegree, 200);
  EXPECT_FALSE(bench.result().screw.valid());
  const double left = bench.angleOf(bench.screw);
  EXPECT_NEAR(left, turned, 2 * kHexagonPlay);
}

TEST(Driver, thatMeetsACornerTurnsUntilItFallsIntoTheSocket) {
  Bench bench({.angle = 25 * kDegree});
  bench.at = 25 * kDegree;
  bench.move(kTop - kDepth, 25 * kDegree, 50);
  EXPECT_FALSE(bench.result().screw.valid());
  EXPECT_GT(bench.lowest, kTop - 1e-8);
  bench.move(kTop - kDepth, 15 * kDegree, 100);
  EXPECT_FALSE(bench.result().screw.valid());
  EXPECT_GT(bench.lowest, kTop - 1e-8);
  EXPECT_NEAR(bench.angleOf(bench.screw), 0, 1e-9) << "it takes the screw along before it is in";
  bench.move(kTop - kDepth, -10 * kDegree, 200);
  EXPECT_TRUE(bench.result().screw.valid());
  EXPECT_NEAR(bench.lowest, kTop - kDepth, 1e-6);
}

TEST(Driver, clicksAtItsTorqueLimitAndNeverExceedsIt) {
  Bench bench({.torqueLimit = 3, .screwTurns = false});
  bench.move(kTop - kDepth, 0, 100);
  // The spring of the hand reaches 3 N m at 8.6°; from there one click every 15° of the handle.
  bench.move(kTop - kDepth, -8 * kDegree, 100);
  EXPECT_EQ(bench.result().clicks, 0);
  bench.move(kTop - kDepth, -12 * kDegree, 100);
  EXPECT_EQ(bench.result().clicks, 1);
  bench.move(kTop - kDepth, -50 * kDegree, 2000);
  EXPECT_GE(bench.result().clicks, 3);
  EXPECT_LE(bench.result().clicks, 4);
  EXPECT_NEAR(bench.torque, 3, 3e-9) << "a click was stronger than the limit";
  EXPECT_TRUE(bench.result().screw.valid());
}

TEST(Driver, withARatchetTurnsBackFreelySoThatTurnsAddUp) {
  Bench bench({.ratchet = true, .damping = 1e4});  // the screw stays where it is turned to
  bench.move(kTop - kDepth, 0, 100);
  double expected = 0;
  for (int stroke = 0; stroke < 4; ++stroke) {
    bench.move(kTop - kDepth, -40 * kDegree, 200);
    bench.move(kTop - kDepth, -40 * kDegree, 100);
    expected = std::remainder(expected - 40 * kDegree, 2 * std::numbers::pi);
    EXPECT_NEAR(std::remainder(bench.angleOf(bench.screw) - expected, 2 * std::numbers::pi), 0,
                (stroke + 1) * 3 * kDegree)
        << stroke;
    const double before = bench.angleOf(bench.screw);
    bench.torque = 0;
    bench.move(kTop - kDepth, 0, 200);
    EXPECT_LE(bench.torque, 1e-9) << "it turns the screw back";
    EXPECT_NEAR(bench.angleOf(bench.screw), before, kDegree);
  }
}

TEST(Driver, givesTheSameBytesAgainFromASnapshotWithinAClick) {
  Bench bench({.torqueLimit = 3, .screwTurns = false});
  bench.move(kTop - kDepth, 0, 100);
  bench.move(kTop - kDepth, -12 * kDegree, 200);
  ASSERT_GE(bench.result().clicks, 1);
  const auto snapshot = bench.world.snapshot();
  const auto story = [&] {
    std::vector<std::uint64_t> hashes;
    bench.at = -12 * kDegree;
    for (int k = 0; k < 4; ++k) {
      bench.move(kTop - kDepth, (-20 - 10 * k) * kDegree, 50);
      hashes.push_back(bench.world.stateHash());
    }
    hashes.push_back(static_cast<std::uint64_t>(bench.result().clicks));
    return hashes;
  };
  const auto first = story();
  bench.world.restore(*snapshot);
  EXPECT_EQ(story(), first);
}

TEST(Driver, isUncoupledByAPlaceCommand) {
  Bench bench({});
  bench.world.step();
  ASSERT_TRUE(bench.result().screw.valid());
  bench.world.apply(SetPose{bench.driver, Pose::at({0.1, 0, 0.1})});
  bench.world.step();
  EXPECT_FALSE(bench.result().screw.valid());
}

}  // namespace
}  // namespace tenon::physics
