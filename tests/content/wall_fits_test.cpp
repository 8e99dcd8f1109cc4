// Fits of pairs without a round hole: positions of their walls against those of the nominal size, and the
// gaps between them by contact queries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/fits/iso286.h"
#include "content/input/input_error.h"
#include "content/reader/read_fits.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "tests/content/prism_solid.h"

namespace tenon::content::offset_test {
namespace {

using Json = nlohmann::json;
using physics::BoundarySolid;

const Vector3d kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

/// A part that goes 10 mm along −z to its place, where both frames coincide.
Scene mating(physics::Shape into, physics::Shape part) {
  Scene scene;
  scene.parts.resize(2);
  scene.parts[0].name = "base";
  scene.parts[0].shape = std::move(into);
  scene.parts[1].name = "part";
  scene.parts[1].shape = std::move(part);
  scene.parts[1].features.push_back({"frame", Vector3d::Zero(), -kZ});
  Goal goal;
  goal.part = 1;
  goal.feature = 0;
  goal.into = 0;
  goal.depth = 0.01;
  goal.X_IH.p = {0, 0, 0.01};
  goal.pose = GoalPose{};
  scene.goals.push_back(goal);
  return scene;
}

/// Applies the fits of the goals, in order; null: none.
void lay(const std::vector<Json>& fits, Scene& scene) {
  Json goals = Json::array();
  for (const Json& fit : fits) goals.push_back(fit.is_null() ? Json::object() : Json{{"fit", fit}});
  ReadContext context;
  context.file = "scene.json";
  readFits(JsonCursor(goals, "/goals", context), scene);
}

std::string fitProblemOf(const std::vector<Json>& fits, Scene scene) {
  try {
    lay(fits, scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Json clearance(double um) {
  return {{"clearance_um", um}};
}

/// Least separation of contacts at the goal's place with a normal along this direction, in either sense [m].
double gapAlong(const Scene& scene, const Vector3d& direction) {
  const auto into = physics::brep::solidOf(scene.parts[0].shape),
             part = physics::brep::solidOf(scene.parts[1].shape);
  std::vector<physics::brep::SolidContact> contacts;
  physics::brep::findSolidContacts(part, into, scene.goals[0].pose->X_IP, 1e-3, contacts);
  double least = HUGE_VAL;
  for (const auto& contact : contacts)
    if (contact.n.cross(direction).norm() < 1e-6) least = std::min(least, contact.separation);
  return least;
}

/// Largest coordinate of vertices along a direction [m].
double extent(const physics::Shape& shape, const Vector3d& direction, double within = 1) {
  double most = -HUGE_VAL;
  for (const Vector3d& p : std::get<BoundarySolid>(shape).vertices)
    if (p.head<2>().cwiseAbs().maxCoeff() < within) most = std::max(most, direction.dot(p));
  return most;
}

BoundarySolid squareSocket() {
  return blockWithPocket(rectangle(0.02, 0.02), rectangle(5e-3, 5e-3), 0.015, 0.02);
}

TEST(WallFits, GiveASquarePegHalfOfTheClearanceOnEachSide) {
  Scene scene = mating(squareSocket(), prism(rectangle(5e-3, 5e-3), -0.015, 0.015));
  lay({clearance(20)}, scene);
  // The opening gets the clearance; the floor, on which the peg ends its way, stays.
  for (const Vector3d& n : {kX, Vector3d(-kX), kY, Vector3d(-kY)}) {
    EXPECT_NEAR(extent(scene.parts[0].shape, n, 6e-3), 5.01e-3, 1e-15);
    EXPECT_NEAR(extent(scene.parts[1].shape, n), 5e-3, 1e-15);
  }
  EXPECT_NEAR(extent(scene.parts[0].shape, -kZ, 6e-3), 0.015, 1e-15);
  EXPECT_NEAR(gapAlong(scene, kX), 10e-6, 1e-12);
  EXPECT_NEAR(gapAlong(scene, kY), 10e-6, 1e-12);
  EXPECT_NEAR(gapAlong(scene, kZ), 0, 1e-12);
  const Fit& fit = scene.goals[0].fit.value();
  EXPECT_NEAR(fit.clearance(), 20e-6, 1e-15);
  ASSERT_EQ(fit.sizes.size(), 1u);
  EXPECT_EQ(fit.sizes[0].kind, FitSize::width);
  EXPECT_NEAR(fit.sizes[0].nominal, 0.01, 1e-12);
}

TEST(WallFits, TakeDeviationsOfEachWidthFromIso286) {
  Scene scene = mating(blockWithPocket(rectangle(0.03, 0.03), rectangle(5e-3, 1e-2), 0.015, 0.02),
                       prism(rectangle(5e-3, 1e-2), -0.015, 0.015));
  lay({{{"class", "H7/g6"}, {"at", "max"}}}, scene);
  // 10 mm: H7 0 … 15, g6 −14 … −5 µm; 20 mm: H7 0 … 21, g6 −20 … −7 µm.
  EXPECT_NEAR(extent(scene.parts[0].shape, kX, 0.011), 5e-3 + 7.5e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[1].shape, kX), 5e-3 - 7e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[0].shape, kY, 0.011), 1e-2 + 10.5e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[1].shape, kY), 1e-2 - 10e-6, 1e-15);
  EXPECT_NEAR(gapAlong(scene, kX), 14.5e-6, 1e-12);
  EXPECT_NEAR(gapAlong(scene, kY), 20.5e-6, 1e-12);
  const Fit& fit = scene.goals[0].fit.value();
  EXPECT_NEAR(fit.nominal, 0.01, 1e-12);  // that with the least clearance
  ASSERT_EQ(fit.sizes.size(), 2u);
  EXPECT_NEAR(fit.sizes[1].innerDeviation, 21e-6, 1e-15);
  EXPECT_NEAR(fit.sizes[1].outerDeviation, -20e-6, 1e-15);
}

TEST(WallFits, TakeTheOpeningOfAPartAsTheInnerSize) {
  // A sleeve over a fixed bar: the sleeve is the hole.
  Scene scene = mating(prism(rectangle(5e-3, 5e-3), -0.015, 0.015),
                       blockWithPocket(rectangle(0.02, 0.02), rectangle(5e-3, 5e-3), 0.02, 0.02));
  lay({{{"class", "H7/g6"}, {"at", "min"}}}, scene);
  EXPECT_NEAR(extent(scene.parts[0].shape, kX), 5e-3 - 2.5e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[1].shape, kX, 6e-3), 5e-3, 1e-15);
  EXPECT_NEAR(scene.goals[0].fit->holeDeviation, 0, 1e-15);
  EXPECT_NEAR(scene.goals[0].fit->partDeviation, -5e-6, 1e-15);
}

TEST(WallFits, MoveTheFlatOfADShaftByItsSizeAcross) {
  Scene scene = mating(blockWithPocket(rectangle(0.01, 0.01), dSection(3e-3, 2e-3), 0.01, 0.01),
                       prism(dSection(3e-3, 2e-3), -0.01, 0.01));
  lay({{{"class", "H7/g6"}, {"at", "max"}}}, scene);
  // Ø6 and 5 mm across the flat: H7 0 … 12, g6 −12 … −4 µm for both.
  const Fit& fit = scene.goals[0].fit.value();
  ASSERT_EQ(fit.sizes.size(), 2u);
  for (const FittedSize& size : fit.sizes) {
    EXPECT_NEAR(size.nominal, size.kind == FitSize::diameter ? 6e-3 : 5e-3, 1e-9);
    EXPECT_NEAR(size.innerDeviation, 12e-6, 1e-15);
    EXPECT_NEAR(size.outerDeviation, -12e-6, 1e-15);
  }
  EXPECT_NEAR(extent(scene.parts[1].shape, kX), 2e-3 - 6e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[0].shape, kX, 4e-3), 2e-3 + 6e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[1].shape, -kX), 3e-3 - 6e-6, 1e-14);
  EXPECT_NEAR(gapAlong(scene, kX), 12e-6, 1e-11);
}

TEST(WallFits, MoveTheFlanksOfADovetailAlongTheirNormals) {
  const double slope = std::tan(std::numbers::pi / 6), a = 0.01, h = 5e-3;
  const auto slide = Outline::at(a, -h).to(a - 2 * h * slope, h).to(-a + 2 * h * slope, h).to(-a, -h).close();
  Scene scene = mating(blockWithPocket(rectangle(0.03, 0.03), slide, 0.03, 0.03), prism(slide, -0.03, 0));
  lay({clearance(20)}, scene);
  const Vector3d flank(std::cos(std::numbers::pi / 6), std::sin(std::numbers::pi / 6), 0);
  EXPECT_NEAR(gapAlong(scene, flank), 10e-6, 1e-12);
  EXPECT_NEAR(gapAlong(scene, kY), 10e-6, 1e-12);
  // The groove's flank through (a, −h), moved by 10 µm along its normal, meets the base 10 µm below.
  const double x = a + (10e-6 + 10e-6 * flank.y()) / flank.x();
  EXPECT_NEAR(extent(scene.parts[0].shape, kX, 0.02), x, 1e-14);
}

TEST(WallFits, KeepRoundCornersOfBothPartsApartByTheSame) {
  const Outline section = roundedRectangle(5e-3, 4e-3, 1e-3);
  Scene scene =
      mating(blockWithPocket(rectangle(0.02, 0.02), section, 0.015, 0.02), prism(section, -0.015, 0.01));
  lay({clearance(20)}, scene);
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(gapAlong(scene, kX), 10e-6, 1e-11);
  EXPECT_NEAR(gapAlong(scene, {half, half, 0}), 10e-6, 1e-11);
  EXPECT_EQ(scene.goals[0].fit->sizes.size(), 2u);  // no diameter of the corners
}

TEST(WallFits, TurnAPegInASocketUntilItsWallsLieOnThoseOfTheSocket) {
  // A box placed in its part, as one of a STEP file.
  physics::PlacedShape box{physics::Box{{5e-3, 5e-3, 0.015}}, {}};
  box.X_PS.p.z() = 0.015;
  Scene scene = mating(squareSocket(), physics::Compound{{box}});
  scene.goals[0].pose.reset();
  scene.goals[0].hole = "pocket";
  HoleSite pocket;
  pocket.name = "pocket";
  pocket.profile = {{0, 7e-3}, {-0.015, 7e-3}, {-0.015, 0}};
  pocket.isRound = false;
  scene.parts[0].sockets.push_back(pocket);
  scene.goals[0].X_IH = {};
  scene.goals[0].depth = 0.015;
  scene.parts[1].features[0] = {"foot", Vector3d::Zero(), -kZ};
  scene.parts[1].X_WP.q = Eigen::Quaterniond(Eigen::AngleAxisd(0.6, kZ));
  lay({clearance(20)}, scene);
  EXPECT_NEAR(extent(scene.parts[0].shape, kX, 6e-3), 5.01e-3, 1e-14);
  EXPECT_NEAR(extent(scene.parts[0].shape, kY, 6e-3), 5.01e-3, 1e-14);
}

TEST(WallFits, ConvertSimpleShapesThatWallsBelongTo) {
  // A cover with two holes on two pins of a base, both simple shapes; the other hole's wall is no wall here.
  physics::BlockWithHoles cover{{0.02, 0.01, 5e-3}, {}};
  for (const double x : {-0.012, 0.012}) {
    physics::Cavity hole;
    hole.name = x < 0 ? "left" : "right";
    hole.X_BH.p = {x, 0, 5e-3};
    hole.profile = {{0, 3e-3}, {-1e-2, 3e-3}};
    hole.through = true;
    cover.cavities.push_back(hole);
  }
  const physics::SolidOfRevolution pin{{{-5e-3, 0}, {-5e-3, 3e-3}, {0.02, 3e-3}, {0.02, 0}}};
  Scene scene = mating(pin, cover);
  scene.goals[0].pose->X_IP.p.x() = 0.012;
  lay({clearance(30)}, scene);
  const auto& solid = std::get<BoundarySolid>(scene.parts[1].shape);
  ASSERT_EQ(solid.holes.size(), 2u);
  EXPECT_NEAR(solid.holes[0].profile.front().y(), 3e-3 + 15e-6, 1e-15);
  EXPECT_NEAR(solid.holes[1].profile.front().y(), 3e-3, 1e-15);
  EXPECT_NEAR(scene.goals[0].fit->nominal, 6e-3, 1e-12);
  EXPECT_TRUE(scene.parts[1].displayMesh);
}

TEST(WallFits, AreAppliedOnceToWallsOfSeveralGoals) {
  Scene scene = mating(squareSocket(), prism(rectangle(5e-3, 5e-3), -0.015, 0.015));
  scene.goals.push_back(scene.goals[0]);
  lay({"H7/g6", "H7/g6"}, scene);
  EXPECT_NEAR(extent(scene.parts[0].shape, kX, 6e-3), 5e-3 + 3.75e-6, 1e-15);
  Scene other = mating(squareSocket(), prism(rectangle(5e-3, 5e-3), -0.015, 0.015));
  other.goals.push_back(other.goals[0]);
  EXPECT_NE(fitProblemOf({"H7/g6", clearance(20)}, other)
                .find("/goals/1/fit: gives a wall of \"part\" another deviation than /goals/0/fit"),
            std::string::npos)
      << fitProblemOf({"H7/g6", clearance(20)}, other);
}

/// A block with the holes A and B of Ø10 mm, and two pins that goals with a pose put into them.
Scene twoPins() {
  physics::BlockWithHoles block{{0.03, 0.015, 0.01}, {}};
  for (const double x : {-0.015, 0.015}) {
    physics::Cavity hole;
    hole.name = x < 0 ? "A" : "B";
    hole.X_BH.p = {x, 0, 0.01};
    hole.profile = {{0, 5e-3}, {-0.02, 5e-3}};
    hole.through = true;
    block.cavities.push_back(hole);
  }
  const physics::SolidOfRevolution pin{{{-0.02, 0}, {-0.02, 5e-3}, {0.02, 5e-3}, {0.02, 0}}};
  Scene scene = mating(block, pin);
  scene.parts.push_back(scene.parts[1]);
  scene.parts[2].name = "second";
  scene.goals[0].pose->X_IP.p.x() = -0.015;
  scene.goals.push_back(scene.goals[0]);
  scene.goals[1].part = 2;
  scene.goals[1].pose->X_IP.p.x() = 0.015;
  return scene;
}

TEST(WallFits, AgreeWithFitsOfRoundHolesThatChangeNothing) {
  Scene scene = twoPins();
  Goal& round = scene.goals[1];
  round.pose.reset();
  round.part = 1;
  round.hole = "A";
  round.X_IH.p = {-0.015, 0, 0.01};
  // H7/h6 at its least clearance leaves hole and pin as they are.
  const Json none = {{"class", "H7/h6"}, {"at", "min"}};
  const std::string problem = fitProblemOf({clearance(50), none}, scene);
  EXPECT_NE(problem.find("/goals/0/fit: gives hole \"A\" of \"base\" a different size than /goals/1/fit"),
            std::string::npos)
      << problem;
  EXPECT_EQ(fitProblemOf({none, none}, scene), "");
  // A clearance, which the hole B gets, leaves the pin as it is.
  round.hole = "B";
  round.X_IH.p.x() = 0.015;
  const std::string other = fitProblemOf({"H7/g6", clearance(50)}, scene);
  EXPECT_NE(other.find("/goals/0/fit: gives \"part\" a different size than /goals/1/fit"), std::string::npos)
      << other;
  EXPECT_EQ(fitProblemOf({clearance(20), clearance(50)}, scene), "");
}

TEST(WallFits, DrawRandomPositionsOfEachOpening) {
  const Json random = {{"class", "H7/g6"}, {"at", "random"}, {"seed", 3}};
  Scene scene = twoPins();
  lay({random, random}, scene);
  const Fit &first = scene.goals[0].fit.value(), &second = scene.goals[1].fit.value();
  EXPECT_GT(std::abs(first.holeDeviation - second.holeDeviation), 1e-8);
  EXPECT_GT(std::abs(first.partDeviation - second.partDeviation), 1e-8);
  for (const Fit* fit : {&first, &second}) {
    EXPECT_GE(fit->holeDeviation, 0);
    EXPECT_LE(fit->holeDeviation, 15e-6);
  }
  // The same pin by a fit of a round hole has the same deviations.
  Scene round = twoPins();
  round.goals[0].pose.reset();
  round.goals[0].hole = "A";
  round.goals[0].X_IH.p = {-0.015, 0, 0.01};
  lay({random, random}, round);
  EXPECT_EQ(round.goals[0].fit->holeDeviation, first.holeDeviation);
  EXPECT_EQ(round.goals[0].fit->partDeviation, first.partDeviation);
  // One opening has one deviation, whatever goes in: a sleeve over two bars.
  const BoundarySolid bar = prism(rectangle(5e-3, 5e-3), -0.015, 0.015);
  Scene sleeve = mating(bar, blockWithPocket(rectangle(0.02, 0.02), rectangle(5e-3, 5e-3), 0.02, 0.02));
  sleeve.parts.push_back(sleeve.parts[0]);
  sleeve.parts[2].name = "other bar";
  sleeve.goals.push_back(sleeve.goals[0]);
  sleeve.goals[1].into = 2;
  lay({random, random}, sleeve);
  EXPECT_EQ(sleeve.goals[0].fit->holeDeviation, sleeve.goals[1].fit->holeDeviation);
  EXPECT_NE(sleeve.goals[0].fit->partDeviation, sleeve.goals[1].fit->partDeviation);
}

TEST(WallFits, TakeTheSmallestSizeOfAWallOfSeveralGoals) {
  // The lower step is 10 mm wide, the upper one 13 mm; the wall at x = −5 mm is common to both.
  const auto outline = Outline::at(5e-3, -5e-3).to(5e-3, 0).to(8e-3, 0).to(8e-3, 5e-3).to(-5e-3, 5e-3);
  const BoundarySolid part = prism(Outline(outline).to(-5e-3, -5e-3).close(), -0.015, 0.015);
  const auto groove = [](double low, double high, double right) {
    return blockWithPocket(rectangle(0.03, 0.03),
                           Outline::at(right, low).to(right, high).to(-5e-3, high).to(-5e-3, low).close(),
                           0.02, 0.02);
  };
  Scene scene = mating(groove(-6e-3, -1e-3, 5e-3), part);
  scene.parts.push_back(scene.parts[0]);
  scene.parts[2].name = "wide";
  scene.parts[2].shape = groove(1e-3, 6e-3, 8e-3);
  scene.goals.push_back(scene.goals[0]);
  scene.goals[1].into = 2;
  const Json most = {{"class", "H7/g6"}, {"at", "max"}};
  lay({most, most}, scene);
  // g6 of 10 mm: −14 µm, of 13 mm: −17 µm.
  EXPECT_NEAR(extent(scene.parts[1].shape, -kX), 5e-3 - 7e-6, 1e-15);
  EXPECT_NEAR(extent(scene.parts[1].shape, kX), 8e-3 - 8.5e-6, 1e-15);
}

TEST(WallFits, TakeSizesAcrossFromTheWallsOfTheSameFeature) {
  // A dovetail and, 25 mm beside it, a tooth, on a base that touches nothing.
  const auto comb = [](double base, double top, double end) {
    return Outline::at(0.04 + end, base)
        .to(0.04 + end, top)
        .to(-0.01 - end, top)
        .to(-0.01 - end, base)
        .to(-2e-3 + 0.6 * base, base)
        .to(-5e-3, -5e-3)
        .to(5e-3, -5e-3)
        .to(2e-3 - 0.6 * base, base)
        .to(0.025, base)
        .to(0.025, -5e-3)
        .to(0.03, -5e-3)
        .to(0.03, base)
        .close();
  };
  const BoundarySolid part = prism(comb(0, 3e-3, 0), -0.03, 0);
  Scene scene = mating(blockWithPocket(rectangle(0.06, 0.02), comb(-1e-3, 4e-3, 1e-3), 0.03, 0.03), part);
  lay({clearance(20)}, scene);
  const Fit& fit = scene.goals[0].fit.value();
  // Flanks of the direction (5, 3)/√34 through (±5, −5) mm: 10 mm apart along the bottom.
  const double across = 0.01 * 5 / std::sqrt(34.0);
  EXPECT_TRUE(std::any_of(fit.sizes.begin(), fit.sizes.end(), [&](const FittedSize& size) {
    return size.kind == FitSize::across && std::abs(size.nominal - across) < 1e-9;
  }));
  for (const FittedSize& size : fit.sizes) EXPECT_LE(size.nominal, 0.01);
  // The opening moves, the part stays.
  EXPECT_EQ(std::get<BoundarySolid>(scene.parts[1].shape).vertices, part.vertices);
}

TEST(WallFits, FindTheRotationOfManySides) {
  // 40 sides, all of other distances from the axis: only one rotation lays all on the walls of the socket.
  constexpr int kSides = 40;
  Outline outline;
  for (int k = 0; k < kSides; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.2 * std::sin(5.0 * k)) / kSides;
    const Vector2d p(5e-3 * std::cos(angle), 4e-3 * std::sin(angle));
    outline = k == 0 ? Outline::at(p.x(), p.y()) : outline.to(p.x(), p.y());
  }
  outline.close();
  Scene scene = mating(blockWithPocket(rectangle(0.02, 0.02), outline, 0.015, 0.02), prism(outline, 0, 0.03));
  scene.goals[0].pose.reset();
  scene.goals[0].hole = "pocket";
  HoleSite pocket;
  pocket.name = "pocket";
  pocket.profile = {{0, 5e-3}, {-0.015, 5e-3}, {-0.015, 0}};
  pocket.isRound = false;
  scene.parts[0].sockets.push_back(pocket);
  scene.goals[0].X_IH = {};
  scene.goals[0].depth = 0.015;
  scene.parts[1].features[0] = {"foot", Vector3d::Zero(), -kZ};
  scene.parts[1].X_WP.q = Eigen::Quaterniond(Eigen::AngleAxisd(2.0, kZ));
  lay({clearance(20)}, scene);
  EXPECT_NEAR(scene.goals[0].fit->clearance(), 20e-6, 1e-15);
  const BoundarySolid nominal = blockWithPocket(rectangle(0.02, 0.02), outline, 0.015, 0.02),
                      &moved = std::get<BoundarySolid>(scene.parts[0].shape);
  int walls = 0;
  for (std::size_t s = 0; s < nominal.surfaces.size(); ++s) {
    const Vector3d by = moved.surfaces[s].X_BS.p - nominal.surfaces[s].X_BS.p;
    if (by.norm() > 0) {
      EXPECT_NEAR(by.norm(), 10e-6, 1e-12);
    }
    walls += by.norm() > 0 ? 1 : 0;
  }
  EXPECT_EQ(walls, kSides);
}

TEST(WallFits, RefuseWhatTheyCannotMove) {
  const BoundarySolid peg = prism(rectangle(5e-3, 5e-3), -0.015, 0.015);
  const auto expectProblem = [](const std::string& text, const Json& fit, const Scene& scene) {
    const std::string problem = fitProblemOf({fit}, scene);
    EXPECT_NE(problem.find(text), std::string::npos) << problem;
  };
  Scene apart = mating(squareSocket(), peg);
  apart.goals[0].pose->X_IP.p.x() = 1e-4;
  apart.goals[0].pose->X_IP.p.y() = 1e-4;
  expectProblem("lies on no wall of \"base\"", "H7/g6", apart);
  const physics::PlacedShape half{physics::Box{{5e-3, 5e-3, 5e-3}}, {}};
  expectProblem("a compound", "H7/g6", mating(squareSocket(), physics::Compound{{half, half}}));
  expectProblem("the two materials are rigid there", clearance(-20), mating(squareSocket(), peg));
  Scene pressed = mating(squareSocket(), peg);
  pressed.materials.push_back({"steel", 7850, {}});
  for (Part& part : pressed.parts) part.material = 0;
  pressed.pairs.push_back({0, 0, 0, 0, 1e6});
  EXPECT_EQ(fitProblemOf({clearance(-20)}, pressed), "");
  expectProblem("its table covers 1 to 50 mm", "H7/g6",
                mating(blockWithPocket(rectangle(0.05, 0.05), rectangle(0.03, 0.03), 0.015, 0.02),
                       prism(rectangle(0.03, 0.03), -0.015, 0.015)));
  // Walls of the socket 0.1 mm thick.
  const Scene thin =
      mating(blockWithPocket(rectangle(5.1e-3, 5.1e-3), rectangle(5e-3, 5e-3), 0.015, 0.02), peg);
  expectProblem("cannot move the walls of \"base\"", clearance(300), thin);
  expectProblem("a face beside it would turn over", clearance(300), thin);
  // Beside a fixed block.
  Scene beside = mating(prism(rectangle(5e-3, 0.02), -0.02, 0), peg);
  beside.goals[0].pose->X_IP.p.x() = -0.01;
  expectProblem("touches \"base\" on one plane only near", "H7/g6", beside);
  EXPECT_EQ(fitProblemOf({clearance(20)}, beside), "");
}

TEST(WallFits, NameTheGoalWhoseWallsCannotMove) {
  Scene scene = twoPins();
  std::get<physics::BlockWithHoles>(scene.parts[0].shape).halfExtents.y() = 7e-3;
  const std::string problem = fitProblemOf({clearance(20), clearance(5000)}, scene);
  EXPECT_NE(problem.find("/goals/1/fit: cannot move the walls of \"base\""), std::string::npos) << problem;
}

}  // namespace
}  // namespace tenon::content::offset_test
