// See repair_mesh.h.
#include "content/mesh/repair_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "content/mesh/close_cracks.h"
#include "content/mesh/mesh_mass.h"
#include "content/mesh/sorted_edges.h"
#include "content/mesh/vertex_grid.h"

namespace tenon::content {
namespace {

/// Weld distance relative to the extent: the rounding of a float, far below any clearance [-].
constexpr double kWeldRatio = 1e-7;
/// Largest crack that is closed, relative to the extent: rounding to six digits [-].
constexpr double kCrackRatio = 5e-6;
/// Cracks of coordinates rounded to 1 µm: a vertex is at most √3/2 µm off, an edge as much [m]; but at most
/// this share of the extent [-].
constexpr double kRoundedCrack = 2e-6, kMaxCrackRatio = 1e-3;

// --- welding -------------------------------------------------------------------------------------------

double extentOf(const TriangleMesh& mesh) {
  Vector3d low = mesh.vertices.front(), high = low;
  for (const auto& t : mesh.triangles)
    for (const int k : t) {
      low = low.cwiseMin(mesh.vertices[static_cast<std::size_t>(k)]);
      high = high.cwiseMax(mesh.vertices[static_cast<std::size_t>(k)]);
    }
  return (high - low).maxCoeff();
}

/// Copies used vertices, merged within a distance [m], and the triangles. False if vertices moved.
bool weld(const TriangleMesh& mesh, double distance, RepairedMesh& out) {
  bool isExact = true;
  std::vector<int> newIndex(mesh.vertices.size(), -2);  // −2: not used
  for (const auto& t : mesh.triangles)
    for (const int k : t) newIndex[static_cast<std::size_t>(k)] = -1;
  // Cells much larger than the ball, so that it overlaps mostly one; bounded so that cell indices fit an
  // integer.
  double farthest = 0;
  for (const Vector3d& p : mesh.vertices) farthest = std::max(farthest, p.cwiseAbs().maxCoeff());
  VertexGrid grid(mesh.vertices, std::max({20 * distance, 1e-15 * farthest, 1e-300}));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (newIndex[i] == -2) continue;
    const int same = grid.findWithin(static_cast<int>(i), distance);
    if (same >= 0) {
      newIndex[i] = newIndex[static_cast<std::size_t>(same)];
      isExact = isExact && mesh.vertices[static_cast<std::size_t>(same)] == mesh.vertices[i];
      ++out.report.welded;
      continue;
    }
    grid.insert(static_cast<int>(i));
    newIndex[i] = static_cast<int>(out.mesh.vertices.size());
    out.mesh.vertices.push_back(mesh.vertices[i]);
  }
  for (const auto& t : mesh.triangles)
    out.mesh.triangles.push_back({newIndex[static_cast<std::size_t>(t[0])],
                                  newIndex[static_cast<std::size_t>(t[1])],
                                  newIndex[static_cast<std::size_t>(t[2])]});
  out.sources.resize(mesh.triangles.size());
  std::iota(out.sources.begin(), out.sources.end(), 0);
  return isExact;
}

// --- triangles -----------------------------------------------------------------------------------------

/// Reduces the mesh to the listed triangles, in order.
void selectTriangles(const std::vector<std::size_t>& selected, RepairedMesh& out) {
  for (std::size_t k = 0; k < selected.size(); ++k) {
    out.mesh.triangles[k] = out.mesh.triangles[selected[k]];
    out.sources[k] = out.sources[selected[k]];
  }
  out.mesh.triangles.resize(selected.size());
  out.sources.resize(selected.size());
}

void removeDegenerate(RepairedMesh& out) {
  const auto isDegenerate = [&](const std::array<int, 3>& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  };
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < out.mesh.triangles.size(); ++i)
    if (!isDegenerate(out.mesh.triangles[i])) selected.push_back(i);
  out.report.degenerate += out.mesh.triangles.size() - selected.size();
  selectTriangles(selected, out);
}

/// Welds the vertices. Where this moves some, T-junctions are removed before: the middles of the edges of a
/// triangle narrower than the weld distance are not one vertex.
void weldBesideTJunctions(const TriangleMesh& mesh, RepairedMesh& out) {
  if (weld(mesh, out.weldDistance, out)) return;
  RepairedMesh exact;
  weld(mesh, 0, exact);
  removeDegenerate(exact);
  const ClosedCracks closed = splitAtRows(exact.mesh, exact.sources, out.weldDistance);
  if (closed.splitEdges == 0) return;
  RepairedMesh welded;
  weld(exact.mesh, out.weldDistance, welded);
  for (int& source : welded.sources) source = exact.sources[static_cast<std::size_t>(source)];
  out.mesh = std::move(welded.mesh);
  out.sources = std::move(welded.sources);
  out.report.welded = exact.report.welded + welded.report.welded;
  out.report.degenerate = exact.report.degenerate;
  out.report.splitEdges = closed.splitEdges;
  out.report.splitOffset = closed.splitOffset;
}

// --- edges ---------------------------------------------------------------------------------------------

Vector3d edgeMidpoint(const MeshEdge& edge, const TriangleMesh& mesh) {
  return 0.5 * (mesh.vertices[edge.key >> 32] + mesh.vertices[edge.key & 0xffffffffU]);
}

// --- triangles with the same vertices -------------------------------------------------------------------

/// True if two triangles with the same vertices face the same side.
bool haveSameOrientation(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto at = std::find(b.begin(), b.end(), a[0]) - b.begin();
  return b[static_cast<std::size_t>((at + 1) % 3)] == a[1];
}

/// Triangles with the same vertices: those oriented like the first one, and the opposite ones.
struct CoincidentTriangles {
  std::vector<std::size_t> same, opposite;
};

std::vector<CoincidentTriangles> coincidentTriangles(const std::vector<std::array<int, 3>>& list) {
  std::vector<std::pair<std::array<int, 3>, std::size_t>> keys;
  keys.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::array<int, 3> key = list[i];
    std::sort(key.begin(), key.end());
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<CoincidentTriangles> sets;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t i = keys[k].second;
    if (k == 0 || keys[k].first != keys[k - 1].first) {
      sets.push_back({{i}, {}});
      continue;
    }
    CoincidentTriangles& set = sets.back();
    (haveSameOrientation(list[set.same.front()], list[i]) ? set.same : set.opposite).push_back(i);
  }
  return sets;
}

/// One triangle of each set, in order. With `cancel`, none of a set with equally many of both orientations.
std::vector<std::size_t> uniqueTriangles(const std::vector<CoincidentTriangles>& sets, bool cancel) {
  std::vector<std::size_t> selected;
  for (const CoincidentTriangles& set : sets) {
    if (cancel && set.same.size() == set.opposite.size()) continue;
    const bool more = cancel && set.opposite.size() > set.same.size();
    selected.push_back(more ? set.opposite.front() : set.same.front());
  }
  std::sort(selected.begin(), selected.end());
  return selected;
}

/// Number of edges with an odd number of triangles: 0 for a closed surface.
std::size_t countOddEdges(const TriangleMesh& whole, const std::vector<std::size_t>& selected) {
  TriangleMesh mesh;
  for (const std::size_t i : selected) mesh.triangles.push_back(whole.triangles[i]);
  const std::vector<MeshEdge> edges = sortedEdges(mesh);
  std::size_t odd = 0;
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    odd += (end - k) % 2;
  }
  return odd;
}

/// True if two triangles have the same vertices.
bool hasCoincident(const std::vector<std::array<int, 3>>& list) {
  std::vector<std::array<int, 3>> keys = list;
  for (std::array<int, 3>& key : keys) std::sort(key.begin(), key.end());
  // By their least vertex, then by the others.
  int last = -1;
  for (const auto& key : keys) last = std::max(last, key[0]);
  std::vector<std::size_t> next(static_cast<std::size_t>(last) + 2, 0);
  for (const auto& key : keys) ++next[static_cast<std::size_t>(key[0]) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::pair<int, int>> others(keys.size());
  for (const auto& key : keys) others[next[static_cast<std::size_t>(key[0])]++] = {key[1], key[2]};
  std::size_t first = 0;
  for (const std::size_t end : next) {  // now the ends of the vertices' triangles
    const auto from = others.begin() + static_cast<std::ptrdiff_t>(first),
               to = others.begin() + static_cast<std::ptrdiff_t>(std::max(first, end));
    std::sort(from, to);
    if (std::adjacent_find(from, to) != to) return true;
    first = std::max(first, end);
  }
  return false;
}

/// Removes duplicate triangles. Two opposite ones are a wall between touching bodies: both are removed if
/// that triangles fewer odd edges; else the surface is given from both sides, and one stays.
void removeDuplicates(RepairedMesh& out) {
  if (!hasCoincident(out.mesh.triangles)) return;
  const std::size_t before = out.mesh.triangles.size();
  const std::vector<CoincidentTriangles> sets = coincidentTriangles(out.mesh.triangles);
  std::vector<std::size_t> once = uniqueTriangles(sets, false);
  const bool facing = std::any_of(sets.begin(), sets.end(),
                                  [](const CoincidentTriangles& set) { return !set.opposite.empty(); });
  if (facing) {
    std::vector<std::size_t> open = uniqueTriangles(sets, true);
    if (!open.empty() && countOddEdges(out.mesh, open) < countOddEdges(out.mesh, once)) {
      out.report.internalFacePairs = once.size() - open.size();
      once = std::move(open);
    }
  }
  selectTriangles(once, out);
  out.report.duplicate = before - out.mesh.triangles.size() - 2 * out.report.internalFacePairs;
}

// --- adjacency -------------------------------------------------------------------------------------------

/// A triangle at an edge of more than two, by its angle about the edge.
struct EdgeTriangle {
  MeshEdge edge;
  double angle = 0;     ///< about the direction from the smaller to the larger vertex index [rad]
  bool forward = true;  ///< it traverses the edge in that direction: its material is at smaller angles
};

/// The triangles at an edge, sorted by angle. Touching bodies have two at the same angle: the one that bounds
/// the material before it comes first.
std::vector<EdgeTriangle> trianglesAround(const RepairedMesh& out, const MeshEdge* first,
                                          const MeshEdge* end) {
  const auto at = [&](std::uint64_t k) -> const Vector3d& { return out.mesh.vertices[k]; };
  const std::uint64_t low = first->key >> 32, high = first->key & 0xffffffffU;
  const Vector3d along = (at(high) - at(low)).normalized(), x = along.unitOrthogonal(), y = along.cross(x);
  std::vector<EdgeTriangle> triangles;
  for (const MeshEdge* e = first; e != end; ++e) {
    const auto& t = out.mesh.triangles[static_cast<std::size_t>(e->triangle)];
    const auto corner = [&](int k) { return static_cast<std::uint64_t>(t[static_cast<std::size_t>(k % 3)]); };
    const Vector3d d = at(corner(e->side + 2)) - at(low);
    triangles.push_back({*e, std::atan2(d.dot(y), d.dot(x)), corner(e->side) == low});
  }
  std::sort(triangles.begin(), triangles.end(),
            [](const EdgeTriangle& a, const EdgeTriangle& b) { return a.angle < b.angle; });
  constexpr double kSameAngle = 1e-5, kTurn = 2 * std::numbers::pi;
  const std::size_t n = triangles.size();
  const auto gapAfter = [&](std::size_t k) {
    const double gap = triangles[(k + 1) % n].angle - triangles[k].angle;
    return gap < 0 ? gap + kTurn : gap;
  };
  // Start after the widest gap, so that triangles at the same angle are adjacent.
  std::size_t widest = 0;
  for (std::size_t k = 1; k < n; ++k)
    if (gapAfter(k) > gapAfter(widest)) widest = k;
  std::rotate(triangles.begin(), triangles.begin() + static_cast<std::ptrdiff_t>((widest + 1) % n),
              triangles.end());
  for (std::size_t k = 0; k + 1 < n; ++k)
    if (gapAfter(k) < kSameAngle && triangles[k].forward == triangles[(k + n - 1) % n].forward)
      std::swap(triangles[k], triangles[k + 1]);
  return triangles;
}

void link(const MeshEdge& a, const MeshEdge& b, RepairedMesh& out) {
  out.neighbors[static_cast<std::size_t>(a.triangle)][static_cast<std::size_t>(a.side)] = b.triangle;
  out.neighbors[static_cast<std::size_t>(b.triangle)][static_cast<std::size_t>(b.side)] = a.triangle;
}

/// Links the triangles of bodies that touch along an edge: pairs with material between them. False if the
/// pairs are ambiguous and `ambiguous` says so, or if not as many run forward as backward.
bool linkTouchingBodies(const MeshEdge* first, const MeshEdge* end, AmbiguousEdges ambiguous,
                        RepairedMesh& out) {
  std::vector<EdgeTriangle> triangles = trianglesAround(out, first, end);
  const auto forward =
      std::count_if(triangles.begin(), triangles.end(), [](const EdgeTriangle& one) { return one.forward; });
  if (2 * forward != end - first) return false;
  // Innermost pairs first, as parentheses: a pair that touches is adjacent.
  const auto begins = [](const EdgeTriangle& one, const EdgeTriangle& next) {
    return !one.forward && next.forward;
  };
  const std::size_t n = triangles.size();
  for (std::size_t k = 0; k < n && ambiguous == AmbiguousEdges::report; ++k)
    if (triangles[k].forward == triangles[(k + 1) % n].forward) return false;
  while (!triangles.empty())
    for (std::size_t k = 0; k < triangles.size(); ++k) {
      const std::size_t next = (k + 1) % triangles.size();
      if (!begins(triangles[k], triangles[next])) continue;
      link(triangles[k].edge, triangles[next].edge, out);
      triangles.erase(triangles.begin() + static_cast<std::ptrdiff_t>(std::max(k, next)));
      triangles.erase(triangles.begin() + static_cast<std::ptrdiff_t>(std::min(k, next)));
      break;
    }
  return true;
}

/// Of the neighbors of a triangle that fills a hole, the one whose plane it continues most nearly: it is a
/// part of the same face.
int continuedTriangle(const std::array<int, 3>& filler, const std::array<MeshEdge, 3>& edges,
                      const TriangleMesh& mesh) {
  const auto normalOf = [&](const std::array<int, 3>& t) -> Vector3d {
    const auto at = [&](int v) -> const Vector3d& { return mesh.vertices[static_cast<std::size_t>(v)]; };
    return (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).normalized();
  };
  const Vector3d n = normalOf(filler);
  int nearest = edges.front().triangle;
  double largest = -2;
  for (const MeshEdge& edge : edges) {
    const auto& other = mesh.triangles[static_cast<std::size_t>(edge.triangle)];
    const auto k = static_cast<std::size_t>(edge.side);
    bool isTurnedOver = false;  // it runs along the edge in the same direction
    for (std::size_t i = 0; i < 3; ++i)
      isTurnedOver = isTurnedOver || (filler[i] == other[k] && filler[(i + 1) % 3] == other[(k + 1) % 3]);
    const Vector3d m = normalOf(other);
    if (m.isZero()) continue;  // without area it has no plane
    const double cosine = (isTurnedOver ? -1 : 1) * n.dot(m);
    if (cosine > largest) largest = cosine, nearest = edge.triangle;
  }
  return nearest;
}

/// Adds a triangle where one is missing: its three edges are open, and belong to three others.
void fillTriangles(RepairedMesh& out) {
  constexpr std::size_t kMaxOpenEdges = 64;  // at a vertex
  const std::vector<MeshEdge> edges = sortedEdges(out.mesh);
  std::map<int, std::vector<std::pair<int, MeshEdge>>> open;  // by vertex: the other end
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    if (end - k != 1) continue;
    const auto a = static_cast<int>(edges[k].key >> 32), b = static_cast<int>(edges[k].key & 0xffffffffU);
    open[a].emplace_back(b, edges[k]);
    open[b].emplace_back(a, edges[k]);
  }
  std::set<std::uint64_t> used;
  for (const auto& [a, ends] : open)
    for (const auto& [b, ab] : ends) {
      // A hole's vertex has two open edges; where many holes meet, they stay open, which bounds the time.
      if (a > b || ends.size() > kMaxOpenEdges || open[b].size() > kMaxOpenEdges) continue;
      for (const auto& [c, bc] : open[b]) {
        if (!(a < c) || open[c].size() > kMaxOpenEdges) continue;
        const auto ca = std::find_if(open[c].begin(), open[c].end(),
                                     [start = a](const auto& entry) { return entry.first == start; });
        if (ca == open[c].end()) continue;
        const MeshEdge& last = ca->second;
        if (ab.triangle == bc.triangle || bc.triangle == last.triangle || last.triangle == ab.triangle)
          continue;
        if (used.contains(ab.key) || used.contains(bc.key) || used.contains(last.key)) continue;
        used.insert({ab.key, bc.key, last.key});
        // Against the direction in which the first neighbor runs along their edge.
        const auto& neighbor = out.mesh.triangles[static_cast<std::size_t>(ab.triangle)];
        const bool isForward = neighbor[static_cast<std::size_t>(ab.side)] == a;
        const std::array filler = isForward ? std::array{b, a, c} : std::array{a, b, c};
        out.sources.push_back(
            out.sources[static_cast<std::size_t>(continuedTriangle(filler, {ab, bc, last}, out.mesh))]);
        out.mesh.triangles.push_back(filler);
        ++out.report.filledTriangles;
        const auto at = [&](int v) -> const Vector3d& {
          return out.mesh.vertices[static_cast<std::size_t>(v)];
        };
        out.report.filledArea += 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).norm();
      }
    }
}

void linkNeighbors(AmbiguousEdges ambiguous, RepairedMesh& out) {
  out.neighbors.assign(out.mesh.triangles.size(), {-1, -1, -1});
  out.report.openEdges = out.report.nonManifoldEdges = 0;
  const std::vector<MeshEdge> edges = sortedEdges(out.mesh);
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k;
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    if (end - k == 1 && out.report.openEdges++ == 0)
      out.report.openEdgePosition = edgeMidpoint(edges[k], out.mesh);
    if (end - k == 2) link(edges[k], edges[k + 1], out);
    if (end - k > 2 && !linkTouchingBodies(&edges[k], edges.data() + end, ambiguous, out) &&
        out.report.nonManifoldEdges++ == 0)
      out.report.nonManifoldEdgePosition = edgeMidpoint(edges[k], out.mesh);
    k = end;
  }
}

// --- orientation ---------------------------------------------------------------------------------------

/// True if two neighbors traverse their common edge in opposite directions, as consistent ones do.
bool areConsistent(const std::array<int, 3>& a, std::size_t side, const std::array<int, 3>& b) {
  const int from = a[side], to = a[(side + 1) % 3];
  for (std::size_t k = 0; k < 3; ++k)
    if (b[k] == to && b[(k + 1) % 3] == from) return true;
  return false;
}

/// Marks the triangles of one component to be flipped, relative to the first one; flips the smaller half.
void orientComponent(RepairedMesh& out, std::size_t first, std::vector<char>& flip, std::vector<char>& seen) {
  std::vector<std::size_t> component{first};
  seen[first] = 1;
  std::size_t flipped = 0;
  for (std::size_t at = 0; at < component.size(); ++at) {
    const std::size_t i = component[at];
    flipped += flip[i] ? 1U : 0U;
    for (std::size_t side = 0; side < 3; ++side) {
      const int other = out.neighbors[i][side];
      if (other < 0) continue;
      const auto j = static_cast<std::size_t>(other);
      const bool same = areConsistent(out.mesh.triangles[i], side, out.mesh.triangles[j]);
      const char wanted = same ? flip[i] : static_cast<char>(!flip[i]);
      if (seen[j]) {
        if (flip[j] != wanted) out.report.nonOrientable = true;
        continue;
      }
      seen[j] = 1;
      flip[j] = wanted;
      component.push_back(j);
    }
  }
  if (2 * flipped > component.size())
    for (const std::size_t i : component) flip[i] = static_cast<char>(!flip[i]);
  ++out.report.bodies;
}

void flipTriangle(std::array<int, 3>& triangle) {
  std::swap(triangle[1], triangle[2]);
}

void orient(RepairedMesh& out) {
  std::vector<char> flip(out.mesh.triangles.size(), 0), seen(out.mesh.triangles.size(), 0);
  for (std::size_t i = 0; i < flip.size(); ++i)
    if (!seen[i]) orientComponent(out, i, flip, seen);
  for (std::size_t i = 0; i < flip.size(); ++i) {
    if (!flip[i]) continue;
    flipTriangle(out.mesh.triangles[i]);
    ++out.report.flipped;
  }
  if (out.report.isClosed() && volumeOf(out.mesh) < 0) {
    for (auto& triangle : out.mesh.triangles) flipTriangle(triangle);
    out.report.insideOut = true;
  }
}

/// Gives each fan of triangles at a vertex a vertex of its own: bodies that touch at one, or along an edge,
/// then have no vertex in common.
void splitFans(RepairedMesh& out) {
  std::vector<char> isUsed(out.mesh.vertices.size(), 0);
  std::vector<std::array<char, 3>> isDone(out.mesh.triangles.size(), {0, 0, 0});
  const auto cornerAt = [&](int t, int v) {
    const auto& corners = out.mesh.triangles[static_cast<std::size_t>(t)];
    return static_cast<std::size_t>(std::find(corners.begin(), corners.end(), v) - corners.begin());
  };
  std::vector<std::pair<int, std::size_t>> fan;
  for (std::size_t t = 0; t < out.mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      if (isDone[t][k] != 0) continue;
      const int v = out.mesh.triangles[t][k];
      fan.assign(1, {static_cast<int>(t), k});
      isDone[t][k] = 1;
      for (std::size_t n = 0; n < fan.size(); ++n) {
        const auto [at, corner] = fan[n];
        for (const std::size_t side : {corner, (corner + 2) % 3}) {
          const int next = out.neighbors[static_cast<std::size_t>(at)][side];
          if (next < 0) continue;
          const std::size_t c = cornerAt(next, v);
          if (c == 3 || isDone[static_cast<std::size_t>(next)][c] != 0) continue;
          isDone[static_cast<std::size_t>(next)][c] = 1;
          fan.emplace_back(next, c);
        }
      }
      if (isUsed[static_cast<std::size_t>(v)] == 0) {
        isUsed[static_cast<std::size_t>(v)] = 1;
        continue;
      }
      const auto own = static_cast<int>(out.mesh.vertices.size());
      out.mesh.vertices.push_back(out.mesh.vertices[static_cast<std::size_t>(v)]);
      for (const auto& [at, corner] : fan) out.mesh.triangles[static_cast<std::size_t>(at)][corner] = own;
    }
}

}  // namespace

void separateEdges(RepairedMesh& out) {
  const auto sideOf = [&](int t, int from) {
    const auto& corners = out.mesh.triangles[static_cast<std::size_t>(t)];
    return static_cast<std::size_t>(std::find(corners.begin(), corners.end(), from) - corners.begin());
  };
  std::map<int, std::vector<int>> trianglesAt;  // of the first vertices of crowded edges
  // Divides triangle t at a vertex on its side from a; the new triangle has the rest of that side.
  const auto divide = [&](int t, int a, int middle) {
    const std::size_t k = sideOf(t, a), next = (k + 1) % 3, last = (k + 2) % 3;
    const auto added = static_cast<int>(out.mesh.triangles.size());
    const std::array<int, 3> corners = out.mesh.triangles[static_cast<std::size_t>(t)];
    const int other = out.neighbors[static_cast<std::size_t>(t)][next];
    out.mesh.triangles[static_cast<std::size_t>(t)][next] = middle;
    out.mesh.triangles.push_back({middle, corners[next], corners[last]});
    out.sources.push_back(out.sources[static_cast<std::size_t>(t)]);
    out.neighbors.push_back({-1, other, t});
    out.neighbors[static_cast<std::size_t>(t)][next] = added;
    if (other >= 0) out.neighbors[static_cast<std::size_t>(other)][sideOf(other, corners[last])] = added;
    for (const int v : {corners[next], corners[last]})
      if (const auto list = trianglesAt.find(v); list != trianglesAt.end()) list->second.push_back(added);
    return added;
  };
  const std::vector<MeshEdge> edges = sortedEdges(out.mesh);
  std::vector<std::pair<int, int>> crowded;  // vertices of edges of more than two triangles
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    if (end - k > 2)
      crowded.emplace_back(static_cast<int>(edges[k].key >> 32),
                           static_cast<int>(edges[k].key & 0xffffffffU));
  }
  for (const auto& [low, high] : crowded) trianglesAt[low].clear();
  for (std::size_t t = 0; t < out.mesh.triangles.size() && !crowded.empty(); ++t)
    for (const int v : out.mesh.triangles[t])
      if (const auto list = trianglesAt.find(v); list != trianglesAt.end())
        list->second.push_back(static_cast<int>(t));
  for (const auto& [low, high] : crowded) {
    // Triangles that run from low to high, as they are now.
    std::vector<int> forward;
    for (const int t : trianglesAt[low]) {
      const std::size_t k = sideOf(t, low);
      if (k < 3 && out.mesh.triangles[static_cast<std::size_t>(t)][(k + 1) % 3] == high) forward.push_back(t);
    }
    for (const int t : forward) {
      const int other = out.neighbors[static_cast<std::size_t>(t)][sideOf(t, low)];
      if (other < 0) continue;
      const auto middle = static_cast<int>(out.mesh.vertices.size());
      out.mesh.vertices.push_back(0.5 * (out.mesh.vertices[static_cast<std::size_t>(low)] +
                                         out.mesh.vertices[static_cast<std::size_t>(high)]));
      const int rest = divide(t, low, middle), otherRest = divide(other, high, middle);
      out.neighbors[static_cast<std::size_t>(t)][sideOf(t, low)] = otherRest;
      out.neighbors[static_cast<std::size_t>(otherRest)][0] = t;
      out.neighbors[static_cast<std::size_t>(rest)][0] = other;
      out.neighbors[static_cast<std::size_t>(other)][sideOf(other, high)] = rest;
    }
  }
}

RepairedMesh repairMesh(const TriangleMesh& mesh, AmbiguousEdges ambiguous) {
  RepairedMesh out;
  out.report.vertices = mesh.vertices.size();
  out.report.triangles = mesh.triangles.size();
  if (mesh.triangles.empty()) return out;
  out.weldDistance = kWeldRatio * extentOf(mesh);
  weldBesideTJunctions(mesh, out);
  removeDegenerate(out);
  removeDuplicates(out);
  const double extent = out.extent = extentOf(out.mesh);
  out.report.crackWidth = std::max(kCrackRatio * extent, std::min(kRoundedCrack, kMaxCrackRatio * extent));
  const ClosedCracks cracks = closeCracks(out.mesh, out.sources, out.weldDistance, out.report.crackWidth);
  out.report.splitEdges += cracks.splitEdges;
  out.report.joinedVertices = cracks.joinedVertices;
  out.report.splitOffset = std::max(out.report.splitOffset, cracks.splitOffset);
  out.report.joinedOffset = cracks.joinedOffset;
  fillTriangles(out);
  out.report.remaining = out.mesh.triangles.size();
  linkNeighbors(ambiguous, out);
  orient(out);
  if (out.report.flipped > 0 || out.report.insideOut)
    linkNeighbors(ambiguous, out);  // flipping has renumbered the sides
  if (out.report.isClosed()) {
    splitFans(out);
    separateEdges(out);
    out.report.remaining = out.mesh.triangles.size();
  }
  return out;
}

}  // namespace tenon::content
