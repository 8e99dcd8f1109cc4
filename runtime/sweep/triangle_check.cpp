// See triangle_check.h.
#include "runtime/sweep/triangle_check.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Triangles smaller than this share of the bounds' width are not divided any further.
constexpr double kSmallest = 1.0 / 64;

}  // namespace

TriangleCheck::Key TriangleCheck::keyOf(const Corners& corners) {
  Key key{};
  for (std::size_t k = 0; k < 9; ++k) key[k] = corners[k / 3][static_cast<Eigen::Index>(k % 3)];
  return key;
}

/// A triangle, or a piece of one.
struct TriangleCheck::Part {
  Corners corners;
  Vector3d center;

  double farthestFrom(const Vector3d& p) const {
    double squared = 0;
    for (const Vector3d& corner : corners) squared = std::max(squared, (corner - p).squaredNorm());
    return std::sqrt(squared);
  }
  Vector3d normal() const {
    return (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
  }
};

/// By the distance of the center, or by a ball inside the volume that reaches near all corners.
bool TriangleCheck::isBelowHigh(SweptDistance& distance, const Part& part, const SweptDistance::Nearest& near,
                                double radius) const {
  const double slack = high_ - near.distance - distance.toleranceAt(high_);
  if (radius <= slack) return true;
  const double height = radius * radius / slack;
  if (height > distance.reach()) return false;
  const Vector3d center = part.center - height * part.normal();
  return part.farthestFrom(center) - distance.depth(center, near, height) <= high_;
}

/// By the distance of the center, or by a ball outside the volume that contains all corners.
bool TriangleCheck::isAboveLow(SweptDistance& distance, const Part& part, const SweptDistance::Nearest& near,
                               double radius) const {
  const double slack = near.distance - distance.toleranceAt(high_) - low_;
  if (radius <= slack) return true;
  const double height = radius * radius / slack;
  if (height > distance.reach()) return false;
  const Vector3d center = part.center + height * part.normal();
  const double needed = part.farthestFrom(center) + low_;
  const double range = needed + distance.toleranceAt(needed);
  return distance.nearest(center, range).distance >= range;
}

bool TriangleCheck::isProven(SweptDistance& distance, const Corners& corners) const {
  std::vector<Corners> open{corners};
  while (!open.empty()) {
    const auto [a, b, c] = open.back();
    open.pop_back();
    const Part part{{a, b, c}, (a + b + c) / 3};
    const double radius = part.farthestFrom(part.center);
    const SweptDistance::Nearest near = distance.nearest(part.center, high_ + radius);
    const double tolerance = distance.toleranceAt(std::min(near.distance, high_));
    if (near.distance - tolerance < low_ || near.distance + tolerance > high_) return false;
    if (isBelowHigh(distance, part, near, radius) && isAboveLow(distance, part, near, radius)) continue;
    if (radius < kSmallest * (high_ - low_)) return false;
    // Halve the longest side.
    const double ab = (a - b).squaredNorm(), bc = (b - c).squaredNorm(), ca = (c - a).squaredNorm();
    if (ab >= bc && ab >= ca) {
      const Vector3d m = 0.5 * (a + b);
      open.push_back({a, m, c});
      open.push_back({m, b, c});
    } else if (bc >= ca) {
      const Vector3d m = 0.5 * (b + c);
      open.push_back({b, m, a});
      open.push_back({m, c, a});
    } else {
      const Vector3d m = 0.5 * (c + a);
      open.push_back({c, m, b});
      open.push_back({m, a, b});
    }
  }
  return true;
}

std::vector<int> TriangleCheck::failures(const content::TriangleMesh& mesh,
                                         const std::function<bool()>& stop) {
  std::vector<int> open;
  std::vector<Corners> corners(mesh.triangles.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i)
      corners[k][i] = mesh.vertices[static_cast<std::size_t>(mesh.triangles[k][i])];
    if (!proven_.contains(keyOf(corners[k]))) open.push_back(static_cast<int>(k));
  }
  std::vector<char> isGood(open.size(), 0);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  const auto work = [&](SweptDistance& distance) {
    for (std::size_t k = next++; k < open.size() && !stopped; k = next++)
      isGood[k] = isProven(distance, corners[static_cast<std::size_t>(open[k])]) ? 1 : 0;
  };
  std::vector<std::thread> threads;
  for (std::size_t k = 1; k < distances_.size(); ++k) threads.emplace_back([&, k] { work(*distances_[k]); });
  // This thread's share, with looks at `stop`.
  for (std::size_t k = next++; k < open.size() && !stopped; k = next++) {
    isGood[k] = isProven(*distances_.front(), corners[static_cast<std::size_t>(open[k])]) ? 1 : 0;
    if (stop()) stopped = true;
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> failed;
  for (std::size_t k = 0; k < open.size(); ++k)
    if (isGood[k])
      proven_.insert(keyOf(corners[static_cast<std::size_t>(open[k])]));
    else
      failed.push_back(open[k]);
  return failed;
}

}  // namespace tenon::runtime
