// See hull_measures.h.
#include "content/recognize/hull_measures.h"

#include <algorithm>
#include <stdexcept>

#include "physics/collision/geometry/convex_hull.h"

namespace tenon::content {

Vector3d vertexMean(const std::vector<Vector3d>& corners) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : corners) sum += p;
  return sum / static_cast<double>(corners.size());
}

double hullVolume(const std::vector<Vector3d>& points) {
  const physics::ConvexHull hull = physics::convexHull(points);
  double sixVolumes = 0;
  const Vector3d& o = hull.vertices.front();
  for (const auto& face : hull.faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      sixVolumes += (hull.vertices[static_cast<std::size_t>(face[0])] - o)
                        .dot((hull.vertices[static_cast<std::size_t>(face[k])] - o)
                                 .cross(hull.vertices[static_cast<std::size_t>(face[k + 1])] - o));
  return sixVolumes / 6;
}

bool isThinnerThan(const std::vector<Vector3d>& corners, double thickness) {
  try {
    const physics::ConvexHull hull = physics::convexHull(corners);
    for (std::size_t k = 0; k < hull.faces.size(); ++k) {
      const Vector3d& on = hull.vertices[static_cast<std::size_t>(hull.faces[k][0])];
      double depth = 0;
      for (const Vector3d& p : hull.vertices) depth = std::max(depth, hull.normals[k].dot(on - p));
      if (depth < thickness) return true;
    }
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

}  // namespace tenon::content
