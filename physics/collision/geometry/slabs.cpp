// Radii of a profile between adjacent heights of its points.
#include "physics/collision/geometry/slabs.h"

#include <algorithm>

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

// Radii at both ends of the outermost segment that spans z0 to z1, between which no profile point lies.
Vector2d radiiBetween(const std::vector<Vector2d>& profile, double z0, double z1) {
  Vector2d outermost(0, 0);
  const double middle = 0.5 * (z0 + z1);
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vector2d &p = profile[i], &q = profile[i + 1];
    if (!(std::min(p.x(), q.x()) < middle && middle < std::max(p.x(), q.x()))) continue;
    const auto radius = [&](double z) {
      if (z == p.x()) return p.y();
      if (z == q.x()) return q.y();
      return std::max(0.0, p.y() + (z - p.x()) / (q.x() - p.x()) * (q.y() - p.y()));
    };
    const Vector2d radii(radius(z0), radius(z1));
    if (radii.sum() > outermost.sum()) outermost = radii;
  }
  return outermost;
}

}  // namespace

std::vector<Slab> slabsOf(const std::vector<Vector2d>& profile) {
  std::vector<double> heights;
  for (const Vector2d& p : profile) heights.push_back(p.x());
  std::sort(heights.begin(), heights.end());
  std::vector<Slab> slabs;
  for (std::size_t i = 0; i + 1 < heights.size(); ++i) {
    if (heights[i] >= heights[i + 1]) continue;
    const Vector2d radii = radiiBetween(profile, heights[i], heights[i + 1]);
    slabs.push_back({heights[i], heights[i + 1], radii.x(), radii.y()});
  }
  return slabs;
}

}  // namespace tenon::physics
