// See repair_mesh.h.
#include "content/mesh/repair_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "content/mesh/close_cracks.h"
#include "content/mesh/mesh_mass.h"

namespace tenon::content {
namespace {

/// Of the extent: what a float loses, and far below any fit.
constexpr double kWeld = 1e-7;
/// Cracks as wide are none, of the extent: rounding to six digits.
constexpr double kCrack = 5e-6;

// --- welding -------------------------------------------------------------------------------------------

/// Vertices by the cell of a grid that they stand in: an open table of lists.
class Grid {
 public:
  Grid(const std::vector<Vector3d>& points, double cell) : points_(points), cell_(cell) {
    std::size_t size = 16;
    while (size < 2 * points.size()) size *= 2;
    heads_.assign(size, -1);
    next_.assign(points.size(), -1);
  }
  /// A vertex put in earlier that is within `distance` of vertex i, or −1. It looks into the cells that the
  /// ball around i reaches: mostly one.
  int near(int i, double distance) const {
    const Vector3d& p = points_[static_cast<std::size_t>(i)];
    const Cell low = cellOf(p - Vector3d::Constant(distance)),
               high = cellOf(p + Vector3d::Constant(distance));
    int best = -1;
    for (std::int64_t x = low[0]; x <= high[0]; ++x)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
          for (int k = heads_[slot({x, y, z})]; k >= 0; k = next_[static_cast<std::size_t>(k)])
            if ((points_[static_cast<std::size_t>(k)] - p).squaredNorm() <= distance * distance &&
                (best < 0 || k < best))
              best = k;
    return best;
  }
  void put(int i) {
    const std::size_t s = slot(cellOf(points_[static_cast<std::size_t>(i)]));
    next_[static_cast<std::size_t>(i)] = heads_[s];
    heads_[s] = i;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cellOf(const Vector3d& p) const {
    Cell cell;
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / cell_));
    return cell;
  }
  std::size_t slot(const Cell& c) const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (const std::int64_t v : c) {
      h ^= static_cast<std::uint64_t>(v);
      h *= 0xff51afd7ed558ccdULL;
      h ^= h >> 32;
    }
    return h & (heads_.size() - 1);
  }

  const std::vector<Vector3d>& points_;
  double cell_;
  std::vector<int> heads_, next_;
};

double extentOf(const TriangleMesh& mesh) {
  Vector3d low = mesh.vertices.front(), high = low;
  for (const auto& t : mesh.triangles)
    for (const int k : t) {
      low = low.cwiseMin(mesh.vertices[static_cast<std::size_t>(k)]);
      high = high.cwiseMax(mesh.vertices[static_cast<std::size_t>(k)]);
    }
  return (high - low).maxCoeff();
}

/// Vertices that are used, each once; triangles over them.
void weld(const TriangleMesh& mesh, RepairedMesh& out) {
  const double distance = out.weldDistance;
  std::vector<int> place(mesh.vertices.size(), -2);  // −2: not used
  for (const auto& t : mesh.triangles)
    for (const int k : t) place[static_cast<std::size_t>(k)] = -1;
  // A cell well above the ball, so that it mostly stays in one; and no more of them than a number can count.
  double farthest = 0;
  for (const Vector3d& p : mesh.vertices) farthest = std::max(farthest, p.cwiseAbs().maxCoeff());
  Grid grid(mesh.vertices, std::max({20 * distance, 1e-15 * farthest, 1e-300}));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (place[i] == -2) continue;
    const int same = grid.near(static_cast<int>(i), distance);
    if (same >= 0) {
      place[i] = place[static_cast<std::size_t>(same)];
      ++out.report.welded;
      continue;
    }
    grid.put(static_cast<int>(i));
    place[i] = static_cast<int>(out.mesh.vertices.size());
    out.mesh.vertices.push_back(mesh.vertices[i]);
  }
  for (const auto& t : mesh.triangles)
    out.mesh.triangles.push_back({place[static_cast<std::size_t>(t[0])],
                                  place[static_cast<std::size_t>(t[1])],
                                  place[static_cast<std::size_t>(t[2])]});
  out.sources.resize(mesh.triangles.size());
  std::iota(out.sources.begin(), out.sources.end(), 0);
}

// --- triangles -----------------------------------------------------------------------------------------

/// Leaves those of the triangles that are listed, in order.
void keep(const std::vector<std::size_t>& kept, RepairedMesh& out) {
  for (std::size_t k = 0; k < kept.size(); ++k) {
    out.mesh.triangles[k] = out.mesh.triangles[kept[k]];
    out.sources[k] = out.sources[kept[k]];
  }
  out.mesh.triangles.resize(kept.size());
  out.sources.resize(kept.size());
}

void dropDegenerate(RepairedMesh& out) {
  const auto isThin = [&](const std::array<int, 3>& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < out.mesh.triangles.size(); ++i)
    if (!isThin(out.mesh.triangles[i])) kept.push_back(i);
  out.report.degenerate = out.mesh.triangles.size() - kept.size();
  keep(kept, out);
}

// --- edges ---------------------------------------------------------------------------------------------

struct Edge {
  std::uint64_t key = 0;  ///< its two vertices, the smaller one first
  int triangle = 0, side = 0;
};

std::vector<Edge> sortedEdges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint64_t>(mesh.triangles[i][static_cast<std::size_t>(k)]);
      const auto b = static_cast<std::uint64_t>(mesh.triangles[i][static_cast<std::size_t>((k + 1) % 3)]);
      edges.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int>(i), k});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
  });
  return edges;
}

Vector3d middleOf(const Edge& edge, const TriangleMesh& mesh) {
  return 0.5 * (mesh.vertices[edge.key >> 32] + mesh.vertices[edge.key & 0xffffffffU]);
}

// --- triangles over the same corners -------------------------------------------------------------------

/// Whether two triangles over the same corners face the same way.
bool faceAlike(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto at = std::find(b.begin(), b.end(), a[0]) - b.begin();
  return b[static_cast<std::size_t>((at + 1) % 3)] == a[1];
}

/// Triangles over the same corners: of those that face one way (the first that came gives it), and of those
/// that face the other way.
struct Stack {
  std::vector<std::size_t> alike, opposite;
};

std::vector<Stack> stacksOf(const std::vector<std::array<int, 3>>& list) {
  std::vector<std::pair<std::array<int, 3>, std::size_t>> keys;
  keys.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::array<int, 3> key = list[i];
    std::sort(key.begin(), key.end());
    keys.emplace_back(key, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Stack> stacks;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::size_t i = keys[k].second;
    if (k == 0 || keys[k].first != keys[k - 1].first) {
      stacks.push_back({{i}, {}});
      continue;
    }
    Stack& stack = stacks.back();
    (faceAlike(list[stack.alike.front()], list[i]) ? stack.alike : stack.opposite).push_back(i);
  }
  return stacks;
}

/// The triangles that stay, in their order: one of each stack; none of one that faces both ways equally
/// where `cancel`.
std::vector<std::size_t> thinned(const std::vector<Stack>& stacks, bool cancel) {
  std::vector<std::size_t> kept;
  for (const Stack& stack : stacks) {
    if (cancel && stack.alike.size() == stack.opposite.size()) continue;
    const bool more = cancel && stack.opposite.size() > stack.alike.size();
    kept.push_back(more ? stack.opposite.front() : stack.alike.front());
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

/// Edges with an odd number of triangles: a surface that encloses something has none.
std::size_t oddEdges(const TriangleMesh& whole, const std::vector<std::size_t>& kept) {
  TriangleMesh mesh;
  for (const std::size_t i : kept) mesh.triangles.push_back(whole.triangles[i]);
  const std::vector<Edge> edges = sortedEdges(mesh);
  std::size_t odd = 0;
  for (std::size_t k = 0, end = 0; k < edges.size(); k = end) {
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    odd += (end - k) % 2;
  }
  return odd;
}

/// Leaves one of triangles that are given twice. Two that face each other are the wall between bodies that
/// touch, and both go, where that closes the surface better; else it is a surface given from both sides.
void dropDuplicates(RepairedMesh& out) {
  const std::size_t before = out.mesh.triangles.size();
  const std::vector<Stack> stacks = stacksOf(out.mesh.triangles);
  std::vector<std::size_t> once = thinned(stacks, false);
  const bool facing =
      std::any_of(stacks.begin(), stacks.end(), [](const Stack& stack) { return !stack.opposite.empty(); });
  if (facing) {
    std::vector<std::size_t> open = thinned(stacks, true);
    if (!open.empty() && oddEdges(out.mesh, open) < oddEdges(out.mesh, once)) {
      out.report.internalFacePairs = once.size() - open.size();
      once = std::move(open);
    }
  }
  keep(once, out);
  out.report.duplicate = before - out.mesh.triangles.size() - 2 * out.report.internalFacePairs;
}

// --- links -----------------------------------------------------------------------------------------------

/// One triangle at an edge where more than two meet, seen along the edge.
struct Leaf {
  Edge edge;
  double angle = 0;     ///< about the edge's direction, from its smaller vertex to the other [rad]
  bool forward = true;  ///< it runs along that direction: its material is on the side of smaller angles
};

/// The triangles at an edge of several, by angle. Bodies that touch face to face have two at one angle: of
/// these, what closes the material before comes first.
std::vector<Leaf> leavesOf(const RepairedMesh& out, const Edge* first, const Edge* end) {
  const auto at = [&](std::uint64_t k) -> const Vector3d& { return out.mesh.vertices[k]; };
  const std::uint64_t low = first->key >> 32, high = first->key & 0xffffffffU;
  const Vector3d along = (at(high) - at(low)).normalized(), x = along.unitOrthogonal(), y = along.cross(x);
  std::vector<Leaf> leaves;
  for (const Edge* e = first; e != end; ++e) {
    const auto& t = out.mesh.triangles[static_cast<std::size_t>(e->triangle)];
    const auto corner = [&](int k) { return static_cast<std::uint64_t>(t[static_cast<std::size_t>(k % 3)]); };
    const Vector3d d = at(corner(e->side + 2)) - at(low);
    leaves.push_back({*e, std::atan2(d.dot(y), d.dot(x)), corner(e->side) == low});
  }
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.angle < b.angle; });
  constexpr double kSameAngle = 1e-5, kTurn = 2 * std::numbers::pi;
  const std::size_t n = leaves.size();
  const auto gapAfter = [&](std::size_t k) {
    const double gap = leaves[(k + 1) % n].angle - leaves[k].angle;
    return gap < 0 ? gap + kTurn : gap;
  };
  // From the widest gap on, so that two at one angle are next to each other.
  std::size_t widest = 0;
  for (std::size_t k = 1; k < n; ++k)
    if (gapAfter(k) > gapAfter(widest)) widest = k;
  std::rotate(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>((widest + 1) % n), leaves.end());
  for (std::size_t k = 0; k + 1 < n; ++k)
    if (gapAfter(k) < kSameAngle && leaves[k].forward == leaves[(k + n - 1) % n].forward)
      std::swap(leaves[k], leaves[k + 1]);
  return leaves;
}

void link(const Edge& a, const Edge& b, RepairedMesh& out) {
  out.neighbors[static_cast<std::size_t>(a.triangle)][static_cast<std::size_t>(a.side)] = b.triangle;
  out.neighbors[static_cast<std::size_t>(b.triangle)][static_cast<std::size_t>(b.side)] = a.triangle;
}

/// Bodies that touch along an edge: links the two triangles that have material between them. False where it
/// is not clear which these are.
bool linkTouching(const Edge* first, const Edge* end, RepairedMesh& out) {
  if ((end - first) % 2 != 0) return false;
  const std::vector<Leaf> leaves = leavesOf(out, first, end);
  const std::size_t n = leaves.size();
  for (std::size_t k = 0; k < n; ++k)
    if (leaves[k].forward == leaves[(k + 1) % n].forward) return false;
  for (std::size_t k = 0; k < n; ++k)
    if (!leaves[k].forward) link(leaves[k].edge, leaves[(k + 1) % n].edge, out);
  return true;
}

void linkNeighbours(RepairedMesh& out) {
  out.neighbors.assign(out.mesh.triangles.size(), {-1, -1, -1});
  out.report.openEdges = out.report.nonManifoldEdges = 0;
  const std::vector<Edge> edges = sortedEdges(out.mesh);
  for (std::size_t k = 0; k < edges.size();) {
    std::size_t end = k;
    while (end < edges.size() && edges[end].key == edges[k].key) ++end;
    if (end - k == 1 && out.report.openEdges++ == 0)
      out.report.openEdgePosition = middleOf(edges[k], out.mesh);
    if (end - k == 2) link(edges[k], edges[k + 1], out);
    if (end - k > 2 && !linkTouching(&edges[k], edges.data() + end, out) &&
        out.report.nonManifoldEdges++ == 0)
      out.report.nonManifoldEdgePosition = middleOf(edges[k], out.mesh);
    k = end;
  }
}

// --- orientation ---------------------------------------------------------------------------------------

/// Whether two neighbours run along their common edge in opposite ways, as they should.
bool agree(const std::array<int, 3>& a, std::size_t side, const std::array<int, 3>& b) {
  const int from = a[side], to = a[(side + 1) % 3];
  for (std::size_t k = 0; k < 3; ++k)
    if (b[k] == to && b[(k + 1) % 3] == from) return true;
  return false;
}

/// Turns the triangles of one connected piece by the first one; the larger half of them keeps its side.
void orientPiece(RepairedMesh& out, std::size_t first, std::vector<char>& turn, std::vector<char>& seen) {
  std::vector<std::size_t> piece{first};
  seen[first] = 1;
  std::size_t turned = 0;
  for (std::size_t at = 0; at < piece.size(); ++at) {
    const std::size_t i = piece[at];
    turned += turn[i] ? 1U : 0U;
    for (std::size_t side = 0; side < 3; ++side) {
      const int other = out.neighbors[i][side];
      if (other < 0) continue;
      const auto j = static_cast<std::size_t>(other);
      const bool same = agree(out.mesh.triangles[i], side, out.mesh.triangles[j]);
      const char wanted = same ? turn[i] : static_cast<char>(!turn[i]);
      if (seen[j]) {
        if (turn[j] != wanted) out.report.nonOrientable = true;
        continue;
      }
      seen[j] = 1;
      turn[j] = wanted;
      piece.push_back(j);
    }
  }
  if (2 * turned > piece.size())
    for (const std::size_t i : piece) turn[i] = static_cast<char>(!turn[i]);
  ++out.report.bodies;
}

void turnOver(std::array<int, 3>& triangle) {
  std::swap(triangle[1], triangle[2]);
}

void orient(RepairedMesh& out) {
  std::vector<char> turn(out.mesh.triangles.size(), 0), seen(out.mesh.triangles.size(), 0);
  for (std::size_t i = 0; i < turn.size(); ++i)
    if (!seen[i]) orientPiece(out, i, turn, seen);
  for (std::size_t i = 0; i < turn.size(); ++i) {
    if (!turn[i]) continue;
    turnOver(out.mesh.triangles[i]);
    ++out.report.flipped;
  }
  if (out.report.isClosed() && volumeOf(out.mesh) < 0) {
    for (auto& triangle : out.mesh.triangles) turnOver(triangle);
    out.report.insideOut = true;
  }
}

}  // namespace

RepairedMesh repairMesh(const TriangleMesh& mesh) {
  RepairedMesh out;
  out.report.vertices = mesh.vertices.size();
  out.report.triangles = mesh.triangles.size();
  if (mesh.triangles.empty()) return out;
  out.weldDistance = kWeld * extentOf(mesh);
  weld(mesh, out);
  dropDegenerate(out);
  dropDuplicates(out);
  const ClosedCracks cracks = closeCracks(out.mesh, out.sources, kCrack * extentOf(out.mesh));
  out.report.splitEdges = cracks.split;
  out.report.joinedVertices = cracks.joinedVertices;
  linkNeighbours(out);
  orient(out);
  linkNeighbours(out);  // sides have moved
  return out;
}

}  // namespace tenon::content
