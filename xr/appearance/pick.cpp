// See pick.h.
#include "xr/appearance/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::xr {

namespace {

using content::DisplayMesh;
using physics::Pose;

/// Tolerance of points on a hole's wall, absolute [m] and relative to its radius [-]: display meshes are
/// chords.
constexpr double kWallTolerance = 3e-5;
constexpr double kWallToleranceRelative = 3e-3;

Ray rayInFrame(const Pose& X_WP, const Ray& ray) {
  const Pose X_PW = X_WP.inverse();
  return {X_PW * ray.origin, X_PW.q * ray.direction};
}

/// True if the ray intersects the box within `maxDistance` (slab test).
bool intersects(const Eigen::AlignedBox3d& box, const Ray& ray, double maxDistance) {
  double from = 0, to = maxDistance;
  for (int k = 0; k < 3; ++k) {
    if (ray.direction[k] == 0) {
      if (ray.origin[k] < box.min()[k] || ray.origin[k] > box.max()[k]) return false;
      continue;
    }
    const double a = (box.min()[k] - ray.origin[k]) / ray.direction[k];
    const double b = (box.max()[k] - ray.origin[k]) / ray.direction[k];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

struct TriangleHit {
  double distance = std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::UnitZ();
};

/// Möller & Trumbore (1997), front faces only: meshes are closed and seen from outside.
void intersectTriangle(const Ray& ray, const DisplayMesh& mesh, const std::array<std::uint32_t, 3>& corners,
                       TriangleHit& nearest) {
  const Vector3d& a = mesh.positions[corners[0]];
  const Vector3d ab = mesh.positions[corners[1]] - a, ac = mesh.positions[corners[2]] - a;
  const Vector3d h = ray.direction.cross(ac);
  const double det = ab.dot(h);
  if (!(det > 0)) return;
  const Vector3d s = ray.origin - a;
  const double u = s.dot(h);
  if (u < 0 || u > det) return;
  const Vector3d q = s.cross(ab);
  const double v = ray.direction.dot(q);
  if (v < 0 || u + v > det) return;
  const double t = ac.dot(q) / det;
  if (t < 0 || t >= nearest.distance) return;
  nearest.distance = t;
  const double wu = u / det, wv = v / det;
  nearest.normal = ((1 - wu - wv) * mesh.normals[corners[0]] + wu * mesh.normals[corners[1]] +
                    wv * mesh.normals[corners[2]])
                       .normalized();
}

Eigen::AlignedBox3d boundsOfMesh(const DisplayMesh* mesh) {
  Eigen::AlignedBox3d box;
  if (mesh == nullptr) return box;
  for (const Vector3d& p : mesh->positions) box.extend(p);
  return box;
}

/// True if a point in the hole's frame is on its wall, within the tolerance.
bool isOnWall(const content::HoleSite& hole, const Vector3d& p_H) {
  const double radius = p_H.head<2>().norm();
  for (std::size_t k = 0; k + 1 < hole.profile.size(); ++k) {
    const Eigen::Vector2d zr(p_H.z(), radius), a = hole.profile[k], b = hole.profile[k + 1];
    const double length2 = (b - a).squaredNorm();
    const double along = length2 > 0 ? std::clamp((zr - a).dot(b - a) / length2, 0.0, 1.0) : 0;
    const Eigen::Vector2d foot = a + along * (b - a);
    if ((zr - foot).norm() <= std::max(kWallTolerance, kWallToleranceRelative * foot.y())) return true;
  }
  return false;
}

/// Distance along the ray to the hole's mouth [m]; infinite if it does not enter.
double mouthDistance(const Ray& ray_H, double radius) {
  const double never = std::numeric_limits<double>::infinity();
  if (!(ray_H.direction.z() < 0)) return never;
  const double t = -ray_H.origin.z() / ray_H.direction.z();
  if (t < 0) return never;
  return (ray_H.origin + t * ray_H.direction).head<2>().norm() <= radius ? t : never;
}

/// A frame at `p` whose z is `direction`.
Pose frameAlong(const Vector3d& p, const Vector3d& direction) {
  return {physics::shortestRotation(Vector3d::UnitZ(), direction), p};
}

}  // namespace

Ray rayThrough(const View& view, double x, double y) {
  const Vector3d d_C(view.left + x * (view.right - view.left), view.up + y * (view.down - view.up), -1);
  if (view.isOrthographic())
    return {view.X_WC * Vector3d(d_C.x(), d_C.y(), 0), view.X_WC.q * -Vector3d::UnitZ()};
  return {view.X_WC.p, (view.X_WC.q * d_C).normalized()};
}

Picker::Picker(const content::Scene& scene, const PartMeshes& meshes) : scene_(scene), meshes_(meshes) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    targets_.push_back({boundsOfMesh(meshes.of(k).get()), content::holesOf(scene.parts[k].shape)});
}

std::optional<PartHit> Picker::pick(const Ray& ray, std::span<const Pose> X_WP,
                                    const std::vector<bool>& skipped) const {
  std::optional<PartHit> hit;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const DisplayMesh* mesh = meshes_.of(k).get();
    if (mesh == nullptr || (k < skipped.size() && skipped[k])) continue;
    const Ray ray_P = rayInFrame(X_WP[k], ray);
    TriangleHit nearest;
    if (hit) nearest.distance = hit->distance;
    if (!intersects(targets_[k].bounds, ray_P, nearest.distance)) continue;
    const double before = nearest.distance;
    for (const auto& corners : mesh->triangles) intersectTriangle(ray_P, *mesh, corners, nearest);
    if (!(nearest.distance < before)) continue;
    hit = {static_cast<int>(k), nearest.distance, ray.origin + nearest.distance * ray.direction,
           X_WP[k].q * nearest.normal};
  }
  return hit;
}

std::optional<PickedFeature> Picker::holeAt(const Ray& ray, const std::optional<PartHit>& hit,
                                            std::span<const Pose> X_WP) const {
  std::optional<PickedFeature> found;
  double nearest = hit ? hit->distance : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    for (std::size_t h = 0; h < targets_[k].holes.size(); ++h) {
      const content::HoleSite& hole = targets_[k].holes[h];
      const Pose X_WH = X_WP[k] * hole.X_PH;
      const bool wall = hit && hit->part == static_cast<int>(k) && isOnWall(hole, X_WH.inverse() * hit->p_W);
      const double mouth = mouthDistance(rayInFrame(X_WH, ray), hole.profile.front().y());
      if (!(mouth < nearest) && !(wall && !found)) continue;
      nearest = std::min(nearest, mouth);
      found = {PickedFeature::Kind::hole, static_cast<int>(k), hole.name, static_cast<int>(h), hole.X_PH};
    }
  }
  return found;
}

std::optional<PickedFeature> Picker::featureAt(const Ray& ray, const std::optional<PartHit>& hit,
                                               std::span<const Pose> X_WP) const {
  if (auto hole = holeAt(ray, hit, X_WP)) return hole;
  if (!hit) return std::nullopt;
  const content::Part& part = scene_.part(hit->part);
  const Pose X_PW = X_WP[static_cast<std::size_t>(hit->part)].inverse();
  const Vector3d p_P = X_PW * hit->p_W;
  PickedFeature found{PickedFeature::Kind::part, hit->part, "", -1, frameAlong(p_P, X_PW.q * hit->normal_W)};
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < part.features.size(); ++f) {
    const content::AxisFeature& feature = part.features[f];
    const double distance = (feature.origin - p_P).norm();
    if (!(distance < nearest)) continue;
    nearest = distance;
    found = {PickedFeature::Kind::axis, hit->part, feature.name, static_cast<int>(f),
             frameAlong(feature.origin, feature.direction)};
  }
  return found;
}

}  // namespace tenon::xr
