// Parts that mate, as prisms with sizes that a test chooses.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "content/mesh/triangulate.h"
#include "content/recognize/conforming_faces.h"
#include "content/recognize/mating_direction.h"

namespace tenon::content::test {

using Eigen::Vector2d;
using physics::Pose;
using physics::Shape;

inline constexpr double kRounding = 1e-9;     // [m]
inline constexpr double kTolerance = 0.3e-3;  // [m]
inline constexpr int kArcSides = 48;

/// A corner of an outline; `round`: the side that begins here is one of an arc about the origin.
struct Corner {
  Vector2d p = Vector2d::Zero();
  bool round = false;
};
using Outline = std::vector<Corner>;

inline Outline rectangle(double x0, double x1, double y0, double y1) {
  return {{{x0, y0}}, {{x1, y0}}, {{x1, y1}}, {{x0, y1}}};
}

/// A circle of this radius that ends at x = `flat`.
inline Outline dShape(double radius, double flat) {
  Outline outline;
  const double from = std::acos(flat / radius), to = 2 * std::numbers::pi - from;
  for (int k = 0; k <= kArcSides; ++k) {
    const double angle = from + (to - from) * k / kArcSides;
    outline.push_back({radius * Vector2d(std::cos(angle), std::sin(angle)), k < kArcSides});
  }
  return outline;
}

/// The triangles of an outline from z0 to z1, all of its round sides on one cylinder; a wall around a hole if
/// `isHole`.
class Prism {
 public:
  Prism(const Outline& outline, double z0, double z1) {
    std::vector<int> low = corners(outline, z0), high = corners(outline, z1);
    addWall(outline, low, high, false);
    addCap({high.begin(), high.end()});
    addCap({low.rbegin(), low.rend()});
  }

  /// With a hole of as many corners, each joined to the corner of the outer outline.
  Prism(const Outline& outer, const Outline& hole, double z0, double z1) {
    const auto low = corners(outer, z0), high = corners(outer, z1), lowHole = corners(hole, z0),
               highHole = corners(hole, z1);
    addWall(outer, low, high, false);
    addWall(hole, lowHole, highHole, true);
    for (std::size_t k = 0; k < outer.size(); ++k) {
      const std::size_t next = (k + 1) % outer.size();
      addQuad(high[k], high[next], highHole[next], highHole[k], -1);
      addQuad(low[k], lowHole[k], lowHole[next], low[next], -1);
    }
  }

  physics::BoundarySolid solid;

 private:
  std::vector<int> corners(const Outline& outline, double z) {
    std::vector<int> all;
    for (const Corner& corner : outline) {
      all.push_back(static_cast<int>(solid.vertices.size()));
      solid.vertices.emplace_back(corner.p.x(), corner.p.y(), z);
    }
    return all;
  }

  void addTriangle(int a, int b, int c, int surface) {
    solid.triangles.push_back({a, b, c});
    solid.surfaceOf.push_back(surface);
  }

  void addQuad(int a, int b, int c, int d, int surface) {
    addTriangle(a, b, c, surface);
    addTriangle(a, c, d, surface);
  }

  void addWall(const Outline& outline, const std::vector<int>& low, const std::vector<int>& high,
               bool isHole) {
    int cylinder = -1;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const std::size_t next = (k + 1) % outline.size();
      if (outline[k].round && cylinder < 0) {
        cylinder = static_cast<int>(solid.surfaces.size());
        solid.surfaces.emplace_back();
        solid.surfaces.back().kind = physics::SurfaceKind::cylinder;
        solid.surfaces.back().radius = outline[k].p.norm();
      }
      const int surface = outline[k].round ? cylinder : -1;
      if (isHole)
        addQuad(low[next], low[k], high[k], high[next], surface);
      else
        addQuad(low[k], low[next], high[next], high[k], surface);
    }
  }

  void addCap(const std::vector<int>& loop) {
    TriangleMesh mesh;
    mesh.vertices = solid.vertices;
    addPolygon(loop, mesh);
    for (const auto& t : mesh.triangles) addTriangle(t[0], t[1], t[2], -1);
  }
};

inline Shape prism(const Outline& outline, double z0, double z1) {
  return Prism(outline, z0, z1).solid;
}

/// Both parts in the world.
struct Pair {
  Shape a, b;
  Pose X_WA, X_WB;

  Pose X_AB() const { return X_WA.inverse() * X_WB; }
  std::vector<ConformingFaces> faces(double tolerance = kTolerance) const {
    return conformingFaces(facesOf(a), facesOf(b), X_AB(), tolerance);
  }
  MatingSearch mating() const {
    return findMating(facesOf(a), facesOf(b), X_AB(), faces(), X_WA.q.conjugate() * Vector3d::UnitZ());
  }
  std::optional<Mating> best() const {
    const MatingSearch search = mating();
    return search.matings.empty() ? std::nullopt : std::optional(search.matings.front());
  }
  /// The direction out of A in the world.
  Vector3d out() const { return X_WA.q * best().value().out; }
};

/// A square peg of 10 mm less `gap` on each side, 15 mm deep in a pocket with a floor.
inline Pair pegInPocket(double gap) {
  Pair pair;
  pair.a = physics::Box{{0.005 - gap, 0.005 - gap, 0.015}};
  Prism ring(rectangle(-0.02, 0.02, -0.02, 0.02), rectangle(-0.005, 0.005, -0.005, 0.005), -0.015, 0);
  physics::Compound block;
  block.children.push_back({ring.solid, {}});
  block.children.push_back({physics::Box{{0.02, 0.02, 0.0025}}, Pose::at({0, 0, -0.0175})});
  pair.b = block;
  return pair;
}

/// A slide with flanks of 60° in its groove; the groove opens at y = 0, the slide's top is there.
inline Pair dovetail(double gap) {
  const double low = 0.01 - gap / std::cos(std::numbers::pi / 6),
               rise = 0.006 / std::tan(std::numbers::pi / 3);
  const auto slide = [&](double half, double bottom) -> Outline {
    return {{{-half, bottom}},
            {{half, bottom}},
            {{half - rise, bottom + 0.006}},
            {{rise - half, bottom + 0.006}}};
  };
  Pair pair;
  pair.a = prism(slide(low, -0.006), 0, 0.03);
  const double groove = 0.01;
  pair.b = prism({{{-0.03, -0.02}},
                  {{0.03, -0.02}},
                  {{0.03, 0}},
                  {{groove - rise, 0}},
                  {{groove, -0.006}},
                  {{-groove, -0.006}},
                  {{rise - groove, 0}},
                  {{-0.03, 0}}},
                 -0.01, 0.02);
  return pair;
}

}  // namespace tenon::content::test
