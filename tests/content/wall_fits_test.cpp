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
  expectProblem("cannot move the walls of \"base\"", clearance(300),
                mating(blockWithPocket(rectangle(5.1e-3, 5.1e-3), rectangle(5e-3, 5e-3), 0.015, 0.02), peg));
}

}  // namespace
}  // namespace tenon::content::offset_test
