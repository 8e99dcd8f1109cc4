// See close_cracks.h.
#include "content/mesh/close_cracks.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "content/mesh/sorted_edges.h"
#include "content/mesh/triangle_bvh.h"

namespace tenon::content {
namespace {

/// Each pass splits at most one edge of a triangle.
constexpr int kMaxPasses = 16;
/// Open edges that are followed to find the rows of one edge.
constexpr int kMaxRowSteps = 4096;
/// Each distance at which vertices are joined, over the one before [-].
constexpr double kDistanceStep = 4;

struct OpenEdge {
  int triangle = 0, side = 0;
  int from = 0, to = 0;  ///< vertices
};

/// Triangles at edges along which not as many of them run one way as the other, edge by edge: none in a
/// closed mesh whose triangles face as their neighbors do.
std::vector<OpenEdge> oddEdges(const TriangleMesh& mesh) {
  const std::vector<MeshEdge> edges = sortedEdges(mesh);
  std::vector<OpenEdge> odd;
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    const std::size_t before = odd.size();
    int upwards = 0;  // from the smaller vertex to the larger one, less the others
    for (; end < edges.size() && edges[end].key == edges[k].key; ++end) {
      const auto& t = mesh.triangles[static_cast<std::size_t>(edges[end].triangle)];
      const auto side = static_cast<std::size_t>(edges[end].side);
      const int from = t[side], to = t[(side + 1) % 3];
      upwards += from < to ? 1 : -1;
      odd.push_back({edges[end].triangle, edges[end].side, from, to});
    }
    if (upwards == 0) odd.resize(before);
  }
  return odd;
}

bool isSameEdge(const OpenEdge& a, const OpenEdge& b) {
  return std::minmax(a.from, a.to) == std::minmax(b.from, b.to);
}

/// Edges of exactly one triangle.
std::vector<OpenEdge> openEdges(const TriangleMesh& mesh) {
  const std::vector<OpenEdge> odd = oddEdges(mesh);
  std::vector<OpenEdge> open;
  for (std::size_t k = 0, end = 0; k < odd.size(); k = end) {
    while (end < odd.size() && isSameEdge(odd[end], odd[k])) ++end;
    if (end - k == 1) open.push_back(odd[k]);
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

  /// Splits edges that a row of other edges connects from end to end, all of an odd number of triangles: the
  /// row belongs to no other edge, however narrow the triangles at it are. Edges with one row come first; of
  /// several rows, the one closest to its edge is used.
  void splitAtRows() {
    for (int pass = 0; pass < kMaxPasses; ++pass)
      if (!splitAtRowsOnce()) return;
  }

  /// Joins vertices and splits edges within distances that increase from `least` [m], so that each vertex is
  /// joined to what is closest, and only what is still open to what is farther. Reverts all unless the number
  /// of open edges decreases.
  void closeByDistance(double least) {
    const std::size_t before = open().size();
    if (before == 0) return;
    const TriangleMesh mesh = mesh_;
    const std::vector<int> sources = sources_;
    const ClosedCracks closed = closed_;
    const auto atSplits = atSplits_;
    const auto splitOrder = splitOrder_;
    for (double distance = std::min(least, distance_); !open().empty(); distance *= kDistanceStep) {
      const double within = std::min(distance, distance_);
      while (joinVertices(within)) {
      }
      for (int pass = 0; pass < kMaxPasses && splitOnce(within); ++pass) {
      }
      if (distance >= distance_) break;
    }
    if (open().size() < before) return;
    mesh_ = mesh;
    sources_ = sources;
    closed_ = closed;
    atSplits_ = atSplits;
    splitOrder_ = splitOrder;
    isChanged_ = true;
  }

  /// Edges of exactly one triangle.
  const std::vector<OpenEdge>& open() {
    if (std::exchange(isChanged_, false)) open_ = openEdges(mesh_);
    return open_;
  }

  /// Removes the vertices at which edges were split where the surface is straight there: a vertex in the
  /// middle of a facet's edge lies beside the round face that the facet stands for.
  void removeStraightVertices() {
    if (atSplits_.empty()) return;
    std::vector<std::vector<int>> around(mesh_.vertices.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const int v : mesh_.triangles[t])
        around[static_cast<std::size_t>(v)].push_back(static_cast<int>(t));
    // In their order along edges. One that cannot be removed before its neighbors are is removed in a later
    // pass.
    const auto isRemoved = [&](int v) {
      const auto split = atSplits_.find(v);
      if (split == atSplits_.end()) return true;
      const auto [start, end] = split->second;
      if (!tryCollapse(v, start, around) && !tryCollapse(v, end, around)) return false;
      atSplits_.erase(split);
      return true;
    };
    while (std::erase_if(splitOrder_, isRemoved) > 0) {
    }
    removeDegenerate();
  }

  const ClosedCracks& closed() const { return closed_; }

 private:
  /// Vertices on an edge with their distance from its start.
  using EdgeVertices = std::vector<std::pair<double, int>>;

  const Vector3d& at(int v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }

  /// Removes triangles of which two corners are one vertex.
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
    // The outline of an open mesh stays.
    for (const int w : near)
      if (w != v &&
          std::count_if(own.begin(), own.end(), [&](int t) { return !isGone(t) && isCorner(t, w); }) % 2 != 0)
        return false;
    const auto vanishing =
        std::count_if(own.begin(), own.end(), [&](int t) { return !isGone(t) && isCorner(t, end); });
    // Two, or more where bodies touch: triangles with the same vertices would remain of others.
    if (vanishing < 2 || static_cast<std::size_t>(vanishing) != common.size()) return false;
    for (const int t : own)
      if (!isGone(t) && !keepsPlane(t, v, end)) return false;
    for (const int t : own) {
      auto& corners = mesh_.triangles[static_cast<std::size_t>(t)];
      std::replace(corners.begin(), corners.end(), v, end);
      if (!isGone(t)) around[static_cast<std::size_t>(end)].push_back(t);
    }
    return true;
  }

  /// True if the corners of a triangle lie on a line but for the rounding of a double; `normal`: twice its
  /// area.
  bool hasNoArea(const std::array<int, 3>& corners, const Vector3d& normal) const {
    constexpr double kRounding = 1e-12;
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, (at(corners[(k + 1) % 3]) - at(corners[k])).squaredNorm());
    return !(normal.norm() > kRounding * longest);
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
    if (hasNoArea(triangle(t), before)) return hasNoArea(moved, after);
    if (!(after.dot(before) > 0)) return false;
    return std::abs(before.normalized().dot(at(end) - at(v))) <= distance_ &&
           std::abs(after.normalized().dot(at(v) - at(end))) <= distance_;
  }

  // --- rows of open edges ---------------------------------------------------------------------------------

  /// Odd edges that connect the ends of another one, within the distance and in order along it.
  struct Row {
    std::size_t first = 0, end = 0;  ///< the triangles at the edge along the row
    EdgeVertices vertices;
    double offset = 0;  ///< largest distance of a vertex from the edge [m]
    bool isOnly = true;
  };

  /// Both ends of each odd edge, in both orders, sorted.
  using Links = std::vector<std::pair<int, int>>;

  /// Continues the row `path` along an edge, of which `sides` are all, by all links, and stores the closest
  /// complete one.
  void followRow(std::span<const OpenEdge> sides, const Links& links, int& steps, Row& path,
                 std::vector<Row>& found) const {
    const OpenEdge& edge = sides.front();
    const int last = path.vertices.empty() ? edge.from : path.vertices.back().second;
    const double before = path.vertices.empty() ? 0 : path.vertices.back().first, offset = path.offset;
    for (auto link = std::lower_bound(links.begin(), links.end(), std::pair(last, -1));
         link != links.end() && link->first == last && ++steps <= kMaxRowSteps; ++link) {
      const int next = link->second;
      if (next == edge.to && !path.vertices.empty()) {
        const bool isOnly = found.empty();
        if (isOnly || path.offset < found.front().offset) found.assign(1, path);
        found.front().isOnly = isOnly;
      }
      const Projection on = projection(edge, next);
      if (std::any_of(sides.begin(), sides.end(),
                      [&](const OpenEdge& s) { return isCorner(s.triangle, next); }) ||
          !(on.along > before && on.along < on.length && on.offset <= distance_))
        continue;
      path.vertices.emplace_back(on.along, next);
      path.offset = std::max(offset, on.offset);
      followRow(sides, links, steps, path, found);
      path.vertices.pop_back();
      path.offset = offset;
    }
  }

  /// The row along each odd edge that has one: those that are the only one first, then the closest first.
  /// With `isOpposed`, only rows that run against their edge, as triangles that face the same side have them.
  std::vector<Row> findRows(const std::vector<OpenEdge>& odd, bool isOpposed) const {
    Links links;
    for (const OpenEdge& edge : odd) {
      links.emplace_back(edge.to, edge.from);
      if (!isOpposed) links.emplace_back(edge.from, edge.to);
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    std::vector<Row> rows;
    for (std::size_t k = 0, end = 0; k < odd.size(); k = end) {
      while (end < odd.size() && isSameEdge(odd[end], odd[k])) ++end;
      std::vector<Row> found;
      Row path;
      path.first = k;
      path.end = end;
      int steps = 0;
      followRow(std::span(odd).subspan(k, end - k), links, steps, path, found);
      if (steps > kMaxRowSteps)  // others were not tried
        for (Row& row : found) row.isOnly = false;
      rows.insert(rows.end(), found.begin(), found.end());
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return std::tuple(!a.isOnly, a.offset, a.first) < std::tuple(!b.isOnly, b.offset, b.first);
    });
    return rows;
  }

  bool splitAtRowsOnce() {
    const std::vector<OpenEdge> odd = oddEdges(mesh_);
    std::vector<Row> rows = findRows(odd, true);
    if (rows.empty()) rows = findRows(odd, false);
    std::set<std::pair<int, int>> used;  // edges, the smaller vertex first
    std::set<int> split;                 // triangles
    for (const Row& row : rows) {
      if (!row.isOnly && rows.front().isOnly) break;  // these may have one row only afterwards
      const OpenEdge& edge = odd[row.first];
      std::vector<std::pair<int, int>> own{std::minmax(edge.from, edge.to)};
      int last = edge.from;
      for (const auto& [along, v] : row.vertices) own.emplace_back(std::minmax(std::exchange(last, v), v));
      own.emplace_back(std::minmax(last, edge.to));
      const auto first = odd.begin() + static_cast<std::ptrdiff_t>(row.first),
                 end = odd.begin() + static_cast<std::ptrdiff_t>(row.end);
      if (std::any_of(own.begin(), own.end(), [&](const auto& e) { return used.contains(e); }) ||
          std::any_of(first, end, [&](const OpenEdge& e) { return split.contains(e.triangle); }))
        continue;
      used.insert(own.begin(), own.end());
      for (auto at = first; at != end; ++at) {
        split.insert(at->triangle);
        EdgeVertices vertices = row.vertices;
        if (at->from != edge.from) std::reverse(vertices.begin(), vertices.end());
        splitEdge(*at, vertices);
      }
    }
    return !rows.empty();
  }

  // --- within a distance ----------------------------------------------------------------------------------

  /// Edges of two or more triangles between open vertices, the smaller vertex first, sorted.
  std::vector<std::uint64_t> closedEdges(const std::vector<int>& vertices) const {
    std::vector<std::uint64_t> closed;
    const std::vector<MeshEdge> edges = sortedEdges(mesh_);
    const auto isOpen = [&](std::uint64_t v) {
      return std::binary_search(vertices.begin(), vertices.end(), static_cast<int>(v));
    };
    for (std::size_t k = 1; k < edges.size(); ++k)
      if (edges[k].key == edges[k - 1].key && isOpen(edges[k].key >> 32) &&
          isOpen(edges[k].key & 0xffffffffU))
        closed.push_back(edges[k].key);
    return closed;
  }

  /// Merges open vertices, the closest first, unless an edge that is closed would vanish; two groups of
  /// merged vertices only by the next call. False if there was nothing to merge.
  bool joinVertices(double distance) {
    const std::vector<int> vertices = openVertices(open());
    std::vector<TriangleCorners> points;
    for (const int v : vertices) points.push_back({at(v), at(v), at(v)});
    const TriangleBvh tree(points);
    std::vector<std::tuple<double, int, int>> pairs;
    for (const int v : vertices)
      tree.visitOverlapping(boxAround(at(v), distance), [&](int k) {
        const int other = vertices[static_cast<std::size_t>(k)];
        const double apart = (at(other) - at(v)).norm();
        if (other < v && apart <= distance) pairs.emplace_back(apart, other, v);
      });
    if (pairs.empty()) return false;
    std::sort(pairs.begin(), pairs.end());
    const std::vector<std::uint64_t> closed = closedEdges(vertices);
    std::vector<int> target(mesh_.vertices.size(), -1);
    std::map<int, std::vector<int>> merged;  // by target, without it
    bool isMerged = false;
    for (const auto& [apart, first, v] : pairs) {
      if (target[static_cast<std::size_t>(first)] >= 0 || target[static_cast<std::size_t>(v)] >= 0 ||
          merged.contains(v))
        continue;
      const auto isClosedTo = [&, v = v](int w) {
        const auto [low, high] = std::minmax(v, w);
        return std::binary_search(closed.begin(), closed.end(),
                                  static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high));
      };
      if (isClosedTo(first)) continue;
      std::vector<int>& members = merged[first];
      if (std::any_of(members.begin(), members.end(), isClosedTo)) continue;
      double& moved = moved_[first];  // the farthest of what was merged with it
      const auto own = moved_.find(v);
      const double farthest = std::max(moved, apart + (own != moved_.end() ? own->second : 0));
      if (farthest > 2 * distance_) continue;
      moved = farthest;
      target[static_cast<std::size_t>(v)] = first;
      members.push_back(v);
      isMerged = true;
      ++closed_.joinedVertices;
      closed_.joinedOffset = std::max(closed_.joinedOffset, moved);
    }
    if (!isMerged) return false;
    for (auto& t : mesh_.triangles)
      for (int& v : t)
        if (const int first = target[static_cast<std::size_t>(v)]; first >= 0) v = first;
    renameSplits(target);
    removeDegenerate();
    isChanged_ = true;
    return true;
  }

  /// Vertices at splits that were merged are those with which they were.
  void renameSplits(const std::vector<int>& target) {
    const auto renamed = [&](int v) {
      const int to = target[static_cast<std::size_t>(v)];
      return to >= 0 ? to : v;
    };
    std::map<int, std::array<int, 2>> splits;
    for (const auto& [v, ends] : atSplits_) {
      const std::array<int, 2> to{renamed(ends[0]), renamed(ends[1])};
      if (const int at = renamed(v); at != to[0] && at != to[1]) splits[at] = to;
    }
    atSplits_ = std::move(splits);
    for (int& v : splitOrder_) v = renamed(v);
  }

  bool splitOnce(double distance) {
    std::vector<TriangleCorners> segments;
    for (const OpenEdge& edge : open()) segments.push_back({at(edge.from), at(edge.to), at(edge.to)});
    const TriangleBvh tree(segments);
    std::map<int, EdgeVertices> splits;  // by open edge
    for (const int v : openVertices(open()))
      tree.visitOverlapping(boxAround(at(v), distance), [&](int k) {
        const OpenEdge& edge = open_[static_cast<std::size_t>(k)];
        const Projection on = projection(edge, v);
        if (!isCorner(edge.triangle, v) && on.along > distance_ && on.along < on.length - distance_ &&
            on.offset <= distance)
          splits[k].emplace_back(on.along, v);
      });
    std::vector<char> done(mesh_.triangles.size(), 0);
    for (auto& [k, list] : splits) {
      const OpenEdge edge = open_[static_cast<std::size_t>(k)];
      if (std::exchange(done[static_cast<std::size_t>(edge.triangle)], 1)) continue;
      std::sort(list.begin(), list.end());
      splitEdge(edge, list);
    }
    return !splits.empty();
  }

  // --- edges ----------------------------------------------------------------------------------------------

  struct Projection {
    double along = 0, length = 0;  ///< from the start of the edge, and of the edge [m]
    double offset = 0;             ///< distance from the edge's line [m]
  };
  Projection projection(const OpenEdge& edge, int v) const {
    const Vector3d d = at(edge.to) - at(edge.from), w = at(v) - at(edge.from);
    const double length = d.norm(), along = w.dot(d) / length;
    return {along, length, (w - along / length * d).norm()};
  }

  bool isCorner(int t, int v) const {
    const auto& corners = triangle(t);
    return std::find(corners.begin(), corners.end(), v) != corners.end();
  }

  /// Replaces the triangle by a fan from the opposite corner.
  void splitEdge(const OpenEdge& edge, const EdgeVertices& vertices) {
    const auto t = static_cast<std::size_t>(edge.triangle);
    const int opposite = mesh_.triangles[t][static_cast<std::size_t>((edge.side + 2) % 3)];
    int from = edge.from;
    for (const auto& [along, v] : vertices) {
      if (atSplits_.insert_or_assign(v, std::array{edge.from, edge.to}).second) splitOrder_.push_back(v);
      closed_.splitOffset = std::max(closed_.splitOffset, projection(edge, v).offset);
      mesh_.triangles.push_back({from, v, opposite});
      sources_.push_back(sources_[t]);
      from = v;
      ++closed_.splitEdges;
    }
    mesh_.triangles[t] = {from, edge.to, opposite};
    isChanged_ = true;
  }

  TriangleMesh& mesh_;
  std::vector<int>& sources_;
  double distance_;
  ClosedCracks closed_;
  std::vector<OpenEdge> open_;                  // of the mesh as it was last read
  bool isChanged_ = true;                       // since open_ was listed
  std::map<int, std::array<int, 2>> atSplits_;  // vertices at which edges were split, and those edges' ends
  std::vector<int> splitOrder_;                 // of these vertices
  std::map<int, double> moved_;  // bounds of how far vertices merged with these were from them [m]
};

}  // namespace

ClosedCracks splitAtRows(TriangleMesh& mesh, std::vector<int>& sources, double distance) {
  CrackCloser closer(mesh, sources, distance);
  closer.splitAtRows();
  closer.removeStraightVertices();
  return closer.closed();
}

ClosedCracks closeCracks(TriangleMesh& mesh, std::vector<int>& sources, double least, double distance) {
  if (oddEdges(mesh).empty()) return {};
  CrackCloser closer(mesh, sources, distance);
  closer.splitAtRows();
  closer.closeByDistance(least);
  closer.removeStraightVertices();
  return closer.closed();
}

}  // namespace tenon::content
