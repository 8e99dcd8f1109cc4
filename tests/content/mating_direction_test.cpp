// The direction along which the faces of two parts guide one out of the other, and why others do not.
#include "content/recognize/mating_direction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tests/content/prism_pairs.h"

namespace tenon::content::mating_direction_test {
namespace {

using namespace test;

TEST(Mating, SquarePegLeavesItsPocketUpwards) {
  for (const double gap : {0.0, 10e-6}) {
    const Pair pair = pegInPocket(gap);
    const auto mating = pair.best();
    ASSERT_TRUE(mating);
    EXPECT_EQ(mating->out, Vector3d::UnitZ());
    EXPECT_NEAR(mating->depth, 0.015, kRounding);
    EXPECT_NEAR(mating->leastGap, gap, kRounding);
    EXPECT_EQ(mating->isTight, gap == 0);
    EXPECT_FALSE(mating->isRound);
  }
}

TEST(Mating, TheOtherPartLeavesTheOtherWay) {
  Pair pair = pegInPocket(0);
  std::swap(pair.a, pair.b);
  EXPECT_EQ(pair.out(), -Vector3d::UnitZ());
  EXPECT_NEAR(pair.best()->depth, 0.015, kRounding);
}

TEST(Mating, TabLeavesAThroughSlotOnTheShorterWay) {
  Pair pair;
  pair.a = prism(rectangle(-0.01, 0.01, -0.002, 0.002), -0.005, 0.015);
  pair.b = Prism(rectangle(-0.03, 0.03, -0.03, 0.03), rectangle(-0.01, 0.01, -0.002, 0.002), 0, 0.005).solid;
  EXPECT_EQ(pair.out(), Vector3d::UnitZ());
  EXPECT_NEAR(pair.best()->depth, 0.01, kRounding);
}

TEST(Mating, DShaftInItsBore) {
  Pair pair;
  pair.a = prism(dShape(0.003, 0.002), -0.01, 0.02);
  pair.b = Prism(dShape(0.01, 0.009), dShape(0.003, 0.002), -0.015, 0).solid;
  pair.X_WA.q = pair.X_WB.q = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
  const auto mating = pair.best();
  ASSERT_TRUE(mating);
  EXPECT_FALSE(mating->isRound);
  EXPECT_EQ(mating->out, Vector3d::UnitZ());
  EXPECT_NEAR(mating->depth, 0.01, kRounding);
}

TEST(Mating, RoundShaftInItsBoreIsRound) {
  Pair pair;
  pair.a = physics::Cylinder{0.003, 0.01};
  physics::Cavity bore{"bore", Pose::at({0, 0, 0.01}), {{0, 0.003}, {-0.008, 0.003}, {-0.008, 0}}, false};
  pair.b = physics::BlockWithHoles{{0.02, 0.02, 0.01}, {bore}};
  pair.X_WA.p = {0, 0, 0.012};
  const auto mating = pair.best();
  ASSERT_TRUE(mating);
  EXPECT_TRUE(mating->isRound);
  EXPECT_NEAR(mating->depth, 0.008, kRounding);
}

/// A pin of 10 mm in its bore, with a square head of which `sides` flats are 50 µm beside walls.
Pair pinWithSquareHead(int sides) {
  physics::Compound pin, plate;
  pin.children.push_back({physics::Cylinder{0.005, 0.01}, {}});
  pin.children.push_back({physics::Box{{0.00595, 0.00595, 0.002}}, Pose::at({0, 0, 0.012})});
  physics::Cavity bore{"bore", Pose::at({0, 0, 0.005}), {{0, 0.00501}, {-0.01, 0.00501}}, true};
  plate.children.push_back({physics::BlockWithHoles{{0.02, 0.02, 0.005}, {bore}}, Pose::at({0, 0, -0.005})});
  for (int k = 0; k < sides; ++k)
    plate.children.push_back(
        {physics::Box{{0.002, 0.02, 0.01}}, Pose::at({k == 0 ? 0.008 : -0.008, 0, 0.01})});
  Pair pair;
  pair.a = pin;
  pair.b = plate;
  return pair;
}

TEST(Mating, AHeadBesideAShoulderLeavesAPinRound) {
  const auto mating = pinWithSquareHead(1).best();
  ASSERT_TRUE(mating);
  EXPECT_TRUE(mating->isRound);
  EXPECT_NEAR(mating->widestGap, 10e-6, kRounding) << "not 50 µm";
  const auto captive = pinWithSquareHead(2).best();
  ASSERT_TRUE(captive);
  EXPECT_FALSE(captive->isRound) << "walls on both sides of the head hold its angle";
}

TEST(Mating, EachDirectionOutHasItsDepth) {
  Pair pair;
  pair.a = prism(rectangle(-0.01, 0.01, -0.002, 0.002), -0.005, 0.015);
  pair.b = Prism(rectangle(-0.03, 0.03, -0.03, 0.03), rectangle(-0.01, 0.01, -0.002, 0.002), 0, 0.005).solid;
  const auto matings = pair.mating().matings;
  ASSERT_EQ(matings.size(), 2U);
  EXPECT_EQ(matings[0].out, Vector3d::UnitZ());
  EXPECT_EQ(matings[1].out, -Vector3d::UnitZ());
  EXPECT_NEAR(matings[1].depth, 0.015, kRounding);
}

TEST(Mating, DovetailLeavesItsGrooveLengthwise) {
  const Pair pair = dovetail(0);
  ASSERT_EQ(pair.faces(1e-6).size(), 3U);
  const auto mating = pair.best();
  ASSERT_TRUE(mating);
  EXPECT_EQ(mating->out, Vector3d::UnitZ()) << "20 mm, the other way 40 mm";
  EXPECT_NEAR(mating->depth, 0.02, kRounding);
}

TEST(Mating, GapOfADovetailIsThatOfItsFlanks) {
  const auto mating = dovetail(20e-6).best();
  ASSERT_TRUE(mating);
  EXPECT_NEAR(mating->widestGap, 20e-6 * std::sin(std::numbers::pi / 3) / std::cos(std::numbers::pi / 6),
              kRounding);
  EXPECT_NEAR(mating->leastGap, 0, kRounding) << "it lies on the bottom";
  EXPECT_FALSE(mating->isTight) << "it can be lifted";
}

/// A cover 5 mm thick on a base with two dowels of 8 mm.
Pair coverOnDowels(double distance) {
  Pair pair;
  physics::BlockWithHoles cover{{0.03, 0.02, 0.0025}, {}};
  physics::Compound base;
  base.children.push_back({physics::Box{{0.03, 0.02, 0.005}}, Pose::at({0, 0, -0.005})});
  for (const double x : {-distance / 2, distance / 2}) {
    physics::Cavity hole{"", Pose::at({x, 0, 0.0025}), {{0, 0.0025}, {-0.005, 0.0025}}, true};
    hole.name = x < 0 ? "left" : "right";
    cover.cavities.push_back(hole);
    base.children.push_back({physics::Cylinder{0.0025, 0.004}, Pose::at({x, 0, 0.004})});
  }
  pair.a = cover;
  pair.b = base;
  pair.X_WA.p = {0, 0, 0.0025};
  return pair;
}

TEST(Mating, CoverLeavesItsTwoDowels) {
  const Pair pair = coverOnDowels(0.04);
  const auto mating = pair.best();
  ASSERT_TRUE(mating);
  EXPECT_FALSE(mating->isRound);
  EXPECT_EQ(mating->out, Vector3d::UnitZ());
  EXPECT_NEAR(mating->depth, 0.008, kRounding);
}

TEST(Mating, ReasonsForNone) {
  Pair flat;
  flat.a = flat.b = physics::Box{{0.01, 0.01, 0.01}};
  flat.X_WB.p = {0.005, 0, 0.02};
  EXPECT_FALSE(flat.best());
  EXPECT_EQ(flat.mating().reason, NoMating::flat);

  Pair apart = flat;
  apart.X_WB.p.z() = 0.021;
  EXPECT_EQ(apart.mating().reason, NoMating::apart);

  // A tongue between two walls, without a floor.
  Pair tongue;
  tongue.a = physics::Box{{0.003, 0.02, 0.005}};
  physics::Compound walls;
  for (const double x : {-0.01, 0.01})
    walls.children.push_back({physics::Box{{0.007, 0.02, 0.01}}, Pose::at({x, 0, 0})});
  tongue.b = walls;
  EXPECT_FALSE(tongue.best());
  EXPECT_EQ(tongue.mating().reason, NoMating::parallel);

  // A bar in a corner, between a wall and a floor.
  Pair corner;
  corner.a = physics::Box{{0.01, 0.01, 0.01}};
  corner.b = prism({{{-0.02, -0.02}},
                    {{0.02, -0.02}},
                    {{0.02, -0.01}},
                    {{-0.01, -0.01}},
                    {{-0.01, 0.02}},
                    {{-0.02, 0.02}}},
                   -0.01, 0.01);
  EXPECT_FALSE(corner.best());
  EXPECT_EQ(corner.mating().reason, NoMating::unguided);

  // A box in a closed box of six plates.
  Pair closed;
  closed.a = physics::Box{{0.01, 0.01, 0.01}};
  physics::Compound shell;
  for (int k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      Vector3d half = Vector3d::Constant(0.01), at = Vector3d::Zero();
      half[k] = 0.001;
      at[k] = sign * 0.011;
      shell.children.push_back({physics::Box{half}, Pose::at(at)});
    }
  closed.b = shell;
  EXPECT_FALSE(closed.best());
  EXPECT_EQ(closed.mating().reason, NoMating::locked);
}

TEST(Mating, IsTheSameInEveryFrame) {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  const Pair first = coverOnDowels(0.03);
  const double depth = first.best()->depth;
  for (int k = 0; k < 20; ++k) {
    Pair pair = first;
    const Pose X{
        Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized(),
        {normal(random), normal(random), normal(random)}};
    pair.X_WA = X * pair.X_WA;
    pair.X_WB = X * pair.X_WB;
    const auto mating = pair.best();
    ASSERT_TRUE(mating) << "seed 21, pose " << k;
    EXPECT_NEAR(mating->depth, depth, 1e-9);
    EXPECT_LT((mating->out - Vector3d::UnitZ()).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace tenon::content::mating_direction_test
