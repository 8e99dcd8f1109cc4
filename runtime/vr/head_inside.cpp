// Counts how often a ray leaves and enters a mesh: an odd number of times from a point inside.
#include "runtime/vr/head_inside.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

/// Along no face or edge of usual parts.
const Vector3d kRayDirection = Vector3d(0.531, 0.313, 0.787).normalized();

/// Möller & Trumbore (1997).
bool crossesTriangle(const Vector3d& p, const Vector3d& a, const Vector3d& ab, const Vector3d& ac) {
  const Vector3d h = kRayDirection.cross(ac);
  const double det = ab.dot(h);
  if (det == 0) return false;
  const Vector3d s = p - a, q = s.cross(ab);
  const double u = s.dot(h) / det, v = kRayDirection.dot(q) / det, t = ac.dot(q) / det;
  return u >= 0 && v >= 0 && u + v < 1 && t > 0;
}

}  // namespace

std::vector<int> partsAround(const SceneView& sceneView, std::span<const physics::Pose> X_WP,
                             const Vector3d& p_W) {
  std::vector<int> parts;
  for (std::size_t k = 0; k < X_WP.size(); ++k) {
    const auto mesh = sceneView.meshes.of(k);
    const Vector3d p = X_WP[k].inverse() * p_W;
    if (!mesh || !sceneView.boxes[k].contains(p)) continue;
    bool inside = false;
    for (const auto& corners : mesh->triangles) {
      const Vector3d& a = mesh->positions[corners[0]];
      if (crossesTriangle(p, a, mesh->positions[corners[1]] - a, mesh->positions[corners[2]] - a))
        inside = !inside;
    }
    if (inside) parts.push_back(static_cast<int>(k));
  }
  return parts;
}

}  // namespace tenon::runtime
