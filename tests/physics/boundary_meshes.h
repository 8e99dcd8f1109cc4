// Boundary solids for tests, as triangles with surfaces: rings about an axis, cut rods, turned shapes.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/geometry/shape.h"
#include "tests/support/freeform_surfaces.h"
#include "tests/support/golden_section.h"

namespace tenon::physics::brep {

inline constexpr double kTurn = 2 * std::numbers::pi;

/// A surface that turns about z: radius at z = 0, and dr/dz [m].
inline Surface revolved(double radius, double slope) {
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

inline constexpr double kHalf = 0.02, kHeight = 0.02, kBore = 5e-3, kChamfer = 1e-3;

/// A block above z = −kHeight with a chamfered through hole; its vertices lie at `scale` times the true
/// radii.
inline BoundarySolid blockMesh(int facets, double scale = 1) {
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

/// The least separation of two solids within `range` [m]; HUGE_VAL: none.
inline double leastSeparation(const Solid& a, const Solid& b, const Pose& X_BA, double range = 0.02) {
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
inline std::vector<CutRod> cutRods() {
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

/// What a profile of (z, r) [m] sweeps about z, upwards from the axis back to it; `surfaceOf` of its
/// segments.
inline BoundarySolid lathe(int facets, const std::vector<Vector2d>& profile,
                           const std::vector<int>& surfaceOf, std::vector<Surface> surfaces) {
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

inline Surface torus(double radius, double minor, double z, double side = 1) {
  Surface s;
  s.kind = SurfaceKind::torus;
  s.radius = radius;
  s.minor = minor;
  s.X_BS.p.z() = z;
  s.side = side;
  return s;
}

/// A cylinder whose ends are rounded: all points within `round` of a cylinder that is smaller by this.
inline BoundarySolid roundedCylinder(double radius, double half, double round, int facets = 24) {
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

}  // namespace tenon::physics::brep
