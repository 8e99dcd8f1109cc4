// See solid_of_shape.h.
#include "physics/collision/brep/solid_of_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/geometry/faceted_block.h"
#include "physics/collision/geometry/polytope.h"

namespace tenon::physics::brep {
namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;

// Adds what a profile sweeps about the z axis of X: one face a segment, one circular edge a convex corner.
// Points (z, r) [m]; material lies right of the direction of travel, as in SolidOfRevolution.
class Sweep {
 public:
  Sweep(Solid& solid, const RigidTransform& X) : solid_(solid), X_(X) {}

  /// The face of a segment; its index.
  int addSegment(const Vector2d& from, const Vector2d& to) {
    const double dz = to.x() - from.x(), dr = to.y() - from.y();
    Face face;
    Surface& s = face.surface;
    s.X_BS = X_;
    if (dz == 0) {
      s.kind = SurfaceKind::plane;
      s.side = dr > 0 ? -1 : 1;
      s.X_BS.p = X_.point({0, 0, from.x()});
      for (const double r : {from.y(), to.y()})
        if (r > 0) face.trim.addArc(Vector2d::Zero(), r, 0, kWholeTurn);
    } else {
      s.kind = dr == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
      s.side = dz > 0 ? 1 : -1;
      s.slope = dr / dz;
      s.X_BS.p = X_.point({0, 0, from.x()});
      s.radius = from.y();
      for (const double z : {0.0, dz}) face.trim.addLine({0, z}, {kWholeTurn, z});
    }
    face.trim.finish(s.kind != SurfaceKind::plane);
    const double r = std::max(from.y(), to.y());
    const Bounds box{{-r, -r, std::min(from.x(), to.x())}, {r, r, std::max(from.x(), to.x())}};
    face.bounds = rotatedBounds(box, X_);
    solid_.faces.push_back(std::move(face));
    return static_cast<int>(solid_.faces.size()) - 1;
  }

  /// The corner at `p` between segments that come along `in` and go on along `out`, with these faces.
  void addCorner(const Vector2d& p, const Vector2d& in, const Vector2d& out, int before, int after) {
    if (!(in.x() * out.y() - in.y() * out.x() < 0) && p.y() > 0)
      return solid_.addConcaveNeighbor(before, after, X_.point({p.y(), 0, p.x()}));
    if (p.y() <= 0) return addTip(p, in.squaredNorm() > 0 ? Vector2d(-in) : out);
    Edge edge;
    edge.curve.kind = CurveKind::circle;
    edge.curve.p = X_.point({0, 0, p.x()});
    edge.curve.x = X_.R.col(0);
    edge.curve.y = X_.R.col(1);
    edge.curve.radius = p.y();
    edge.curve.range = {0, kWholeTurn};
    edge.before = before;
    edge.after = after;
    solid_.edges.push_back(edge);
  }

 private:
  // A point on the axis, from which the profile leaves along `out`: a vertex if the solid is pointed there.
  void addTip(const Vector2d& p, const Vector2d& out) {
    const Vector2d d = out.normalized();
    if (std::abs(d.x()) < 1e-12) return;  // a flat end
    Vertex tip;
    tip.p = X_.point({0, 0, p.x()});
    for (int k = 0; k < kTipTangents; ++k) {
      const double phase = kWholeTurn * k / kTipTangents;
      tip.outgoing.push_back(X_.vector({d.y() * std::cos(phase), d.y() * std::sin(phase), d.x()}));
    }
    solid_.vertices.push_back(std::move(tip));
  }

  Solid& solid_;
  RigidTransform X_;
};

double smallestOf(std::initializer_list<double> lengths) {
  double least = HUGE_VAL;
  for (const double length : lengths) least = std::min(least, length);
  return 0.25 * least;
}

Solid fromProfile(const std::vector<Vector2d>& profile) {
  Solid solid;
  Sweep sweep(solid, {});
  const std::size_t segments = profile.size() - 1;
  const bool isClosed = profile.front() == profile.back();
  const auto direction = [&](std::size_t k) { return Vector2d(profile[k + 1] - profile[k]); };
  for (std::size_t k = 0; k < segments; ++k) sweep.addSegment(profile[k], profile[k + 1]);
  for (std::size_t k = isClosed ? 0 : 1; k < segments; ++k) {
    const std::size_t before = k > 0 ? k - 1 : segments - 1;
    sweep.addCorner(profile[k], direction(before), direction(k), static_cast<int>(before),
                    static_cast<int>(k));
  }
  if (!isClosed) {
    sweep.addCorner(profile.front(), Vector2d::Zero(), direction(0), 0, 0);
    const auto last = static_cast<int>(segments) - 1;
    sweep.addCorner(profile.back(), direction(segments - 1), Vector2d::Zero(), last, last);
  }
  const auto [low, high] = std::minmax_element(profile.begin(), profile.end(),
                                               [](const auto& a, const auto& b) { return a.x() < b.x(); });
  double inner = HUGE_VAL, outer = 0;
  for (const Vector2d& p : profile) {
    inner = std::min(inner, p.y());
    outer = std::max(outer, p.y());
  }
  solid.finish(smallestOf({high->x() - low->x(), isClosed ? outer - inner : 2 * outer}));
  return solid;
}

// Its own faces, edges and vertices, all of them convex.
Solid ofPolytope(const Polytope& polytope, double depthLimit) {
  Solid solid;
  std::vector<std::array<int, 2>> facesOf(polytope.edges.size(), {-1, -1});
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const Polytope::Face& in = polytope.faces[f];
    Face face;
    const Vector3d x = in.normal.unitOrthogonal();
    RigidTransform& X = face.surface.X_BS;
    X.R << x, in.normal.cross(x), in.normal;
    X.p = in.offset * in.normal;
    for (int k = in.firstBorder; k < in.firstBorder + in.borderCount; ++k) {
      const Polytope::Border& border = polytope.borders[static_cast<std::size_t>(k)];
      const Vector3d &a = polytope.vertices[static_cast<std::size_t>(border.vertex)],
                     &b = polytope.vertices[static_cast<std::size_t>(border.next)];
      face.trim.addLine((X.R.transpose() * (a - X.p)).head<2>(), (X.R.transpose() * (b - X.p)).head<2>());
      include(face.bounds, Bounds{a, a});
      auto& faces = facesOf[static_cast<std::size_t>(border.edge)];
      faces[faces[0] < 0 ? 0 : 1] = static_cast<int>(f);
    }
    face.trim.finish(false);
    solid.faces.push_back(std::move(face));
  }
  for (const Vector3d& p : polytope.vertices) solid.vertices.push_back({p, {}, 0});
  for (std::size_t e = 0; e < polytope.edges.size(); ++e) {
    const auto a = static_cast<std::size_t>(polytope.edges[e].a),
               b = static_cast<std::size_t>(polytope.edges[e].b);
    const Vector3d along = polytope.vertices[b] - polytope.vertices[a];
    Edge edge;
    edge.curve.p = polytope.vertices[a];
    edge.curve.x = along.normalized();
    edge.curve.y = edge.curve.x.unitOrthogonal();
    edge.curve.range = {0, along.norm()};
    edge.before = facesOf[e][0];
    edge.after = facesOf[e][1];
    edge.from = static_cast<int>(a);
    edge.to = static_cast<int>(b);
    const double slack = facingSlack(polytope.faces[static_cast<std::size_t>(edge.before)].normal,
                                     polytope.faces[static_cast<std::size_t>(edge.after)].normal);
    for (const std::size_t end : {a, b})
      solid.vertices[end].slack = std::max(solid.vertices[end].slack, slack);
    solid.vertices[a].outgoing.push_back(edge.curve.x);
    solid.vertices[b].outgoing.push_back(-edge.curve.x);
    solid.edges.push_back(edge);
  }
  solid.finish(depthLimit);
  return solid;
}

Solid of(const Box& box) {
  return ofPolytope(boxPolytope(box.halfExtents), 0.5 * box.halfExtents.minCoeff());
}

Solid of(const Sphere& sphere) {
  Solid solid;
  Face face;
  face.surface.kind = SurfaceKind::sphere;
  face.surface.radius = sphere.radius;
  face.bounds = {Vector3d::Constant(-sphere.radius), Vector3d::Constant(sphere.radius)};
  solid.faces.push_back(face);
  solid.finish(0.5 * sphere.radius);
  return solid;
}

Solid of(const Frustum& f) {
  const double h = f.halfLength;
  std::vector<Vector2d> profile{{-h, 0}};
  if (f.bottomRadius > 0) profile.emplace_back(-h, f.bottomRadius);
  if (f.topRadius > 0) profile.emplace_back(h, f.topRadius);
  profile.emplace_back(h, 0);
  return fromProfile(profile);
}

Solid of(const Cylinder& c) {
  return of(Frustum{c.radius, c.radius, c.halfLength});
}

// Two half spheres and a cylinder between them, which meet smoothly.
Solid of(const Capsule& c) {
  if (!(c.halfLength > 0)) return of(Sphere{c.radius});
  Solid solid;
  Sweep(solid, {}).addSegment({-c.halfLength, c.radius}, {c.halfLength, c.radius});
  for (const double end : {-1.0, 1.0}) {
    Face face;
    face.surface.kind = SurfaceKind::sphere;
    face.surface.radius = c.radius;
    face.surface.X_BS.p = {0, 0, end * c.halfLength};
    const double quarter = end * std::numbers::pi / 2;
    for (const double latitude : {0.0, quarter}) face.trim.addLine({0, latitude}, {kWholeTurn, latitude});
    face.trim.setSmoothFrom(0);
    face.trim.finish(true);
    const Vector3d low(-c.radius, -c.radius, end < 0 ? -c.halfLength - c.radius : c.halfLength);
    face.bounds = {low, low + Vector3d(2 * c.radius, 2 * c.radius, c.radius)};
    solid.faces.push_back(face);
  }
  solid.finish(0.5 * c.radius);
  return solid;
}

Solid of(const Hull& hull) {
  const Polytope polytope = hullPolytope(hull);
  Bounds box;
  for (const Vector3d& v : polytope.vertices) include(box, Bounds{v, v});
  return ofPolytope(polytope, 0.25 * (box.high - box.low).minCoeff());
}

Solid of(const HalfSpace&) {
  Solid solid;
  Face face;
  const double infinite = std::numeric_limits<double>::infinity();
  face.bounds = {Vector3d::Constant(-infinite), {infinite, infinite, 0}};
  solid.faces.push_back(face);
  solid.finish(infinite);
  return solid;
}

Solid of(const SolidOfRevolution& solid) {
  return fromProfile(solid.profile);
}

// The face of the block that `z` of a mouth's frame leaves.
std::size_t faceAlong(const Solid& block, const Vector3d& direction) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < 6; ++k)
    if (block.faces[k].surface.X_BS.R.col(2).dot(direction) >
        block.faces[best].surface.X_BS.R.col(2).dot(direction))
      best = k;
  return best;
}

Solid of(const BlockWithHoles& block) {
  Solid solid = of(Box{block.halfExtents});
  const auto addMouth = [&](std::size_t face, const Vector3d& center, double radius) {
    const RigidTransform& X = solid.faces[face].surface.X_BS;
    solid.faces[face].trim.addArc(Vector2d((X.R.transpose() * (center - X.p)).head<2>()), radius, 0,
                                  kWholeTurn);
  };
  double wall = block.halfExtents.minCoeff();
  for (const Cavity& cavity : block.cavities) {
    const RigidTransform X{cavity.X_BH.q.toRotationMatrix(), cavity.X_BH.p};
    Sweep sweep(solid, X);
    const auto& profile = cavity.profile;
    const std::size_t top = faceAlong(solid, X.R.col(2)), bottom = faceAlong(solid, -X.R.col(2));
    addMouth(top, X.p, profile.front().y());
    if (cavity.through) addMouth(bottom, X.point({0, 0, profile.back().x()}), profile.back().y());
    int before = static_cast<int>(top);
    Vector2d in(0, -1);
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
      const int face = sweep.addSegment(profile[k], profile[k + 1]);
      const Vector2d out = profile[k + 1] - profile[k];
      sweep.addCorner(profile[k], in, out, before, face);
      before = face;
      in = out;
    }
    if (cavity.through) sweep.addCorner(profile.back(), in, {0, 1}, before, static_cast<int>(bottom));
    for (const Vector2d& p : profile)
      if (p.y() > 0) wall = std::min(wall, p.y());
  }
  for (std::size_t k = 0; k < 6; ++k) solid.faces[k].trim.finish(false);
  solid.finish(0.25 * wall);
  return solid;
}

// With the true circles of its holes.
Solid of(const FacetedBlock& faceted) {
  BlockWithHoles block{faceted.halfExtents, {}};
  for (const RoundHole& hole : faceted.holes) {
    Cavity cavity;
    cavity.through = isThrough(faceted, hole);
    cavity.X_BH = Pose::at({hole.center.x(), hole.center.y(), faceted.halfExtents.z()});
    cavity.profile.emplace_back(0, hole.radius + hole.chamferWidth);
    if (hole.chamferWidth > 0) cavity.profile.emplace_back(-hole.chamferDepth, hole.radius);
    cavity.profile.emplace_back(cavity.through ? -2 * faceted.halfExtents.z() : -hole.depth, hole.radius);
    if (!cavity.through) cavity.profile.emplace_back(-hole.depth, 0);
    block.cavities.push_back(cavity);
  }
  return of(block);
}

Solid of(const BoundarySolid& p) {
  return solidOfTriangles(p, depthLimitOf(p));
}

Solid of(const Compound&) {
  throw std::invalid_argument("a compound is not one solid");
}

}  // namespace

double depthLimitOf(const BoundarySolid& p) {
  Bounds box;
  for (const Vector3d& v : p.vertices) include(box, Bounds{v, v});
  double thickness = (box.high - box.low).minCoeff();
  for (const int s : p.surfaceOf) {
    if (s < 0) continue;
    const Surface& surface = p.surfaces[static_cast<std::size_t>(s)];
    if (surface.kind == SurfaceKind::cylinder || surface.kind == SurfaceKind::sphere)
      thickness = std::min(thickness, surface.radius);
    if (surface.kind == SurfaceKind::torus) thickness = std::min(thickness, surface.minor);
  }
  return 0.25 * thickness;
}

Solid solidOf(const Shape& shape) {
  return std::visit([](const auto& s) { return of(s); }, shape);
}

}  // namespace tenon::physics::brep
