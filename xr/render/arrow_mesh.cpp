// SolidOfRevolution pieces, like the parts themselves.
#include "xr/render/arrow_mesh.h"

#include <algorithm>

namespace tenon::xr {

namespace {

std::shared_ptr<const content::DisplayMesh> turned(const std::vector<Eigen::Vector2d>& profile) {
  content::DisplayMesh mesh;
  content::MeshBuilder(mesh).revolve(profile, physics::Pose(), 32);
  return std::make_shared<const content::DisplayMesh>(std::move(mesh));
}

}  // namespace

std::shared_ptr<const content::DisplayMesh> arrowShaft() {
  static const auto mesh = turned({{0, 0}, {0, 1}, {1, 1}, {1, 0}});
  return mesh;
}

std::shared_ptr<const content::DisplayMesh> arrowHead() {
  static const auto mesh = turned({{0, 0}, {0, 1}, {1, 0}});
  return mesh;
}

ArrowTransforms arrowTransforms(const Arrow& arrow) {
  const double length = arrow.vector.norm(), head = std::min(6 * arrow.radius, 0.5 * length);
  const physics::Vector3d along =
      length > 0 ? physics::Vector3d(arrow.vector / length) : physics::Vector3d::UnitZ();
  ArrowTransforms pieces;
  pieces.X_WShaft.q = physics::shortestRotation(physics::Vector3d::UnitZ(), along);
  pieces.X_WShaft.p = arrow.tail;
  pieces.X_WHead = {pieces.X_WShaft.q, arrow.tail + (length - head) * along};
  const double r = std::min(arrow.radius, head / 3);
  pieces.shaftScale = {r, r, length - head};
  pieces.headScale = {2.5 * r, 2.5 * r, head};
  return pieces;
}

}  // namespace tenon::xr
