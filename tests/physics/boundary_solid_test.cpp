// Solids of triangles with surfaces: the contacts of the same solid by its exact description.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "physics/collision/brep/boundary_distance.h"
#include "physics/collision/brep/edge_curve.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/physics/boundary_meshes.h"
#include "tests/support/triangle_meshes.h"

namespace tenon::physics::brep {
namespace {

BlockWithHoles exactBlock() {
  Cavity hole;
  hole.X_BH = Pose::at({0, 0, kHeight / 2});
  hole.profile = {{0, kBore + kChamfer}, {-kChamfer, kBore}, {-kHeight, kBore}};
  hole.through = true;
  return {{kHalf, kHalf, kHeight / 2}, {hole}};
}

/// Each contact of `found` is one of `expected`, to a picometer.
void expectSame(const std::vector<SolidContact>& found, const std::vector<SolidContact>& expected) {
  EXPECT_EQ(found.size(), expected.size());
  for (const SolidContact& contact : found)
    EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                            [&](const SolidContact& other) {
                              return (contact.p - other.p).norm() <
                                         1e-12 + 1e-3 * std::abs(contact.separation - other.separation) &&
                                     (contact.n - other.n).norm() < 1e-7 &&
                                     std::abs(contact.separation - other.separation) < 1e-12;
                            }))
        << contact.p.transpose() << ", " << contact.separation;
}

TEST(BoundarySolid, HasTheFacesAndEdgesOfItsSurfaces) {
  std::vector<int> flat;
  const Solid block = solidOfTriangles(blockMesh(24), 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(block.faces.size(), 8u);
  // Twelve of the cuboid, and the circles of the mouth, below the chamfer, and of the far end.
  EXPECT_EQ(block.edges.size(), 15u);
  EXPECT_EQ(block.vertices.size(), 8u);
  const auto circles =
      std::count_if(block.edges.begin(), block.edges.end(), [](const Edge& e) { return e.curve.isWhole(); });
  EXPECT_EQ(circles, 3);
}

// A chamfer whose cone is elsewhere: neither the bore nor the top, which it cannot meet, become facets for
// it.
TEST(BoundarySolid, OfSurfacesThatCannotMeetTheSmallestOneIsFlat) {
  physics::BoundarySolid mesh = blockMesh(24);
  const auto cone = std::find_if(mesh.surfaces.begin(), mesh.surfaces.end(),
                                 [](const Surface& s) { return s.kind == SurfaceKind::cone; });
  ASSERT_NE(cone, mesh.surfaces.end());
  cone->radius += 3e-3;
  std::vector<int> flat;
  const Solid block = solidOfTriangles(mesh, 1e-3, &flat);
  EXPECT_EQ(flat, std::vector{static_cast<int>(cone - mesh.surfaces.begin())});
  EXPECT_TRUE(std::any_of(block.faces.begin(), block.faces.end(),
                          [](const Face& face) { return face.surface.kind == SurfaceKind::cylinder; }));
}

/// A block with a top of 2 × 2 fields, each of two triangles. The two in front lie on planes at an angle of
/// 2 mrad, from which their corners are half a micrometer: they meet half a millimeter beside the corners.
/// The others are facets.
physics::BoundarySolid blockWithNearlyFlatTop(double offset) {
  constexpr double kSide = 0.01, kTop = 0.02, kTilt = 2e-3;
  physics::BoundarySolid mesh;
  const double behind[] = {-0.0030, -0.0025, -0.0036};
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
      const double top = y < 2 ? std::max(0, x - 1) * kSide * kTilt : behind[x];
      mesh.vertices.emplace_back(x * kSide, y * kSide, kTop + top);
    }
  const auto add = [&](int a, int b, int c, int surface) {
    mesh.triangles.push_back({a, b, c});
    mesh.surfaceOf.push_back(surface);
  };
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) {
      const int a = 3 * y + x, surface = y == 0 ? x : -1;
      add(a, a + 1, a + 4, surface);
      add(a, a + 4, a + 3, surface);
    }
  const int ring[] = {0, 1, 2, 5, 8, 7, 6, 3};
  for (const int v : ring) {
    const Vector3d& p = mesh.vertices[static_cast<std::size_t>(v)];
    mesh.vertices.emplace_back(p.x(), p.y(), 0);
  }
  for (int k = 0; k < 8; ++k) {
    const int next = (k + 1) % 8;
    add(ring[k], 9 + k, 9 + next, -1);
    add(ring[k], 9 + next, ring[next], -1);
    if (k > 1) add(9, 9 + k, 9 + k - 1, -1);
  }
  mesh.vertices.front().z() -= 0.3e-6;  // the triangles of a field alone are not in one plane
  for (const double slope : {0.0, kTilt}) {
    const Vector3d n = Vector3d(-slope, 0, 1).normalized(), x = Vector3d(1, 0, slope).normalized();
    Surface plane;
    plane.X_BS.R << x, n.cross(x), n;
    plane.X_BS.p = Vector3d(kSide, 0, kTop) + (slope > 0 ? offset : -offset) * n;
    mesh.surfaces.push_back(plane);
  }
  return mesh;
}

// Facets beside a corner of such planes do not follow it: it stays, and both planes keep their surfaces.
TEST(BoundarySolid, FacetsStayWherePlanesMeetFarFromTheirCorner) {
  constexpr double kOffset = 0.5e-6, kFacetsAt = 1e-6;
  for (const double offset : {0.0, kOffset}) {
    const physics::BoundarySolid mesh = blockWithNearlyFlatTop(offset);
    std::vector<int> flat;
    const Solid block = solidOfTriangles(mesh, 1e-3, &flat);
    EXPECT_TRUE(flat.empty()) << offset;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      Vector3d middle = Vector3d::Zero();
      for (const int v : mesh.triangles[t]) middle += mesh.vertices[static_cast<std::size_t>(v)] / 3;
      EXPECT_LE(distanceFromBoundary(block, middle, 1e-6).distance, kFacetsAt) << t;
    }
  }
}

/// A block with a strip, 0.2 µm wide, along an edge of its top, as where bodies have been cut: the strip is
/// at an angle of 0.1 mrad to the rest, whose surface lies 1 nm below its corners. The planes of both meet 10
/// µm beyond the strip.
physics::BoundarySolid blockWithStrip() {
  constexpr double kLength = 0.01, kHeight = 0.02, kWidth = 0.2e-6, kAngle = 1e-4, kBelow = 1e-9;
  const std::vector<Eigen::Vector2d> outline{
      {0, 0}, {kLength, 0}, {kLength, kHeight - kAngle * kWidth}, {kLength - kWidth, kHeight}, {0, kHeight}};
  physics::BoundarySolid mesh;
  for (const double y : {0.0, kLength})
    for (const Eigen::Vector2d& p : outline) mesh.vertices.emplace_back(p.x(), y, p.y());
  const auto add = [&](int a, int b, int c, int surface) {
    mesh.triangles.push_back({a, b, c});
    mesh.surfaceOf.push_back(surface);
  };
  for (int k = 0; k < 5; ++k) {
    const int next = (k + 1) % 5, surface = k == 3 ? 0 : -1;
    add(k, next + 5, next, surface);
    add(k, k + 5, next + 5, surface);
  }
  for (const auto& [a, b] : {std::array{1, 2}, std::array{2, 3}, std::array{3, 4}}) {
    add(0, a, b, -1);
    add(5, b + 5, a + 5, -1);
  }
  Surface top;
  top.X_BS.p = Vector3d(0, 0, kHeight - kBelow);
  mesh.surfaces.push_back(top);
  return mesh;
}

// The corners of the strip do not follow these planes beyond its other side.
TEST(BoundarySolid, FacesDoNotReachBeyondTheirTrianglesWherePlanesMeetFarAway) {
  constexpr double kFacetsAt = 1e-6;
  const physics::BoundarySolid mesh = blockWithStrip();
  std::vector<int> flat;
  const Solid block = solidOfTriangles(mesh, 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  double farthest = 0;
  for (const Vertex& vertex : block.vertices) {
    double nearest = HUGE_VAL;
    for (const Vector3d& p : mesh.vertices) nearest = std::min(nearest, (p - vertex.p).norm());
    farthest = std::max(farthest, nearest);
  }
  EXPECT_FALSE(block.vertices.empty());
  EXPECT_LE(farthest, kFacetsAt);
}

TEST(BoundarySolid, OfABlockWithAHoleHasItsContactsAtEveryPoseOfAPeg) {
  const Solid peg = solidOf(Cylinder{kBore - 5e-6, 0.015});
  const Solid exact = solidOf(exactBlock());
  std::mt19937 random(20261125);
  std::uniform_real_distribution<double> unit(-1, 1);
  // The second mesh has its vertices outside of the true circle, as where flats touch it.
  for (const double scale : {1.0, 1 / std::cos(std::numbers::pi / 24)}) {
    const Solid meshed = solidOf(Shape(blockMesh(24, scale)));
    for (int k = 0; k < 500; ++k) {
      Pose X = Pose::at({4e-6 * unit(random), 4e-6 * unit(random), 0.01 + 0.012 * unit(random)});
      const double tilt = k % 2 == 0 ? 1e-4 : 0.3;
      X.q = exponential(Vector3d(tilt * unit(random), tilt * unit(random), unit(random)));
      if (k % 2 == 1) X.p += Vector3d(0.01 * unit(random), 0.01 * unit(random), 0.01);
      std::vector<SolidContact> found, expected;
      findSolidContacts(peg, meshed, X, 2e-4, found);
      Pose toExact = X;
      toExact.p.z() += kHeight / 2;
      findSolidContacts(peg, exact, toExact, 2e-4, expected);
      for (SolidContact& contact : expected) contact.p.z() -= kHeight / 2;
      expectSame(found, expected);
    }
  }
}

/// A shaft of 8 mm with a flat at x = 3 mm, above z = 0.
BoundarySolid dShaft(int facets) {
  const double r = 4e-3, flat = 3e-3, length = 0.02, half = std::acos(flat / r);
  BoundarySolid solid;
  solid.surfaces = {revolved(r, 0)};
  for (const double z : {0.0, length})
    for (int k = 0; k <= facets; ++k) {
      const double angle = half + (kTurn - 2 * half) * k / facets;
      solid.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
  const int n = facets + 1;
  const auto add = [&](int a, int b, int c, int surface) {
    solid.triangles.push_back({a, b, c});
    solid.surfaceOf.push_back(surface);
  };
  for (int k = 0; k < facets; ++k) {
    add(k, k + 1, n + k + 1, 0);
    add(k, n + k + 1, n + k, 0);
  }
  add(facets, 0, n, -1);
  add(facets, n, n + facets, -1);
  for (int k = 1; k < facets; ++k) {
    add(0, k + 1, k, -1);
    add(n, n + k, n + k + 1, -1);
  }
  return solid;
}

TEST(BoundarySolid, ADShaftHasTheDistancesOfItsFlatAndItsArc) {
  std::vector<int> flat;
  const Solid shaft = solidOfTriangles(dShaft(20), 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(shaft.faces.size(), 4u);
  EXPECT_EQ(shaft.edges.size(), 6u);  // two lines, two arcs, two lines of the ends
  const Solid ball = solidOf(Sphere{1e-3});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int k = 0; k < 1000; ++k) {
    const double phi = kTurn * unit(random), rho = 5e-3 + 1.5e-3 * unit(random),
                 z = 0.002 + 0.016 * unit(random);
    const Vector3d center(rho * std::cos(phi), rho * std::sin(phi), z);
    std::vector<SolidContact> found;
    findSolidContacts(ball, shaft, Pose::at(center), 3e-3, found);
    // The cross-section is the disc cut at x = 3 mm: the distance to this convex set.
    const double r = 4e-3, x = 3e-3, corner = std::sqrt(r * r - x * x);
    double distance = rho - r;
    if (center.x() > x && std::abs(center.y()) <= corner)
      distance = center.x() - x;
    else if (center.x() / rho * r > x)
      distance = std::hypot(center.x() - x, std::abs(center.y()) - corner);
    double least = HUGE_VAL;
    for (const SolidContact& contact : found) least = std::min(least, contact.separation);
    EXPECT_NEAR(least, distance - 1e-3, 1e-12) << center.transpose();
  }
}

TEST(BoundarySolid, SurfacesThatMeetInAnotherCurveHaveItAsTheirEdge) {
  constexpr double kBall = 5e-4;
  const Solid ball = solidOf(Sphere{kBall});
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (const CutRod& rod : cutRods()) {
    std::vector<int> flat;
    const Solid solid = solidOfTriangles(rod.mesh(24), 1e-3, &flat);
    EXPECT_TRUE(flat.empty());
    EXPECT_EQ(solid.faces.size() > 3, rod.end.kind == SurfaceKind::freeform);
    EXPECT_TRUE(std::any_of(solid.edges.begin(), solid.edges.end(),
                            [](const Edge& e) { return e.curve.kind == CurveKind::quintic; }));
    int atEdge = 0;
    for (int k = 0; k < 1000; ++k) {
      const double phase = std::numbers::pi * unit(random);
      const double rho = CutRod::kRadius + 1e-3 * unit(random);
      const double x = rho * std::cos(phase), y = rho * std::sin(phase);
      const Vector3d p(x, y, rod.top(x, y) + 1e-3 * unit(random));
      const double distance = rod.distance(p);
      if (distance < kBall + 1e-5) continue;  // overlaps
      EXPECT_NEAR(leastSeparation(ball, solid, Pose::at(p)), distance - kBall, 1e-9) << p.transpose();
      ++atEdge;
    }
    EXPECT_GT(atEdge, 200);
  }
}

// Two cylinders of one radius whose axes cross, as mitered fillets: where they touch, two curves of
// intersection cross.
TEST(BoundarySolid, CylindersThatTouchAtACornerMeetInTheCurveThatLeavesIt) {
  constexpr double kRadius = 2e-3, kTo = 1.2;
  constexpr int kPoints = 6;
  Surface along = revolved(kRadius, 0), across = along;
  along.X_BS.R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  across.X_BS.R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  std::vector<Vector3d> points;
  for (int k = 0; k <= kPoints; ++k) {
    const double angle = kTo * k / kPoints, side = kRadius * std::sin(angle);
    points.emplace_back(side, side, kRadius * std::cos(angle));
  }
  for (const bool isReversed : {false, true}) {
    if (isReversed) std::reverse(points.begin(), points.end());
    const std::vector<Curve> curves = curvesBetween(points, false, along, across);
    ASSERT_FALSE(curves.empty());
    EXPECT_LE((curves.front().at(curves.front().range[0]) - points.front()).norm(), 1e-12);
    EXPECT_LE((curves.back().at(curves.back().range[1]) - points.back()).norm(), 1e-12);
    for (const Curve& curve : curves)
      for (double part = 0; part <= 1; part += 0.125) {
        const Vector3d p = curve.at(curve.range[0] + part * (curve.range[1] - curve.range[0]));
        EXPECT_LE(std::abs(shapeAt(along, p).distance), 1e-9);
        EXPECT_LE(std::abs(shapeAt(across, p).distance), 1e-9);
        EXPECT_LE(std::abs(p.x() - p.y()), 1e-9) << "of the other curve";
      }
  }
}

TEST(BoundarySolid, RoundedCylindersAreAsFarApartAsThoseInsideThem) {
  const double r = 5e-3, h = 8e-3, round = 1e-3;
  std::vector<int> flat;
  const Solid rounded = solidOfTriangles(roundedCylinder(r, h, round), 2e-4, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(rounded.faces.size(), 5u);
  EXPECT_TRUE(rounded.edges.empty());  // smooth all around
  const Solid core = solidOf(Cylinder{r - round, h - round});
  const double second = 4e-3, secondRound = 1.5e-3;
  const Solid other = solidOfTriangles(roundedCylinder(second, 6e-3, secondRound), 2e-4);
  const Solid otherCore = solidOf(Cylinder{second - secondRound, 6e-3 - secondRound});
  const Solid box = solidOf(Box{{4e-3, 5e-3, 6e-3}});
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    Pose X = Pose::at(0.014 * Vector3d(normal(random), normal(random), normal(random)));
    X.q = Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
    // Beside flush and crossed ones.
    if (k % 4 == 0)
      X.q = exponential(Vector3d(1e-5 * normal(random), k % 8 == 0 ? std::numbers::pi / 2 : 0, 0));
    const double between = leastSeparation(core, otherCore, X);
    if (between > round + secondRound + 1e-5 && between < 0.015) {
      EXPECT_NEAR(leastSeparation(rounded, other, X), between - round - secondRound, 2e-12) << k;
    }
    const double toBox = leastSeparation(core, box, X);
    if (toBox > round + 1e-5 && toBox < 0.015) {
      EXPECT_NEAR(leastSeparation(rounded, box, X), toBox - round, 2e-12) << k;
    }
  }
}

TEST(BoundarySolid, ARoundedCylinderRestsOnFiveContactsOfItsEndAndTwoOfItsSide) {
  const double r = 5e-3, h = 8e-3, round = 1e-3;
  const Solid rounded = solidOfTriangles(roundedCylinder(r, h, round), 2e-4);
  const Solid floor = solidOf(HalfSpace{});
  const auto contacts = [&](const Vector3d& turn, double height) {
    std::vector<SolidContact> found;
    findSolidContacts(rounded, floor, {exponential(turn), {0, 0, height}}, 1e-5, found);
    for (const SolidContact& c : found) EXPECT_NEAR(c.separation, 1e-6, 1e-8);
    return found;
  };
  EXPECT_GE(contacts({0, 0, 0}, h + 1e-6).size(), 5u);
  // Leaning by a millionth of a radian, as a part at rest does.
  for (const double lean : {0.0, 1e-6, -1e-6}) {
    const auto lying = contacts({std::numbers::pi / 2 + lean, 0, 0}, r + 1e-6);
    double low = 0, high = 0;
    for (const SolidContact& c : lying) {
      low = std::min(low, c.p.y());
      high = std::max(high, c.p.y());
    }
    EXPECT_NEAR(low, round - h, 1e-6);
    EXPECT_NEAR(high, h - round, 1e-6);
  }
}

TEST(BoundarySolid, AFilletBetweenShaftAndFlangeIsHollow) {
  const double shaft = FilletedFlange::kShaft, round = FilletedFlange::kRound, half = 5e-4;
  std::vector<int> flat;
  const Solid part = solidOfTriangles(FilletedFlange::mesh(24), 2e-4, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(part.faces.size(), 6u);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(0, 1);
  // A ball in the fillet, at its place by the meridian.
  const Solid ball = solidOf(Sphere{half});
  // A pin across the axis that touches the fillet beside the shaft: its middle is nearest to the tube's far
  // wall.
  const Solid pin = solidOf(Cylinder{half, 1e-3});
  for (int k = 0; k < 500; ++k) {
    const double phase = kTurn * unit(random), down = std::numbers::pi * (0.05 + 0.4 * unit(random));
    const double gap = 1e-4 * unit(random), from = round - half - gap;
    const Vector3d out(std::cos(phase), std::sin(phase), 0), around(-out.y(), out.x(), 0);
    const Vector3d n = -std::sin(down) * out - std::cos(down) * Vector3d::UnitZ();
    const Vector3d p = (shaft + round) * out + round * Vector3d::UnitZ() + from * n;
    EXPECT_NEAR(leastSeparation(ball, part, Pose::at(p)), gap, 1e-12);
    const Quaterniond along = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), around);
    EXPECT_NEAR(leastSeparation(pin, part, {along, p}, 1e-3), gap, 1e-12) << down;
  }
}

/// A quarter of a ring of round bar between two planes, about z.
BoundarySolid elbow(double radius, double minor, int facets = 24) {
  const int around = facets, along = facets / 4;
  BoundarySolid solid;
  solid.surfaces = {torus(radius, minor, 0)};
  for (int i = 0; i <= along; ++i)
    for (int k = 0; k < around; ++k) {
      const double u = kTurn / 4 * i / along, v = kTurn * k / around, rho = radius + minor * std::cos(v);
      solid.vertices.emplace_back(rho * std::cos(u), rho * std::sin(u), minor * std::sin(v));
    }
  const auto add = [&](int a, int b, int c, int surface) {
    solid.triangles.push_back({a, b, c});
    solid.surfaceOf.push_back(surface);
  };
  for (int k = 0; k < around; ++k) {
    const int n = (k + 1) % around, last = along * around;
    for (int i = 0; i < along; ++i) {
      const int one = i * around, two = one + around;
      add(one + k, two + k, two + n, 0);
      add(one + k, two + n, one + n, 0);
    }
    if (k > 1) add(0, k - 1, k, -1);
    if (k > 1) add(last, last + k, last + k - 1, -1);
  }
  return solid;
}

TEST(BoundarySolid, AnElbowHasTheDistancesOfItsRing) {
  const double radius = 1e-2, minor = 3e-3, ballRadius = 1e-3;
  std::vector<int> flat;
  const Solid bend = solidOfTriangles(elbow(radius, minor), 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(bend.faces.size(), 3u);
  const Solid ball = solidOf(Sphere{ballRadius});
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  int near = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector3d p(0.015 * unit(random), 0.015 * unit(random), 6e-3 * unit(random));
    const double tube = std::hypot(p.head<2>().norm() - radius, p.z()) - minor;
    double distance = tube;
    if (p.x() < 0 || p.y() < 0) {  // beyond an end: the nearest of two discs
      distance = HUGE_VAL;
      for (const int axis : {0, 1}) {
        const Vector2d inPlane(p[axis] - radius, p.z());
        const double beyond = std::max(0.0, inPlane.norm() - minor);
        distance = std::min(distance, std::hypot(beyond, p[1 - axis]));
      }
    }
    if (distance < ballRadius + 1e-5) continue;
    ++near;
    EXPECT_NEAR(leastSeparation(ball, bend, Pose::at(p), 0.03), distance - ballRadius, 1e-12)
        << p.transpose();
  }
  EXPECT_GT(near, 500);
  EXPECT_TRUE(bend.contains({radius / std::sqrt(2), radius / std::sqrt(2), 1e-3}));
  EXPECT_FALSE(bend.contains({1e-3, 1e-3, 0}));
  EXPECT_FALSE(bend.contains({radius, -1e-3, 0}));
}

/// Solids of all surfaces, whose facets deviate by a few parts in a thousand of their radii.
std::vector<BoundarySolid> variousSolids(int facets) {
  std::vector<BoundarySolid> solids;
  for (const CutRod& rod : cutRods()) solids.push_back(rod.mesh(facets));
  solids.push_back(roundedCylinder(5e-3, 8e-3, 1.5e-3, facets));
  solids.push_back(FilletedFlange::mesh(facets));
  solids.push_back(elbow(1e-2, 3e-3, facets));
  return solids;
}

// Two of them about 0.2 mm apart, from all sides: no contact closer than their facets is missing, and none is
// too much.
TEST(BoundarySolid, OfEveryTwoTheLeastDistanceIsThatOfTheirFacets) {
  constexpr int kFacets = 32, kPoses = 3;
  constexpr double kGap = 4e-4, kSagitta = 1e-4;
  int compared = 0;
  const std::vector<BoundarySolid> meshes = variousSolids(kFacets);
  std::vector<Solid> solids;
  for (const BoundarySolid& mesh : meshes) {
    std::vector<int> flat;
    solids.push_back(solidOfTriangles(mesh, 2e-4, &flat));
    EXPECT_TRUE(flat.empty());
  }
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  for (std::size_t a = 0; a < solids.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (int k = 0; k < kPoses; ++k) {
        Pose X;
        X.q = Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
        const Vector3d along = Vector3d(normal(random), normal(random), normal(random)).normalized();
        double at = 0.08, distance = HUGE_VAL;
        while (at > 0 && distance > 1.001 * kGap) {
          X.p = at * along;
          distance = leastSeparation(solids[a], solids[b], X, 0.1);
          at -= distance - kGap;
        }
        if (at < 0) continue;  // they passed each other
        ++compared;
        EXPECT_NEAR(tests::surfaceDistance(meshes[a], meshes[b], X), distance, kSagitta)
            << a << ", " << b << ", " << k;
        std::vector<SolidContact> byTree, byAll;
        findSolidContacts(solids[a], solids[b], X, 1e-3, byTree);
        findSolidContacts(solids[a], solids[b], X, 1e-3, byAll, PairSearchMode::brute);
        EXPECT_EQ(byTree.size(), byAll.size());
      }
  EXPECT_GT(compared, 60);
}

TEST(BoundarySolid, ARingPassesOverAPinThatFitsAndTouchesOneThatLeans) {
  // The hole of a ring is a torus seen from inside; its mesh closes in both directions and has no border.
  constexpr int kAround = 16;
  const double radius = 1e-2, minor = 2e-3;
  BoundarySolid solid;
  solid.surfaces = {torus(radius, minor, 0)};
  for (int i = 0; i < kAround; ++i)
    for (int k = 0; k < kAround; ++k) {
      const double u = kTurn * i / kAround, v = kTurn * k / kAround, rho = radius + minor * std::cos(v);
      solid.vertices.emplace_back(rho * std::cos(u), rho * std::sin(u), minor * std::sin(v));
      const int n = (k + 1) % kAround, one = i * kAround, two = (i + 1) % kAround * kAround;
      solid.triangles.push_back({one + k, two + k, two + n});
      solid.triangles.push_back({one + k, two + n, one + n});
      solid.surfaceOf.insert(solid.surfaceOf.end(), {0, 0});
    }
  const Solid ring = solidOfTriangles(solid, 5e-4);
  const double hole = radius - minor, gap = 1e-5;
  const Solid pin = solidOf(Cylinder{hole - gap, 0.03});
  // The points of the circle beside the axis of the lean are nearest to the pin's axis.
  for (const double lean : {0.0, 1e-6, 0.01, 0.04})
    EXPECT_NEAR(leastSeparation(pin, ring, {exponential(Vector3d(lean, 0, 0)), {0, 0, 0}}, 1e-4),
                radius * std::cos(lean) - minor - (hole - gap), 1e-12)
        << lean;
}

TEST(BoundarySolid, APointedConeHasAVertexAndAHollowOneHasNone) {
  constexpr int kFacets = 16;
  RingMesh mesh(kFacets);
  mesh.solid.surfaces = {revolved(5e-3, -0.5)};
  const int base = mesh.ring(0, 5e-3);
  const auto tip = static_cast<int>(mesh.solid.vertices.size());
  mesh.solid.vertices.emplace_back(1e-7, 0, 0.01);  // rounded
  mesh.disc(base, false);
  for (int k = 0; k < kFacets; ++k) {
    mesh.solid.triangles.push_back({base + k, base + (k + 1) % kFacets, tip});
    mesh.solid.surfaceOf.push_back(0);
  }
  std::vector<int> flat;
  const Solid cone = solidOfTriangles(mesh.solid, 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(cone.faces.size(), 2u);
  EXPECT_EQ(cone.vertices.size(), 1u);
  const Solid exact = solidOf(Frustum{5e-3, 0, 5e-3});  // about its middle
  const Solid box = solidOf(Box{{4e-3, 5e-3, 6e-3}});
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 500; ++k) {
    Pose X = Pose::at(0.01 * Vector3d(normal(random), normal(random), normal(random)));
    X.q = Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
    const double expected = leastSeparation(exact, box, X);
    if (!(expected > 1e-5 && expected < 0.015)) continue;
    Pose toBase = X;
    toBase.p = X * Vector3d(0, 0, -5e-3);
    EXPECT_NEAR(leastSeparation(cone, box, toBase), expected, 1e-12);
  }
}

TEST(BoundarySolid, ASmoothSolidIsWhereItsFacesAreNotWhereTheirFramesBegin) {
  BoundarySolid mesh = roundedCylinder(5e-3, 8e-3, 1e-3);
  mesh.surfaces[1].X_BS.p.z() = -0.1;  // along the axis of its cylinder
  const Solid smooth = solidOfTriangles(mesh, 2e-4), box = solidOf(Box{{0.02, 0.02, 0.02}});
  std::vector<SolidContact> found;
  findSolidContacts(smooth, box, Pose::at({0, 0, 0.1}), 1e-3, found);
  EXPECT_TRUE(found.empty());
  findSolidContacts(smooth, box, Pose(), 1e-3, found);
  EXPECT_FALSE(found.empty());  // wholly inside
}

TEST(BoundarySolid, ABluntConeHasNoTipWhereAVertexIsNearItsAxis) {
  for (const bool up : {true, false}) {
    std::vector<Vector2d> profile{{0, 2e-4}, {4e-4, 4e-4}, {0.0196, 0.01}};
    if (!up) profile = {{0, 0.01}, {0.0192, 4e-4}, {0.0196, 2e-4}};
    const double slope = up ? 0.5 : -0.5;
    std::vector<int> flat;
    const Solid cone =
        solidOfTriangles(lathe(24, profile, {0, 0}, {revolved(profile[0].y(), slope)}), 1e-4, &flat);
    EXPECT_TRUE(flat.empty());
    EXPECT_TRUE(cone.vertices.empty());
    EXPECT_EQ(cone.faces.size(), 3u);
    EXPECT_TRUE(cone.contains({0, 0, 0.01}));
    EXPECT_FALSE(cone.contains({0, 0, up ? -1e-4 : 0.0197}));
  }
}

TEST(BoundarySolid, ARingWithAFlatIsStillThere) {
  // Its face goes around in both directions, and the flat is a hole in it.
  constexpr int kAround = 48;
  const double radius = 2e-2, minor = 5e-3, cut = radius + 0.6 * minor;
  BoundarySolid solid;
  solid.surfaces = {torus(radius, minor, 0)};
  for (int i = 0; i < kAround; ++i)
    for (int k = 0; k < kAround; ++k) {
      const double u = kTurn * i / kAround, v = kTurn * k / kAround, rho = radius + minor * std::cos(v);
      solid.vertices.emplace_back(std::min(cut, rho * std::cos(u)), rho * std::sin(u), minor * std::sin(v));
      const int n = (k + 1) % kAround, one = i * kAround, two = (i + 1) % kAround * kAround;
      solid.triangles.push_back({one + k, two + k, two + n});
      solid.triangles.push_back({one + k, two + n, one + n});
    }
  for (const auto& t : solid.triangles) {
    const bool isCut = std::all_of(
        t.begin(), t.end(), [&](int v) { return solid.vertices[static_cast<std::size_t>(v)].x() == cut; });
    solid.surfaceOf.push_back(isCut ? -1 : 0);
  }
  const Solid ring = solidOfTriangles(solid, 5e-4);
  for (const double angle : {0.0, 1.0, 2.0, std::numbers::pi, 5.0})
    EXPECT_TRUE(ring.contains({radius * std::cos(angle), radius * std::sin(angle), 1e-4})) << angle;
  EXPECT_FALSE(ring.contains({0, 0, 0}));
  EXPECT_FALSE(ring.contains({radius + 0.9 * minor, 0, 0}));
  EXPECT_NEAR(leastSeparation(solidOf(Sphere{1e-3}), ring, Pose::at({-radius - minor - 1.5e-3, 0, 0})), 5e-4,
              5e-5);
}

TEST(BoundarySolid, ASharpRimOfADomeIsNoPartOfTheBallBeyondIt) {
  // Half of a ball whose rim is sharp, tilted so far that the rim is lowest.
  constexpr int kFacets = 24, kRings = 6;
  constexpr double kRadius = 5e-3;
  RingMesh mesh(kFacets);
  Surface half;
  half.kind = SurfaceKind::sphere;
  half.radius = kRadius;
  mesh.solid.surfaces = {half};
  int below = mesh.ring(0, kRadius);
  mesh.disc(below, false);
  for (int k = 1; k < kRings; ++k) {
    const double latitude = std::numbers::pi / 2 * k / kRings;
    const int ring = mesh.ring(kRadius * std::sin(latitude), kRadius * std::cos(latitude));
    mesh.wall(below, ring, 0, false);
    below = ring;
  }
  const auto pole = static_cast<int>(mesh.solid.vertices.size());
  mesh.solid.vertices.emplace_back(0, 0, kRadius);
  for (int k = 0; k < kFacets; ++k) {
    mesh.solid.triangles.push_back({below + k, below + (k + 1) % kFacets, pole});
    mesh.solid.surfaceOf.push_back(0);
  }
  const Solid dome = solidOfTriangles(mesh.solid, 1e-3);
  for (const double tilt : {0.01, 0.1, 0.2, 0.5, 1.0})
    EXPECT_NEAR(leastSeparation(dome, solidOf(HalfSpace{}),
                                {exponential(Vector3d(std::numbers::pi / 2 - tilt, 0, 0)), {0, 0, 0.01}}),
                0.01 - kRadius * std::cos(tilt), 1e-12)
        << tilt;
}

TEST(BoundarySolid, ADomeIsASphereUpToItsPole) {
  // Half of a ball on a cylinder.
  constexpr int kFacets = 24, kRings = 6;
  constexpr double kRadius = 5e-3;
  RingMesh mesh(kFacets);
  Surface ball;
  ball.kind = SurfaceKind::sphere;
  ball.radius = kRadius;
  mesh.solid.surfaces = {revolved(kRadius, 0), ball};
  int below = mesh.ring(-0.01, kRadius);
  mesh.disc(below, false);
  for (int k = 0; k < kRings; ++k) {
    const double latitude = std::numbers::pi / 2 * k / kRings;
    const int ring = mesh.ring(kRadius * std::sin(latitude), kRadius * std::cos(latitude));
    mesh.wall(below, ring, k == 0 ? 0 : 1, false);
    below = ring;
  }
  const auto pole = static_cast<int>(mesh.solid.vertices.size());
  mesh.solid.vertices.emplace_back(0, 0, kRadius);
  for (int k = 0; k < kFacets; ++k) {
    mesh.solid.triangles.push_back({below + k, below + (k + 1) % kFacets, pole});
    mesh.solid.surfaceOf.push_back(1);
  }
  std::vector<int> flat;
  const Solid dome = solidOfTriangles(mesh.solid, 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_EQ(dome.faces.size(), 3u);
  const Solid floor = solidOf(HalfSpace{});
  // Upside down and tilted: the lowest point is a radius below the middle of the ball.
  for (const double tilt : {0.0, 0.2, 1.0, 1.5}) {
    std::vector<SolidContact> found;
    findSolidContacts(dome, floor,
                      {exponential(Vector3d(std::numbers::pi - tilt, 0, 0)), {0, 0, kRadius + 1e-5}}, 1e-4,
                      found);
    ASSERT_FALSE(found.empty()) << tilt;
    double least = HUGE_VAL;
    for (const SolidContact& contact : found) least = std::min(least, contact.separation);
    EXPECT_NEAR(least, 1e-5, 1e-12) << tilt;
  }
}

}  // namespace
}  // namespace tenon::physics::brep
