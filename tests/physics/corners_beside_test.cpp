// Corners beside the surfaces of their faces, where these do not meet: faces end there as the file has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/collision/brep/boundary_distance.h"
#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::physics::brep::corners_beside_test {
namespace {

/// A pyramid on the square |x|, |y| ≤ kHalf whose tip is at kHeight: one of its four faces, towards −y, is
/// round with this radius about an axis along x, and passes the tip at this distance.
constexpr double kHalf = 0.01, kHeight = 0.015, kRadius = 0.2, kBeside = 1.2e-6;

Surface planeThrough(const Vector3d& p, const Vector3d& normal) {
  Surface plane;
  const Vector3d n = normal.normalized(), x = n.unitOrthogonal();
  plane.X_BS.R << x, n.cross(x), n;
  plane.X_BS.p = p;
  return plane;
}

Surface roundFace() {
  const Vector3d low(0, -kHalf, 0), tip(0, 0, kHeight), n = Vector3d(0, -kHeight, kHalf).normalized();
  const double half = 0.5 * (tip - low).norm();
  Surface s;
  s.kind = SurfaceKind::cylinder;
  s.radius = kRadius;
  s.X_BS.R << Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX();
  s.X_BS.p = 0.5 * (low + tip) - (std::sqrt(kRadius * kRadius - half * half) - kBeside) * n;
  return s;
}

BoundarySolid pyramid() {
  BoundarySolid solid;
  solid.vertices = {
      {-kHalf, -kHalf, 0}, {kHalf, -kHalf, 0}, {kHalf, kHalf, 0}, {-kHalf, kHalf, 0}, {0, 0, kHeight}};
  solid.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {0, 2, 1}, {0, 3, 2}};
  solid.surfaceOf = {0, 1, 2, 3, -1, -1};
  const Vector3d tip(0, 0, kHeight);
  solid.surfaces = {roundFace(), planeThrough(tip, {kHeight, 0, kHalf}),
                    planeThrough(tip, {0, kHeight, kHalf}), planeThrough(tip, {-kHeight, 0, kHalf})};
  return solid;
}

TEST(CornersBeside, FourFacesThatMissOnePointKeepTheirSurfaces) {
  std::vector<int> flat;
  const Solid solid = solidOfTriangles(pyramid(), 1e-3, &flat);
  EXPECT_TRUE(flat.empty());
  EXPECT_TRUE(std::any_of(solid.vertices.begin(), solid.vertices.end(), [](const Vertex& vertex) {
    return (vertex.p - Vector3d(0, 0, kHeight)).norm() < 1e-12;
  }));
  // On the round face up to its end beside the tip.
  const Surface s = roundFace();
  for (int k = 1; k < 100; ++k) {
    const Vector3d p = Vector3d(0, -kHalf, 0) + k / 100.0 * Vector3d(0, kHalf, kHeight);
    const SurfaceDistance d = distanceTo(s, s.X_BS.inverse().point(p));
    const Vector3d foot = p - d.value * (s.X_BS.R * d.gradient);
    EXPECT_LT(distanceFromBoundary(solid, foot, 1e-6).distance, 1e-10) << k;
  }
}

// A ball around the tip is as far from it as if all faces met there.
TEST(CornersBeside, ABallTouchesTheTip) {
  constexpr double kBall = 2e-3;
  const Solid solid = solidOfTriangles(pyramid(), 1e-3), ball = solidOf(Sphere{kBall});
  for (int k = 0; k < 60; ++k) {
    const double around = 0.1 + 0.105 * k, tilt = 0.01 * (k % 7), gap = 1e-5;
    const Vector3d out(std::sin(tilt) * std::cos(around), std::sin(tilt) * std::sin(around), std::cos(tilt));
    std::vector<SolidContact> found;
    findSolidContacts(ball, solid, Pose::at(Vector3d(0, 0, kHeight) + (kBall + gap) * out), 1e-4, found);
    double least = HUGE_VAL;
    for (const SolidContact& contact : found) least = std::min(least, contact.separation);
    EXPECT_NEAR(least, gap, 2 * kBeside) << around << " " << tilt;
  }
}

/// A lens on the circle about z of this radius, of `count` corners rounded to `digit` [m]: spheres above and
/// below, the upper one raised by `raised`.
constexpr double kRim = 0.01;
BoundarySolid lens(double radius, int count, double digit, double raised) {
  BoundarySolid solid;
  const double depth = std::sqrt(radius * radius - kRim * kRim);
  solid.vertices = {{0, 0, radius - depth}, {0, 0, depth - radius}};
  const auto rounded = [&](double x) { return std::round(x / digit) * digit; };
  for (int k = 0; k < count; ++k) {
    const double around = 2 * std::numbers::pi * k / count + 0.1;
    solid.vertices.emplace_back(rounded(kRim * std::cos(around)), rounded(kRim * std::sin(around)), 0);
  }
  for (int k = 0; k < count; ++k) {
    const int a = 2 + k, b = 2 + (k + 1) % count;
    solid.triangles.insert(solid.triangles.end(), {{0, a, b}, {1, b, a}});
    solid.surfaceOf.insert(solid.surfaceOf.end(), {0, 1});
  }
  for (const double side : {1.0, -1.0}) {
    Surface sphere;
    sphere.kind = SurfaceKind::sphere;
    sphere.radius = radius;
    sphere.X_BS.p = {0, 0, side > 0 ? raised - depth : depth};
    solid.surfaces.push_back(sphere);
  }
  return solid;
}

/// The largest distance from the boundary of points of the circle through the corners of a lens.
double farthestOnRim(const Solid& solid) {
  double farthest = 0;
  for (int k = 0; k < 500; ++k) {
    const double around = 0.0123 + 2 * std::numbers::pi * k / 500;
    const Vector3d p(kRim * std::cos(around), kRim * std::sin(around), 0);
    farthest = std::max(farthest, distanceFromBoundary(solid, p, 1e-6).distance);
  }
  return farthest;
}

// Of spheres that meet at 0.05 rad; the rounding of its corners is all that it is off.
TEST(CornersBeside, TheRimOfALensIsACircle) {
  for (const int count : {32, 48})
    for (const double digit : {1e-7, 1e-8}) {
      std::vector<int> flat;
      const Solid solid = solidOfTriangles(lens(0.4, count, digit, 0), 1e-3, &flat);
      EXPECT_TRUE(flat.empty()) << count;
      EXPECT_LT(farthestOnRim(solid), 2 * digit) << count;
    }
}

// Chords in place of a rim would be 0.3 mm beside it: a face has its facets.
TEST(CornersBeside, ARimOfFewCornersIsNoPolygonOfSpheres) {
  std::vector<int> flat;
  solidOfTriangles(lens(0.4, 12, 1e-7, 0), 1e-3, &flat);
  EXPECT_FALSE(flat.empty());
}

// Spheres that meet at 5 mrad, and 0.1 mm away from the corners: the rim stays at these, and is as round.
TEST(CornersBeside, AKnifeEdgeStaysRoundWhereItsSurfacesDoNotMeet) {
  constexpr double kRaised = 0.5e-6;
  for (const int count : {32, 48}) {
    std::vector<int> flat;
    const Solid solid = solidOfTriangles(lens(4, count, 1e-12, kRaised), 1e-3, &flat);
    EXPECT_TRUE(flat.empty()) << count;
    EXPECT_LT(farthestOnRim(solid), kRaised) << count;
    for (int k = 0; k < 100; ++k) {
      const double around = 0.05 + 2 * std::numbers::pi * k / 100, beyond = 5e-6;
      const Vector3d p((kRim + beyond) * std::cos(around), (kRim + beyond) * std::sin(around), 0);
      EXPECT_NEAR(distanceFromBoundary(solid, p, 1e-6).distance, beyond, 0.2e-6) << count << " " << around;
    }
  }
}

}  // namespace
}  // namespace tenon::physics::brep::corners_beside_test
