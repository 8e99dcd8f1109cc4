// Solids of revolution against faces, edges and corners of convex polytopes.
#include "physics/collision/revolved/revolved_polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "physics/collision/revolved/contact_search.h"

namespace tenon::physics {
namespace {

void addFaces(const Polytope& polytope, PolytopeGeometry& g) {
  for (const Polytope::Face& face : polytope.faces) {
    if (face.internal)
      throw std::invalid_argument("the polytope has internal faces: it is not a complete part");
    g.flat.faces.push_back({face.normal, face.offset, static_cast<int>(g.flat.faces.size())});
    g.firstBorder.push_back(static_cast<int>(g.borders.size()));
    for (int k = 0; k < face.borderCount; ++k) {
      const Polytope::Border& border = polytope.borders[face.firstBorder + k];
      g.borders.push_back({border.outward, border.offset});
    }
  }
  g.firstBorder.push_back(static_cast<int>(g.borders.size()));
}

void addEdges(const Polytope& polytope, PolytopeGeometry& g) {
  std::vector<std::vector<Vector3d>> normals(polytope.edges.size());
  for (const Polytope::Face& face : polytope.faces)
    for (int k = 0; k < face.borderCount; ++k) {
      const Polytope::Border& border = polytope.borders[face.firstBorder + k];
      normals[static_cast<std::size_t>(border.edge)].push_back(face.normal);
    }
  int feature = static_cast<int>(g.flat.faces.size());
  for (std::size_t i = 0; i < polytope.edges.size(); ++i) {
    if (normals[i].size() != 2)
      throw std::invalid_argument("an edge of the polytope does not join two faces");
    const Vector3d& a = polytope.vertices[static_cast<std::size_t>(polytope.edges[i].a)];
    const Vector3d& b = polytope.vertices[static_cast<std::size_t>(polytope.edges[i].b)];
    g.flat.edges.push_back({a, b, normals[i][0], normals[i][1], feature++});
  }
  for (const Vector3d& vertex : polytope.vertices) g.flat.corners.push_back({vertex, feature++});
  if (feature > kMaxFeatures)
    throw std::invalid_argument("the polytope has more than 8192 faces, edges and corners");
}

bool withinBorders(const PolytopeGeometry& g, std::size_t face, const Vector3d& p) {
  for (int k = g.firstBorder[face]; k < g.firstBorder[face + 1]; ++k) {
    const PolytopeGeometry::Border& border = g.borders[static_cast<std::size_t>(k)];
    if (border.outward.dot(p) > border.offset) return false;
  }
  return true;
}

// Replaces `best` if an edge or corner is closer. `w`: from it to the query point; `square`: |w|².
void updateIfCloser(const Vector3d& w, double square, const Vector3d& bisector, int feature,
                    SurfaceHit& best) {
  if (square >= best.distance * best.distance) return;
  const double d = std::sqrt(square);
  best = {d, d > kMinDirectionLength ? Vector3d(w / d) : bisector.normalized(), feature, true};
}

SurfaceHit nearestFromOutside(const PolytopeGeometry& g, const Vector3d& p, const Vector3d& steepest) {
  SurfaceHit best;
  best.distance = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < g.flat.faces.size(); ++i) {
    const FlatFeatures::Face& face = g.flat.faces[i];
    const double d = face.normal.dot(p) - face.offset;
    if (d >= 0 && d < best.distance && withinBorders(g, i, p)) best = {d, face.normal, face.feature, false};
  }
  for (const FlatFeatures::Edge& edge : g.flat.edges) {
    const Vector3d along = edge.b - edge.a, w = p - edge.a;
    const double t = w.dot(along) / along.squaredNorm();
    if (t <= 0 || t >= 1) continue;
    const Vector3d across = w - t * along;
    updateIfCloser(across, across.squaredNorm(), edge.before + edge.after, edge.feature, best);
  }
  for (const FlatFeatures::Corner& corner : g.flat.corners)
    updateIfCloser(p - corner.p, (p - corner.p).squaredNorm(), steepest, corner.feature, best);
  return best;
}

}  // namespace

PolytopeGeometry prepare(const Polytope& polytope) {
  PolytopeGeometry g;
  addFaces(polytope, g);
  addEdges(polytope, g);
  g.center = polytope.vertices.front();
  Vector3d low = g.center, high = g.center;
  for (const Vector3d& vertex : polytope.vertices) low = low.cwiseMin(vertex), high = high.cwiseMax(vertex);
  g.center = 0.5 * (low + high);
  for (const Vector3d& vertex : polytope.vertices)
    g.boundingRadius = std::max(g.boundingRadius, (vertex - g.center).norm());
  return g;
}

SurfaceHit nearestOn(const PolytopeGeometry& g, const Vector3d& p) {
  SurfaceHit inside;
  inside.distance = -std::numeric_limits<double>::infinity();
  for (const FlatFeatures::Face& face : g.flat.faces) {
    const double d = face.normal.dot(p) - face.offset;
    if (d > inside.distance) inside = {d, face.normal, face.feature, false};
  }
  return inside.distance <= 0 ? inside : nearestFromOutside(g, p, inside.normal);
}

void revolvedPolytopeContacts(const RevolvedGeometry& a, const PolytopeGeometry& b, const Pose& X_BA,
                              double range, std::vector<SurfaceContact>& contacts) {
  const std::size_t first = contacts.size();
  const PlacedRevolved solid(a, X_BA);
  const PlacedPolytope polytope(b);
  const PairSearch pair{solid, polytope, range, contacts};
  forEachEdge(pair, Owner::kA, solid.surface, [&](EdgeSearch& edge) {
    edge.againstFaces(b.flat);
    edge.againstEdges(b.flat);
    edge.againstCorners(b.flat);
  });
  edgesAgainstSegments(pair, Owner::kB, b.flat, solid.surface);
  for (const FlatFeatures::Corner& corner : b.flat.corners)
    pointAgainst(pair, Owner::kB, corner.p, corner.feature, false);
  axisAgainst(pair, Owner::kA, solid.surface, first);
  finish(pair, first);
}

}  // namespace tenon::physics
