// With coordinates below 2²⁸, normals of planes are below 2⁵⁹ and offsets below 2⁸⁹, so that a meeting point
// has x below 2²¹¹ and d below 2¹⁸⁰, and no comparison needs more than 391 bits, with inner points 642.
#include "content/mesh/exact_points.h"

#include <Eigen/Geometry>
#include <cmath>

namespace tenon::content {
namespace {

Integer wide(Int128 value) {
  return Integer(value);
}

/// a × b, its parts below 2¹¹⁹.
std::array<Int128, 3> cross(const GridPoint& a, const GridPoint& b) {
  return {Int128(a[1]) * b[2] - Int128(a[2]) * b[1], Int128(a[2]) * b[0] - Int128(a[0]) * b[2],
          Int128(a[0]) * b[1] - Int128(a[1]) * b[0]};
}

GridPlane planeAt(const GridPoint& n, const GridPoint& p) {
  GridPlane plane;
  plane.n = n;
  for (int k = 0; k < 3; ++k) plane.d += Int128(n[k]) * p[k];
  return plane;
}

/// Cells of 1/64 of the grid: equal points have equal cells.
std::uint64_t cellOf(const ExactPoint& p) {
  constexpr int kShift = 6;
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (const Integer& x : p.x) {
    const Integer cell = ((x + (p.d << 28)) << kShift) / p.d;  // of a positive number
    h ^= static_cast<std::uint64_t>(cell);
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

/// sideOf() of a rounded point, or 0 where its rounding may decide.
int roundedSide(const GridPlane& plane, const Eigen::Vector3d& p) {
  // Of coordinates, and of sums of 2⁸⁹.
  constexpr double kCoordinateError = 1e-6, kSumError = 0x1p39;
  const Eigen::Vector3d n = plane.n.cast<double>();
  const double height = n.dot(p) - static_cast<double>(plane.d);
  if (std::abs(height) <= kCoordinateError * n.lpNorm<1>() + kSumError) return 0;
  return height > 0 ? 1 : -1;
}

}  // namespace

GridPlane planeThrough(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return planeAt((b - a).cross(c - a), a);
}

GridPlane planeAlong(int axis, bool isUp, const GridPoint& a, const GridPoint& b) {
  const GridPoint along = GridPoint::Unit(axis) * (isUp ? 1 : -1);
  return planeAt((b - a).cross(along), a);
}

int steepestAxis(const GridPlane& plane) {
  int axis = 0;
  plane.n.cwiseAbs().maxCoeff(&axis);
  return axis;
}

ExactPoint exactPoint(const GridPoint& p) {
  return {{Integer(p[0]), Integer(p[1]), Integer(p[2])}, 1};
}

ExactPoint meetingPoint(const GridPlane& a, const GridPlane& b, const GridPlane& c) {
  const auto bc = cross(b.n, c.n), ca = cross(c.n, a.n), ab = cross(a.n, b.n);
  ExactPoint p;
  p.d = wide(a.n[0]) * wide(bc[0]) + wide(a.n[1]) * wide(bc[1]) + wide(a.n[2]) * wide(bc[2]);
  for (std::size_t k = 0; k < 3; ++k)
    p.x[k] = wide(a.d) * wide(bc[k]) + wide(b.d) * wide(ca[k]) + wide(c.d) * wide(ab[k]);
  if (p.d < 0) {
    p.d = -p.d;
    for (Integer& x : p.x) x = -x;
  }
  return p;
}

int sideOf(const GridPlane& plane, const ExactPoint& p) {
  const Integer height = Integer(plane.n[0]) * p.x[0] + Integer(plane.n[1]) * p.x[1] +
                         Integer(plane.n[2]) * p.x[2] - wide(plane.d) * p.d;
  return height.sign();
}

int sideOf(const GridPlane& plane, const InnerPoint& p) {
  if (const int side = roundedSide(plane, p.rounded); side != 0) return side;
  using Wide = WideInteger<1024>;
  const Wide height =
      Wide(plane.n[0]) * p.x[0] + Wide(plane.n[1]) * p.x[1] + Wide(plane.n[2]) * p.x[2] - Wide(plane.d) * p.d;
  return height.sign();
}

int compareAlong(int axis, const ExactPoint& a, const ExactPoint& b) {
  const auto k = static_cast<std::size_t>(axis);
  const int order = Integer(a.x[k] * b.d).compare(b.x[k] * a.d);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

Eigen::Vector3d roundedPoint(const ExactPoint& p) {
  const auto d = p.d.convert_to<double>();
  return {p.x[0].convert_to<double>() / d, p.x[1].convert_to<double>() / d, p.x[2].convert_to<double>() / d};
}

int ExactPoints::side(const GridPlane& plane, int index) const {
  const int side = roundedSide(plane, rounded(index));
  return side != 0 ? side : sideOf(plane, (*this)[index]);
}

int ExactPoints::indexOf(const ExactPoint& p) {
  const std::uint64_t cell = cellOf(p);
  const auto [begin, end] = indices_.equal_range(cell);
  for (auto at = begin; at != end; ++at) {
    const ExactPoint& other = (*this)[at->second];
    if (compareAlong(0, p, other) == 0 && compareAlong(1, p, other) == 0 && compareAlong(2, p, other) == 0)
      return at->second;
  }
  const int index = count();
  points_.push_back(p);
  rounded_.push_back(roundedPoint(p));
  indices_.emplace(cell, index);
  return index;
}

InnerPoint innerPoint(const ExactPoints& points, const std::array<int, 3>& indices,
                      const std::array<int, 3>& weights) {
  using Wide = WideInteger<1024>;
  InnerPoint p;
  p.d = weights[0] + weights[1] + weights[2];
  for (const int index : indices) p.d *= Wide(points[index].d);
  for (std::size_t k = 0; k < 3; ++k) {
    const ExactPoint& own = points[indices[k]];
    const Wide share =
        Wide(points[indices[(k + 1) % 3]].d) * Wide(points[indices[(k + 2) % 3]].d) * weights[k];
    for (std::size_t axis = 0; axis < 3; ++axis) p.x[axis] += share * Wide(own.x[axis]);
    p.rounded += weights[k] * points.rounded(indices[k]);
  }
  p.rounded /= weights[0] + weights[1] + weights[2];
  return p;
}

}  // namespace tenon::content
