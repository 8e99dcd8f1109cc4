// Solids of triangles with surfaces: the contacts of the same solid by its exact description.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::physics::brep {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// A surface that turns about z: radius at z = 0, and dr/dz [m].
Surface revolved(double radius, double slope) {
  Surface s;
  s.kind = slope == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
  s.radius = radius;
  s.slope = slope;
  return s;
}

/// Rings of vertices about z at (z, r), joined to each other by a wall with its surface.
class RingMesh {
 public:
  explicit RingMesh(int facets) : facets_(facets) {}

  BoundarySolid solid;

  /// `scale`: vertices at this multiple of the radius. Returns the first vertex.
  int ring(double z, double r, double scale = 1) {
    const auto first = static_cast<int>(solid.vertices.size());
    for (int k = 0; k < facets_; ++k) {
      const double angle = kTurn * k / facets_;
      solid.vertices.emplace_back(scale * r * std::cos(angle), scale * r * std::sin(angle), z);
    }
    return first;
  }
  /// From ring a up to ring b, seen from outside of the axis; `inner`: from inside.
  void wall(int a, int b, int surface, bool inner) {
    for (int k = 0; k < facets_; ++k) {
      const int n = (k + 1) % facets_;
      add(a + k, a + n, b + n, surface, inner);
      add(a + k, b + n, b + k, surface, inner);
    }
  }
  /// The disc of a ring.
  void disc(int a, bool up) {
    for (int k = 1; k + 1 < facets_; ++k) add(a, a + k, a + k + 1, -1, !up);
  }
  /// The plane between four corners (of the quadrants, from the first on) and the ring inside them.
  void frame(int corners, int a, bool up) {
    for (int q = 0; q < 4; ++q) {
      const int from = q * facets_ / 4;
      for (int k = from; k < from + facets_ / 4; ++k) add(corners + q, a + (k + 1) % facets_, a + k, -1, !up);
      add(corners + q, corners + (q + 1) % 4, a + (from + facets_ / 4) % facets_, -1, !up);
    }
  }
  void quad(int a, int b, int c, int d) {
    add(a, b, c, -1, false);
    add(a, c, d, -1, false);
  }

 private:
  void add(int a, int b, int c, int surface, bool turned) {
    solid.triangles.push_back(turned ? std::array{a, c, b} : std::array{a, b, c});
    solid.surfaceOf.push_back(surface);
  }

  int facets_;
};

constexpr double kHalf = 0.02, kHeight = 0.02, kBore = 5e-3, kChamfer = 1e-3;

/// A block above z = −kHeight with a chamfered through hole; its vertices lie at `scale` times the true
/// radii.
BoundarySolid blockMesh(int facets, double scale = 1) {
  RingMesh mesh(facets);
  mesh.solid.surfaces = {revolved(kBore, 0), revolved(kBore + kChamfer, 1)};
  const auto corners = [&](double z) {
    for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
      mesh.solid.vertices.emplace_back(x * kHalf, y * kHalf, z);
    return static_cast<int>(mesh.solid.vertices.size()) - 4;
  };
  const int top = corners(0), bottom = corners(-kHeight);
  const int mouth = mesh.ring(0, kBore + kChamfer, scale), bore = mesh.ring(-kChamfer, kBore, scale),
            end = mesh.ring(-kHeight, kBore, scale);
  mesh.frame(top, mouth, true);
  mesh.frame(bottom, end, false);
  mesh.wall(bore, mouth, 1, true);
  mesh.wall(end, bore, 0, true);
  for (int q = 0; q < 4; ++q) mesh.quad(bottom + q, bottom + (q + 1) % 4, top + (q + 1) % 4, top + q);
  return mesh.solid;
}

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

TEST(BoundarySolid, AFaceThatMeetsItsNeighborInAnotherCurveStaysFlat) {
  // The plane of the flat is tilted: it meets the cylinder in arcs of an ellipse.
  BoundarySolid shaft = dShaft(20);
  for (Vector3d& p : shaft.vertices)
    if (p.z() > 0) p.x() *= 0.9;
  std::vector<int> flat;
  const Solid solid = solidOfTriangles(shaft, 1e-3, &flat);
  EXPECT_EQ(flat, std::vector<int>{0});
  EXPECT_TRUE(std::all_of(solid.faces.begin(), solid.faces.end(),
                          [](const Face& f) { return f.surface.kind == SurfaceKind::plane; }));
}

TEST(BoundarySolid, APointedConeStaysFlatForItsTip) {
  constexpr int kFacets = 16;
  RingMesh mesh(kFacets);
  mesh.solid.surfaces = {revolved(5e-3, -0.5)};
  const int base = mesh.ring(0, 5e-3);
  const auto tip = static_cast<int>(mesh.solid.vertices.size());
  mesh.solid.vertices.emplace_back(0, 0, 0.01);
  mesh.disc(base, false);
  for (int k = 0; k < kFacets; ++k) {
    mesh.solid.triangles.push_back({base + k, base + (k + 1) % kFacets, tip});
    mesh.solid.surfaceOf.push_back(0);
  }
  std::vector<int> flat;
  const Solid cone = solidOfTriangles(mesh.solid, 1e-3, &flat);
  EXPECT_EQ(flat, std::vector<int>{0});
  std::vector<SolidContact> found;
  findSolidContacts(cone, solidOf(HalfSpace{}), {exponential(Vector3d(3.1, 0, 0)), {0, 0, 0.0100}}, 1e-3,
                    found);
  ASSERT_FALSE(found.empty());
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
