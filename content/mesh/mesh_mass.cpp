// Sums signed tetrahedra from the center of the bounds to each triangle.
#include "content/mesh/mesh_mass.h"

namespace tenon::content {
namespace {

Vector3d boundsCenter(const TriangleMesh& mesh) {
  Vector3d low = mesh.vertices.front(), high = low;
  for (const Vector3d& p : mesh.vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return 0.5 * (low + high);
}

}  // namespace

double volumeOf(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  const Vector3d o = boundsCenter(mesh);
  double sixVolumes = 0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](int k) { return Vector3d(mesh.vertices[static_cast<std::size_t>(t[k])] - o); };
    sixVolumes += p(0).dot(p(1).cross(p(2)));
  }
  return sixVolumes / 6;
}

physics::MassProperties massOf(const TriangleMesh& mesh, double density) {
  return physics::massProperties(physics::BoundarySolid{mesh.vertices, mesh.triangles}, density);
}

}  // namespace tenon::content
