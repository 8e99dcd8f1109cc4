// Intersects the edges of one triangle with the other one (after Möller 1997).
#include "content/mesh/self_intersections.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

/// A triangle's plane: a normal of any length, and the length.
struct TrianglePlane {
  explicit TrianglePlane(const TriangleCorners& t)
      : n((t[1] - t[0]).cross(t[2] - t[0])), area(n.norm()), origin(t[0]) {}
  std::array<double, 3> heightsOf(const TriangleCorners& t) const {
    return {n.dot(t[0] - origin) / area, n.dot(t[1] - origin) / area, n.dot(t[2] - origin) / area};
  }
  Vector3d n;
  double area;
  Vector3d origin;
};

/// True if an edge between corners at these heights may cross the plane, with both ends further than `depth`
/// from it.
bool mayCross(const std::array<double, 3>& heights, double depth) {
  const auto [low, high] = std::minmax({heights[0], heights[1], heights[2]});
  return low <= -depth && high >= depth;
}

/// Intersection of the segment a → b with a triangle, its border included (diagonals of intersecting boxes
/// meet there); both ends, which are `ha` and `hb` above its plane, must be further than `depth` from it.
std::optional<Vector3d> edgeIntersection(const TriangleCorners& t, const TrianglePlane& plane,
                                         const Vector3d& a, double ha, const Vector3d& b, double hb,
                                         double depth) {
  if (std::min(ha, hb) > -depth || std::max(ha, hb) < depth) return std::nullopt;
  const Vector3d p = a + ha / (ha - hb) * (b - a);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d side = t[(k + 1) % 3] - t[k];
    if (plane.n.cross(side).dot(p - t[k]) < -depth * plane.area * side.norm()) return std::nullopt;
  }
  return p;
}

/// True if p, in the plane of a triangle, lies further than `depth` inside its border.
bool isInsideBorder(const TriangleCorners& t, const Vector3d& p, double depth) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d side = t[(k + 1) % 3] - t[k];
    if (n.cross(side).dot(p - t[k]) < depth * n.norm() * side.norm()) return false;
  }
  return true;
}

/// The midpoint of the intersection segment of two triangles if it is inside both: along a border they only
/// touch.
std::optional<Vector3d> triangleIntersection(const TriangleCorners& a, const TrianglePlane& planeA,
                                             const TriangleCorners& b, const TrianglePlane& planeB,
                                             double depth) {
  const bool hasAreas = planeA.area != 0 && planeB.area != 0;
  const std::array<double, 3> ofA = planeB.heightsOf(a), ofB = planeA.heightsOf(b);
  if (hasAreas && !mayCross(ofA, depth) && !mayCross(ofB, depth)) return std::nullopt;
  std::vector<Vector3d> points;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    if (planeB.area != 0)
      if (const auto p = edgeIntersection(b, planeB, a[k], ofA[k], a[next], ofA[next], depth))
        points.push_back(*p);
    if (planeA.area != 0)
      if (const auto p = edgeIntersection(a, planeA, b[k], ofB[k], b[next], ofB[next], depth))
        points.push_back(*p);
  }
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vector3d middle = 0.5 * (points[0] + points[k]);
    if (isInsideBorder(a, middle, depth) && isInsideBorder(b, middle, depth)) return middle;
  }
  return std::nullopt;
}

bool shareVertex(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  return std::any_of(a.begin(), a.end(), [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); });
}

/// The body of each triangle, identified by the index of its first triangle.
std::vector<int> bodiesOf(const RepairedMesh& mesh) {
  std::vector<int> body(mesh.mesh.triangles.size(), -1), stack;
  for (std::size_t first = 0; first < body.size(); ++first) {
    if (body[first] >= 0) continue;
    stack.assign(1, static_cast<int>(first));
    body[first] = static_cast<int>(first);
    while (!stack.empty()) {
      const auto t = static_cast<std::size_t>(stack.back());
      stack.pop_back();
      for (const int other : mesh.neighbors[t]) {
        if (other < 0 || body[static_cast<std::size_t>(other)] >= 0) continue;
        body[static_cast<std::size_t>(other)] = static_cast<int>(first);
        stack.push_back(other);
      }
    }
  }
  return body;
}

/// The vertex of a body with the largest distance from the faces of the others, and that distance [m].
std::pair<double, Vector3d> farthestVertex(const std::vector<TriangleCorners>& body,
                                           const TriangleBvh& others) {
  std::pair<double, Vector3d> best{-1, Vector3d::Zero()};
  for (const TriangleCorners& t : body)
    for (const Vector3d& p : t)
      if (const double distance = others.nearest(p).distance; distance > best.first) best = {distance, p};
  return best;
}

/// Counts outward-facing bodies inside the material of the others.
void findNested(const RepairedMesh& mesh, const std::vector<TriangleCorners>& all, SelfIntersections& found) {
  const std::vector<int> body = bodiesOf(mesh);
  for (std::size_t first = 0; first < body.size(); ++first) {
    if (body[first] != static_cast<int>(first)) continue;
    std::vector<TriangleCorners> own, others;
    double sixVolumes = 0;
    const Vector3d& o = all[first][0];
    for (std::size_t t = 0; t < all.size(); ++t) {
      (body[t] == body[first] ? own : others).push_back(all[t]);
      if (body[t] == body[first]) sixVolumes += (all[t][0] - o).dot((all[t][1] - o).cross(all[t][2] - o));
    }
    if (others.empty()) return;
    if (sixVolumes <= 0) continue;
    const TriangleBvh tree(std::move(others));
    const auto [distance, p] = farthestVertex(own, tree);
    if (distance <= 2 * mesh.weldDistance || !tree.isInside(p)) continue;
    if (found.nested++ == 0 && found.pairs == 0) found.position = p;
  }
}

/// Adds the intersections of a triangle with those after it.
void addPairs(const RepairedMesh& mesh, const TriangleBvh& tree, const std::vector<TrianglePlane>& planes,
              std::size_t t, double depth, SelfIntersections& found) {
  const TriangleCorners& own = tree.triangle(static_cast<int>(t));
  const Eigen::AlignedBox3d box = Eigen::AlignedBox3d(own[0]).extend(own[1]).extend(own[2]);
  tree.visitOverlapping(box, [&](int other) {
    if (other <= static_cast<int>(t) ||
        shareVertex(mesh.mesh.triangles[t], mesh.mesh.triangles[static_cast<std::size_t>(other)]))
      return;
    const auto p =
        triangleIntersection(own, planes[t], tree.triangle(other), planes[static_cast<std::size_t>(other)],
                             std::max(depth, mesh.weldDistance));
    if (!p || found.pairs++ > 0) return;
    found.position = *p;
    found.first = mesh.sources[t] + 1;
    found.second = mesh.sources[static_cast<std::size_t>(other)] + 1;
  });
}

}  // namespace

SelfIntersections findSelfIntersections(const RepairedMesh& mesh, double depth) {
  /// Nested bodies are searched only up to this number of bodies.
  constexpr std::size_t kMaxBodies = 100;
  SelfIntersections found;
  const std::vector<TriangleCorners> all = trianglesOf(mesh.mesh);
  const TriangleBvh tree(all);
  const std::vector<TrianglePlane> planes(all.begin(), all.end());
  constexpr std::size_t kGrain = 4096;
  std::vector<SelfIntersections> parts((all.size() + kGrain - 1) / kGrain);
  physics::parallelFor(all.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) addPairs(mesh, tree, planes, t, depth, parts[first / kGrain]);
  });
  for (const SelfIntersections& part : parts) {
    const std::size_t pairs = found.pairs + part.pairs;
    if (found.pairs == 0 && part.pairs > 0) found = part;
    found.pairs = pairs;
  }
  if (mesh.report.bodies > 1 && mesh.report.bodies <= kMaxBodies) findNested(mesh, all, found);
  return found;
}

}  // namespace tenon::content
