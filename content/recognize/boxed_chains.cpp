// Holes and shafts in boxes: see chain_shapes.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/recognize/cell_polytope.h"
#include "content/recognize/chain_shapes.h"
#include "content/recognize/hole_profile.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Pose;

bool boxesIntersect(const CarvedBox& a, const CarvedBox& b, double tolerance) {
  CellPolytope cell(-a.halfExtents, a.halfExtents);
  for (int side = 0; side < 6; ++side) {
    const Vector3d local = (side % 2 == 0 ? 1 : -1) * Vector3d::Unit(side / 2);
    const Vector3d n = a.X_PC.q.conjugate() * (b.X_PC.q * local);
    const Vector3d at = a.X_PC.q.conjugate() * (b.X_PC.p - a.X_PC.p);
    cell = cell.clip({n, n.dot(at) + b.halfExtents[side / 2]}, false, tolerance);
    if (cell.isEmpty()) return false;
  }
  return true;
}

/// True if a triangle of another chain reaches into the box.
bool containsOtherTriangles(const RecognitionInput& input, const CarvedBox& box,
                            const std::vector<char>& own) {
  const double tolerance = input.facets.tolerance;
  const Eigen::Matrix3d R = box.X_PC.q.toRotationMatrix().transpose();
  const Vector3d inside = box.halfExtents - Vector3d::Constant(tolerance);
  for (int t = 0; t < input.facets.count(); ++t) {
    if (own[static_cast<std::size_t>(t)]) continue;
    const std::array<Vector3d, 3> p{R * (input.facets.point(t, 0) - box.X_PC.p),
                                    R * (input.facets.point(t, 1) - box.X_PC.p),
                                    R * (input.facets.point(t, 2) - box.X_PC.p)};
    // Most triangles are completely outside.
    const Vector3d low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    if ((low.array() >= inside.array()).any() || (high.array() <= -inside.array()).any()) continue;
    std::vector<Vector3d> rest(p.begin(), p.end());
    for (int side = 0; side < 6 && !rest.empty(); ++side) {
      const double sign = side % 2 == 0 ? 1 : -1;
      std::vector<Vector3d> remaining;
      for (std::size_t k = 0; k < rest.size(); ++k) {
        const Vector3d &a = rest[k], &b = rest[(k + 1) % rest.size()];
        const double ha = sign * a[side / 2] - inside[side / 2], hb = sign * b[side / 2] - inside[side / 2];
        if (ha < 0) remaining.push_back(a);
        if ((ha < 0) != (hb < 0)) remaining.push_back(a + ha / (ha - hb) * (b - a));
      }
      rest.swap(remaining);
    }
    if (!rest.empty()) return true;
  }
  return false;
}

bool isFree(const RecognitionInput& input, const CarvedBox& box, const std::vector<char>& own,
            const std::vector<CarvedBox>& taken) {
  for (const CarvedBox& other : taken)
    if (boxesIntersect(box, other, 1e-9)) return false;
  return !containsOtherTriangles(input, box, own);
}

/// A block around a hole, from the mouth down to `depth` [m], 2 s wide [m], rotated by `angle` about the
/// axis.
std::optional<ExactChain> blockAroundHole(const RevolvedGroup& group, const HoleProfile& hole, double depth,
                                          double s, double angle) {
  Axis axis = group.axis;
  if (!hole.upwards) {
    axis.z = -axis.z;
    axis.y = -axis.y;
  }
  Pose X = poseOf(axis);
  X.q = (X.q * Eigen::AngleAxisd(angle, Vector3d::UnitZ())).normalized();
  X.p = pointOnAxis(group.axis, hole.mouth) - 0.5 * depth * axis.z;
  physics::BlockWithHoles block;
  block.halfExtents = {s, s, 0.5 * depth};
  physics::Cavity cavity;
  cavity.X_BH.p = {0, 0, 0.5 * depth};
  cavity.profile = hole.points;
  cavity.through = hole.through;
  if (hole.through) cavity.profile.back().x() = -depth;
  block.cavities.push_back(cavity);
  if (problemWith(block)) return std::nullopt;
  ExactChain exact;
  exact.shape = {block, X};
  exact.box = {X, block.halfExtents};
  return exact;
}

/// Angles about an axis at which a box is aligned with parallel planes, and a few more.
std::vector<double> candidateAngles(const RecognitionInput& input, const Axis& axis) {
  std::vector<double> angles;
  for (const Region& region : input.regions)
    if (region.planar && std::abs(region.normal.dot(axis.z)) < 0.01)
      angles.push_back(std::remainder(std::atan2(region.normal.dot(axis.y), region.normal.dot(axis.x)),
                                      std::numbers::pi / 2));
  if (angles.size() > 4) angles.resize(4);
  for (const double degrees : {0.0, 45.0, 22.5, 67.5}) angles.push_back(degrees * std::numbers::pi / 180);
  return angles;
}

}  // namespace

std::optional<ExactChain> boxedHole(const RecognitionInput& input, int group, int chain,
                                    const std::vector<CarvedBox>& taken) {
  const RevolvedGroup& g = input.groups[static_cast<std::size_t>(group)];
  const auto hole = holeProfile(g, chainOf(input, group, chain));
  // The box ends at planes; an open end of the mesh has none.
  const ProfileChain& c = chainOf(input, group, chain);
  if (!hole || c.begin == ChainEnd::open || c.end == ChainEnd::open) return std::nullopt;
  const auto own = trianglesOfChain(input, group, chain);
  const double radius = hole->radius();
  for (const double widthRatio : {1.6, 1.3, 1.15, 1.05, 1.01})
    for (const double angle : candidateAngles(input, g.axis))
      for (const double floor : {0.5, 0.2, 0.05}) {
        const double depth = hole->depth() + (hole->through ? 0 : floor * radius);
        auto exact = blockAroundHole(g, *hole, depth, widthRatio * radius, angle);
        if (exact && isFree(input, exact->box, own, taken)) {
          exact->group = group;
          exact->chain = chain;
          return exact;
        }
        if (hole->through) break;
      }
  return std::nullopt;
}

std::optional<ExactChain> boxedShaft(const RecognitionInput& input, int group, int chain,
                                     const std::vector<CarvedBox>& taken) {
  const RevolvedGroup& g = input.groups[static_cast<std::size_t>(group)];
  const ProfileChain& c = chainOf(input, group, chain);
  const auto ends = [](ChainEnd end) { return end == ChainEnd::axis || end == ChainEnd::face; };
  if (c.isInner || !(ends(c.begin) && ends(c.end))) return std::nullopt;
  physics::SolidOfRevolution solid{solidProfile(c)};
  if (problemWith(solid)) return std::nullopt;
  double low = solid.profile.front().x(), high = low, radius = 0;
  for (const Vector2d& p : solid.profile) {
    low = std::min(low, p.x());
    high = std::max(high, p.x());
    radius = std::max(radius, p.y());
  }
  const auto own = trianglesOfChain(input, group, chain);
  for (const double angle : candidateAngles(input, g.axis)) {
    ExactChain exact;
    exact.group = group;
    exact.chain = chain;
    exact.shape = {solid, poseOf(g.axis)};
    exact.box.X_PC = poseOf(g.axis);
    exact.box.X_PC.q = (exact.box.X_PC.q * Eigen::AngleAxisd(angle, Vector3d::UnitZ())).normalized();
    exact.box.X_PC.p = pointOnAxis(g.axis, 0.5 * (low + high));
    exact.box.halfExtents = {1.001 * radius, 1.001 * radius, 0.5 * (high - low)};
    if (isFree(input, exact.box, own, taken)) return exact;
  }
  return std::nullopt;
}

}  // namespace tenon::content
