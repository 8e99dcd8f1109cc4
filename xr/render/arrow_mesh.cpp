// Both meshes are surfaces of revolution about z.
#include "xr/render/arrow_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace tenon::xr {

namespace {

using physics::Vector3d;

/// Adds a triangle unless two of its corners coincide, as at the tip of a cone.
void addTriangle(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Vector3d &p = mesh.positions[a], &q = mesh.positions[b], &r = mesh.positions[c];
  if (p != q && q != r && r != p) mesh.triangles.push_back({a, b, c});
}

/// The surface of revolution of a polyline (z, r), smooth round the axis, with an edge at each point.
std::shared_ptr<const Mesh> revolved(const std::vector<Eigen::Vector2d>& profile) {
  constexpr int kFacets = 32;
  auto mesh = std::make_shared<Mesh>();
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const std::span<const Eigen::Vector2d> ends(&profile[i], 2);
    const Eigen::Vector2d along = (ends[1] - ends[0]).normalized();
    for (int k = 0; k <= kFacets; ++k) {
      const double phi = 2 * std::numbers::pi * (k % kFacets) / kFacets;
      const Vector3d radial(std::cos(phi), std::sin(phi), 0);
      for (const Eigen::Vector2d& end : ends) {
        mesh->positions.push_back(end.y() * radial + end.x() * Vector3d::UnitZ());
        mesh->normals.push_back(along.x() * radial - along.y() * Vector3d::UnitZ());
      }
      if (k == 0) continue;
      const auto last = static_cast<std::uint32_t>(mesh->positions.size() - 1);
      addTriangle(*mesh, last - 3, last - 1, last);
      addTriangle(*mesh, last - 3, last, last - 2);
    }
  }
  return mesh;
}

}  // namespace

std::shared_ptr<const Mesh> arrowShaft() {
  static const auto mesh = revolved({{0, 0}, {0, 1}, {1, 1}, {1, 0}});
  return mesh;
}

std::shared_ptr<const Mesh> arrowHead() {
  static const auto mesh = revolved({{0, 0}, {0, 1}, {1, 0}});
  return mesh;
}

ArrowTransforms arrowTransforms(const Arrow& arrow) {
  const double length = arrow.vector.norm(), head = std::min(6 * arrow.radius, 0.5 * length);
  const physics::Vector3d along =
      length > 0 ? physics::Vector3d(arrow.vector / length) : physics::Vector3d::UnitZ();
  ArrowTransforms transforms;
  transforms.X_WShaft.q = physics::shortestRotation(physics::Vector3d::UnitZ(), along);
  transforms.X_WShaft.p = arrow.tail;
  transforms.X_WHead = {transforms.X_WShaft.q, arrow.tail + (length - head) * along};
  const double r = std::min(arrow.radius, head / 3);
  transforms.shaftScale = {r, r, length - head};
  transforms.headScale = {2.5 * r, 2.5 * r, head};
  return transforms;
}

}  // namespace tenon::xr
