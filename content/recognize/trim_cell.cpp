// The hull of the cell's corners inside the mesh and of the mesh's triangles clipped by the cell (Sutherland
// & Hodgman 1974).
#include "content/recognize/trim_cell.h"

#include <algorithm>
#include <stdexcept>

#include "content/recognize/cell_polytope.h"
#include "physics/collision/geometry/convex_hull.h"

namespace tenon::content {
namespace {

/// The part of a polygon below a plane.
std::vector<Vector3d> clipped(const std::vector<Vector3d>& polygon, const SplittingPlane& plane) {
  std::vector<Vector3d> remaining;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector3d &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double ha = plane.signedDistance(a), hb = plane.signedDistance(b);
    if (ha <= 0) remaining.push_back(a);
    if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) remaining.push_back(a + ha / (ha - hb) * (b - a));
  }
  return remaining;
}

}  // namespace

std::vector<Vector3d> trimmedCell(const std::vector<Vector3d>& corners, const TriangleBvh& mesh,
                                  double tolerance) {
  const auto isOutside = [&](const Vector3d& p) {
    return mesh.nearest(p).distance > tolerance && !mesh.isInside(p);
  };
  std::vector<Vector3d> remaining;
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : corners) {
    box.extend(p);
    if (!isOutside(p)) remaining.push_back(p);
  }
  if (remaining.size() == corners.size()) return corners;
  try {
    const physics::ConvexHull cell = physics::convexHull(corners);
    mesh.visitOverlapping(box, [&](int index) {
      const TriangleCorners& t = mesh.triangle(index);
      std::vector<Vector3d> polygon(t.begin(), t.end());
      for (std::size_t f = 0; f < cell.faces.size() && !polygon.empty(); ++f) {
        const Vector3d& on = cell.vertices[static_cast<std::size_t>(cell.faces[f][0])];
        polygon = clipped(polygon, {cell.normals[f], cell.normals[f].dot(on)});
      }
      remaining.insert(remaining.end(), polygon.begin(), polygon.end());
    });
    return physics::convexHull(remaining).vertices;
  } catch (const std::invalid_argument&) {  // all points in one plane: no volume
    return {};
  }
}

}  // namespace tenon::content
