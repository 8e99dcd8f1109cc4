// Parts that stop in openings of unknown cross-section: hand-made standstills with a known answer.
#include "runtime/assess/section_contact.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/assess/jam_diagnosis.h"
#include "runtime/report/section_text.h"
#include "tests/runtime/contact_tick.h"
#include "tests/runtime/goal_scene.h"

namespace tenon::runtime::section_contact_test {
namespace {

using physics::Pose;
using physics::Quaterniond;
using tests::diagnosisOf;

constexpr double kWidth = 0.01;  // of the opening

/// The peg of goalScene(), on its way to a pose in a part whose shape has no hole.
content::Scene sectionScene() {
  content::Scene scene = tests::goalScene();
  scene.parts[0].shape = physics::Box{Vector3d(0.05, 0.05, 0.02)};
  content::Goal& goal = scene.goals[0];
  goal.hole = "place of peg";
  goal.pose = content::GoalPose{Pose::at(goal.X_IH.p - goal.depth * Vector3d::UnitZ()), 1e-4};
  return scene;
}

/// A contact as it acts on the peg, in the frame H.
struct Wall {
  Vector3d p = Vector3d::Zero(), n = Vector3d::UnitX();
  double force = 0;
  Vector3d friction = Vector3d::Zero();
  double mu = 0;
};

/// The step in which the peg stands at X_HP with these contacts, balanced by the hand.
physics::StepResult tickWith(const content::Scene& scene, const Pose& X_HP, const std::vector<Wall>& walls,
                             bool isPegFirst = false) {
  tests::ContactTick made(scene, X_HP, isPegFirst);
  for (const Wall& wall : walls)
    made.add({X_HP.inverse() * wall.p, wall.n, wall.force, wall.friction, wall.mu});
  return made.balance().tick;
}

std::string explain(const content::Scene& scene, const Diagnosis& d) {
  GoalResult result;
  result.X_IH = scene.goals[0].X_IH;
  result.verdict = Verdict::blocked;
  result.standstill = d;
  return sectionStopText(result);
}

Vector3d sideAt(double phase) {
  return {std::cos(phase), std::sin(phase), 0};
}

/// Two walls `width` apart, the lower contact `length` below the upper one, on the side of `phase`; each wall
/// is touched at two places 6 mm apart, as by an edge. `share` of the friction limit acts out of the opening.
std::vector<Wall> twoWalls(double width, double length, double mu, double lower, double upper, double share,
                           double phase = 0.3) {
  const Vector3d side = sideAt(phase), across = sideAt(phase + std::acos(0.0));
  std::vector<Wall> walls;
  for (const double edge : {-0.003, 0.003}) {
    const Vector3d up = 0.5 * share * mu * Vector3d::UnitZ();
    walls.push_back({0.5 * width * side + edge * across - (length + 0.001) * Vector3d::UnitZ(), -side,
                     0.5 * lower, lower * up, mu});
    walls.push_back(
        {-0.5 * width * side + edge * across - 0.001 * Vector3d::UnitZ(), side, 0.5 * upper, upper * up, mu});
  }
  return walls;
}

TEST(SectionContact, APartThatJustSlidesBetweenWallsIsOnTheBorderOfTheJammingDiagram) {
  // Whitney's derivation of the diagram: both contacts slide; a negative width is that of a part around a
  // post.
  const content::Scene scene = sectionScene();
  for (const double width : {0.01, 0.003, -0.02})
    for (const double lower : {5.0, 20.0, 60.0}) {
      SCOPED_TRACE(testing::Message() << width << " " << lower);
      const Pose X_HP = Pose::at(Vector3d(2e-5, -1e-5, -0.007));
      const Diagnosis d =
          diagnosisOf(scene, tickWith(scene, X_HP, twoWalls(width, 0.006, 0.2, lower, 20, 1)));
      ASSERT_EQ(toText(d.contact.state), "two-point");
      ASSERT_TRUE(d.point);
      EXPECT_EQ(d.contact.clusters.size(), 2U) << "each wall is one face";
      EXPECT_NEAR(d.point->utilization, 1, 1e-9);
      EXPECT_NEAR(d.push->fz, 0.2 * (lower + 20), 1e-9);
      EXPECT_NEAR(d.push->fx, lower - 20, 1e-9);
      EXPECT_NEAR(2 * d.push->radius, width, 1e-12);
      EXPECT_NEAR(d.wedge->length, 0.006, 1e-12);
      EXPECT_NEAR(d.wedge->width, std::abs(width), 1e-12);
      const Diagnosis held =
          diagnosisOf(scene, tickWith(scene, X_HP, twoWalls(width, 0.006, 0.2, lower, 20, 0.5)));
      EXPECT_EQ(held.cause == StopCause::wedged, 0.006 < 0.2 * std::abs(width));
      EXPECT_GT(held.point->utilization, 1) << "friction takes half of what it may";
    }
}

TEST(SectionContact, IsWedgedJustBelowWhitneysDepthAndNotAbove) {
  const content::Scene scene = sectionScene();
  for (const double width : {kWidth, -kWidth})
    for (const double factor : {0.99, 1.01}) {
      const double mu = 0.4, length = factor * mu * kWidth;
      const Diagnosis d = diagnosisOf(
          scene, tickWith(scene, Pose::at(Vector3d(0, 0, -0.007)), twoWalls(width, length, mu, 25, 25, 0.9)));
      EXPECT_EQ(d.wedge->possible, factor < 1);
      EXPECT_EQ(d.wedge->conesMeet, factor < 1);
      EXPECT_EQ(toText(d.cause), factor < 1 ? "wedged" : "jammed");
      EXPECT_NEAR(d.wedge->lengthOverD, factor * mu, 1e-12);
      EXPECT_EQ(explain(scene, d).find("is below μ = 0.4") != std::string::npos, factor < 1)
          << explain(scene, d);
    }
}

TEST(SectionContact, IsTheSameInAnyFrameAndWithBodiesSwapped) {
  const unsigned seed = 921;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  content::Scene scene = sectionScene();
  const Pose X_HP = Pose::at(Vector3d(1e-5, 0, -0.007));
  const std::vector<Wall> walls = twoWalls(kWidth, 0.003, 0.5, 30, 20, 0.5);
  const Diagnosis first = diagnosisOf(scene, tickWith(scene, X_HP, walls));
  const std::string text = explain(scene, first);
  ASSERT_EQ(toText(first.cause), "wedged");
  for (int k = 0; k < 20; ++k) {
    const Quaterniond q(unit(random), unit(random), unit(random), unit(random));
    scene.parts[0].X_WP = {q.normalized(), Vector3d(unit(random), unit(random), unit(random))};
    const Diagnosis d = diagnosisOf(scene, tickWith(scene, X_HP, walls, k % 2 == 1));
    EXPECT_EQ(d.cause, first.cause);
    EXPECT_NEAR(d.push->moment, first.push->moment, 1e-9);
    EXPECT_NEAR(d.wedge->squeeze, first.wedge->squeeze, 1e-9);
    EXPECT_EQ(explain(scene, d), text);
  }
}

TEST(SectionContact, ASquareTurnedInItsPocketBearsOnBothSides) {
  // Four corners in a pocket: the two of a pair are as far apart along their walls as the pocket is wide,
  // less what the turn takes. The hand's torque T presses each corner with T / (2 w).
  content::Scene scene = sectionScene();
  const double turn = 0.01, along = 0.0045, mu = 0.3, force = 8;
  std::vector<Wall> walls;
  for (int k = 0; k < 4; ++k) {
    const Vector3d side = sideAt(k * std::acos(0.0)), across = sideAt((k + 1) * std::acos(0.0));
    for (const double z : {-0.006, -0.002})
      walls.push_back({0.5 * kWidth * side + along * across + z * Vector3d::UnitZ(), -side, 0.5 * force,
                       0.4 * mu * force * Vector3d::UnitZ(), mu});
  }
  const Pose X_HP{Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitZ())), Vector3d(0, 0, -0.006)};
  const Diagnosis d = diagnosisOf(scene, tickWith(scene, X_HP, walls));
  ASSERT_EQ(toText(d.contact.state), "turned");
  EXPECT_EQ(toText(d.cause), "turned");
  EXPECT_TRUE(d.contact.allRound);
  EXPECT_FALSE(d.point) << "the diagram is of a plane with the axis";
  EXPECT_NEAR(d.wedge->length, 2 * along, 1e-12);
  EXPECT_NEAR(d.wedge->width, kWidth, 1e-12);
  EXPECT_NEAR(d.turn_H.z(), turn, 1e-12);
  // The torque of the walls is that of the pairs, against the hand's.
  EXPECT_NEAR(std::abs(d.load.moment_H.z()), 4 * force * along, 1e-9);
  EXPECT_NEAR(d.axialFriction(), 4 * 0.8 * mu * force, 1e-9);
  EXPECT_NE(explain(scene, d).find("turn it by 0.573° about -z"), std::string::npos) << explain(scene, d);
}

TEST(SectionContact, ConesThatContainEachOtherAlsoHoldAPartAgainstTurning) {
  const content::Scene scene = sectionScene();
  for (const double factor : {0.99, 1.01}) {
    const double mu = 0.5, half = 0.5 * factor * mu * kWidth;
    const Pose X_HP{Quaterniond(Eigen::AngleAxisd(0.01, Vector3d::UnitZ())), Vector3d(0, 0, -0.006)};
    const Vector3d up = 0.9 * mu * 20 * Vector3d::UnitZ();
    const Diagnosis d = diagnosisOf(
        scene, tickWith(scene, X_HP,
                        {{Vector3d(0.5 * kWidth, half, -0.004), -Vector3d::UnitX(), 20, up, mu},
                         {Vector3d(-0.5 * kWidth, -half, -0.004), Vector3d::UnitX(), 20, up, mu}}));
    EXPECT_EQ(toText(d.contact.state), "turned");
    EXPECT_EQ(toText(d.cause), factor < 1 ? "wedged" : "turned");
  }
}

TEST(SectionContact, OnAFaceAcrossTheMotionToThePlaceIsNamed) {
  const content::Scene scene = sectionScene();
  const std::vector<Wall> face{{Vector3d(0.006, 0.001, 0), Vector3d::UnitZ(), 12, Vector3d::Zero(), 0.1},
                               {Vector3d(0.006, -0.001, 0), Vector3d::UnitZ(), 12, Vector3d::Zero(), 0.1}};
  const auto standing = [&](const Vector3d& axis, double angle, const Vector3d& p) {
    const Pose X_HP{Quaterniond(Eigen::AngleAxisd(angle, axis)), p};
    const Diagnosis d = diagnosisOf(scene, tickWith(scene, X_HP, face));
    EXPECT_EQ(toText(d.contact.state), "on-face");
    EXPECT_EQ(toText(d.cause), "face-across");
    EXPECT_EQ(d.contact.clusters.size(), 1U);
    EXPECT_NEAR(d.axialLoad(), 24, 1e-9);
    return explain(scene, d);
  };
  // The hole's frame is at (10, −20, 20) mm of its part, not turned.
  const std::string turned = standing(Vector3d::UnitZ(), 0.1, Vector3d(0, 0, -0.005));
  EXPECT_NE(turned.find("at (16, -20, 20) mm, with 24 N; to its place: turn it by 5.73° about -z"),
            std::string::npos)
      << turned;
  const std::string shifted = standing(Vector3d::UnitZ(), 0, Vector3d(0.0002, -0.0001, -0.005));
  EXPECT_NE(shifted.find("to its place: shift it by (-0.2, 0.1, 0) mm;"), std::string::npos) << shifted;
  const std::string both = standing(Vector3d::UnitZ(), -0.1, Vector3d(0.0002, 0, -0.005));
  EXPECT_NE(both.find("shift it by (-0.2, 0, 0) mm and turn it by 5.73° about +z"), std::string::npos)
      << both;
  const std::string tilted = standing(Vector3d::UnitY(), 0.1, Vector3d(0, 0, -0.005));
  EXPECT_NE(tilted.find("to its place: turn it by 5.73° about -y"), std::string::npos) << tilted;
  const std::string straight = standing(Vector3d::UnitZ(), 0, Vector3d(0, 0, -0.005));
  EXPECT_NE(straight.find("it is at its place across that direction"), std::string::npos) << straight;
}

TEST(SectionContact, ALeadInIsInclinedAndItsAngleReported) {
  const content::Scene scene = sectionScene();
  for (const double angle : {0.12, 0.5}) {  // to the axis [rad], in degrees 6.88 and 28.6
    const Diagnosis d = diagnosisOf(
        scene, tickWith(scene, Pose::at(Vector3d(0.0003, 0, -0.0005)),
                        {{Vector3d(0.0052, 0, -0.0005), Vector3d(-std::cos(angle), 0, std::sin(angle)), 10,
                          Vector3d::Zero(), 0.1}}));
    EXPECT_EQ(toText(d.contact.state), "on-chamfer");
    EXPECT_EQ(toText(d.contact.clusters[0].surface), "inclined face");
    const std::string text =
        fmt::format("a face inclined by {:.3g}° to the direction", angle * 90 / std::acos(0.0));
    EXPECT_NE(explain(scene, d).find(text), std::string::npos) << explain(scene, d);
  }
}

TEST(SectionContact, OneWallIsOnePointOrALineAndHoldsOnlyWhatIsWithinItsCone) {
  const content::Scene scene = sectionScene();
  const double mu = 0.3;
  const auto wall = [&](double z, double share) {
    return Wall{Vector3d(0.005, 0, z), -Vector3d::UnitX(), 10, share * mu * 10 * Vector3d::UnitZ(), mu};
  };
  const Pose X_HP = Pose::at(Vector3d(0, 0, -0.008));
  const Diagnosis point = diagnosisOf(scene, tickWith(scene, X_HP, {wall(-0.004, 0.9)}));
  EXPECT_EQ(toText(point.contact.state), "one-point");
  EXPECT_EQ(toText(point.cause), "jammed") << "μ Fx = 3 N against Fz = 2.7 N";
  const Diagnosis line = diagnosisOf(scene, tickWith(scene, X_HP, {wall(-0.007, 1), wall(-0.001, 1)}));
  EXPECT_EQ(toText(line.contact.state), "line");
  EXPECT_EQ(line.contact.clusters.size(), 1U);
  EXPECT_NEAR(line.contact.clusters[0].depthSpan, 0.006, 1e-12);
}

TEST(SectionContact, PartsInclinedBetweenWallsAtOneDepthAreHeldByTheirTilt) {
  // Both walls at the mouth, and their normals inclined by the tilt: they push the part out by 2 N sin θ.
  const content::Scene scene = sectionScene();
  const double tilt = 0.12;
  const Pose X_HP{Quaterniond(Eigen::AngleAxisd(tilt, Vector3d::UnitY())), Vector3d(0, 0, -0.001)};
  std::vector<Wall> walls;
  for (const double side : {-1.0, 1.0})
    walls.push_back({Vector3d(side * 0.005, 0, 0), Vector3d(-side * std::cos(tilt), 0, std::sin(tilt)), 30,
                     Vector3d::Zero(), 0.05});
  const Diagnosis d = diagnosisOf(scene, tickWith(scene, X_HP, walls));
  EXPECT_EQ(toText(d.contact.state), "line");
  EXPECT_TRUE(d.contact.allRound);
  EXPECT_EQ(toText(d.cause), "tilted");
  EXPECT_NEAR(d.axialLoad(), 60 * std::sin(tilt), 1e-9);
  EXPECT_NE(explain(scene, d).find("turn it by 6.88° about -y"), std::string::npos) << explain(scene, d);
}

}  // namespace
}  // namespace tenon::runtime::section_contact_test
