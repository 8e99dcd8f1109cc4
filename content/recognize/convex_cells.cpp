// See convex_cells.h.
#include "content/recognize/convex_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "content/recognize/cell_polytope.h"
#include "content/recognize/trim_cell.h"
#include "physics/collision/geometry/convex_hull.h"

namespace tenon::content {
namespace {

/// Planes that are tried for a cut; more polygons than that, and some are left out.
constexpr std::size_t kCandidates = 64;
/// Polygons that are compared with planes before a slack is given up: some seconds.
constexpr std::size_t kMostWork = 50'000'000;
/// Cells deeper than this are of no solid.
constexpr int kMaxDepth = 2000;

struct Polygon {
  std::vector<Vector3d> corners;
  int plane = 0;  ///< its own, by index
};

struct Counts {
  std::size_t above = 0, below = 0, cut = 0;
};

class Partition {
 public:
  Partition(const Facets& facets, const TriangleBvh& mesh, const std::vector<Region>& regions,
            std::span<const CarvedBox> boxes, double planeTolerance, std::size_t maxParts)
      : f_(facets), mesh_(mesh), boxes_(boxes), slack_(planeTolerance), most_(maxParts) {
    makePlanes(regions);
  }

  /// False where there would be too many pieces.
  bool make() {
    const Vector3d margin = Vector3d::Constant(0.05 * f_.extent);
    std::vector<int> found;
    carve(CellPolytope(f_.low - margin, f_.high + margin), std::move(polygons_), 0, found);
    return !tooMany_;
  }

  ConvexCells result() const {
    ConvexCells cells;
    cells.planeTolerance = slack_;
    for (const Piece& piece : pieces_) {
      if (piece.merged) continue;
      cells.convexParts.push_back(piece.corners);
      cells.volume += piece.volume;
    }
    return cells;
  }

 private:
  struct Piece {
    std::vector<Vector3d> corners;
    double volume = 0;
    bool merged = false;
  };

  /// One plane a flat region; of the others, one for neighbours that lie in the plane of the largest of them:
  /// that of a thin triangle is turned by the rounding of its corners, and bounds cells far away.
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

  /// The plane of a triangle, for its neighbours that lie in it as well.
  void growPlane(int seed, std::vector<int>& planeOf) {
    const double within = std::min(10 * slack_, f_.tolerance);
    const Vector3d& n = f_.normals[static_cast<std::size_t>(seed)];
    const SplittingPlane plane{n, n.dot(f_.point(seed, 0) + f_.point(seed, 1) + f_.point(seed, 2)) / 3};
    const auto isIn = [&](int t) {
      if (!hasNormal(t) || f_.normals[static_cast<std::size_t>(t)].dot(n) <= 0) return false;
      for (int k = 0; k < 3; ++k)
        if (std::abs(plane.above(f_.point(t, k))) > within) return false;
      return true;
    };
    std::vector<int> open{seed};
    planeOf[static_cast<std::size_t>(seed)] = static_cast<int>(planes_.size());
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(t, side);
        if (other < 0 || planeOf[static_cast<std::size_t>(other)] >= 0 || !isIn(other)) continue;
        planeOf[static_cast<std::size_t>(other)] = static_cast<int>(planes_.size());
        open.push_back(other);
      }
    }
    planes_.push_back(plane);
  }

  // --- cuts ----------------------------------------------------------------------------------------------

  /// Where a polygon lies: −1 below, 1 above, 0 on the plane, 2 both.
  int sideOf(const Polygon& polygon, int plane, const SplittingPlane& cutting) const {
    if (polygon.plane == plane) return 0;
    bool above = false, below = false;
    for (const Vector3d& p : polygon.corners) {
      const double h = cutting.above(p);
      above = above || h > slack_;
      below = below || h < -slack_;
    }
    return above && below ? 2 : above ? 1 : below ? -1 : 0;
  }

  static Polygon part(const Polygon& polygon, const SplittingPlane& plane, bool upper) {
    const double side = upper ? -1 : 1;
    Polygon kept{{}, polygon.plane};
    const auto& c = polygon.corners;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vector3d &a = c[k], &b = c[(k + 1) % c.size()];
      const double ha = side * plane.above(a), hb = side * plane.above(b);
      if (ha <= 0) kept.corners.push_back(a);
      if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) kept.corners.push_back(a + ha / (ha - hb) * (b - a));
    }
    return kept;
  }

  /// `on`: what lies on the plane is done with where it faces as the plane does, or goes below where
  /// `keepOn`.
  void split(std::vector<Polygon>&& polygons, int index, const SplittingPlane& plane, bool keepOn,
             std::vector<Polygon>& below, std::vector<Polygon>& above) const {
    for (Polygon& polygon : polygons) {
      switch (sideOf(polygon, index, plane)) {
        case -1:
          below.push_back(std::move(polygon));
          break;
        case 1:
          above.push_back(std::move(polygon));
          break;
        case 2: {
          Polygon low = part(polygon, plane, false), high = part(polygon, plane, true);
          if (low.corners.size() >= 3) below.push_back(std::move(low));
          if (high.corners.size() >= 3) above.push_back(std::move(high));
          break;
        }
        default:
          // On the border of a carved box it belongs to the side that its material is not on: the box has
          // none of its own, and the cell beyond needs it to be told from air.
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

  void carve(CellPolytope cell, std::vector<Polygon> polygons, std::size_t box, std::vector<int>& found) {
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
      if (!cell.isSplitBy(plane, slack_)) {
        if (plane.above(cell.middle()) <= 0) {
          found = std::move(before);
          continue;
        }
        carve(std::move(cell), std::move(polygons), box + 1, beyond);
        return mergeAcross(before, beyond, found);
      }
      std::vector<Polygon> inside, outside;
      split(std::move(polygons), -1, plane, true, inside, outside);
      carve(cell.cut(plane, true, slack_), std::move(outside), box + 1, beyond);
      mergeAcross(before, beyond, found);
      cell = cell.cut(plane, false, slack_);
      polygons = std::move(inside);
    }
  }

  /// The side of the box that cuts the fewest polygons.
  int nextSide(const CarvedBox& box, const std::vector<Polygon>& polygons,
               const std::array<bool, 6>& done) const {
    int best = -1;
    std::size_t least = 0;
    for (int side = 0; side < 6; ++side) {
      if (done[static_cast<std::size_t>(side)]) continue;
      const SplittingPlane plane = sideOfBox(box, side);
      std::size_t cut = 0;
      for (const Polygon& polygon : polygons) cut += sideOf(polygon, -1, plane) == 2;
      if (best < 0 || cut < least) best = side, least = cut;
    }
    return best;
  }

  // --- the tree ------------------------------------------------------------------------------------------

  Counts count(const std::vector<Polygon>& polygons, int index) const {
    Counts counts;
    const SplittingPlane& plane = planes_[static_cast<std::size_t>(index)];
    for (const Polygon& polygon : polygons) {
      const int side = sideOf(polygon, index, plane);
      counts.above += side == 1 || side == 2;
      counts.below += side == -1 || side == 2;
      counts.cut += side == 2;
    }
    return counts;
  }

  /// The plane with nothing above it where there is one (it cuts off air alone), else the one that cuts
  /// least.
  int bestPlane(const std::vector<Polygon>& polygons) const {
    const std::size_t stride = 1 + polygons.size() / kCandidates;
    int best = polygons.front().plane, last = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < polygons.size(); k += stride) {
      const int plane = polygons[k].plane;
      if (plane == last) continue;
      last = plane;
      const Counts counts = count(polygons, plane);
      if (counts.above == 0) return plane;
      const auto above = static_cast<double>(counts.above), below = static_cast<double>(counts.below);
      const double cost =
          8 * static_cast<double>(counts.cut) + std::abs(above - below) + (counts.below == 0 ? 0 : 4);
      if (cost < least) least = cost, best = plane;
    }
    return best;
  }

  void build(const CellPolytope& cell, std::vector<Polygon> polygons, std::optional<bool> solid, int depth,
             std::vector<int>& found) {
    if (tooMany_ || cell.isEmpty()) return;
    if (polygons.empty()) {
      addPiece(cell, solid.value_or(false), found);
      return;
    }
    if (depth > kMaxDepth || work_ > kMostWork) {
      tooMany_ = true;
      return;
    }
    const int index = bestPlane(polygons);
    work_ += polygons.size() * std::min(polygons.size(), kCandidates);
    const SplittingPlane& plane = planes_[static_cast<std::size_t>(index)];
    std::vector<Polygon> below, above;
    split(std::move(polygons), index, plane, false, below, above);
    if (!cell.isSplitBy(plane, slack_)) {
      const bool under = plane.above(cell.middle()) < 0;
      return build(cell, std::move(under ? below : above), under, depth + 1, found);
    }
    std::vector<int> lower, upper;
    build(cell.cut(plane, false, slack_), std::move(below), true, depth + 1, lower);
    build(cell.cut(plane, true, slack_), std::move(above), false, depth + 1, upper);
    mergeAcross(lower, upper, found);
  }

  /// `below`: on the side of the last plane where material is. A face within the slack of other planes bounds
  /// no cell, and the plane of a thin triangle is a rounding's, so that the mesh decides.
  void addPiece(const CellPolytope& cell, bool below, std::vector<int>& found) {
    if (!below && !mesh_.isInside(cell.middle())) return;
    Piece piece{cell.corners(slack_), cell.volume(), false};
    if (piece.corners.size() < 4 || isFilm(piece.corners)) return;
    const double tolerance = std::max(slack_, f_.tolerance);
    if (auto trimmed = trimmedCell(piece.corners, mesh_, tolerance); trimmed != piece.corners) {
      if (trimmed.empty() || isFilm(trimmed)) return;
      piece.corners = std::move(trimmed);
      piece.volume = hullVolume(piece.corners);
    }
    const Vector3d middle = middleOf(piece.corners);
    if (!mesh_.isInside(middle) && !(below && mesh_.nearest(middle).distance <= tolerance)) return;
    found.push_back(static_cast<int>(pieces_.size()));
    pieces_.push_back(std::move(piece));
    tooMany_ = ++alive_ > most_ * 4;  // merging may still bring it down
  }

  static Vector3d middleOf(const std::vector<Vector3d>& corners) {
    Vector3d sum = Vector3d::Zero();
    for (const Vector3d& p : corners) sum += p;
    return sum / static_cast<double>(corners.size());
  }

  /// Between planes that are nearly one.
  bool isFilm(const std::vector<Vector3d>& corners) const {
    try {
      const physics::ConvexHull hull = physics::convexHull(corners);
      for (std::size_t k = 0; k < hull.faces.size(); ++k) {
        const Vector3d& on = hull.vertices[static_cast<std::size_t>(hull.faces[k][0])];
        double depth = 0;
        for (const Vector3d& p : hull.vertices) depth = std::max(depth, hull.normals[k].dot(on - p));
        if (depth < 2 * slack_) return true;
      }
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  }

  static double hullVolume(const std::vector<Vector3d>& points) {
    const physics::ConvexHull hull = physics::convexHull(points);
    double six = 0;
    const Vector3d& o = hull.vertices.front();
    for (const auto& face : hull.faces)
      for (std::size_t k = 1; k + 1 < face.size(); ++k)
        six += (hull.vertices[static_cast<std::size_t>(face[0])] - o)
                   .dot((hull.vertices[static_cast<std::size_t>(face[k])] - o)
                            .cross(hull.vertices[static_cast<std::size_t>(face[k + 1])] - o));
    return six / 6;
  }

  bool merge(Piece& a, Piece& b) {
    std::vector<Vector3d> both = a.corners;
    both.insert(both.end(), b.corners.begin(), b.corners.end());
    const double volume = hullVolume(both), sum = a.volume + b.volume;
    if (volume > sum * (1 + 1e-7)) return false;
    const physics::ConvexHull hull = physics::convexHull(both);
    a.corners = hull.vertices;
    a.volume = sum;
    b.merged = true;
    --alive_;
    return true;
  }

  void mergeAcross(const std::vector<int>& lower, const std::vector<int>& upper, std::vector<int>& found) {
    found.insert(found.end(), lower.begin(), lower.end());
    for (const int u : upper) {
      Piece& piece = pieces_[static_cast<std::size_t>(u)];
      if (lower.size() * upper.size() <= kMergePairs)
        for (const int l : lower) {
          Piece& other = pieces_[static_cast<std::size_t>(l)];
          if (!other.merged && !piece.merged && merge(other, piece)) break;
        }
      if (!piece.merged) found.push_back(u);
    }
  }

  static constexpr std::size_t kMergePairs = 64;

  const Facets& f_;
  const TriangleBvh& mesh_;
  std::span<const CarvedBox> boxes_;
  double slack_;
  std::size_t most_, alive_ = 0, work_ = 0;
  std::vector<SplittingPlane> planes_;
  std::vector<Polygon> polygons_;
  std::vector<Piece> pieces_;
  bool tooMany_ = false;
};

}  // namespace

std::optional<ConvexCells> convexCells(const Facets& facets, const std::vector<Region>& regions,
                                       std::span<const CarvedBox> boxes, int maxParts) {
  // Flat faces are flat to within what their vertices scatter.
  double maxDeviation = 0;
  for (const Region& region : regions)
    if (region.planar) maxDeviation = std::max(maxDeviation, region.maxDeviation);
  double planeTolerance = std::max(10 * facets.mesh->weldDistance, 3 * maxDeviation);
  const TriangleBvh tree(trianglesOf(facets.mesh->mesh));
  for (; planeTolerance < 0.01 * facets.extent; planeTolerance *= 4) {
    Partition partition(facets, tree, regions, boxes, planeTolerance, static_cast<std::size_t>(maxParts));
    if (!partition.make()) continue;
    ConvexCells cells = partition.result();
    if (cells.convexParts.size() <= static_cast<std::size_t>(maxParts)) return cells;
  }
  return std::nullopt;
}

}  // namespace tenon::content
