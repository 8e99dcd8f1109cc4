// Prisms and blocks with prismatic pockets as solids of triangles, made from their outlines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "content/parts/face_triangles.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content::offset_test {

using Eigen::Vector2d;

/// A closed line in the plane, counter-clockwise: straight sides and arcs.
class Outline {
 public:
  /// A side from the last point to this one [m].
  Outline& to(double x, double y) {
    points.emplace_back(x, y);
    arcs.push_back({});
    return *this;
  }
  /// An arc from the last point, of this angle about its center; a concave one has a negative angle [rad].
  Outline& around(double x, double y, double angle) {
    constexpr int kFacets = 6;
    const Vector2d center(x, y), from = points.back() - center;
    for (int k = 1; k <= kFacets; ++k) {
      points.push_back(center + Eigen::Rotation2Dd(angle * k / kFacets) * from);
      arcs.push_back({center, from.norm()});
    }
    return *this;
  }
  /// Starts at a point [m].
  static Outline at(double x, double y) {
    Outline outline;
    outline.points = {{x, y}};
    return outline;
  }
  /// An ended outline returns to its first point, by an arc or a side.
  Outline& close() {
    if ((points.back() - points.front()).norm() < 1e-12)
      points.pop_back();
    else
      arcs.push_back({});
    return *this;
  }

  struct Arc {
    Vector2d center{0, 0};
    double radius = 0;  ///< 0: a side
  };
  std::vector<Vector2d> points;
  std::vector<Arc> arcs;  ///< from point k to the next
};

inline Outline rectangle(double a, double b) {
  return Outline::at(a, -b).to(a, b).to(-a, b).to(-a, -b).close();
}

/// A rectangle with half sides a and b whose corners have the radius r [m].
inline Outline roundedRectangle(double a, double b, double r) {
  constexpr double q = std::numbers::pi / 2;
  return Outline::at(a, -b + r)
      .to(a, b - r)
      .around(a - r, b - r, q)
      .to(-a + r, b)
      .around(-a + r, b - r, q)
      .to(-a, -b + r)
      .around(-a + r, -b + r, q)
      .to(a - r, -b)
      .around(a - r, -b + r, q)
      .close();
}

/// A circle of this radius about z with a flat at x = `flat` [m].
inline Outline dSection(double radius, double flat) {
  const double y = std::sqrt(radius * radius - flat * flat), angle = std::atan2(y, flat);
  return Outline::at(flat, -y).to(flat, y).around(0, 0, 2 * std::numbers::pi - 2 * angle).close();
}

class PrismBuilder {
 public:
  physics::BoundarySolid solid;

  /// Faces between two heights [m] that look out of the outline, or into it.
  void walls(const Outline& outline, double low, double high, bool lookInside) {
    const std::size_t n = outline.points.size();
    const int lower = ring(outline, low), upper = ring(outline, high);
    int surface = -1;
    for (std::size_t k = 0; k < n; ++k) {
      const Outline::Arc& arc = outline.arcs[k];
      const bool continues = k > 0 && arc.radius > 0 && arc.radius == outline.arcs[k - 1].radius &&
                             arc.center == outline.arcs[k - 1].center;
      if (!continues) surface = addWall(outline, k);
      const int a = static_cast<int>(k), b = static_cast<int>((k + 1) % n);
      add(lower + a, lower + b, upper + b, surface, lookInside);
      add(lower + a, upper + b, upper + a, surface, lookInside);
    }
  }
  /// The face inside `outline` and outside the holes at a height [m].
  void cap(const Outline& outline, const std::vector<Outline>& holes, double z, bool looksUp) {
    physics::Surface plane;
    plane.X_BS.p = {0, 0, z};
    solid.surfaces.push_back(plane);
    const int surface = static_cast<int>(solid.surfaces.size()) - 1, first = ring(outline, z);
    std::vector<Polygon> polygons;
    for (const Outline& hole : holes) {
      ring(hole, z);
      polygons.push_back(hole.points);
    }
    for (const auto& t : triangulate(outline.points, polygons)) {
      const auto corner = [&](std::size_t k) { return first + static_cast<int>(t[k]); };
      add(corner(0), corner(1), corner(2), surface, !looksUp);
    }
  }
  /// Joins the vertices of equal position.
  void weld() {
    std::vector<int> kept(solid.vertices.size());
    std::vector<Eigen::Vector3d> vertices;
    for (std::size_t v = 0; v < kept.size(); ++v) {
      const auto same = std::find_if(vertices.begin(), vertices.end(), [&](const Eigen::Vector3d& p) {
        return (p - solid.vertices[v]).norm() < 1e-12;
      });
      kept[v] = static_cast<int>(same - vertices.begin());
      if (same == vertices.end()) vertices.push_back(solid.vertices[v]);
    }
    solid.vertices = vertices;
    for (auto& triangle : solid.triangles)
      for (int& v : triangle) v = kept[static_cast<std::size_t>(v)];
  }

 private:
  int ring(const Outline& outline, double z) {
    const int first = static_cast<int>(solid.vertices.size());
    for (const Vector2d& p : outline.points) solid.vertices.emplace_back(p.x(), p.y(), z);
    return first;
  }
  void add(int a, int b, int c, int surface, bool isTurned) {
    solid.triangles.push_back(isTurned ? std::array{a, c, b} : std::array{a, b, c});
    solid.surfaceOf.push_back(surface);
  }
  int addWall(const Outline& outline, std::size_t k) {
    const Vector2d from = outline.points[k], to = outline.points[(k + 1) % outline.points.size()];
    physics::Surface s;
    if (outline.arcs[k].radius > 0) {
      s.kind = physics::SurfaceKind::cylinder;
      s.radius = outline.arcs[k].radius;
      s.X_BS.p = {outline.arcs[k].center.x(), outline.arcs[k].center.y(), 0};
    } else {
      const Eigen::Vector3d along(to.x() - from.x(), to.y() - from.y(), 0), x = along.normalized();
      s.X_BS.R << x, Eigen::Vector3d::UnitZ(), x.cross(Eigen::Vector3d::UnitZ());
      s.X_BS.p = {from.x(), from.y(), 0};
    }
    solid.surfaces.push_back(s);
    return static_cast<int>(solid.surfaces.size()) - 1;
  }
};

/// A prism between two heights [m].
inline physics::BoundarySolid prism(const Outline& outline, double low, double high) {
  PrismBuilder builder;
  builder.walls(outline, low, high, false);
  builder.cap(outline, {}, low, false);
  builder.cap(outline, {}, high, true);
  builder.weld();
  return builder.solid;
}

/// A block from z = −height to 0 with a pocket of this depth, or a through one where that is the height [m].
inline physics::BoundarySolid blockWithPocket(const Outline& outer, const Outline& pocket, double depth,
                                              double height) {
  PrismBuilder builder;
  const bool through = depth == height;
  builder.walls(outer, -height, 0, false);
  builder.walls(pocket, -depth, 0, true);
  builder.cap(outer, {pocket}, 0, true);
  builder.cap(outer, through ? std::vector<Outline>{pocket} : std::vector<Outline>{}, -height, false);
  if (!through) builder.cap(pocket, {}, -depth, true);
  builder.weld();
  return builder.solid;
}

/// The triangles of faces whose normal at their middle has at least this part along `normal`; of `solid`.
inline std::vector<int> trianglesFacing(const physics::BoundarySolid& solid, const Eigen::Vector3d& normal,
                                        double least = 0.999) {
  std::vector<int> found;
  for (std::size_t t = 0; t < solid.triangles.size(); ++t) {
    const auto p = [&](std::size_t k) {
      return solid.vertices[static_cast<std::size_t>(solid.triangles[t][k])];
    };
    if ((p(1) - p(0)).cross(p(2) - p(0)).normalized().dot(normal) > least)
      found.push_back(static_cast<int>(t));
  }
  return found;
}

}  // namespace tenon::content::offset_test
