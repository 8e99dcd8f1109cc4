// The shipped scenes load and have the documented properties.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/reader/load_scene.h"

namespace tenon::content::test {
namespace {

Scene shipped(const std::string& name, const ParameterValues& values = {}) {
  return loadScene(std::string(TENON_SOURCE_DIR) + "/content/scenes/" + name + ".json", values);
}

/// Depth of a point below the mouth of a goal's hole, for the pose of the part's frame [m].
double depthOf(const Scene& scene, const Goal& goal, const Pose& X_WP) {
  const Part& part = scene.part(goal.part);
  const Part& into = scene.part(goal.into);
  const Pose X_WH = into.X_WP * goal.X_IH;
  return -(X_WH.inverse() * (X_WP * part.features[static_cast<std::size_t>(goal.feature)].origin)).z();
}

/// The final pose of a part in the hand's script.
Pose lastPartPose(const Scene& scene, int part) {
  Pose last;
  for (const Hand& hand : scene.hands) {
    int held = -1;
    for (const Waypoint& waypoint : hand.script) {
      if (held == part && waypoint.X_W && waypoint.frame == WaypointFrame::part) last = *waypoint.X_W;
      if (waypoint.grab >= 0) held = waypoint.grab;
      if (waypoint.release) held = -1;
    }
  }
  return last;
}

/// ISO 4762 M8 × 30, uniform steel, without socket and thread [kg].
double screwMass() {
  const double tip = std::numbers::pi / 3 * 1e-9 * (16 + 12 + 9);
  return 7850 * (std::numbers::pi * 1e-9 * (6.5 * 6.5 * 8 + 16 * 29) + tip);
}

TEST(ShippedScenes, boltInPlateHasAnOffsetOfOneMillimeterAndATiltOfTwoDegrees) {
  const Scene scene = shipped("bolt-in-plate");
  ASSERT_EQ(scene.goals.size(), 1u);
  const Part& screw = scene.parts[1];
  EXPECT_NEAR(screw.mass.mass, screwMass(), 1e-12);
  const Pose X_WP = *scene.hands[0].script[3].X_W;
  const Vector3d tip = X_WP * screw.features[0].origin;
  EXPECT_NEAR((tip - Vector3d(0.001, 0, 0.002)).norm(), 0, 1e-12);
  EXPECT_NEAR(std::acos((X_WP.q * Vector3d::UnitZ()).z()), 2 * std::numbers::pi / 180, 1e-9);
}

TEST(ShippedScenes, scriptsMoveEveryPartToItsGoal) {
  for (const char* name :
       {"bolt-in-plate", "four-bolts", "insertion-benchmark", "factory-peg-8mm", "factory-peg-16mm"}) {
    SCOPED_TRACE(name);
    const Scene scene = shipped(name);
    ASSERT_FALSE(scene.goals.empty());
    for (const Goal& goal : scene.goals) {
      const Pose X_WP = lastPartPose(scene, goal.part);
      const double depth = depthOf(scene, goal, X_WP);
      EXPECT_GE(depth, goal.depth);
      EXPECT_LE(depth, goal.depth + 0.0005);
      EXPECT_LE(scene.hands[0].script.back().time, scene.duration);
    }
  }
}

TEST(ShippedScenes, fourBoltsAreFourGoalsAndTwoHands) {
  const Scene scene = shipped("four-bolts");
  EXPECT_EQ(scene.goals.size(), 4u);
  ASSERT_EQ(scene.hands.size(), 2u);
  for (const Hand& hand : scene.hands) {
    int grabs = 0;
    for (const Waypoint& waypoint : hand.script) grabs += waypoint.grab >= 0 ? 1 : 0;
    EXPECT_EQ(grabs, 2) << hand.name;
  }
}

TEST(ShippedScenes, stackIsFaceToFace) {
  const Scene scene = shipped("stack");
  ASSERT_EQ(scene.parts.size(), 11u);
  for (std::size_t k = 1; k < scene.parts.size(); ++k) {
    const double bottom = scene.parts[k].X_WP.p.z() - 0.02;
    EXPECT_NEAR(bottom, 0.04 * static_cast<double>(k - 1), 1e-15);
  }
}

TEST(ShippedScenes, benchmarkMatchesThePublishedOne) {
  const Scene scene = shipped("insertion-benchmark");
  const auto& block = std::get<physics::BlockWithHoles>(scene.parts[0].shape);
  const auto& bore = block.cavities.at(0).profile;
  ASSERT_EQ(bore.size(), 3u);
  EXPECT_LE((bore[0] - Eigen::Vector2d(0, 0.00655)).norm(), 1e-15);
  EXPECT_LE((bore[1] - Eigen::Vector2d(-0.0015, 0.00505)).norm(), 1e-15);
  EXPECT_TRUE(block.cavities[0].through);
  EXPECT_NEAR(scene.parts[0].X_WP.p.z() + block.halfExtents.z(), 0, 1e-15);  // mouth at z = 0
  EXPECT_GT(2 * block.halfExtents.z(), 0.0285);
  const Part& peg = scene.parts[1];
  EXPECT_EQ(peg.mass.mass, 0.1);
  EXPECT_EQ(peg.mass.inertia.diagonal(), Vector3d(5e-5, 5e-5, 2e-6));
  EXPECT_EQ(scene.gravity, Vector3d::Zero());
  const Hand& hand = scene.hands[0];
  EXPECT_EQ(hand.parameters.stiffness, Vector3d::Constant(2000));
  EXPECT_EQ(hand.parameters.angularStiffness, Vector3d(2, 2, 0.1));
  EXPECT_EQ(hand.parameters.dampingRatio, 1);
  // The peg starts at the target, the hand on its center of mass and along its axes.
  EXPECT_NEAR((peg.X_WP.p - Vector3d(0.001, 0, 0.002)).norm(), 0, 1e-15);
  EXPECT_NEAR((hand.X_WH.p - peg.X_WP * peg.mass.center).norm(), 0, 1e-15);
  EXPECT_NEAR(hand.X_WH.q.angularDistance(peg.X_WP.q), 0, 1e-15);
  EXPECT_NEAR(std::acos((peg.X_WP.q * Vector3d::UnitZ()).z()), 2 * std::numbers::pi / 180, 1e-9);
  EXPECT_EQ(hand.script.back().time, 2);
  EXPECT_NEAR((hand.script.back().X_W->p - Vector3d(0, 0, -0.028)).norm(), 0, 1e-15);
}

TEST(ShippedScenes, benchmarkIsValidOverTheRangeOfItsParameters) {
  const Scene plain = shipped("insertion-benchmark");
  ASSERT_EQ(plain.parameters.size(), 7u);
  for (const Parameter& parameter : plain.parameters) {
    for (const double value : {parameter.minimum, parameter.maximum}) {
      SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
      const Scene scene = shipped("insertion-benchmark", {{parameter.name, value}});
      EXPECT_EQ(scene.parts.size(), 2u);
    }
  }
  const Scene tight = shipped("insertion-benchmark", {{"clearance_um", 5}, {"friction", 0.1}});
  const auto& block = std::get<physics::BlockWithHoles>(tight.parts[0].shape);
  EXPECT_NEAR(block.cavities[0].profile.back().y(), 0.0050025, 1e-15);
  ASSERT_EQ(tight.pairs.size(), 1u);
  EXPECT_EQ(tight.pairs[0].friction, 0.1);
}

TEST(ShippedScenes, mechanismsAreValidOverTheRangeOfTheirParameters) {
  for (const char* name :
       {"newtons-cradle", "pendulum", "trammel", "connected-blocks", "leaning-blocks", "arch"}) {
    const Scene plain = shipped(name);
    EXPECT_FALSE(plain.parameters.empty()) << name;
    for (const Parameter& parameter : plain.parameters) {
      for (const double value : {parameter.minimum, parameter.maximum}) {
        SCOPED_TRACE(std::string(name) + ": " + parameter.name + " = " + std::to_string(value));
        EXPECT_EQ(shipped(name, {{parameter.name, value}}).parts.size(), plain.parts.size());
      }
    }
  }
}

TEST(ShippedScenes, cradleLiftsTheGivenNumberOfBalls) {
  for (int thrown = 1; thrown <= 4; ++thrown) {
    const Scene scene = shipped("newtons-cradle", {{"thrown", static_cast<double>(thrown)}});
    for (int k = 0; k < 5; ++k) {
      const Pose& ball = scene.part(k).X_WP;
      const Vector3d pivot(0.04 * (k - 2), 0, 0.3);
      EXPECT_NEAR((ball * Vector3d(0, 0, 0.25) - pivot).norm(), 0, 1e-12) << k;
      EXPECT_EQ(ball.p.z() > 0.051, k < thrown) << k << " of " << thrown;
    }
  }
}

TEST(ShippedScenes, trammelShuttlesHaveExactlyTheClearance) {
  const Scene scene = shipped("trammel", {{"clearance_um", 40}});
  const auto half = [&](std::size_t k) { return std::get<physics::Box>(scene.parts[k].shape).halfExtents; };
  for (std::size_t corner = 1; corner <= 4; ++corner)
    for (int axis : {0, 1})
      EXPECT_NEAR(std::abs(scene.parts[corner].X_WP.p[axis]) - half(corner)[axis], 0.01002, 1e-15);
  EXPECT_EQ(half(5).y(), 0.01);
  EXPECT_EQ(half(6).x(), 0.01);
}

TEST(ShippedScenes, archIsHalfARing) {
  const Scene scene = shipped("arch", {{"thickness_mm", 30}});
  const auto& stone = std::get<physics::Hull>(scene.parts[3].shape);
  ASSERT_EQ(stone.vertices.size(), 8u);
  for (const Vector3d& vertex : stone.vertices) {
    const double r = std::hypot(vertex.x(), vertex.z());
    EXPECT_NEAR(std::min(std::abs(r - 0.085), std::abs(r - 0.115)), 0, 1e-12);
    EXPECT_NEAR(std::atan2(std::abs(vertex.x()), vertex.z()), std::numbers::pi / 18, 1e-12);
  }
  // The outermost stones stand on the abutments, whose tops are at z = 0.
  for (const std::size_t outermost : {3u, 11u}) {
    double lowest = 1;
    for (const Vector3d& vertex : stone.vertices)
      lowest = std::min(lowest, (scene.parts[outermost].X_WP * vertex).z());
    EXPECT_NEAR(lowest, 0, 1e-12);
  }
}

TEST(ShippedScenes, factoryPegsHaveThePublishedFits) {
  const double peg[] = {7.995e-3, 15.994e-3}, hole[] = {8.097e-3, 16.496e-3};
  for (int k : {0, 1}) {
    const Scene scene = shipped(k == 0 ? "factory-peg-8mm" : "factory-peg-16mm");
    const auto& cavity = std::get<physics::BlockWithHoles>(scene.parts[0].shape).cavities.at(0);
    EXPECT_NEAR(2 * cavity.profile.front().y(), hole[k], 1e-15);
    EXPECT_NEAR(cavity.profile.back().x(), -0.009, 1e-15);
    const auto& profile = std::get<physics::SolidOfRevolution>(scene.parts[1].shape).profile;
    EXPECT_NEAR(2 * profile[2].y(), peg[k], 1e-15);
    EXPECT_LE((profile[2] - profile[1] - Eigen::Vector2d(0.0005, 0.0005)).norm(), 1e-15);
    EXPECT_NEAR(profile.back().x(), 0.05, 1e-15);
  }
}

/// Radius of the ball about a box's corners [m].
double reachOf(const Part& part) {
  return std::get<physics::Box>(part.shape).halfExtents.norm();
}

TEST(ShippedScenes, pileStartsWithoutContactInItsPit) {
  for (const double blocks : {1, 20, 500}) {
    const Scene scene = shipped("pile", {{"blocks", blocks}, {"seed", 7}});
    ASSERT_EQ(scene.parts.size(), 4 + static_cast<std::size_t>(blocks));
    for (std::size_t k = 4; k < scene.parts.size(); ++k) {
      const Part& block = scene.parts[k];
      SCOPED_TRACE(block.name);
      for (std::size_t wall = 0; wall < 4; ++wall)
        EXPECT_GT((scene.parts[wall].X_WP.inverse() * block.X_WP.p).z(), reachOf(block));
      for (std::size_t other = 4; other < k; ++other)
        EXPECT_GT((scene.parts[other].X_WP.p - block.X_WP.p).norm(),
                  reachOf(scene.parts[other]) + reachOf(block));
      for (const double half : std::get<physics::Box>(block.shape).halfExtents) {
        EXPECT_GE(half, 0.010);
        EXPECT_LT(half, 0.020);
      }
    }
  }
}

TEST(ShippedScenes, pileDependsOnItsSeedOnly) {
  const Scene few = shipped("pile", {{"blocks", 3}}), many = shipped("pile", {{"blocks", 40}});
  const Scene other = shipped("pile", {{"blocks", 3}, {"seed", 2}});
  for (std::size_t k = 4; k < few.parts.size(); ++k) {
    const auto halves = [k](const Scene& scene) {
      return std::get<physics::Box>(scene.parts[k].shape).halfExtents;
    };
    EXPECT_EQ(halves(few), halves(many));
    EXPECT_EQ(few.parts[k].X_WP.q.coeffs(), many.parts[k].X_WP.q.coeffs());
    EXPECT_NE(halves(few), halves(other));
    EXPECT_NE(few.parts[k].X_WP.q.coeffs(), other.parts[k].X_WP.q.coeffs());
  }
}

TEST(ShippedScenes, freeFallTouchesNothing) {
  const Scene scene = shipped("free-fall");
  ASSERT_EQ(scene.parts.size(), 1u);
  EXPECT_EQ(scene.parts[0].motion, physics::MotionType::dynamic);
  EXPECT_GT(scene.parts[0].omega.norm(), 0);
}

}  // namespace
}  // namespace tenon::content::test
