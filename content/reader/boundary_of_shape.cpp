// See boundary_of_shape.h.
#include "content/reader/boundary_of_shape.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/parts/face_triangles.h"
#include "physics/collision/geometry/polytope.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {

namespace {

using Eigen::Vector2d;
using physics::BoundarySolid;
using physics::Pose;
using physics::Surface;
using physics::SurfaceKind;
using physics::Vector3d;

constexpr int kChords = 48;

/// The vertices of a circle about z; of radius 0 all are the same.
using Ring = std::array<int, kChords>;

class BoundaryBuilder {
 public:
  BoundarySolid solid;

  void polytope(const physics::Polytope& in) {
    for (const Vector3d& p : in.vertices) solid.vertices.push_back(p);
    for (const physics::Polytope::Face& face : in.faces) {
      const int surface = addPlane(face.offset * face.normal, face.normal);
      const auto corner = [&](int k) {
        return in.borders[static_cast<std::size_t>(face.firstBorder) + static_cast<std::size_t>(k)].vertex;
      };
      for (int k = 1; k + 1 < face.borderCount; ++k) add(corner(0), corner(k), corner(k + 1), surface);
    }
  }

  /// What a profile of points (z, r) sweeps; material lies right of the direction of travel. Returns its
  /// first and last circle.
  std::array<Ring, 2> sweep(const std::vector<Vector2d>& profile, const Pose& X) {
    const bool isClosed = profile.size() > 2 && profile.front() == profile.back();
    const Ring first = ring(profile.front(), X);
    Ring from = first;
    for (std::size_t k = 1; k < profile.size(); ++k) {
      if (profile[k] == profile[k - 1]) continue;
      const Ring to = isClosed && k + 1 == profile.size() ? first : ring(profile[k], X);
      const int surface = addSegment(profile[k - 1], profile[k], X);
      for (std::size_t a = 0; a < kChords; ++a) {
        const std::size_t b = (a + 1) % kChords;
        if (profile[k - 1].y() > 0) add(from[a], from[b], to[b], surface);
        if (profile[k].y() > 0) add(from[a], to[b], to[a], surface);
      }
      from = to;
    }
    return {first, from};
  }

  void block(const physics::BlockWithHoles& block) {
    const physics::Polytope box = physics::boxPolytope(block.halfExtents);
    for (const Vector3d& p : box.vertices) solid.vertices.push_back(p);
    struct Mouth {
      Vector3d out;
      Ring ring;
      bool isFar;  ///< the circle runs clockwise, seen from outside
    };
    std::vector<Mouth> mouths;
    for (const physics::Cavity& cavity : block.cavities) {
      const auto rings = sweep(cavity.profile, cavity.X_BH);
      const Vector3d z = cavity.X_BH.q * Vector3d::UnitZ();
      mouths.push_back({z, rings[0], false});
      if (cavity.through) mouths.push_back({-z, rings[1], true});
    }
    for (const physics::Polytope::Face& face : box.faces) {
      const Vector3d n = face.normal, x = n.unitOrthogonal(), y = n.cross(x);
      std::vector<int> vertices;
      const auto polygonOf = [&](const auto& ring, bool isReversed) {
        Polygon polygon;
        for (std::size_t k = 0; k < ring.size(); ++k) {
          vertices.push_back(ring[isReversed ? ring.size() - 1 - k : k]);
          const Vector3d& p = solid.vertices[static_cast<std::size_t>(vertices.back())];
          polygon.emplace_back(x.dot(p), y.dot(p));
        }
        return polygon;
      };
      std::vector<int> corners;
      for (int k = 0; k < face.borderCount; ++k)
        corners.push_back(
            box.borders[static_cast<std::size_t>(face.firstBorder) + static_cast<std::size_t>(k)].vertex);
      const Polygon outer = polygonOf(corners, false);
      std::vector<Polygon> holes;
      for (const Mouth& mouth : mouths)
        if (mouth.out.dot(n) > 0.5) holes.push_back(polygonOf(mouth.ring, mouth.isFar));
      const int surface = addPlane(face.offset * n, n);
      for (const auto& t : triangulate(outer, holes))
        add(vertices[t[0]], vertices[t[1]], vertices[t[2]], surface);
    }
  }

 private:
  void add(int a, int b, int c, int surface) {
    solid.triangles.push_back({a, b, c});
    solid.surfaceOf.push_back(surface);
  }
  int add(const Surface& surface) {
    solid.surfaces.push_back(surface);
    return static_cast<int>(solid.surfaces.size()) - 1;
  }
  int addPlane(const Vector3d& p, const Vector3d& n) {
    Surface plane;
    const Vector3d x = n.unitOrthogonal();
    plane.X_BS.R << x, n.cross(x), n;
    plane.X_BS.p = p;
    return add(plane);
  }
  int addSegment(const Vector2d& from, const Vector2d& to, const Pose& X) {
    const double dz = to.x() - from.x(), dr = to.y() - from.y();
    Surface s;
    s.kind = dz == 0 ? SurfaceKind::plane : dr == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
    s.X_BS = {X.q.toRotationMatrix(), X * Vector3d(0, 0, from.x())};
    s.radius = from.y();
    if (s.kind == SurfaceKind::cone) s.slope = dr / dz;
    return add(s);
  }
  Ring ring(const Vector2d& zr, const Pose& X) {
    Ring ring{};
    for (std::size_t k = 0; k < kChords; ++k) {
      if (k > 0 && !(zr.y() > 0)) {
        ring[k] = ring[0];
        continue;
      }
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / kChords;
      ring[k] = static_cast<int>(solid.vertices.size());
      solid.vertices.push_back(X * Vector3d(zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x()));
    }
    return ring;
  }
};

std::optional<BoundarySolid> built(const physics::Shape& shape) {
  BoundaryBuilder builder;
  if (const auto* box = std::get_if<physics::Box>(&shape)) {
    builder.polytope(physics::boxPolytope(box->halfExtents));
  } else if (const auto* hull = std::get_if<physics::Hull>(&shape)) {
    builder.polytope(physics::hullPolytope(*hull));
  } else if (const auto* cylinder = std::get_if<physics::Cylinder>(&shape)) {
    builder.sweep(physics::revolvedOf(*cylinder).profile, {});
  } else if (const auto* frustum = std::get_if<physics::Frustum>(&shape)) {
    builder.sweep(physics::revolvedOf(*frustum).profile, {});
  } else if (const auto* turned = std::get_if<physics::SolidOfRevolution>(&shape)) {
    if (turned->thread) return std::nullopt;
    builder.sweep(turned->profile, {});
  } else if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) {
    builder.block(*block);
  } else {
    return std::nullopt;
  }
  return std::move(builder.solid);
}

/// The solid in another frame.
void place(const Pose& X, BoundarySolid& solid) {
  for (Vector3d& p : solid.vertices) p = X * p;
  const Eigen::Matrix3d R = X.q.toRotationMatrix();
  for (Surface& surface : solid.surfaces) surface.X_BS = {R * surface.X_BS.R, X * surface.X_BS.p};
  for (physics::Cavity& hole : solid.holes) hole.X_BH = X * hole.X_BH;
}

}  // namespace

std::optional<BoundarySolid> boundaryOf(const physics::Shape& shape) {
  if (const auto* solid = std::get_if<BoundarySolid>(&shape)) return *solid;
  if (const auto* compound = std::get_if<physics::Compound>(&shape);
      compound != nullptr && compound->children.size() == 1) {
    auto solid = boundaryOf(compound->children.front().shape);
    if (solid) place(compound->children.front().X_PS, *solid);
    return solid;
  }
  auto solid = built(shape);
  if (!solid) return std::nullopt;
  for (HoleSite& hole : holesOf(shape))
    solid->holes.push_back({hole.name, hole.X_PH, std::move(hole.profile), hole.through, hole.isInterrupted});
  return solid;
}

}  // namespace tenon::content
