// Cells by guillotine cuts; wedges by rays from the hole's axis.
#include "physics/collision/geometry/faceted_block.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

// A rectangle of the +z face. isOutside: which of its sides (−x, +x, −y, +y) are sides of the block.
struct Cell {
  Vector2d low, high;
  bool isOutside[4] = {true, true, true, true};
  std::vector<int> holes;
};

// Largest radius of the faceted hole: a corner of its mouth.
double cornerRadius(const FacetedBlock& block, const RoundHole& hole) {
  return (hole.radius + hole.chamferWidth) / std::cos(std::numbers::pi / block.sectors);
}

struct GuillotineCut {
  int axis = -1;
  double at = 0;
  double gap = 0;
};

// The widest gap between the holes of a cell along one axis.
GuillotineCut widestGap(const FacetedBlock& block, const Cell& cell, int axis) {
  std::vector<int> order = cell.holes;
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return block.holes[a].center[axis] < block.holes[b].center[axis]; });
  GuillotineCut best;
  double reached = -HUGE_VAL;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const RoundHole& hole = block.holes[order[k]];
    const double r = cornerRadius(block, hole);
    const double gap = hole.center[axis] - r - reached;
    if (k > 0 && gap > best.gap) best = {axis, reached + gap / 2, gap};
    reached = std::max(reached, hole.center[axis] + r);
  }
  return best;
}

// Cuts `cell` until each part has at most one hole. False if some holes cannot be separated.
bool partition(const FacetedBlock& block, const Cell& cell, std::vector<Cell>& cells) {
  if (cell.holes.size() <= 1) {
    cells.push_back(cell);
    return true;
  }
  const GuillotineCut x = widestGap(block, cell, 0), y = widestGap(block, cell, 1);
  const GuillotineCut cut = x.gap >= y.gap ? x : y;
  if (cut.axis < 0) return false;
  Cell low = cell, high = cell;
  low.high[cut.axis] = high.low[cut.axis] = cut.at;
  low.isOutside[2 * cut.axis + 1] = high.isOutside[2 * cut.axis] = false;
  const auto isLow = [&](int h) { return block.holes[h].center[cut.axis] < cut.at; };
  std::erase_if(low.holes, [&](int h) { return !isLow(h); });
  std::erase_if(high.holes, isLow);
  return partition(block, low, cells) && partition(block, high, cells);
}

std::optional<std::vector<Cell>> cellsOf(const FacetedBlock& block) {
  Cell whole;
  whole.high = block.halfExtents.head<2>();
  whole.low = -whole.high;
  for (std::size_t h = 0; h < block.holes.size(); ++h) whole.holes.push_back(static_cast<int>(h));
  std::vector<Cell> cells;
  if (!partition(block, whole, cells)) return std::nullopt;
  return cells;
}

// A point on a cell's border and the side of the cell that starts there (counter-clockwise):
// 0: −x, 1: +x, 2: −y, 3: +y.
struct BorderPoint {
  Vector2d p;
  int side;
};

// Where the ray from `center` leaves the cell. At a corner: the next side counter-clockwise.
BorderPoint exitPoint(const Cell& cell, const Vector2d& center, const Vector2d& direction) {
  constexpr int kCounterClockwise[4] = {2, 1, 3, 0};
  double nearest = HUGE_VAL;
  BorderPoint best{};
  for (int side : kCounterClockwise) {
    const int axis = side / 2;
    const bool high = side % 2 == 1;
    if (high ? direction[axis] <= 0 : direction[axis] >= 0) continue;
    const double wall = high ? cell.high[axis] : cell.low[axis];
    const double t = (wall - center[axis]) / direction[axis];
    if (t > nearest * (1 + 1e-12)) continue;
    // At a corner the later side counter-clockwise wins; −x (0) comes before −y (2).
    const bool atCorner = t > nearest * (1 - 1e-12);
    if (atCorner && best.side == 2 && side == 0) continue;
    nearest = t;
    best = {center + t * direction, side};
    best.p[axis] = wall;
    if (atCorner) best.p[1 - axis] = direction[1 - axis] > 0 ? cell.high[1 - axis] : cell.low[1 - axis];
  }
  return best;
}

Vector2d cornerAfter(const Cell& cell, int side) {
  switch (side) {
    case 0:
      return cell.low;  // −x runs down to (−x, −y)
    case 1:
      return cell.high;  // +x runs up to (+x, +y)
    case 2:
      return {cell.high.x(), cell.low.y()};  // −y runs to (+x, −y)
    default:
      return {cell.low.x(), cell.high.y()};  // +y runs to (−x, +y)
  }
}

// The cell's border from `from` counter-clockwise to `to`, corners included.
std::vector<BorderPoint> borderBetween(const Cell& cell, const BorderPoint& from, const BorderPoint& to) {
  constexpr int kNext[4] = {2, 3, 1, 0};
  std::vector<BorderPoint> points{from};
  for (int side = from.side; side != to.side; side = kNext[side]) {
    const Vector2d corner = cornerAfter(cell, side);
    if (corner == to.p) break;
    points.push_back({corner, kNext[side]});
  }
  points.push_back(to);
  return points;
}

// Builds the wedges of one hole. Vertices of a wedge: inner ones at descending z on both seams, then outer
// ones on the top and the bottom face.
class WedgeBuilder {
 public:
  WedgeBuilder(const FacetedBlock& block, const Cell& cell, const RoundHole& hole)
      : block_(block), cell_(cell), hole_(hole) {}

  Polytope build(int k) {
    const double step = 2 * std::numbers::pi / block_.sectors;
    // Adjacent wedges compute their common seam from the same angle, so it has the same bits.
    seam_[0] = rayAt(step * ((k == 0 ? block_.sectors : k) - 0.5));
    seam_[1] = rayAt(step * (k + 0.5));
    outer_ = borderBetween(cell_, exitPoint(cell_, hole_.center, seam_[0]),
                           exitPoint(cell_, hole_.center, seam_[1]));
    placeVertices();
    addCaps();
    addOuterSides();
    addInnerSides();
    addSeams();
    Polytope wedge = makePolytope(vertices_, loops_);
    markCorners(wedge);
    return wedge;
  }

 private:
  static Vector2d rayAt(double angle) { return {std::cos(angle), std::sin(angle)}; }

  // The inner profile from the mouth down: radius of the facet planes and height.
  void placeVertices() {
    vertices_.clear();
    loops_.clear();
    const double h = block_.halfExtents.z();
    struct Level {
      double radius, z;
    };
    std::vector<Level> levels{{hole_.radius + hole_.chamferWidth, h}};
    hasChamfer_ = hole_.chamferDepth > 0;
    isBlind_ = !isThrough(block_, hole_);
    if (hasChamfer_) levels.push_back({hole_.radius, h - hole_.chamferDepth});
    if (isBlind_) levels.push_back({hole_.radius, h - hole_.depth});
    levels.push_back({hole_.radius, -h});
    levels_ = static_cast<int>(levels.size());
    const double toCorner = 1 / std::cos(std::numbers::pi / block_.sectors);
    for (const Vector2d& ray : seam_) {
      for (const Level& level : levels) {
        const Vector2d p = hole_.center + level.radius * toCorner * ray;
        vertices_.emplace_back(p.x(), p.y(), level.z);
      }
    }
    for (double z : {h, -h}) {
      for (const BorderPoint& point : outer_) vertices_.emplace_back(point.p.x(), point.p.y(), z);
    }
  }

  int inner(int seam, int level) const { return seam * levels_ + level; }
  int outer(bool top, int k) const { return 2 * levels_ + (top ? 0 : static_cast<int>(outer_.size())) + k; }

  void addCaps() {
    const int count = static_cast<int>(outer_.size());
    FaceLoop top{{inner(1, 0), inner(0, 0)}, false, true};
    for (int k = 0; k < count; ++k) top.vertices.push_back(outer(true, k));
    FaceLoop bottom{{inner(0, levels_ - 1), inner(1, levels_ - 1)}, false, true};
    for (int k = count - 1; k >= 0; --k) bottom.vertices.push_back(outer(false, k));
    loops_.push_back(top);
    loops_.push_back(bottom);
  }

  void addOuterSides() {
    for (int k = 0; k + 1 < static_cast<int>(outer_.size()); ++k) {
      loops_.push_back({{outer(true, k), outer(false, k), outer(false, k + 1), outer(true, k + 1)},
                        !cell_.isOutside[outer_[k].side],
                        true});
    }
  }

  void addInnerSides() {
    for (int level = 0; level + 1 < levels_; ++level) {
      const bool underFloor = isBlind_ && level + 2 == levels_;
      loops_.push_back(
          {{inner(0, level), inner(1, level), inner(1, level + 1), inner(0, level + 1)}, underFloor, false});
    }
  }

  void addSeams() {
    const int last = static_cast<int>(outer_.size()) - 1;
    FaceLoop from{{outer(true, 0)}, true, false};
    for (int level = 0; level < levels_; ++level) from.vertices.push_back(inner(0, level));
    from.vertices.push_back(outer(false, 0));
    FaceLoop to{{outer(false, last)}, true, false};
    for (int level = levels_ - 1; level >= 0; --level) to.vertices.push_back(inner(1, level));
    to.vertices.push_back(outer(true, last));
    loops_.push_back(from);
    loops_.push_back(to);
  }

  void markCorners(Polytope& wedge) const {
    for (std::size_t v = 0; v < wedge.vertices.size(); ++v) {
      wedge.isCorner[v] = wedge.vertices[v].cwiseAbs() == block_.halfExtents;
    }
  }

  const FacetedBlock& block_;
  const Cell& cell_;
  const RoundHole& hole_;
  Vector2d seam_[2];
  std::vector<BorderPoint> outer_;
  std::vector<Vector3d> vertices_;
  std::vector<FaceLoop> loops_;
  int levels_ = 0;
  bool hasChamfer_ = false, isBlind_ = false;
};

// The prism below the floor of a blind hole.
Polytope floorPrism(const FacetedBlock& block, const RoundHole& hole) {
  const int n = block.sectors;
  const double r = hole.radius / std::cos(std::numbers::pi / n);
  std::vector<Vector3d> vertices;
  FaceLoop top, bottom{{}, false, true};
  std::vector<FaceLoop> loops;
  for (double z : {block.halfExtents.z() - hole.depth, -block.halfExtents.z()}) {
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi / n * (k + 0.5);
      vertices.emplace_back(hole.center.x() + r * std::cos(angle), hole.center.y() + r * std::sin(angle), z);
    }
  }
  for (int k = 0; k < n; ++k) {
    top.vertices.push_back(k);
    bottom.vertices.push_back(2 * n - 1 - k);
    loops.push_back({{(k + 1) % n, k, n + k, n + (k + 1) % n}, true, false});
  }
  loops.push_back(top);
  loops.push_back(bottom);
  Polytope prism = makePolytope(std::move(vertices), loops);
  std::fill(prism.isCorner.begin(), prism.isCorner.end(), char{0});
  return prism;
}

std::string quotedName(const RoundHole& hole) {
  return "hole '" + hole.name + "'";
}

bool positive(double x) {
  return std::isfinite(x) && x > 0;
}

std::optional<std::string> problemWithSizes(const FacetedBlock& block, const RoundHole& hole) {
  if (!hole.center.allFinite()) return quotedName(hole) + " has a center that is not finite";
  if (!positive(hole.radius)) return quotedName(hole) + " has a radius that is not positive";
  if (!positive(hole.depth)) return quotedName(hole) + " has a depth that is not positive";
  const bool plain = hole.chamferWidth == 0 && hole.chamferDepth == 0;
  if (!plain && !(positive(hole.chamferWidth) && positive(hole.chamferDepth))) {
    return quotedName(hole) + " has a chamfer whose width and depth are not both positive or both zero";
  }
  if (hole.chamferDepth >= std::min(hole.depth, 2 * block.halfExtents.z())) {
    return quotedName(hole) + " has a chamfer as deep as itself";
  }
  const Vector2d clearance = block.halfExtents.head<2>() - hole.center.cwiseAbs();
  if (clearance.minCoeff() <= cornerRadius(block, hole)) return quotedName(hole) + " is not within the block";
  return std::nullopt;
}

std::optional<std::string> overlapOfHoles(const FacetedBlock& block) {
  for (std::size_t a = 0; a < block.holes.size(); ++a) {
    for (std::size_t b = a + 1; b < block.holes.size(); ++b) {
      const RoundHole &first = block.holes[a], &second = block.holes[b];
      const double minDistance = cornerRadius(block, first) + cornerRadius(block, second);
      if ((first.center - second.center).norm() <= minDistance) {
        return quotedName(first) + " and " + quotedName(second) + " overlap";
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool isThrough(const FacetedBlock& block, const RoundHole& hole) {
  return hole.depth >= 2 * block.halfExtents.z() * (1 - 1e-12);
}

std::optional<std::string> problemWith(const FacetedBlock& block) {
  for (int k = 0; k < 3; ++k) {
    if (!positive(block.halfExtents[k])) return "the block has a size that is not positive";
  }
  if (block.sectors < 8 || block.sectors % 4 != 0) return "sectors is not a multiple of 4, at least 8";
  std::set<std::string> names;
  for (const RoundHole& hole : block.holes) {
    if (!names.insert(hole.name).second) return quotedName(hole) + " is there twice";
    if (auto problem = problemWithSizes(block, hole)) return problem;
  }
  if (auto problem = overlapOfHoles(block)) return problem;
  if (!cellsOf(block)) return "no straight cut parallel to a side keeps the holes apart";
  return std::nullopt;
}

std::vector<Polytope> convexDecomposition(const FacetedBlock& block) {
  if (const auto problem = problemWith(block)) throw std::invalid_argument(*problem);
  if (block.holes.empty()) return {boxPolytope(block.halfExtents)};
  std::vector<Polytope> wedges;
  const std::vector<Cell> cells = cellsOf(block).value();
  for (const Cell& cell : cells) {
    const RoundHole& hole = block.holes[cell.holes.front()];
    WedgeBuilder builder(block, cell, hole);
    for (int k = 0; k < block.sectors; ++k) wedges.push_back(builder.build(k));
    if (!isThrough(block, hole)) wedges.push_back(floorPrism(block, hole));
  }
  return wedges;
}

}  // namespace tenon::physics
