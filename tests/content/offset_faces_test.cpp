// Faces moved along their normals: vertices and surfaces against positions computed by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "content/reader/boundary_of_shape.h"
#include "content/reader/offset_faces.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/content/prism_solid.h"

namespace tenon::content::offset_test {
namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

constexpr double kRounding = 1e-15;

/// Vertices of a solid lie on one of these values in a coordinate, and each value occurs.
void expectCoordinates(const BoundarySolid& solid, int axis, std::vector<double> values) {
  std::set<std::size_t> seen;
  for (const Vector3d& p : solid.vertices) {
    const auto nearest = std::min_element(values.begin(), values.end(), [&](double a, double b) {
      return std::abs(a - p[axis]) < std::abs(b - p[axis]);
    });
    EXPECT_NEAR(p[axis], *nearest, kRounding);
    seen.insert(static_cast<std::size_t>(nearest - values.begin()));
  }
  EXPECT_EQ(seen.size(), values.size());
}

/// The triangles of faces on cylinders of this radius [m].
std::vector<int> trianglesOfRadius(const BoundarySolid& solid, double radius) {
  std::vector<int> found;
  for (std::size_t t = 0; t < solid.triangles.size(); ++t) {
    const physics::Surface& s = solid.surfaces[static_cast<std::size_t>(solid.surfaceOf[t])];
    if (s.kind == SurfaceKind::cylinder && std::abs(s.radius - radius) < 1e-12)
      found.push_back(static_cast<int>(t));
  }
  return found;
}

physics::Cavity threeBores() {
  physics::Cavity hole;
  hole.name = "hole";
  hole.X_BH.p = {0, 0, 0.01};
  hole.profile = {{0, 5e-3}, {-5e-3, 5e-3}, {-5e-3, 7e-3}, {-0.015, 7e-3}, {-0.015, 5e-3}, {-0.02, 5e-3}};
  hole.through = true;
  return hole;
}

std::size_t flatFacesOf(const BoundarySolid& solid) {
  std::vector<int> flat;
  physics::brep::solidOfTriangles(solid, 1, &flat);
  return flat.size();
}

std::string problemOf(std::vector<FaceOffset> offsets, BoundarySolid solid) {
  const BoundarySolid before = solid;
  try {
    offsetFaces(offsets, solid);
  } catch (const OffsetProblem& problem) {
    EXPECT_EQ(solid.vertices, before.vertices);
    return problem.problem;
  }
  return "";
}

TEST(OffsetFaces, MoveThePlanesOfAPeg) {
  BoundarySolid peg = prism(rectangle(5e-3, 4e-3), -0.015, 0.015);
  const double by = -7e-6;
  offsetFaces(std::vector<FaceOffset>{{trianglesFacing(peg, {1, 0, 0}), by},
                                      {trianglesFacing(peg, {0, -1, 0}), 2 * by}},
              peg);
  expectCoordinates(peg, 0, {-5e-3, 5e-3 + by});
  expectCoordinates(peg, 1, {-4e-3 - 2 * by, 4e-3});
  expectCoordinates(peg, 2, {-0.015, 0.015});
  EXPECT_EQ(flatFacesOf(peg), 0u);
}

TEST(OffsetFaces, MoveThePlanesOfAPocketAndLeaveItsFloor) {
  BoundarySolid block = blockWithPocket(rectangle(0.02, 0.02), rectangle(5e-3, 5e-3), 0.015, 0.02);
  std::vector<FaceOffset> offsets;
  for (const FaceOffset& wall : {FaceOffset{trianglesFacing(block, {1, 0, 0}), -1e-5},
                                 FaceOffset{trianglesFacing(block, {-1, 0, 0}), -1e-5}})
    for (const int t : wall.triangles)
      if (std::abs(middleOf(block, t).x()) < 6e-3) offsets.push_back({{t}, wall.by});
  offsetFaces(offsets, block);
  expectCoordinates(block, 0, {-0.02, -5.01e-3, 5.01e-3, 0.02});
  expectCoordinates(block, 1, {-0.02, -5e-3, 5e-3, 0.02});
  expectCoordinates(block, 2, {-0.02, -0.015, 0});
}

TEST(OffsetFaces, MoveInclinedPlanesAlongTheirNormals) {
  // A dovetail: flanks inclined by 60° to the base.
  const double slope = std::tan(std::numbers::pi / 6);
  const auto outline = Outline::at(0.01, -5e-3)
                           .to(0.01 - 0.01 * slope, 5e-3)
                           .to(-0.01 + 0.01 * slope, 5e-3)
                           .to(-0.01, -5e-3)
                           .close();
  BoundarySolid slide = prism(outline, 0, 0.03);
  const double sine = 0.5, cosine = std::sqrt(0.75), by = -1e-5;
  offsetFaces(std::vector<FaceOffset>{{trianglesFacing(slide, {cosine, sine, 0}), by}}, slide);
  // The flank's ends move along the unmoved base and top, by 1 / cos 30° of the offset.
  expectCoordinates(slide, 0,
                    {-0.01, -0.01 + 0.01 * slope, 0.01 - 0.01 * slope + by / cosine, 0.01 + by / cosine});
  expectCoordinates(slide, 1, {-5e-3, 5e-3});
}

TEST(OffsetFaces, ChangeTheRadiusOfADShaftWithItsFlat) {
  BoundarySolid shaft = prism(dSection(3e-3, 2e-3), 0, 0.02);
  const double round = -4e-6, flat = -3e-6;
  offsetFaces(std::vector<FaceOffset>{{trianglesOfRadius(shaft, 3e-3), round},
                                      {trianglesFacing(shaft, {1, 0, 0}), flat}},
              shaft);
  const double r = 3e-3 + round, x = 2e-3 + flat, y = std::sqrt(r * r - x * x);
  bool isCorner = false;
  for (const Vector3d& p : shaft.vertices) {
    EXPECT_NEAR(p.head<2>().norm(), r, kRounding);
    if (std::abs(p.x() - x) < 1e-9) {
      EXPECT_NEAR(p.x(), x, kRounding);
      EXPECT_NEAR(std::abs(p.y()), y, 3 * kRounding);
      isCorner = true;
    }
  }
  EXPECT_TRUE(isCorner);
  EXPECT_EQ(trianglesOfRadius(shaft, r).size(), 12u);
  EXPECT_EQ(flatFacesOf(shaft), 0u);
}

/// Roundings among the offset faces change their radii; equal offsets leave their axes.
TEST(OffsetFaces, KeepRoundingsAmongThemTangent) {
  for (const double other : {-1e-5, -2e-5}) {
    SCOPED_TRACE(other);
    BoundarySolid peg = prism(roundedRectangle(5e-3, 4e-3, 1e-3), 0, 0.03);
    std::vector<FaceOffset> offsets{{trianglesOfRadius(peg, 1e-3), 0.123},
                                    {trianglesFacing(peg, {1, 0, 0}), -1e-5},
                                    {trianglesFacing(peg, {-1, 0, 0}), -1e-5},
                                    {trianglesFacing(peg, {0, 1, 0}), other},
                                    {trianglesFacing(peg, {0, -1, 0}), other}};
    // The rounding's own offset has no effect. Arcs of 15° have no normal that close to an axis.
    offsetFaces(offsets, peg);
    const double r = 1e-3 + 0.5 * (-1e-5 + other);
    EXPECT_EQ(trianglesOfRadius(peg, r).size(), 48u);
    for (const physics::Surface& s : peg.surfaces) {
      if (s.kind != SurfaceKind::cylinder) continue;
      EXPECT_NEAR(std::abs(s.X_BS.p.x()) + r, 5e-3 - 1e-5, 1e-14);
      EXPECT_NEAR(std::abs(s.X_BS.p.y()) + r, 4e-3 + other, 1e-14);
    }
    EXPECT_EQ(flatFacesOf(peg), 0u);
  }
}

TEST(OffsetFaces, LetRoundingsBesideThemFollowWithTheirRadius) {
  BoundarySolid block =
      blockWithPocket(rectangle(0.02, 0.02), roundedRectangle(5e-3, 4e-3, 1e-3), 0.015, 0.02);
  std::vector<FaceOffset> offsets;
  for (const Vector3d& n : {Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0)})
    for (const int t : trianglesFacing(block, n))
      if (middleOf(block, t).cwiseAbs().head<2>().maxCoeff() < 6e-3) offsets.push_back({{t}, -1e-5});
  offsetFaces(offsets, block);
  EXPECT_EQ(trianglesOfRadius(block, 1e-3).size(), 48u);
  for (const physics::Surface& s : block.surfaces) {
    if (s.kind != SurfaceKind::cylinder) continue;
    EXPECT_NEAR(std::abs(s.X_BS.p.x()), 4e-3 + 1e-5, 1e-14);
    EXPECT_NEAR(std::abs(s.X_BS.p.y()), 3e-3 + 1e-5, 1e-14);
  }
  EXPECT_EQ(flatFacesOf(block), 0u);
}

/// A vertex on the straight border of a face makes a triangle of no area there, which gets one where the
/// wall beside it moves.
TEST(OffsetFaces, DivideAPlaneAgainWhoseDegenerateTriangleWouldTurnOver) {
  // A step: the riser at x = 5 mm ends in the edge from (5, 0) to (8, 0) mm.
  const auto outline =
      Outline::at(5e-3, -5e-3).to(5e-3, 0).to(8e-3, 0).to(8e-3, 5e-3).to(5e-3, 5e-3).to(-5e-3, 5e-3);
  BoundarySolid step = prism(Outline(outline).to(-5e-3, -5e-3).close(), 0, 0.01);
  // Its caps as two fans that share a degenerate triangle: (5, −5), (5, 0) and (5, 5) mm lie on one line.
  const auto at = [&](double x, double y, double z) {
    const auto found = std::find_if(step.vertices.begin(), step.vertices.end(),
                                    [&](const Vector3d& p) { return (p - Vector3d(x, y, z)).norm() < 1e-9; });
    return static_cast<int>(found - step.vertices.begin());
  };
  for (const double z : {0.0, 0.01}) {
    std::vector<int> cap = trianglesFacing(step, {0, 0, z > 0 ? 1.0 : -1.0});
    ASSERT_EQ(cap.size(), 5u);
    const int a = at(5e-3, -5e-3, z), b = at(5e-3, 0, z), c = at(8e-3, 0, z), d = at(8e-3, 5e-3, z),
              e = at(5e-3, 5e-3, z), f = at(-5e-3, 5e-3, z), g = at(-5e-3, -5e-3, z);
    const std::array<std::array<int, 3>, 5> fans{{{a, e, g}, {e, f, g}, {a, b, e}, {b, c, e}, {c, d, e}}};
    for (std::size_t k = 0; k < 5; ++k) {
      auto corners = fans[k];
      if (z == 0) std::swap(corners[1], corners[2]);
      step.triangles[static_cast<std::size_t>(cap[k])] = corners;
    }
  }
  for (const double by : {-1e-5, 1e-5}) {
    BoundarySolid moved = step;
    std::vector<FaceOffset> riser;
    for (const int t : trianglesFacing(moved, {1, 0, 0}))
      if (middleOf(moved, t).x() < 6e-3) riser.push_back({{t}, by});
    offsetFaces(riser, moved);
    expectCoordinates(moved, 0, {-5e-3, 5e-3, 5e-3 + by, 8e-3});
    double cap = 0;
    for (const int t : trianglesFacing(moved, {0, 0, 1})) {
      const auto corner = [&](std::size_t k) {
        return moved.vertices[static_cast<std::size_t>(moved.triangles[static_cast<std::size_t>(t)][k])];
      };
      cap += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).z();
    }
    EXPECT_NEAR(cap, 10e-3 * 10e-3 + 3e-3 * 5e-3 + by * 5e-3, 1e-15);
    EXPECT_EQ(trianglesFacing(moved, {0, 0, -1}).size(), trianglesFacing(moved, {0, 0, 1}).size());
    EXPECT_EQ(flatFacesOf(moved), 0u);
  }
}

TEST(OffsetFaces, ChangeTheProfileOfAHoleWhereItsWallMoves) {
  // Two bores of one radius with a wider one between.
  BoundarySolid block = boundaryOf(physics::BlockWithHoles{{0.02, 0.02, 0.01}, {threeBores()}}).value();
  const double by = 1e-5;
  std::vector<int> upper;
  for (const int t : trianglesOfRadius(block, 5e-3))
    if (middleOf(block, t).z() > 0) upper.push_back(t);
  offsetFaces(std::vector<FaceOffset>{{upper, -by}}, block);
  const auto& profile = block.holes.at(0).profile;
  ASSERT_EQ(profile.size(), 6u);
  const std::array radii{5e-3 + by, 5e-3 + by, 7e-3, 7e-3, 5e-3, 5e-3};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(profile[k].y(), radii[k], kRounding);
}

TEST(OffsetFaces, RefuseWhatWouldVanishTurnOverOrCross) {
  const BoundarySolid thin = prism(rectangle(5e-3, 1e-5), 0, 0.01);
  EXPECT_EQ(problemOf({{trianglesFacing(thin, {0, 1, 0}), -3e-5}}, thin), "an edge beside it would vanish");
  // A floor 20 µm thick below a pocket.
  const BoundarySolid block = blockWithPocket(rectangle(0.02, 0.02), rectangle(5e-3, 5e-3), 0.015, 0.01502);
  std::vector<int> floor;
  for (const int t : trianglesFacing(block, {0, 0, 1}))
    if (middleOf(block, t).z() < 0) floor.push_back(t);
  EXPECT_EQ(problemOf({{floor, -1.9e-5}}, block), "");
  EXPECT_EQ(problemOf({{floor, -3e-5}}, block), "it would cut into another face");
}

}  // namespace
}  // namespace tenon::content::offset_test
