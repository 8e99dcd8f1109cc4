// See display_mesh.h.
#include "content/parts/display_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/parts/face_triangles.h"
#include "physics/collision/geometry/convex_hull.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;

/// Rings of facets of a hemisphere, from pole to equator.
constexpr int kHemisphereRings = 16;

physics::BlockWithHoles withoutHoles(const Vector3d& halfExtents) {
  return {halfExtents, {}};
}

/// A faceted block with exact holes.
physics::BlockWithHoles withExactHoles(const physics::FacetedBlock& faceted) {
  physics::BlockWithHoles block{faceted.halfExtents, {}};
  for (const physics::RoundHole& hole : faceted.holes) {
    physics::Cavity cavity;
    cavity.through = hole.depth >= 2 * faceted.halfExtents.z();
    cavity.X_BH = Pose::at({hole.center.x(), hole.center.y(), faceted.halfExtents.z()});
    cavity.profile.emplace_back(0, hole.radius + hole.chamferWidth);
    if (hole.chamferWidth > 0) cavity.profile.emplace_back(-hole.chamferDepth, hole.radius);
    cavity.profile.emplace_back(-hole.depth, hole.radius);
    if (!cavity.through) cavity.profile.emplace_back(-hole.depth, 0);
    block.cavities.push_back(cavity);
  }
  return block;
}

double maxRadius(std::span<const Vector2d> profile) {
  double radius = 0;
  for (const Vector2d& p : profile) radius = std::max(radius, p.y());
  return radius;
}

/// A face of a block: frame with z outwards, half sizes along x and y.
struct BlockSide {
  Pose X;
  double x = 0, y = 0;
};

std::array<BlockSide, 6> sidesOf(const Vector3d& h) {
  std::array<BlockSide, 6> sides;
  for (int axis = 0; axis < 3; ++axis)
    for (int s = 0; s < 2; ++s) {
      const double sign = s == 0 ? -1 : 1;
      physics::Matrix3d R;
      R.col(2) = sign * Vector3d::Unit(axis);
      R.col(0) = Vector3d::Unit((axis + 1) % 3);
      R.col(1) = R.col(2).cross(R.col(0));
      BlockSide& side = sides[2 * static_cast<std::size_t>(axis) + static_cast<std::size_t>(s)];
      side.X.q = physics::Quaterniond(R);
      side.X.p = sign * h[axis] * Vector3d::Unit(axis);
      side.x = h[(axis + 1) % 3];
      side.y = h[(axis + 2) % 3];
    }
  return sides;
}

}  // namespace

int circleFacetCount(double radius) {
  constexpr double kSagitta = 2e-5;
  const double angle = std::acos(std::max(1 - kSagitta / std::max(radius, 1e-6), 0.0));
  // A multiple of 4, so that vertices lie on the x and y axes.
  return std::clamp(4 * static_cast<int>(std::ceil(pi / std::max(angle, 1e-3) / 4)), 48, 192);
}

Polygon circle(const Vector2d& center, double radius, int facets) {
  Polygon polygon;
  for (int k = 0; k < facets; ++k) {
    const double phi = 2 * pi * k / facets;
    polygon.emplace_back(center + radius * Vector2d(std::cos(phi), std::sin(phi)));
  }
  return polygon;
}

std::uint32_t MeshBuilder::vertex(const Vector3d& p, const Vector3d& n) {
  mesh_.positions.push_back(p);
  mesh_.normals.push_back(n);
  return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
}

void MeshBuilder::quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  const auto add = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const Vector3d &p = mesh_.positions[i], &q = mesh_.positions[j], &r = mesh_.positions[k];
    if (p != q && q != r && r != p) mesh_.triangles.push_back({i, j, k});
  };
  add(a, b, c);
  add(a, c, d);
}

void MeshBuilder::revolve(std::span<const Vector2d> profile, const Pose& X) {
  revolve(profile, X, circleFacetCount(maxRadius(profile)));
}

void MeshBuilder::revolve(std::span<const Vector2d> profile, const Pose& X, int facets) {
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vector2d &from = profile[i], &to = profile[i + 1];
    const Vector2d d = (to - from).normalized();  // (z, r)
    std::uint32_t before[2] = {0, 0};
    for (int k = 0; k <= facets; ++k) {
      const double phi = 2 * pi * (k % facets) / facets;
      const Vector3d u(std::cos(phi), std::sin(phi), 0);
      const Vector3d n = X.q * Vector3d(d.x() * u - d.y() * Vector3d::UnitZ());
      const std::uint32_t a = vertex(X * Vector3d(from.y() * u + from.x() * Vector3d::UnitZ()), n);
      const std::uint32_t b = vertex(X * Vector3d(to.y() * u + to.x() * Vector3d::UnitZ()), n);
      if (k > 0) quad(before[0], a, b, before[1]);
      before[0] = a;
      before[1] = b;
    }
  }
}

void MeshBuilder::capsule(double r, double h, const Pose& X) {
  const int facets = circleFacetCount(r);
  std::vector<std::uint32_t> below, ring;
  for (int k = 0; k <= 2 * kHemisphereRings + 1; ++k) {
    const bool upper = k > kHemisphereRings;  // the equator has two rings
    const double theta = pi * (upper ? k - 1 : k) / (2 * kHemisphereRings);
    const bool pole = k == 0 || k == 2 * kHemisphereRings + 1;
    ring.clear();
    for (int j = 0; j <= facets; ++j) {
      const double phi = 2 * pi * (j % facets) / facets, s = pole ? 0 : std::sin(theta);
      const Vector3d n(s * std::cos(phi), s * std::sin(phi), -std::cos(theta));
      ring.push_back(vertex(X * Vector3d(r * n + (upper ? h : -h) * Vector3d::UnitZ()), X.q * n));
    }
    for (std::size_t j = 1; k > 0 && j < ring.size(); ++j) quad(below[j - 1], below[j], ring[j], ring[j - 1]);
    below = ring;
  }
}

void MeshBuilder::face(const Polygon& outer, std::span<const Polygon> holes, const Pose& X) {
  const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
  const Vector3d n = X.q * Vector3d::UnitZ();
  const auto add = [&](const Polygon& polygon) {
    for (const Vector2d& p : polygon) vertex(X * Vector3d(p.x(), p.y(), 0), n);
  };
  add(outer);
  for (const Polygon& hole : holes) add(hole);
  for (const auto& t : triangulate(outer, holes))
    mesh_.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

void MeshBuilder::prismWalls(const Polygon& outline, double z0, double z1, const Pose& X, bool inside) {
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector2d &p = outline[i], &q = outline[(i + 1) % outline.size()];
    const Vector2d d = (q - p).normalized();
    const Vector3d n = X.q * Vector3d((inside ? -1 : 1) * Vector3d(d.y(), -d.x(), 0));
    const std::uint32_t a = vertex(X * Vector3d(p.x(), p.y(), z0), n),
                        b = vertex(X * Vector3d(q.x(), q.y(), z0), n),
                        c = vertex(X * Vector3d(q.x(), q.y(), z1), n),
                        e = vertex(X * Vector3d(p.x(), p.y(), z1), n);
    inside ? quad(a, e, c, b) : quad(a, b, c, e);
  }
}

void MeshBuilder::block(const physics::BlockWithHoles& block, const Pose& X) {
  for (const BlockSide& side : sidesOf(block.halfExtents)) {
    std::vector<Polygon> holes;
    const auto open = [&](const Vector3d& p, const Vector3d& out, double radius, int facets) {
      const Vector3d local = side.X.inverse() * p;
      if ((side.X.q * Vector3d::UnitZ()).dot(out) > 0.5)
        holes.push_back(circle(local.head<2>(), radius, facets));
    };
    for (const physics::Cavity& c : block.cavities) {
      const Vector3d out = c.X_BH.q * Vector3d::UnitZ();
      const int facets = circleFacetCount(maxRadius(c.profile));
      open(c.X_BH.p, out, c.profile.front().y(), facets);
      if (c.through) open(c.X_BH * Vector3d(0, 0, c.profile.back().x()), -out, c.profile.back().y(), facets);
    }
    const Polygon outer{{-side.x, -side.y}, {side.x, -side.y}, {side.x, side.y}, {-side.x, side.y}};
    face(outer, holes, X * side.X);
  }
  for (const physics::Cavity& c : block.cavities) revolve(c.profile, X * c.X_BH);
}

void MeshBuilder::hull(const physics::Hull& hull, const Pose& X) {
  const physics::ConvexHull convex = physics::convexHull(hull.vertices);
  for (const auto& corners : convex.faces) {
    const auto corner = [&](std::size_t k) -> const Vector3d& { return convex.vertices[corners[k]]; };
    const Vector3d n = X.q * Vector3d((corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized());
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    for (std::size_t k = 0; k < corners.size(); ++k) vertex(X * corner(k), n);
    for (std::uint32_t k = 1; k + 1 < corners.size(); ++k)
      mesh_.triangles.push_back({first, first + k, first + k + 1});
  }
}

void MeshBuilder::boundary(const physics::BoundarySolid& solid, const Pose& X) {
  for (const auto& t : solid.triangles) {
    const auto at = [&](std::size_t k) { return X * solid.vertices[static_cast<std::size_t>(t[k])]; };
    const Vector3d a = at(0), b = at(1), c = at(2), n = (b - a).cross(c - a).normalized();
    mesh_.triangles.push_back({vertex(a, n), vertex(b, n), vertex(c, n)});
  }
}

void MeshBuilder::shape(const physics::Shape& shape, const Pose& X) {
  const auto draw = [&]<class S>(const S& s) {
    if constexpr (std::is_same_v<S, physics::SolidOfRevolution>)
      s.thread ? thread(*s.thread, X, s.hole.empty()) : revolve(s.profile, X);
    else if constexpr (std::is_same_v<S, physics::Cylinder> || std::is_same_v<S, physics::Frustum>)
      revolve(physics::revolvedOf(s).profile, X);
    else if constexpr (std::is_same_v<S, physics::Sphere>)
      capsule(s.radius, 0, X);
    else if constexpr (std::is_same_v<S, physics::Capsule>)
      capsule(s.radius, s.halfLength, X);
    else if constexpr (std::is_same_v<S, physics::Box>)
      block(withoutHoles(s.halfExtents), X);
    else if constexpr (std::is_same_v<S, physics::BlockWithHoles>)
      block(s, X);
    else if constexpr (std::is_same_v<S, physics::FacetedBlock>)
      block(withExactHoles(s), X);
    else if constexpr (std::is_same_v<S, physics::Hull>)
      hull(s, X);
    else if constexpr (std::is_same_v<S, physics::BoundarySolid>)
      boundary(s, X);
    else if constexpr (std::is_same_v<S, physics::Compound>)
      for (const physics::PlacedShape& child : s.children) this->shape(child.shape, X * child.X_PS);
  };
  std::visit(draw, shape);
}

DisplayMesh displayMeshOf(const physics::Shape& shape) {
  DisplayMesh mesh;
  MeshBuilder(mesh).shape(shape, Pose());
  return mesh;
}

double volumeOf(const DisplayMesh& mesh) {
  double volume = 0;
  for (const auto& t : mesh.triangles)
    volume += mesh.positions[t[0]].dot(mesh.positions[t[1]].cross(mesh.positions[t[2]])) / 6;
  return volume;
}

}  // namespace tenon::content
