// Solids of triangles with surfaces: the contacts of the same solid by its exact description.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <tuple>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/solid_of_shape.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/support/freeform_surfaces.h"
#include "tests/support/golden_section.h"
#include "tests/support/triangle_meshes.h"

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

/// The least separation of two solids within `range` [m]; HUGE_VAL: none.
double leastSeparation(const Solid& a, const Solid& b, const Pose& X_BA, double range = 0.02) {
  std::vector<SolidContact> found;
  findSolidContacts(a, b, X_BA, range, found);
  double least = HUGE_VAL;
  for (const SolidContact& contact : found) least = std::min(least, contact.separation);
  return least;
}

/// A rod of radius kRod about z from z = −20 mm up to a surface: the end of a cut.
struct CutRod {
  Surface end;
  /// z of the end above (x, y) [m], which lies on it.
  std::function<double(double, double)> top;

  BoundarySolid mesh(int facets) const {
    RingMesh rod(facets);
    rod.solid.surfaces = {revolved(kRadius, 0), end};
    const int below = rod.ring(-0.02, kRadius), above = rod.ring(0, kRadius);
    rod.disc(below, false);
    rod.wall(below, above, 0, false);
    for (int k = 0; k < facets; ++k) {
      Vector3d& p = rod.solid.vertices[static_cast<std::size_t>(above) + static_cast<std::size_t>(k)];
      p.z() = top(p.x(), p.y());
    }
    // Rings on the end, down to its middle.
    const int rings = facets / 4;
    int outer = above;
    for (int ring = rings - 1; ring > 0; --ring) {
      const int inner = rod.ring(0, kRadius * ring / rings);
      for (int k = 0; k < facets; ++k) {
        Vector3d& p = rod.solid.vertices[static_cast<std::size_t>(inner) + static_cast<std::size_t>(k)];
        p.z() = top(p.x(), p.y());
      }
      rod.wall(outer, inner, 1, false);
      outer = inner;
    }
    const auto middle = static_cast<int>(rod.solid.vertices.size());
    rod.solid.vertices.emplace_back(0, 0, top(0, 0));
    for (int k = 0; k < facets; ++k) {
      rod.solid.triangles.push_back({outer + k, outer + (k + 1) % facets, middle});
      rod.solid.surfaceOf.push_back(1);
    }
    return rod.solid;
  }

  /// The distance of a point far from the lower end: the least one to wall, end and edge.
  double distance(const Vector3d& p) const {
    const double rho = p.head<2>().norm();
    double least = HUGE_VAL;
    const Eigen::Vector2d foot = kRadius / rho * p.head<2>();
    if (p.z() <= top(foot.x(), foot.y())) least = std::min(least, rho - kRadius);
    const RigidTransform& X = end.X_BS;
    const SurfaceDistance d = distanceTo(end, X.inverse().point(p));
    if ((p - d.value * (X.R * d.gradient)).head<2>().norm() <= kRadius) least = std::min(least, d.value);
    const auto toEdge = [&](double phase) {
      const double x = kRadius * std::cos(phase), y = kRadius * std::sin(phase);
      return (Vector3d(x, y, top(x, y)) - p).norm();
    };
    constexpr int kSamples = 360;
    for (int k = 0; k < kSamples; ++k) {
      const double phase = kTurn * k / kSamples, step = kTurn / kSamples;
      if (toEdge(phase) > toEdge(phase - step) || toEdge(phase) > toEdge(phase + step)) continue;
      least = std::min(least, test::leastBetween(phase - step, phase + step, 1e-9, toEdge).value);
    }
    return least;
  }

  static constexpr double kRadius = 4e-3;
};

/// Cut by a plane aslant, by a cylinder across into a dome and a groove, by a ball, and by a free form with
/// two hills and a valley.
std::vector<CutRod> cutRods() {
  const double tilt = 0.4, large = 9e-3;
  std::vector<CutRod> rods;
  Surface plane;
  plane.X_BS.R = exponential(Vector3d(tilt, 0, 0)).toRotationMatrix();
  rods.push_back({plane, [=](double, double y) { return std::tan(tilt) * y; }});
  Surface across = revolved(large, 0);
  across.X_BS.R = exponential(Vector3d(0, std::numbers::pi / 2, 0)).toRotationMatrix();
  rods.push_back({across, [=](double, double y) { return std::sqrt(large * large - y * y); }});
  across.side = -1;
  rods.push_back({across, [=](double, double y) { return -std::sqrt(large * large - y * y); }});
  Surface ball;
  ball.kind = SurfaceKind::sphere;
  ball.radius = large;
  ball.X_BS.p = {1e-3, 0, 0};  // beside the axis: its edge is no circle
  rods.push_back(
      {ball, [=](double x, double y) { return std::sqrt(large * large - (x - 1e-3) * (x - 1e-3) - y * y); }});
  const tests::HeightField field{5e-3,
                                 {{{0, 5e-4, 0, 2e-4, 0},
                                   {5e-4, 1.5e-3, 5e-4, 0, 2e-4},
                                   {0, 5e-4, -1e-3, 5e-4, 0},
                                   {2e-4, 0, 5e-4, 1.5e-3, 5e-4},
                                   {0, 2e-4, 0, 5e-4, 0}}}};
  rods.push_back({field.surface(), [=](double x, double y) { return field.at(x, y); }});
  return rods;
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

/// What a profile of (z, r) [m] sweeps about z, upwards from the axis back to it; `surfaceOf` of its
/// segments.
BoundarySolid lathe(int facets, const std::vector<Vector2d>& profile, const std::vector<int>& surfaceOf,
                    std::vector<Surface> surfaces) {
  RingMesh mesh(facets);
  mesh.solid.surfaces = std::move(surfaces);
  int below = -1;
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const int ring = mesh.ring(profile[k].x(), profile[k].y());
    if (k == 0) mesh.disc(ring, false);
    if (below >= 0) mesh.wall(below, ring, surfaceOf[k - 1], false);
    below = ring;
  }
  mesh.disc(below, true);
  return mesh.solid;
}

Surface torus(double radius, double minor, double z, double side = 1) {
  Surface s;
  s.kind = SurfaceKind::torus;
  s.radius = radius;
  s.minor = minor;
  s.X_BS.p.z() = z;
  s.side = side;
  return s;
}

/// A cylinder whose ends are rounded: all points within `round` of a cylinder that is smaller by this.
BoundarySolid roundedCylinder(double radius, double half, double round, int facets = 24) {
  const int arc = facets / 4 - 1;
  std::vector<Vector2d> profile;
  std::vector<int> surfaceOf;
  for (const double end : {-1.0, 1.0})
    for (int k = 0; k <= arc; ++k) {
      const double angle = std::numbers::pi / 2 * (end < 0 ? k - arc : k) / arc;
      profile.emplace_back(end * (half - round) + round * std::sin(angle),
                           radius - round + round * std::cos(angle));
      if (profile.size() > 1) surfaceOf.push_back(k == 0 ? 1 : end < 0 ? 0 : 2);
    }
  return lathe(facets, profile, surfaceOf,
               {torus(radius - round, round, round - half), revolved(radius, 0),
                torus(radius - round, round, half - round)});
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

/// A flange of 10 mm below z = 0 with a shaft of 3 mm, and a fillet of 2 mm between them.
struct FilletedFlange {
  static constexpr double kShaft = 3e-3, kRadius = 1e-2, kRound = 2e-3;

  static BoundarySolid mesh(int facets) {
    const int arc = facets / 4;
    std::vector<Vector2d> profile{{-4e-3, kRadius}, {0, kRadius}};
    std::vector<int> surfaceOf{0};
    for (int k = 0; k <= arc; ++k) {
      const double angle = std::numbers::pi / 2 * k / arc;
      profile.emplace_back(kRound - kRound * std::cos(angle), kShaft + kRound - kRound * std::sin(angle));
      surfaceOf.push_back(k == 0 ? -1 : 1);
    }
    profile.emplace_back(0.02, kShaft);
    surfaceOf.push_back(2);
    return lathe(facets, profile, surfaceOf,
                 {revolved(kRadius, 0), torus(kShaft + kRound, kRound, kRound), revolved(kShaft, 0)});
  }
};

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

/// The solid with its cylinders, cones and tori as free forms.
BoundarySolid asFreeforms(BoundarySolid solid) {
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    Surface& surface = solid.surfaces[s];
    if (surface.kind == SurfaceKind::plane || surface.kind == SurfaceKind::sphere) continue;
    std::vector<double> along;
    for (std::size_t t = 0; t < solid.triangles.size(); ++t)
      for (const int v : solid.triangles[t])
        if (solid.surfaceOf[t] == static_cast<int>(s))
          along.push_back(
              parametersOf(surface, surface.X_BS.inverse().point(solid.vertices[static_cast<std::size_t>(v)]))
                  .y());
    auto [low, high] = std::minmax_element(along.begin(), along.end());
    if (surface.kind == SurfaceKind::torus && *high - *low > std::numbers::pi) {
      for (double& angle : along)
        if (angle < 0) angle += kTurn;
      std::tie(low, high) = std::minmax_element(along.begin(), along.end());
    }
    surface = tests::freeformTwin(surface, *low, *high);
  }
  return solid;
}

// Faces that continue each other smoothly, too.
TEST(BoundarySolid, OfFreeFormsHasTheContactsOfTheSameSurfaces) {
  std::vector<BoundarySolid> meshes{roundedCylinder(5e-3, 8e-3, 1.5e-3), FilletedFlange::mesh(24),
                                    blockMesh(24)};
  meshes.push_back(cutRods()[1].mesh(24));
  std::vector<Solid> simple, form;
  for (const BoundarySolid& mesh : meshes) {
    std::vector<int> flat;
    simple.push_back(solidOfTriangles(mesh, 2e-4, &flat));
    form.push_back(solidOfTriangles(asFreeforms(mesh), 2e-4, &flat));
    EXPECT_TRUE(flat.empty());
  }
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  int compared = 0;
  for (std::size_t a = 0; a < simple.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (int k = 0; k < 20; ++k) {
        Pose X;
        X.q = Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
        const Vector3d along = Vector3d(normal(random), normal(random), normal(random)).normalized();
        double at = 0.08, distance = HUGE_VAL;
        while (at > 0 && distance > 1.001e-5) {
          X.p = at * along;
          distance = leastSeparation(simple[a], simple[b], X, 0.1);
          at -= distance - 1e-5;
        }
        if (at < 0) continue;  // they passed each other
        ++compared;
        const auto expectSameLeast = [&](const char* where) {
          constexpr double kRange = 1e-4, kEdges = 5e-10;  // [m]: both have curves near their edges
          const double expected = leastSeparation(simple[a], simple[b], X, kRange);
          EXPECT_NEAR(leastSeparation(form[a], simple[b], X, kRange), expected, kEdges)
              << where << a << b << k;
          EXPECT_NEAR(leastSeparation(simple[a], form[b], X, kRange), expected, kEdges)
              << where << a << b << k;
          EXPECT_NEAR(leastSeparation(form[a], form[b], X, kRange), expected, kEdges) << where << a << b << k;
        };
        expectSameLeast("apart ");
        X.p -= 1.5e-5 * along;
        expectSameLeast("overlapping ");
      }
  EXPECT_GT(compared, 100);
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
