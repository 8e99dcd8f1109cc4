// See face_triangles.h.
#include "content/parts/face_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using Loop = std::vector<std::uint32_t>;

double cross(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

bool inTriangle(const Vector2d& p, const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0;
}

class FaceTriangulation {
 public:
  FaceTriangulation(const Polygon& outer, std::span<const Polygon> holes) : points_(outer) {
    loop_.resize(outer.size());
    std::iota(loop_.begin(), loop_.end(), 0u);
    std::vector<Loop> inner;
    for (const Polygon& hole : holes) {
      Loop loop(hole.size());
      std::iota(loop.begin(), loop.end(), static_cast<std::uint32_t>(points_.size()));
      std::reverse(loop.begin(), loop.end());  // clockwise: the material is outside
      points_.insert(points_.end(), hole.begin(), hole.end());
      inner.push_back(rightmostFirst(loop));
    }
    // From right to left, so that a bridge intersects no hole that is not yet joined.
    std::stable_sort(inner.begin(), inner.end(),
                     [&](const Loop& a, const Loop& b) { return at(a[0]).x() > at(b[0]).x(); });
    for (const Loop& hole : inner) join(hole);
  }

  std::vector<std::array<std::uint32_t, 3>> clipEars() {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::size_t k = 0, failed = 0;
    while (loop_.size() > 3 && failed < loop_.size()) {
      const std::size_t n = loop_.size(), i = k % n;
      if (!isEar((i + n - 1) % n, i, (i + 1) % n)) {
        ++k;
        ++failed;
        continue;
      }
      triangles.push_back({loop_[(i + n - 1) % n], loop_[i], loop_[(i + 1) % n]});
      loop_.erase(loop_.begin() + static_cast<std::ptrdiff_t>(i));
      failed = 0;
    }
    if (loop_.size() == 3) triangles.push_back({loop_[0], loop_[1], loop_[2]});
    return triangles;
  }

 private:
  const Vector2d& at(std::uint32_t i) const { return points_[i]; }

  Loop rightmostFirst(Loop loop) const {
    const auto right = std::max_element(
        loop.begin(), loop.end(), [&](std::uint32_t a, std::uint32_t b) { return at(a).x() < at(b).x(); });
    std::rotate(loop.begin(), right, loop.end());
    return loop;
  }

  /// True if the segment from corner `i` of the border to `p` starts in the material. At the end of a bridge,
  /// two corners have the same position, but only one of them sees `p`.
  bool facesPoint(std::size_t i, const Vector2d& p) const {
    const std::size_t n = loop_.size();
    const Vector2d &a = at(loop_[(i + n - 1) % n]), &b = at(loop_[i]), &c = at(loop_[(i + 1) % n]);
    if (cross(a, b, c) >= 0) return cross(a, b, p) >= 0 && cross(b, c, p) >= 0;
    return cross(a, b, p) >= 0 || cross(b, c, p) >= 0;
  }

  /// The corner of the border to which the rightmost corner M of a hole is connected.
  std::size_t visibleFrom(const Vector2d& M) const {
    const std::size_t n = loop_.size();
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vector2d &a = at(loop_[i]), &b = at(loop_[(i + 1) % n]);
      // Upward edges have the material on their left, towards M.
      if (!(a.y() <= M.y() && b.y() >= M.y() && a.y() < b.y())) continue;
      const double x = a.x() + (M.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
      if (x < M.x() || x >= nearest) continue;
      nearest = x;
      found = a.x() > b.x() ? i : (i + 1) % n;
    }
    // Corners inside the triangle of M, the end of the ray and that corner hide it: use the one closest to
    // the ray.
    const Vector2d end(nearest, M.y()), corner = at(loop_[found]);
    double smallestSlope = std::numeric_limits<double>::infinity();
    std::size_t best = found;
    for (std::size_t i = 0; i < n; ++i) {
      const Vector2d& p = at(loop_[i]);
      const bool inside = corner.y() < M.y() ? inTriangle(p, M, corner, end) : inTriangle(p, M, end, corner);
      if (!inside || p.x() <= M.x() || !facesPoint(i, M)) continue;
      const Vector2d w = p - M;
      const double slope = std::abs(w.y()) / w.x();
      if (slope < smallestSlope || (slope == smallestSlope && w.norm() < (at(loop_[best]) - M).norm())) {
        smallestSlope = slope;
        best = i;
      }
    }
    return best;
  }

  void join(const Loop& hole) {
    const std::size_t i = visibleFrom(at(hole[0]));
    Loop bridge(hole);
    bridge.push_back(hole[0]);
    bridge.push_back(loop_[i]);
    loop_.insert(loop_.begin() + static_cast<std::ptrdiff_t>(i) + 1, bridge.begin(), bridge.end());
  }

  bool isEar(std::size_t before, std::size_t i, std::size_t after) const {
    const Vector2d &a = at(loop_[before]), &b = at(loop_[i]), &c = at(loop_[after]);
    if (!(cross(a, b, c) > 0)) return false;
    for (std::size_t k = 0; k < loop_.size(); ++k) {
      const Vector2d& p = at(loop_[k]);
      // The ends of a bridge occur twice in the loop.
      if (p == a || p == b || p == c) continue;
      if (inTriangle(p, a, b, c)) return false;
    }
    return true;
  }

  Polygon points_;
  Loop loop_;
};

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulate(const Polygon& outer, std::span<const Polygon> holes) {
  return FaceTriangulation(outer, holes).clipEars();
}

}  // namespace tenon::content
