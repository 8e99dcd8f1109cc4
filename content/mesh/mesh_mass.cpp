// Sums signed tetrahedra from the center of the bounds to each triangle.
#include "content/mesh/mesh_mass.h"

namespace tenon::content {
namespace {

using Eigen::Matrix3d;

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
  const Vector3d o = boundsCenter(mesh);
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const auto& t : mesh.triangles) {
    const auto p = [&](int k) { return Vector3d(mesh.vertices[static_cast<std::size_t>(t[k])] - o); };
    const Vector3d a = p(0), b = p(1), c = p(2), sum = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    volume += v;
    first += v / 4 * sum;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  const Vector3d center = first / volume;
  const Matrix3d central = density * (second - volume * center * center.transpose());
  return {density * volume, o + center, central.trace() * Matrix3d::Identity() - central};
}

}  // namespace tenon::content
