// See shape_solid.h.
#include "content/recognize/shape_solid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "physics/collision/geometry/convex_hull.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Pose;

/// Number of azimuths at which round surfaces are sampled.
constexpr int kAzimuths = 32;

std::vector<Vector3d> cornersOf(const Vector3d& halfExtents) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(halfExtents.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return corners;
}

}  // namespace

ShapeSolid::ShapeSolid(const physics::Shape& shape) {
  add(shape, Pose());
  tree_ = std::make_unique<const TriangleBvh>(faces_);
}

void ShapeSolid::add(const physics::Shape& shape, const Pose& X) {
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children) add(child.shape, X * child.X_PS);
  if (const auto* box = std::get_if<physics::Box>(&shape)) addBlock({box->halfExtents, {}}, X);
  if (const auto* hull = std::get_if<physics::Hull>(&shape)) addHull(hull->vertices, X);
  if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&shape)) {
    round_.push_back({X, physics::prepare(*solid)});
    addProfile(solid->profile, X);
  }
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) addBlock(*block, X);
}

void ShapeSolid::addBlock(const physics::BlockWithHoles& block, const Pose& X) {
  round_.push_back({X, physics::prepare(block)});
  for (const Vector3d& p : cornersOf(block.halfExtents)) roundPoints_.push_back(X * p);
  for (const physics::Cavity& cavity : block.cavities) addProfile(cavity.profile, X * cavity.X_BH);
}

void ShapeSolid::addHull(std::vector<Vector3d> vertices, const Pose& X) {
  for (Vector3d& p : vertices) p = X * p;
  const physics::ConvexHull hull = physics::convexHull(vertices);
  const auto at = [&](int k) -> const Vector3d& { return hull.vertices[static_cast<std::size_t>(k)]; };
  Convex part;
  for (const Vector3d& p : hull.vertices) part.box.extend(p);
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const std::vector<int>& face = hull.faces[f];
    part.planes.emplace_back(hull.normals[f], hull.normals[f].dot(at(face[0])));
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      faces_.push_back({at(face[0]), at(face[k]), at(face[k + 1])});
  }
  convex_.push_back(std::move(part));
}

void ShapeSolid::addProfile(const std::vector<Vector2d>& profile, const Pose& X) {
  std::vector<Vector2d> points = profile;
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) points.push_back(0.5 * (profile[k] + profile[k + 1]));
  for (const Vector2d& zr : points)
    for (int k = 0; k < kAzimuths; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / kAzimuths;
      roundPoints_.push_back(X * Vector3d(zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x()));
    }
}

bool ShapeSolid::isInOneConvexPart(const TriangleCorners& triangle, double tolerance) const {
  const auto contains = [&](const Convex& part) {
    return std::all_of(triangle.begin(), triangle.end(), [&](const Vector3d& p) {
      if (part.box.exteriorDistance(p) > tolerance) return false;
      return std::all_of(part.planes.begin(), part.planes.end(),
                         [&](const auto& plane) { return plane.first.dot(p) - plane.second <= tolerance; });
    });
  };
  return std::any_of(convex_.begin(), convex_.end(), contains);
}

double ShapeSolid::distance(const Vector3d& p) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Round& part : round_) {
    const Vector3d q = part.X.inverse() * p;
    const auto distance = [&](const auto& geometry) { return physics::nearestOn(geometry, q).distance; };
    smallest = std::min(smallest, std::visit(distance, part.geometry));
  }
  for (const Convex& part : convex_) {
    if (!part.box.contains(p)) continue;
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& [normal, offset] : part.planes) highest = std::max(highest, normal.dot(p) - offset);
    smallest = std::min(smallest, highest > 0 ? smallest : highest);
  }
  return smallest <= 0 ? smallest : std::min(smallest, tree_->nearest(p).distance);
}

}  // namespace tenon::content
