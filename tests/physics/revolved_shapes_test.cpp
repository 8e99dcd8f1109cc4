// What is wrong with solids of revolution is named; what is right is taken.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/physics/revolved_parts.h"

namespace tenon::physics {
namespace {

using std::numbers::pi;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

void expectProblem(const std::optional<std::string>& problem, const std::string& words) {
  ASSERT_TRUE(problem.has_value()) << "nothing found, expected: " << words;
  EXPECT_NE(problem->find(words), std::string::npos) << *problem;
}

BlockWithHoles blockWith(Cavity cavity) {
  return {{0.04, 0.03, 0.01}, {std::move(cavity)}};
}

Cavity hole(std::vector<Eigen::Vector2d> profile, bool through, const Vector3d& at = {0, 0, 0.01}) {
  return {"h", Pose::at(at), std::move(profile), through};
}

TEST(RevolvedShapes, ValidShapesHaveNoProblem) {
  for (const SolidOfRevolution& peg : test::pegs())
    EXPECT_FALSE(problemWith(peg).has_value()) << *problemWith(peg);
  for (const double clearance : {1e-3, 1e-6, -4e-6}) {
    const BlockWithHoles block = test::boredBlock(clearance);
    EXPECT_FALSE(problemWith(block).has_value()) << *problemWith(block);
  }
  EXPECT_FALSE(problemWith(BlockWithHoles{{0.1, 0.1, 0.1}, {}}).has_value());
}

TEST(RevolvedShapes, ProblemsOfProfilesAreNamed) {
  expectProblem(problemWith(SolidOfRevolution{{}}), "at least 3 points");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {kNan, 1}, {1, 0}}}),
                "point 1 of the profile is not a finite");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {kInf, 1}, {1, 0}}}), "not a finite");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {0, -1}, {1, 0}}}), "crosses the axis at point 1");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {0, 1}, {0, 1}, {1, 0}}}), "has no length");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {0, 1}, {1, 0}, {2, 1}, {3, 0}}}),
                "touches the axis at point 2");
  expectProblem(problemWith(SolidOfRevolution{{{0, 1}, {1, 1}, {1, 0}}}), "start and end on the axis");
  expectProblem(problemWith(SolidOfRevolution{{{1, 0}, {1, 1}, {0, 1}, {0, 0}}}), "from the bottom up");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {0, 2}, {2, 1}, {-1, 1}, {3, 2}, {3, 0}}}),
                "crosses or touches");
  expectProblem(problemWith(SolidOfRevolution{{{0, 0}, {0, 1}, {2, 1}, {1, 1}, {3, 2}, {3, 0}}}),
                "folds back");
}

TEST(RevolvedShapes, ProblemsOfCavitiesAreNamedWithTheirCavity) {
  const auto expectHole = [](const Cavity& cavity, const std::string& words) {
    expectProblem(problemWith(blockWith(cavity)), words);
    expectProblem(problemWith(blockWith(cavity)), "cavity \"h\"");
  };
  expectHole(hole({{0, 0.005}}, false), "at least 2 points");
  expectHole(hole({{0, 0.005}, {-0.01, kNan}}, false), "not a finite");
  expectHole(hole({{-0.001, 0.005}, {-0.01, 0}}, false), "begin at the mouth");
  expectHole(hole({{0, 0}, {-0.01, 0.005}, {-0.012, 0}}, false), "mouth has no radius");
  expectHole(hole({{0, 0.005}, {-0.01, 0.005}}, false), "end on its axis");
  expectHole(hole({{0, 0.005}, {-0.019, 0.005}}, true), "opposite face");
  expectHole(hole({{0, 0.005}, {-0.021, 0.005}}, true), "opposite face");
  expectHole(hole({{0, 0.005}, {-0.02, 0}}, true), "must not end on its axis");
  expectHole(hole({{0, 0.005}, {0, 0.003}, {-0.01, 0}}, false), "not below the mouth");
  expectHole(hole({{0, 0.005}, {-0.02, 0.005}, {-0.02, 0}}, false), "leaves the block below");
  expectHole(hole({{0, 0.005}, {-0.02, 0.005}}, true, {0.036, 0, 0.01}), "side face (x)");
  expectHole(hole({{0, 0.005}, {-0.02, 0.005}}, true, {0, -0.025, 0.01}), "side face (y)");
  // A flank under a small mouth leaves as well.
  expectHole(hole({{0, 0.002}, {-0.005, 0.01}, {-0.01, 0}}, false, {0, 0.021, 0.01}), "side face (y)");
  expectHole(hole({{0, 0.005}, {-0.02, 0.005}}, true, {0, 0, 0.009}), "not on the face");
  Cavity tilted = hole({{0, 0.005}, {-0.01, 0}}, false);
  tilted.X_BH.q = exponential(Vector3d(0.01, 0, 0));
  expectHole(tilted, "not along a face's normal");
  tilted.X_BH.q.coeffs() *= 2;
  expectHole(tilted, "not of length 1");
  expectProblem(problemWith(BlockWithHoles{{0.1, 0, 0.1}, {}}), "positive and finite");
  expectProblem(problemWith(BlockWithHoles{{0.1, kNan, 0.1}, {}}), "positive and finite");
}

TEST(RevolvedShapes, PreparingAWrongShapeThrowsItsProblem) {
  EXPECT_THROW(prepare(SolidOfRevolution{{}}), std::invalid_argument);
  EXPECT_THROW(prepare(blockWith(hole({{0, 0.005}, {-0.01, 0.005}}, false))), std::invalid_argument);
}

bool meet(const Cavity& one, const Cavity& two) {
  const BlockWithHoles block{{0.04, 0.03, 0.01}, {one, two}};
  const auto problem = problemWith(block);
  if (problem) {
    EXPECT_NE(problem->find("meet"), std::string::npos) << *problem;
  }
  return problem.has_value();
}

TEST(RevolvedShapes, CavitiesThatMeetAreDistinguishedFromThoseWithAWallBetween) {
  const std::vector<Eigen::Vector2d> bore = {{0, 0.005}, {-0.02, 0.005}};
  const auto at = [&](double x) { return hole(bore, true, {x, 0, 0.01}); };
  for (const double wall : {1e-3, 1e-6, 1e-8}) EXPECT_FALSE(meet(at(-0.005 - wall), at(0.005))) << wall;
  for (const double wall : {0.0, -1e-8, -1e-6, -5e-3})
    EXPECT_TRUE(meet(at(-0.005 - wall), at(0.005))) << wall;
  // Chamfers that meet over a wall; undercuts that meet under one.
  const std::vector<Eigen::Vector2d> chamfered = {{0, 0.006}, {-0.001, 0.005}, {-0.02, 0.005}};
  EXPECT_TRUE(meet(hole(chamfered, true, {-0.0055, 0, 0.01}), hole(chamfered, true, {0.0055, 0, 0.01})));
  EXPECT_FALSE(meet(hole(chamfered, true, {-0.0055, 0, 0.01}), hole(bore, true, {0.0056, 0, 0.01})));
}

// Round bores from the top and from the side: their axes cross at right angles, e apart.
TEST(RevolvedShapes, CrossingBoresMeetWhereTheirAxesAreNearerThanTheirRadii) {
  const Quaterniond toX = exponential(Vector3d(0, pi / 2, 0));
  const Cavity top = hole({{0, 0.005}, {-0.02, 0.005}}, true);
  const auto side = [&](double e) {
    return Cavity{"side", {toX, {0.04, e, 0}}, {{0, 0.003}, {-0.06, 0.003}, {-0.06, 0}}, false};
  };
  for (const double e : {0.0, 0.004, 0.0079, 0.0079999}) EXPECT_TRUE(meet(top, side(e))) << e;
  for (const double e : {0.0080001, 0.009}) EXPECT_FALSE(meet(top, side(e))) << e;
  // A side bore that ends before the top one.
  const Cavity shallow{"side", {toX, {0.04, 0, 0}}, {{0, 0.003}, {-0.0349, 0.003}, {-0.0349, 0}}, false};
  const Cavity deep{"side", {toX, {0.04, 0, 0}}, {{0, 0.003}, {-0.0351, 0.003}, {-0.0351, 0}}, false};
  EXPECT_FALSE(meet(top, shallow));
  EXPECT_TRUE(meet(top, deep));
}

}  // namespace
}  // namespace tenon::physics
