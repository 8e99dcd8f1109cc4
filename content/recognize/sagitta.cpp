// See sagitta.h.
#include "content/recognize/sagitta.h"

#include <Eigen/LU>

#include "physics/collision/brep/edge_curve.h"

namespace tenon::content {

using Eigen::Vector3d;

std::optional<Eigen::Vector2d> extremeInside(const std::array<double, 3>& corners,
                                             const std::array<double, 3>& middles) {
  Eigen::Matrix2d curved;
  const double mixed = 4 * (middles[1] - middles[0] - middles[2] + corners[0]);
  curved << 4 * (corners[0] + corners[1] - 2 * middles[0]), mixed, mixed,
      4 * (corners[0] + corners[2] - 2 * middles[2]);
  const Eigen::Vector2d slope(4 * middles[0] - 3 * corners[0] - corners[1],
                              4 * middles[2] - 3 * corners[0] - corners[2]);
  const Eigen::Vector2d at = -curved.inverse() * slope;
  if (at.x() > 0 && at.y() > 0 && at.sum() < 1) return at;
  return std::nullopt;
}

Vector3d bulgeOfBorder(const std::array<const physics::Surface*, 2>& both, const Vector3d& a,
                       const Vector3d& b) {
  if (both[0] == both[1] || both[0] == nullptr || both[1] == nullptr) return Vector3d::Zero();
  if (both[0]->kind == physics::SurfaceKind::plane && both[1]->kind == physics::SurfaceKind::plane)
    return Vector3d::Zero();
  const double reach = 0.5 * (b - a).norm();
  std::array<Vector3d, 3> on{a, 0.5 * (a + b), b};
  for (Vector3d& p : on)
    if (!physics::brep::moveOnto(both, reach, p)) return Vector3d::Zero();
  return on[1] - 0.5 * (on[0] + on[2]);
}

}  // namespace tenon::content
