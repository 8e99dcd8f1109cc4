// See offset_surface.h.
#include "runtime/sweep/offset_surface.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Most levels of division, so that a corner fits into a key.
constexpr int kMaxLevels = 18;
/// Accuracy of a crossing, of the level.
constexpr double kCrossingAccuracy = 0.01;
/// Queries of one crossing at most.
constexpr int kMaxCrossingQueries = 40;
/// Eigenvalues below this share of the largest one do not determine a vertex.
constexpr double kFlat = 0.05;

std::uint64_t keyOf(const std::array<int, 3>& corner) {
  std::uint64_t key = 0;
  for (const int x : corner) key = key << 19 | static_cast<std::uint64_t>(x);
  return key;
}

}  // namespace

OffsetSurface::OffsetSurface(SweptDistance& distance, double level, double finest)
    : distance_(distance), level_(level) {
  // Free space around the level, so that it does not reach the border of the cells.
  const Eigen::AlignedBox3d& box = distance.bounds();
  const double size = box.sizes().maxCoeff() + 4 * (level + distance.toleranceAt(level));
  levels_ = std::clamp(static_cast<int>(std::ceil(std::log2(size / finest))), 1, kMaxLevels);
  unit_ = size / (1 << levels_);
  // Off the center by an irrational share, so that corners are not on faces of symmetric parts.
  origin_ = box.center() - Vector3d::Constant(0.5 * size) + 0.1 * level * Vector3d(0.618, 0.414, 0.732);
  cells_.push_back(makeCell({0, 0, 0}, 1 << levels_));
}

Vector3d OffsetSurface::position(const Index& corner) const {
  return origin_ + unit_ * Vector3d(corner[0], corner[1], corner[2]);
}

bool OffsetSurface::isInside(const Index& corner) {
  const auto [found, isNew] = inside_.try_emplace(keyOf(corner), false);
  if (isNew) {
    const double range = 1.01 * level_;
    found->second = distance_.nearest(position(corner), range).distance <= level_;
  }
  return found->second;
}

OffsetSurface::Cell OffsetSurface::makeCell(const Index& at, int size) {
  Cell cell;
  cell.at = at;
  cell.size = size;
  const double reach = 0.5 * std::sqrt(3.0) * size * unit_;
  const Vector3d center = position(at) + Vector3d::Constant(0.5 * size * unit_);
  const double range = level_ + reach + 2 * distance_.toleranceAt(level_ + reach);
  cell.isAway = distance_.nearest(center, range).distance >= range;
  if (cell.isAway) return cell;
  for (int k = 0; k < 8; ++k)
    if (isInside({at[0] + (k & 1) * size, at[1] + (k >> 1 & 1) * size, at[2] + (k >> 2) * size}))
      cell.corners |= 1 << k;
  return cell;
}

bool OffsetSurface::divide(int index) {
  const Cell cell = cells_[static_cast<std::size_t>(index)];
  if (cell.size == 1) return false;
  if (cell.child >= 0) return true;
  const int half = cell.size / 2;
  cells_[static_cast<std::size_t>(index)].child = static_cast<int>(cells_.size());
  for (int k = 0; k < 8; ++k)
    cells_.push_back(makeCell(
        {cell.at[0] + (k & 1) * half, cell.at[1] + (k >> 1 & 1) * half, cell.at[2] + (k >> 2) * half}, half));
  return true;
}

void OffsetSurface::refineTo(double size) {
  for (std::size_t k = 0; k < cells_.size(); ++k)  // grows
    if (!cells_[k].isAway && cells_[k].size * unit_ > size) divide(static_cast<int>(k));
}

int OffsetSurface::leafAt(const Index& unit) const {
  int index = 0;
  for (;;) {
    const Cell& cell = cells_[static_cast<std::size_t>(index)];
    if (cell.child < 0) return index;
    const int half = cell.size / 2;
    index = cell.child;
    for (int axis = 0; axis < 3; ++axis)
      if (unit[static_cast<std::size_t>(axis)] >= cell.at[static_cast<std::size_t>(axis)] + half)
        index += 1 << axis;
  }
}

/// The leaves around an edge, counter-clockwise seen against `axis`.
std::array<int, 4> OffsetSurface::cellsAround(const Index& start, int axis, int size) const {
  const auto a = static_cast<std::size_t>(axis), b = (a + 1) % 3, c = (a + 2) % 3;
  constexpr std::array<std::array<int, 2>, 4> kSides{{{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}};
  std::array<int, 4> around{};
  for (std::size_t k = 0; k < 4; ++k) {
    Index unit = start;
    unit[a] += size / 2;
    unit[b] += kSides[k][0];
    unit[c] += kSides[k][1];
    for (int& x : unit) x = std::clamp(x, 0, (1 << levels_) - 1);
    around[k] = leafAt(unit);
  }
  return around;
}

void OffsetSurface::addEdges(int index, std::vector<std::array<int, 4>>& polygons) {
  const Cell cell = cells_[static_cast<std::size_t>(index)];
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 8; ++corner) {
      if (corner >> axis & 1) continue;
      const bool startInside = cell.corners >> corner & 1;
      if (startInside == static_cast<bool>(cell.corners >> (corner | 1 << axis) & 1)) continue;
      const Index start{cell.at[0] + (corner & 1) * cell.size, cell.at[1] + (corner >> 1 & 1) * cell.size,
                        cell.at[2] + (corner >> 2) * cell.size};
      std::array<int, 4> around = cellsAround(start, axis, cell.size);
      const auto isOwner = [&](int other) {
        const int size = cells_[static_cast<std::size_t>(other)].size;
        return size > cell.size || (size == cell.size && other >= index);
      };
      if (!std::all_of(around.begin(), around.end(), isOwner)) continue;
      const Crossing& at = crossing(start, axis, cell.size, startInside);
      for (std::size_t k = 0; k < 4; ++k) {
        if (std::find(around.begin(), around.begin() + k, around[k]) != around.begin() + k) continue;
        Planes& planes = planes_[around[k]];
        planes.AtA += at.n * at.n.transpose();
        planes.Atb += at.n * at.n.dot(at.p);
        planes.sum += at.p;
        ++planes.count;
      }
      if (!startInside) std::reverse(around.begin(), around.end());
      polygons.push_back(around);
    }
}

const OffsetSurface::Crossing& OffsetSurface::crossing(const Index& start, int axis, int size,
                                                       bool startInside) {
  const std::uint64_t key = keyOf(start) * 64 + static_cast<std::uint64_t>(axis) * 20 +
                            static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(size)));
  const auto [found, isNew] = crossings_.try_emplace(key);
  if (!isNew) return found->second;
  Index end = start;
  end[static_cast<std::size_t>(axis)] += size;
  Vector3d in = position(startInside ? start : end), out = position(startInside ? end : start);
  // Steps from outside by the distance to the level do not pass it; else the interval is halved.
  Crossing& at = found->second;
  const Vector3d direction = (in - out).normalized();
  for (int k = 0; k < kMaxCrossingQueries; ++k) {
    const auto nearest = distance_.nearest(out, 2 * level_ + 1.1 * (in - out).norm());
    at = {out, nearest.away};
    const double gap = nearest.distance - level_;
    if (gap <= kCrossingAccuracy * level_) break;
    const double length = (in - out).norm();
    if (gap < 0.5 * length && -nearest.away.dot(direction) > 0.1) {
      // Along the gradient, but not past the level.
      const Vector3d guess = out + std::min(gap / -nearest.away.dot(direction), length) * direction;
      const auto there = distance_.nearest(guess, 1.5 * level_ + length);
      (there.distance > level_ * (1 - 0.5 * kCrossingAccuracy) ? out : in) = guess;
    } else {
      const Vector3d middle = 0.5 * (in + out);
      (distance_.nearest(middle, 1.01 * level_).distance > level_ ? out : in) = middle;
    }
  }
  return at;
}

Vector3d OffsetSurface::vertexOf(const Cell& cell, const Planes& planes) {
  const Vector3d mean = planes.sum / planes.count;
  const Eigen::SelfAdjointEigenSolver<physics::Matrix3d> solver(planes.AtA);
  const Vector3d rest = planes.Atb - planes.AtA * mean;
  Vector3d p = mean;
  for (int k = 0; k < 3; ++k) {
    const double value = solver.eigenvalues()[k];
    if (value <= kFlat * solver.eigenvalues()[2]) continue;
    const Vector3d axis = solver.eigenvectors().col(k);
    p += axis.dot(rest) / value * axis;
  }
  const Eigen::AlignedBox3d box(position(cell.at), position(cell.at) + Vector3d::Constant(cell.size * unit_));
  if (!(box.exteriorDistance(p) <= 0)) p = p.cwiseMax(box.min()).cwiseMin(box.max());
  return p;
}

OffsetSurface::Surface OffsetSurface::extract() {
  planes_.clear();
  std::vector<std::array<int, 4>> polygons;
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (cells_[k].child < 0 && cells_[k].corners != 0 && cells_[k].corners != 255)
      addEdges(static_cast<int>(k), polygons);
  Surface surface;
  std::map<int, int> vertexOfCell;
  for (const auto& [cell, planes] : planes_) {
    vertexOfCell[cell] = static_cast<int>(surface.cells.size());
    surface.cells.push_back(cell);
    surface.mesh.vertices.push_back(vertexOf(cells_[static_cast<std::size_t>(cell)], planes));
  }
  for (const std::array<int, 4>& polygon : polygons) {
    std::vector<int> corners;
    for (const int cell : polygon) {
      const int vertex = vertexOfCell.at(cell);
      if (std::find(corners.begin(), corners.end(), vertex) == corners.end()) corners.push_back(vertex);
    }
    if (corners.size() < 3) continue;
    const auto p = [&](std::size_t k) { return surface.mesh.vertices[static_cast<std::size_t>(corners[k])]; };
    if (corners.size() == 4 && (p(0) - p(2)).squaredNorm() > (p(1) - p(3)).squaredNorm())
      std::rotate(corners.begin(), corners.begin() + 1, corners.end());
    surface.mesh.triangles.push_back({corners[0], corners[1], corners[2]});
    if (corners.size() == 4) surface.mesh.triangles.push_back({corners[0], corners[2], corners[3]});
  }
  return surface;
}

}  // namespace tenon::runtime
