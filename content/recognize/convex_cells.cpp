// See convex_cells.h.
#include "content/recognize/convex_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "content/recognize/cell_polytope.h"
#include "content/recognize/hull_measures.h"
#include "content/recognize/trim_cell.h"
#include "physics/collision/geometry/convex_hull.h"

namespace tenon::content {
namespace {

/// Approximate limit of the planes tried per split; of more polygons, a subset is tried.
constexpr std::size_t kMaxCandidates = 64;
/// Limit of comparisons of polygons with planes per plane tolerance: some seconds.
constexpr std::size_t kMaxComparisons = 50'000'000;
/// Limit of the depth of the tree; no solid needs more.
constexpr int kMaxTreeDepth = 2000;

struct CellPolygon {
  std::vector<Vector3d> corners;
  int plane = 0;  ///< index of its plane
};

/// Numbers of polygons above, below and split by a plane.
struct SplitCounts {
  std::size_t above = 0, below = 0, split = 0;
};

/// Binary space partition of a solid.
class Partition {
 public:
  Partition(const Facets& facets, const TriangleBvh& mesh, const std::vector<Region>& regions,
            std::span<const CarvedBox> boxes, double planeTolerance, std::size_t maxParts)
      : f_(facets), mesh_(mesh), boxes_(boxes), planeTolerance_(planeTolerance), maxParts_(maxParts) {
    makePlanes(regions);
  }

  /// Returns false if there are too many parts.
  bool compute() {
    const Vector3d margin = Vector3d::Constant(0.05 * f_.extent);
    std::vector<int> found;
    carve(CellPolytope(f_.low - margin, f_.high + margin), std::move(polygons_), 0, found);
    return !tooMany_;
  }

  ConvexCells result() const {
    ConvexCells cells;
    cells.planeTolerance = planeTolerance_;
    for (const Cell& part : cells_) {
      if (part.merged) continue;
      cells.convexParts.push_back(part.corners);
      cells.volume += part.volume;
    }
    return cells;
  }

 private:
  struct Cell {
    std::vector<Vector3d> corners;
    double volume = 0;
    bool merged = false;
  };

  /// One plane per planar region. Of the other triangles, neighbors in the plane of the largest one share it:
  /// the plane of a thin triangle is inaccurate due to rounding, but would bound distant cells.
  void makePlanes(const std::vector<Region>& regions) {
    std::vector<int> planeOf(static_cast<std::size_t>(f_.count()), -1), rest;
    for (const Region& region : regions) {
      if (region.planar) planes_.push_back({region.normal, region.offset});
      for (const int t : region.triangles)
        if (!region.planar)
          rest.push_back(t);
        else
          planeOf[static_cast<std::size_t>(t)] = static_cast<int>(planes_.size()) - 1;
    }
    const auto area = [&](int t) { return f_.areas[static_cast<std::size_t>(t)]; };
    std::stable_sort(rest.begin(), rest.end(), [&](int a, int b) { return area(a) > area(b); });
    for (const int t : rest)
      if (planeOf[static_cast<std::size_t>(t)] < 0 && hasNormal(t)) growPlane(t, planeOf);
    for (int t = 0; t < f_.count(); ++t)
      if (hasNormal(t))
        polygons_.push_back(
            {{f_.point(t, 0), f_.point(t, 1), f_.point(t, 2)}, planeOf[static_cast<std::size_t>(t)]});
  }

  bool hasNormal(int t) const { return !f_.normals[static_cast<std::size_t>(t)].isZero(); }

  /// Adds the plane of a triangle and assigns it to connected triangles in that plane.
  void growPlane(int seed, std::vector<int>& planeOf) {
    const double within = std::min(10 * planeTolerance_, f_.tolerance);
    const Vector3d& n = f_.normals[static_cast<std::size_t>(seed)];
    const SplittingPlane plane{n, n.dot(f_.point(seed, 0) + f_.point(seed, 1) + f_.point(seed, 2)) / 3};
    const auto isInPlane = [&](int t) {
      if (!hasNormal(t) || f_.normals[static_cast<std::size_t>(t)].dot(n) <= 0) return false;
      for (int k = 0; k < 3; ++k)
        if (std::abs(plane.signedDistance(f_.point(t, k))) > within) return false;
      return true;
    };
    std::vector<int> open{seed};
    planeOf[static_cast<std::size_t>(seed)] = static_cast<int>(planes_.size());
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(t, side);
        if (other < 0 || planeOf[static_cast<std::size_t>(other)] >= 0 || !isInPlane(other)) continue;
        planeOf[static_cast<std::size_t>(other)] = static_cast<int>(planes_.size());
        open.push_back(other);
      }
    }
    planes_.push_back(plane);
  }

  // --- splitting -----------------------------------------------------------------------------------------

  /// Position of a polygon relative to a plane: −1 below, 1 above, 0 on the plane, 2 on both sides.
  int sideOf(const CellPolygon& polygon, int index, const SplittingPlane& plane) const {
    if (polygon.plane == index) return 0;
    bool above = false, below = false;
    for (const Vector3d& p : polygon.corners) {
      const double h = plane.signedDistance(p);
      above = above || h > planeTolerance_;
      below = below || h < -planeTolerance_;
    }
    return above && below ? 2 : above ? 1 : below ? -1 : 0;
  }

  static CellPolygon clipped(const CellPolygon& polygon, const SplittingPlane& plane, bool upper) {
    const double side = upper ? -1 : 1;
    CellPolygon remaining{{}, polygon.plane};
    const auto& c = polygon.corners;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vector3d &a = c[k], &b = c[(k + 1) % c.size()];
      const double ha = side * plane.signedDistance(a), hb = side * plane.signedDistance(b);
      if (ha <= 0) remaining.corners.push_back(a);
      if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) remaining.corners.push_back(a + ha / (ha - hb) * (b - a));
    }
    return remaining;
  }

  /// Distributes polygons to both sides of a plane. Polygons on the plane are dropped, or with `keepOn`
  /// assigned to the side opposite their material.
  void split(std::vector<CellPolygon>&& polygons, int index, const SplittingPlane& plane, bool keepOn,
             std::vector<CellPolygon>& below, std::vector<CellPolygon>& above) const {
    for (CellPolygon& polygon : polygons) {
      switch (sideOf(polygon, index, plane)) {
        case -1:
          below.push_back(std::move(polygon));
          break;
        case 1:
          above.push_back(std::move(polygon));
          break;
        case 2: {
          CellPolygon low = clipped(polygon, plane, false), high = clipped(polygon, plane, true);
          if (low.corners.size() >= 3) below.push_back(std::move(low));
          if (high.corners.size() >= 3) above.push_back(std::move(high));
          break;
        }
        default:
          // On the border of a carved box: the cell outside the box needs the polygon to distinguish material
          // from air; the box itself has no polygons.
          if (!keepOn) break;
          if (planes_[static_cast<std::size_t>(polygon.plane)].n.dot(plane.n) > 0)
            below.push_back(std::move(polygon));
          else
            above.push_back(std::move(polygon));
      }
    }
  }

  // --- boxes ---------------------------------------------------------------------------------------------

  static SplittingPlane sideOfBox(const CarvedBox& box, int side) {
    const int axis = side / 2;
    const double sign = side % 2 == 0 ? 1 : -1;
    const Vector3d n = box.X_PC.q * Vector3d(sign * Vector3d::Unit(axis));
    return {n, n.dot(box.X_PC.p) + box.halfExtents[axis]};
  }

  void carve(CellPolytope cell, std::vector<CellPolygon> polygons, std::size_t box, std::vector<int>& found) {
    if (tooMany_ || cell.isEmpty()) return;
    if (box == boxes_.size()) {
      build(cell, std::move(polygons), std::nullopt, 0, found);
      return;
    }
    std::array<bool, 6> done{};
    for (int k = 0; k < 6; ++k) {
      const int side = nextSide(boxes_[box], polygons, done);
      done[static_cast<std::size_t>(side)] = true;
      const SplittingPlane plane = sideOfBox(boxes_[box], side);
      std::vector<int> beyond, before = std::move(found);
      found.clear();
      if (!cell.isSplitBy(plane, planeTolerance_)) {
        if (plane.signedDistance(cell.vertexMean()) <= 0) {
          found = std::move(before);
          continue;
        }
        carve(std::move(cell), std::move(polygons), box + 1, beyond);
        return mergeAcross(before, beyond, found);
      }
      std::vector<CellPolygon> inside, outside;
      split(std::move(polygons), -1, plane, true, inside, outside);
      carve(cell.clip(plane, true, planeTolerance_), std::move(outside), box + 1, beyond);
      mergeAcross(before, beyond, found);
      cell = cell.clip(plane, false, planeTolerance_);
      polygons = std::move(inside);
    }
  }

  /// The side of the box that splits the fewest polygons.
  int nextSide(const CarvedBox& box, const std::vector<CellPolygon>& polygons,
               const std::array<bool, 6>& done) const {
    int best = -1;
    std::size_t fewest = 0;
    for (int side = 0; side < 6; ++side) {
      if (done[static_cast<std::size_t>(side)]) continue;
      const SplittingPlane plane = sideOfBox(box, side);
      std::size_t split = 0;
      for (const CellPolygon& polygon : polygons) split += sideOf(polygon, -1, plane) == 2;
      if (best < 0 || split < fewest) best = side, fewest = split;
    }
    return best;
  }

  // --- the tree ------------------------------------------------------------------------------------------

  SplitCounts count(const std::vector<CellPolygon>& polygons, int index) const {
    SplitCounts counts;
    const SplittingPlane& plane = planes_[static_cast<std::size_t>(index)];
    for (const CellPolygon& polygon : polygons) {
      const int side = sideOf(polygon, index, plane);
      counts.above += side == 1 || side == 2;
      counts.below += side == -1 || side == 2;
      counts.split += side == 2;
    }
    return counts;
  }

  /// The plane with no polygon above it if there is one (above it is only air), else the one with the
  /// smallest cost: splits, imbalance.
  int bestPlane(const std::vector<CellPolygon>& polygons) const {
    const std::size_t stride = 1 + polygons.size() / kMaxCandidates;
    int best = polygons.front().plane, last = -1;
    double lowestCost = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < polygons.size(); k += stride) {
      const int plane = polygons[k].plane;
      if (plane == last) continue;
      last = plane;
      const SplitCounts counts = count(polygons, plane);
      if (counts.above == 0) return plane;
      const auto above = static_cast<double>(counts.above), below = static_cast<double>(counts.below);
      const double cost =
          8 * static_cast<double>(counts.split) + std::abs(above - below) + (counts.below == 0 ? 0 : 4);
      if (cost < lowestCost) lowestCost = cost, best = plane;
    }
    return best;
  }

  void build(const CellPolytope& cell, std::vector<CellPolygon> polygons, std::optional<bool> solid,
             int depth, std::vector<int>& found) {
    if (tooMany_ || cell.isEmpty()) return;
    if (polygons.empty()) {
      addCell(cell, solid.value_or(false), found);
      return;
    }
    if (depth > kMaxTreeDepth || comparisons_ > kMaxComparisons) {
      tooMany_ = true;
      return;
    }
    const int index = bestPlane(polygons);
    comparisons_ += polygons.size() * std::min(polygons.size(), kMaxCandidates);
    const SplittingPlane& plane = planes_[static_cast<std::size_t>(index)];
    std::vector<CellPolygon> below, above;
    split(std::move(polygons), index, plane, false, below, above);
    if (!cell.isSplitBy(plane, planeTolerance_)) {
      const bool under = plane.signedDistance(cell.vertexMean()) < 0;
      return build(cell, std::move(under ? below : above), under, depth + 1, found);
    }
    std::vector<int> lower, upper;
    build(cell.clip(plane, false, planeTolerance_), std::move(below), true, depth + 1, lower);
    build(cell.clip(plane, true, planeTolerance_), std::move(above), false, depth + 1, upper);
    mergeAcross(lower, upper, found);
  }

  /// Adds a cell of the solid. `below`: it lies on the material side of the last plane. The mesh has the
  /// final decision, because merged faces bound no cell and planes of thin triangles are inaccurate.
  void addCell(const CellPolytope& cell, bool below, std::vector<int>& found) {
    if (!below && !mesh_.isInside(cell.vertexMean())) return;
    Cell part{cell.corners(planeTolerance_), cell.volume(), false};
    if (part.corners.size() < 4 || isThinnerThan(part.corners, 2 * planeTolerance_)) return;
    const double tolerance = std::max(planeTolerance_, f_.tolerance);
    if (auto trimmed = trimmedCell(part.corners, mesh_, tolerance); trimmed != part.corners) {
      if (trimmed.empty() || isThinnerThan(trimmed, 2 * planeTolerance_)) return;
      part.corners = std::move(trimmed);
      part.volume = hullVolume(part.corners);
    }
    const Vector3d middle = vertexMean(part.corners);
    if (!mesh_.isInside(middle) && !(below && mesh_.nearest(middle).distance <= tolerance)) return;
    found.push_back(static_cast<int>(cells_.size()));
    cells_.push_back(std::move(part));
    tooMany_ = ++cellCount_ > maxParts_ * 4;  // merging may still reduce the number
  }

  /// Merges two cells if their union is convex.
  bool merge(Cell& a, Cell& b) {
    std::vector<Vector3d> corners = a.corners;
    corners.insert(corners.end(), b.corners.begin(), b.corners.end());
    const double volume = hullVolume(corners), sum = a.volume + b.volume;
    if (volume > sum * (1 + 1e-7)) return false;
    const physics::ConvexHull hull = physics::convexHull(corners);
    a.corners = hull.vertices;
    a.volume = sum;
    b.merged = true;
    --cellCount_;
    return true;
  }

  void mergeAcross(const std::vector<int>& lower, const std::vector<int>& upper, std::vector<int>& found) {
    found.insert(found.end(), lower.begin(), lower.end());
    for (const int u : upper) {
      Cell& part = cells_[static_cast<std::size_t>(u)];
      if (lower.size() * upper.size() <= kMergePairs)
        for (const int l : lower) {
          Cell& other = cells_[static_cast<std::size_t>(l)];
          if (!other.merged && !part.merged && merge(other, part)) break;
        }
      if (!part.merged) found.push_back(u);
    }
  }

  static constexpr std::size_t kMergePairs = 64;

  const Facets& f_;
  const TriangleBvh& mesh_;
  std::span<const CarvedBox> boxes_;
  double planeTolerance_;
  std::size_t maxParts_, cellCount_ = 0, comparisons_ = 0;
  std::vector<SplittingPlane> planes_;
  std::vector<CellPolygon> polygons_;
  std::vector<Cell> cells_;
  bool tooMany_ = false;
};

}  // namespace

std::optional<ConvexCells> convexCells(const Facets& facets, const std::vector<Region>& regions,
                                       std::span<const CarvedBox> boxes, int maxParts) {
  // The scatter of the vertices bounds the flatness of planar faces.
  double maxDeviation = 0;
  for (const Region& region : regions)
    if (region.planar) maxDeviation = std::max(maxDeviation, region.maxDeviation);
  double planeTolerance = std::max(10 * facets.mesh->weldDistance, 3 * maxDeviation);
  const TriangleBvh tree(trianglesOf(facets.mesh->mesh));
  for (; planeTolerance < 0.01 * facets.extent; planeTolerance *= 4) {
    Partition partition(facets, tree, regions, boxes, planeTolerance, static_cast<std::size_t>(maxParts));
    if (!partition.compute()) continue;
    ConvexCells cells = partition.result();
    if (cells.convexParts.size() <= static_cast<std::size_t>(maxParts)) return cells;
  }
  return std::nullopt;
}

}  // namespace tenon::content
