// Planes, borders and edges of a polytope from its face loops.
#include "physics/collision/geometry/polytope.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "physics/collision/geometry/convex_hull.h"

namespace tenon::physics {
namespace {

/// Sine between edges that count as parallel [-].
constexpr double kParallelEdges = 1e-9;

// Unit normal by Newell's method: robust for collinear consecutive vertices.
Vector3d newellNormal(const std::vector<Vector3d>& vertices, const std::vector<int>& loop) {
  Vector3d n = Vector3d::Zero();
  const Vector3d& origin = vertices[loop.front()];
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3d a = vertices[loop[k]] - origin;
    const Vector3d b = vertices[loop[(k + 1) % loop.size()]] - origin;
    n += a.cross(b);
  }
  return n.normalized();
}

// Edges found so far, by their vertices (smaller first).
using EdgeIndex = std::map<std::pair<int, int>, int>;

int edgeBetween(Polytope& polytope, EdgeIndex& index, int a, int b) {
  const auto [place, isNew] =
      index.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(polytope.edges.size()));
  if (isNew) {
    polytope.edges.emplace_back();
    polytope.edges.back().a = std::min(a, b);
    polytope.edges.back().b = std::max(a, b);
  }
  return place->second;
}

void addFace(Polytope& polytope, EdgeIndex& index, const FaceLoop& loop) {
  Polytope::Face face;
  face.normal = newellNormal(polytope.vertices, loop.vertices);
  face.offset = face.normal.dot(polytope.vertices[loop.vertices.front()]);
  face.firstBorder = static_cast<int>(polytope.borders.size());
  face.borderCount = static_cast<int>(loop.vertices.size());
  face.internal = loop.internal;
  for (std::size_t k = 0; k < loop.vertices.size(); ++k) {
    Polytope::Border border;
    border.vertex = loop.vertices[k];
    border.next = loop.vertices[(k + 1) % loop.vertices.size()];
    border.edge = edgeBetween(polytope, index, border.vertex, border.next);
    const Vector3d along = polytope.vertices[border.next] - polytope.vertices[border.vertex];
    border.outward = along.cross(face.normal).normalized();
    border.offset = border.outward.dot(polytope.vertices[border.vertex]);
    Polytope::Edge& edge = polytope.edges[border.edge];
    edge.outward[border.vertex == edge.a ? 0 : 1] = border.outward;
    edge.onSurface = edge.onSurface && !loop.internal;
    polytope.borders.push_back(border);
  }
  polytope.faces.push_back(face);
}

// A border is a coplanar seam if the face across it is internal and its own face is continued.
void markCoplanarSeams(Polytope& polytope, const std::vector<FaceLoop>& loops) {
  std::vector<char> touchesInternal(polytope.edges.size(), 0);
  for (const Polytope::Face& face : polytope.faces) {
    for (int k = 0; face.internal && k < face.borderCount; ++k) {
      touchesInternal[polytope.borders[face.firstBorder + k].edge] = 1;
    }
  }
  for (std::size_t f = 0; f < loops.size(); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    for (int k = 0; k < face.borderCount; ++k) {
      Polytope::Border& border = polytope.borders[face.firstBorder + k];
      border.isCoplanarSeam = loops[f].isContinued && touchesInternal[border.edge];
    }
  }
}

void gatherDirections(Polytope& polytope) {
  for (const Polytope::Edge& edge : polytope.edges) {
    const Vector3d d = (polytope.vertices[edge.b] - polytope.vertices[edge.a]).normalized();
    const bool known =
        std::any_of(polytope.edgeDirections.begin(), polytope.edgeDirections.end(),
                    [&](const Vector3d& other) { return other.cross(d).norm() <= kParallelEdges; });
    if (!known) polytope.edgeDirections.push_back(d);
    if (polytope.edgeDirections.size() > Polytope::kMaxEdgeDirections) return polytope.edgeDirections.clear();
  }
}

}  // namespace

Polytope makePolytope(std::vector<Vector3d> vertices, const std::vector<FaceLoop>& loops) {
  Polytope polytope;
  polytope.vertices = std::move(vertices);
  polytope.isCorner.assign(polytope.vertices.size(), 1);
  EdgeIndex index;
  for (const FaceLoop& loop : loops) addFace(polytope, index, loop);
  markCoplanarSeams(polytope, loops);
  assert(polytope.borders.size() == 2 * polytope.edges.size() && "the surface is not closed");
  gatherDirections(polytope);
  return polytope;
}

Polytope boxPolytope(const Vector3d& halfExtents) {
  std::vector<Vector3d> vertices;
  for (int k = 0; k < 8; ++k) {
    vertices.emplace_back((k & 1) ? halfExtents.x() : -halfExtents.x(),
                          (k & 2) ? halfExtents.y() : -halfExtents.y(),
                          (k & 4) ? halfExtents.z() : -halfExtents.z());
  }
  Polytope box = makePolytope(
      std::move(vertices),
      {{{0, 4, 6, 2}}, {{1, 3, 7, 5}}, {{0, 1, 5, 4}}, {{2, 6, 7, 3}}, {{0, 2, 3, 1}}, {{4, 5, 7, 6}}});
  box.isBox = true;
  for (int k = 0; k < 3; ++k) {
    box.halfEdges[k][k] = halfExtents[k];
    box.edgeDirections[k] = Vector3d::Unit(k);
  }
  return box;
}

Polytope hullPolytope(const Hull& hull) {
  ConvexHull surface = convexHull(hull.vertices);
  std::vector<FaceLoop> loops;
  loops.reserve(surface.faces.size());
  for (std::vector<int>& face : surface.faces) loops.push_back({std::move(face)});
  return makePolytope(std::move(surface.vertices), loops);
}

Polytope transformed(const Polytope& polytope, const Pose& X_AB) {
  Polytope result = polytope;
  for (Vector3d& p : result.vertices) p = X_AB * p;
  for (Polytope::Border& border : result.borders) {
    border.outward = X_AB.q * border.outward;
    border.offset = border.outward.dot(result.vertices[border.vertex]);
  }
  for (Polytope::Face& face : result.faces) {
    face.normal = X_AB.q * face.normal;
    face.offset = face.normal.dot(result.vertices[result.borders[face.firstBorder].vertex]);
  }
  for (Vector3d& direction : result.edgeDirections) direction = X_AB.q * direction;
  result.boxCenter = X_AB * polytope.boxCenter;
  for (Vector3d& half : result.halfEdges) half = X_AB.q * half;
  for (Polytope::Edge& edge : result.edges) {
    for (Vector3d& outward : edge.outward) outward = X_AB.q * outward;
  }
  return result;
}

double volume(const Polytope& polytope) {
  double sum = 0;
  const Vector3d& apex = polytope.vertices.front();
  for (const Polytope::Face& face : polytope.faces) {
    const Vector3d a = polytope.vertices[polytope.borders[face.firstBorder].vertex] - apex;
    for (int k = 1; k + 1 < face.borderCount; ++k) {
      const Polytope::Border& border = polytope.borders[face.firstBorder + k];
      const Vector3d b = polytope.vertices[border.vertex] - apex;
      const Vector3d c = polytope.vertices[border.next] - apex;
      sum += a.dot(b.cross(c)) / 6.0;
    }
  }
  return sum;
}

}  // namespace tenon::physics
