// See close_cracks.h.
#include "content/mesh/close_cracks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "content/mesh/sorted_edges.h"
#include "content/mesh/triangle_bvh.h"

namespace tenon::content {
namespace {

/// Each pass splits at most one edge of a triangle.
constexpr int kMaxPasses = 16;

struct OpenEdge {
  int triangle = 0, side = 0;
  int from = 0, to = 0;  ///< vertices
};

/// Edges of exactly one triangle.
std::vector<OpenEdge> openEdges(const TriangleMesh& mesh) {
  const std::vector<MeshEdge> edges = sortedEdges(mesh);
  std::vector<OpenEdge> open;
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    if (end - k != 1) continue;
    const auto& t = mesh.triangles[static_cast<std::size_t>(edges[k].triangle)];
    const auto side = static_cast<std::size_t>(edges[k].side);
    open.push_back({edges[k].triangle, edges[k].side, t[side], t[(side + 1) % 3]});
  }
  return open;
}

std::vector<int> openVertices(const std::vector<OpenEdge>& open) {
  std::vector<int> list;
  for (const OpenEdge& edge : open) list.insert(list.end(), {edge.from, edge.to});
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Eigen::AlignedBox3d boxAround(const Vector3d& p, double distance) {
  return {p - Vector3d::Constant(distance), p + Vector3d::Constant(distance)};
}

class CrackCloser {
 public:
  CrackCloser(TriangleMesh& mesh, std::vector<int>& sources, double distance)
      : mesh_(mesh), sources_(sources), distance_(distance) {}

  void joinVertices() {
    const std::vector<int> vertices = openVertices(openEdges(mesh_));
    std::vector<TriangleCorners> points;
    for (const int v : vertices) points.push_back({at(v), at(v), at(v)});
    const TriangleBvh tree(points);
    std::vector<int> target(mesh_.vertices.size());
    std::iota(target.begin(), target.end(), 0);
    for (const int v : vertices)
      tree.visitOverlapping(boxAround(at(v), distance_), [&](int k) {
        const int other = vertices[static_cast<std::size_t>(k)];
        int& first = target[static_cast<std::size_t>(v)];
        if (other < first && target[static_cast<std::size_t>(other)] == other &&
            (at(other) - at(v)).norm() <= distance_)
          first = other;
      });
    for (const int v : vertices) {
      const int first = target[static_cast<std::size_t>(v)];
      closed_.joinedVertices += first != v;
      closed_.joinedOffset = std::max(closed_.joinedOffset, (at(first) - at(v)).norm());
    }
    for (auto& t : mesh_.triangles)
      for (int& v : t) v = target[static_cast<std::size_t>(v)];
    removeDegenerate();
  }

  void splitEdges() {
    for (int pass = 0; pass < kMaxPasses; ++pass)
      if (!splitOnce(openEdges(mesh_))) return;
  }

  /// Removes the vertices at which edges were split where the surface is straight there: a vertex in the
  /// middle of a facet's edge lies beside the round face that the facet stands for.
  void removeStraightVertices() {
    if (atSplits_.empty()) return;
    std::vector<std::vector<int>> around(mesh_.vertices.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const int v : mesh_.triangles[t])
        around[static_cast<std::size_t>(v)].push_back(static_cast<int>(t));
    for (const auto& [v, ends] : atSplits_)
      for (const int end : ends)
        if (tryCollapse(v, end, around)) break;
    removeDegenerate();
  }

  const ClosedCracks& closed() const { return closed_; }

 private:
  /// Vertices on an edge with their distance from its start.
  using EdgeVertices = std::vector<std::pair<double, int>>;

  const Vector3d& at(int v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  /// Removes triangles that have no area after joinVertices().
  void removeDegenerate() {
    std::size_t count = 0;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const auto [a, b, c] = mesh_.triangles[t];
      if (a == b || b == c || c == a) continue;
      mesh_.triangles[count] = mesh_.triangles[t];
      sources_[count++] = sources_[t];
    }
    mesh_.triangles.resize(count);
    sources_.resize(count);
  }

  const std::array<int, 3>& triangle(int t) const { return mesh_.triangles[static_cast<std::size_t>(t)]; }
  bool isGone(int t) const {
    const auto& [a, b, c] = triangle(t);
    return a == b || b == c || c == a;
  }

  /// Moves vertex v to `end` if all triangles around it keep their planes and sides.
  bool tryCollapse(int v, int end, std::vector<std::vector<int>>& around) {
    const auto& own = around[static_cast<std::size_t>(v)];
    std::vector<int> near, common;  // vertices around v, and those of them around `end` too
    for (const int t : own)
      if (!isGone(t)) near.insert(near.end(), triangle(t).begin(), triangle(t).end());
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    if (!std::binary_search(near.begin(), near.end(), end)) return false;
    for (const int t : around[static_cast<std::size_t>(end)])
      if (!isGone(t))
        for (const int w : triangle(t))
          if (w != v && w != end && std::binary_search(near.begin(), near.end(), w)) common.push_back(w);
    std::sort(common.begin(), common.end());
    common.erase(std::unique(common.begin(), common.end()), common.end());
    if (common.size() != 2) return false;
    for (const int t : own)
      if (!isGone(t) && !keepsPlane(t, v, end)) return false;
    for (const int t : own) {
      auto& corners = mesh_.triangles[static_cast<std::size_t>(t)];
      std::replace(corners.begin(), corners.end(), v, end);
      if (!isGone(t)) around[static_cast<std::size_t>(end)].push_back(t);
    }
    return true;
  }

  /// True if a triangle vanishes when its corner v moves to `end`, or stays in its plane and does not turn
  /// over.
  bool keepsPlane(int t, int v, int end) const {
    std::array<int, 3> moved = triangle(t);
    if (std::find(moved.begin(), moved.end(), end) != moved.end()) return true;
    std::replace(moved.begin(), moved.end(), v, end);
    const auto normal = [&](const std::array<int, 3>& c) {
      return Vector3d((at(c[1]) - at(c[0])).cross(at(c[2]) - at(c[0])));
    };
    const Vector3d before = normal(triangle(t)), after = normal(moved);
    if (!(before.norm() > 0) || !(after.dot(before) > 0)) return false;
    return std::abs(before.normalized().dot(at(end) - at(v))) <= distance_ &&
           std::abs(after.normalized().dot(at(v) - at(end))) <= distance_;
  }

  bool splitOnce(const std::vector<OpenEdge>& open) {
    std::vector<TriangleCorners> segments;
    for (const OpenEdge& edge : open) segments.push_back({at(edge.from), at(edge.to), at(edge.to)});
    const TriangleBvh tree(segments);
    std::map<int, EdgeVertices> splits;  // by open edge
    for (const int v : openVertices(open))
      tree.visitOverlapping(boxAround(at(v), distance_), [&](int k) {
        if (const double along = positionOnEdge(open[static_cast<std::size_t>(k)], v); along > 0)
          splits[k].emplace_back(along, v);
      });
    std::vector<char> done(mesh_.triangles.size(), 0);
    for (auto& [k, list] : splits) {
      const OpenEdge& edge = open[static_cast<std::size_t>(k)];
      if (std::exchange(done[static_cast<std::size_t>(edge.triangle)], 1)) continue;
      std::sort(list.begin(), list.end());
      splitEdge(edge, list);
    }
    return !splits.empty();
  }

  /// Distance of a vertex on an edge from the start of the edge [m]; 0 if the vertex is not on the edge or
  /// belongs to its triangle.
  double positionOnEdge(const OpenEdge& edge, int v) const {
    const auto& t = mesh_.triangles[static_cast<std::size_t>(edge.triangle)];
    if (std::find(t.begin(), t.end(), v) != t.end()) return 0;
    const Vector3d d = at(edge.to) - at(edge.from), w = at(v) - at(edge.from);
    const double length = d.norm(), along = w.dot(d) / length;
    if (!(along > distance_ && along < length - distance_)) return 0;
    return (w - along / length * d).norm() <= distance_ ? along : 0;
  }

  /// Replaces the triangle by a fan from the opposite corner.
  void splitEdge(const OpenEdge& edge, const EdgeVertices& vertices) {
    const auto t = static_cast<std::size_t>(edge.triangle);
    const int opposite = mesh_.triangles[t][static_cast<std::size_t>((edge.side + 2) % 3)];
    int from = edge.from;
    for (const auto& [along, v] : vertices) {
      atSplits_[v] = {edge.from, edge.to};
      const Vector3d d = (at(edge.to) - at(edge.from)).normalized();
      closed_.splitOffset = std::max(closed_.splitOffset, (at(v) - at(edge.from) - along * d).norm());
      mesh_.triangles.push_back({from, v, opposite});
      sources_.push_back(sources_[t]);
      from = v;
      ++closed_.splitEdges;
    }
    mesh_.triangles[t] = {from, edge.to, opposite};
  }

  TriangleMesh& mesh_;
  std::vector<int>& sources_;
  double distance_;
  ClosedCracks closed_;
  std::map<int, std::array<int, 2>> atSplits_;  // vertices at which edges were split, and those edges' ends
};

}  // namespace

ClosedCracks closeCracks(TriangleMesh& mesh, std::vector<int>& sources, double distance) {
  const std::size_t before = openEdges(mesh).size();
  if (before == 0) return {};
  const TriangleMesh original = mesh;
  const std::vector<int> originalSources = sources;
  CrackCloser closer(mesh, sources, distance);
  closer.joinVertices();
  closer.splitEdges();
  if (openEdges(mesh).size() < before) {
    closer.removeStraightVertices();
    return closer.closed();
  }
  mesh = original;
  sources = originalSources;
  return {};
}

}  // namespace tenon::content
