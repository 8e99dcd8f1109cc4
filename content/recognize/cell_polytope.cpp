// Clipping of convex polyhedra, face by face (Sutherland & Hodgman 1974).
#include "content/recognize/cell_polytope.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::content {
namespace {

/// Sorts the corners of a face by their angle about its center.
void sortByAngle(std::vector<Vector3d>& rim, const Vector3d& normal) {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& p : rim) middle += p / static_cast<double>(rim.size());
  const Vector3d x = normal.unitOrthogonal(), y = normal.cross(x);
  const auto angle = [&](const Vector3d& p) { return std::atan2((p - middle).dot(y), (p - middle).dot(x)); };
  std::sort(rim.begin(), rim.end(),
            [&](const Vector3d& a, const Vector3d& b) { return angle(a) < angle(b); });
}

void addUnique(const Vector3d& p, double tolerance, std::vector<Vector3d>& list) {
  const bool exists = std::any_of(list.begin(), list.end(), [&](const Vector3d& q) {
    return (p - q).squaredNorm() <= tolerance * tolerance;
  });
  if (!exists) list.push_back(p);
}

}  // namespace

CellPolytope::CellPolytope(const Vector3d& low, const Vector3d& high) {
  const auto corner = [&](int k) {
    return Vector3d(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(), k & 4 ? high.z() : low.z());
  };
  for (const auto& q :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}})
    faces_.push_back({corner(q[0]), corner(q[1]), corner(q[2]), corner(q[3])});
}

bool CellPolytope::isSplitBy(const SplittingPlane& plane, double tolerance) const {
  bool above = false, below = false;
  for (const auto& face : faces_)
    for (const Vector3d& p : face) {
      above = above || plane.signedDistance(p) > tolerance;
      below = below || plane.signedDistance(p) < -tolerance;
    }
  return above && below;
}

CellPolytope CellPolytope::clip(const SplittingPlane& plane, bool upper, double tolerance) const {
  const double side = upper ? -1 : 1;
  CellPolytope rest;
  std::vector<Vector3d> rim;
  for (const auto& face : faces_) {
    std::vector<Vector3d> remaining;
    bool proper = false;
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vector3d &a = face[k], &b = face[(k + 1) % face.size()];
      const double ha = side * plane.signedDistance(a), hb = side * plane.signedDistance(b);
      if (ha <= tolerance) remaining.push_back(a);
      if (std::abs(ha) <= tolerance) addUnique(a, tolerance, rim);
      proper = proper || ha < -tolerance;
      if ((ha > tolerance && hb < -tolerance) || (ha < -tolerance && hb > tolerance)) {
        // Interpolates from the same end for both directions of the edge, so that both faces get identical
        // corners.
        const bool forward = ha < hb;
        const Vector3d& p = forward ? a : b;
        const Vector3d& q = forward ? b : a;
        const double hp = forward ? ha : hb, hq = forward ? hb : ha;
        const Vector3d x = p + hp / (hp - hq) * (q - p);
        remaining.push_back(x);
        addUnique(x, tolerance, rim);
      }
    }
    if (proper && remaining.size() >= 3) rest.faces_.push_back(std::move(remaining));
  }
  if (rest.faces_.empty() || rim.size() < 3) return rest.faces_.size() < 3 ? CellPolytope() : rest;
  sortByAngle(rim, side * plane.n);
  rest.faces_.push_back(std::move(rim));
  return rest;
}

std::vector<Vector3d> CellPolytope::corners(double tolerance) const {
  std::vector<Vector3d> list;
  for (const auto& face : faces_)
    for (const Vector3d& p : face) addUnique(p, tolerance, list);
  return list;
}

Vector3d CellPolytope::vertexMean() const {
  Vector3d sum = Vector3d::Zero();
  double count = 0;
  for (const auto& face : faces_)
    for (const Vector3d& p : face) {
      sum += p;
      count += 1;
    }
  return sum / count;
}

double CellPolytope::volume() const {
  if (isEmpty()) return 0;
  const Vector3d o = vertexMean();
  double sixVolumes = 0;
  for (const auto& face : faces_)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      sixVolumes += (face[0] - o).dot((face[k] - o).cross(face[k + 1] - o));
  return sixVolumes / 6;
}

}  // namespace tenon::content
