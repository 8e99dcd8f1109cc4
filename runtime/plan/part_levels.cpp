// See part_levels.h.
#include "runtime/plan/part_levels.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Directions this parallel to an axis or a normal are along it [−]: 0.1 µm on 0.1 m.
constexpr double kParallel = 1e-6;
/// Levels that differ by less are one [m].
constexpr double kSameLevel = 1e-7;

class LevelCollector {
 public:
  explicit LevelCollector(std::vector<double>& levels) : levels_(levels) {}

  void add(const physics::Shape& shape, const Vector3d& d, double offset) {
    if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
      for (const physics::PlacedShape& child : compound->children)
        add(child.shape, child.X_PS.q.conjugate() * d, offset + d.dot(child.X_PS.p));
      return;
    }
    if (std::holds_alternative<physics::HalfSpace>(shape)) {
      if (std::abs(d.z()) > 1 - kParallel) levels_.push_back(offset);
      return;
    }
    addBounds(xr::boundsOf(shape), d, offset);
    if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&shape))
      addProfile(solid->profile, d, offset);
    if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape))
      for (const physics::Cavity& cavity : block->cavities)
        addProfile(cavity.profile, cavity.X_BH.q.conjugate() * d, offset + d.dot(cavity.X_BH.p));
    if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) addTriangles(*solid, d, offset);
  }

 private:
  void addBounds(const Eigen::AlignedBox3d& box, const Vector3d& d, double offset) {
    const double center = offset + d.dot(box.center()), half = 0.5 * d.cwiseAbs().dot(box.sizes());
    for (const double level : {center - half, center, center + half}) levels_.push_back(level);
  }

  /// About z, as (z, r): its steps along the axis, or its radii across it.
  void addProfile(const std::vector<Eigen::Vector2d>& profile, const Vector3d& d, double offset) {
    for (const Eigen::Vector2d& point : profile) {
      if (std::abs(d.z()) > 1 - kParallel) levels_.push_back(offset + d.z() * point.x());
      if (std::abs(d.z()) > kParallel) continue;
      for (const double r : {-point.y(), 0.0, point.y()}) levels_.push_back(offset + r);
    }
  }

  void addTriangles(const physics::BoundarySolid& solid, const Vector3d& d, double offset) {
    for (const auto& triangle : solid.triangles) {
      const auto vertex = [&](std::size_t k) -> const Vector3d& {
        return solid.vertices[static_cast<std::size_t>(triangle[k])];
      };
      const Vector3d normal = (vertex(1) - vertex(0)).cross(vertex(2) - vertex(0));
      if (std::abs(d.dot(normal)) > (1 - kParallel) * normal.norm())
        levels_.push_back(offset + d.dot(vertex(0)));
    }
    for (const physics::Cavity& hole : solid.holes)
      addProfile(hole.profile, hole.X_BH.q.conjugate() * d, offset + d.dot(hole.X_BH.p));
  }

  std::vector<double>& levels_;
};

}  // namespace

std::vector<double> levelsOf(const physics::Shape& shape, const Vector3d& direction) {
  std::vector<double> levels;
  LevelCollector(levels).add(shape, direction, 0);
  std::sort(levels.begin(), levels.end());
  levels.erase(
      std::unique(levels.begin(), levels.end(), [](double a, double b) { return b - a < kSameLevel; }),
      levels.end());
  return levels;
}

}  // namespace tenon::runtime
