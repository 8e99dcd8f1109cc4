// See shaded_mesh.h.
#include "content/mesh/shaded_mesh.h"

#include <cmath>

namespace tenon::content {

DisplayMesh shadedMesh(const TriangleMesh& mesh, double crease) {
  std::vector<Vector3d> areas(mesh.triangles.size());
  std::vector<std::vector<int>> around(mesh.vertices.size());
  for (std::size_t k = 0; k < areas.size(); ++k) {
    const auto at = [&](std::size_t i) {
      return mesh.vertices[static_cast<std::size_t>(mesh.triangles[k][i])];
    };
    areas[k] = (at(1) - at(0)).cross(at(2) - at(0));
    if (areas[k].squaredNorm() == 0) continue;
    for (const int vertex : mesh.triangles[k])
      around[static_cast<std::size_t>(vertex)].push_back(static_cast<int>(k));
  }
  DisplayMesh shaded;
  for (std::size_t k = 0; k < areas.size(); ++k) {
    if (areas[k].squaredNorm() == 0) continue;
    const Vector3d own = areas[k].normalized();
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto vertex = static_cast<std::size_t>(mesh.triangles[k][i]);
      Vector3d sum = Vector3d::Zero();
      for (const int other : around[vertex]) {
        const Vector3d& area = areas[static_cast<std::size_t>(other)];
        if (area.dot(own) > std::cos(crease) * area.norm()) sum += area;
      }
      corners[i] = static_cast<std::uint32_t>(shaded.positions.size());
      shaded.positions.push_back(mesh.vertices[vertex]);
      shaded.normals.push_back(sum.normalized());
    }
    shaded.triangles.push_back(corners);
  }
  return shaded;
}

}  // namespace tenon::content
