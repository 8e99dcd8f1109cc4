// See smooth_regions.h.
#include "content/recognize/smooth_regions.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "physics/math/disjoint_sets.h"

namespace tenon::content {
namespace {

/// cos 26°: edges with a smaller angle are smooth.
constexpr double kMinSmoothCosine = 0.898794;
/// Triangles with a smaller height over their longest side, relative to the extent, have no normal [-].
constexpr double kMinHeightRatio = 1e-6;

int longestSide(const Facets& f, int t) {
  int best = 0;
  double length = -1;
  for (int k = 0; k < 3; ++k) {
    const double l = (f.point(t, (k + 1) % 3) - f.point(t, k)).squaredNorm();
    if (l > length) length = l, best = k;
  }
  return best;
}

bool hasNormal(const Facets& f, int t) {
  return !f.normals[static_cast<std::size_t>(t)].isZero();
}

/// Surfaces that differ by less are equal, in position [m] and direction [-].
constexpr double kSurfaceRounding = 1e-8;

bool isSameSurface(const CadSurface& a, const CadSurface& b) {
  using Kind = CadSurface::Kind;
  if (a.kind != b.kind || a.kind == Kind::other || a.freeform || b.freeform) return false;
  const Vector3d between = b.origin - a.origin;
  if (a.kind == Kind::sphere)
    return between.norm() < kSurfaceRounding && std::abs(a.radius - b.radius) < kSurfaceRounding;
  if (a.axis.cross(b.axis).norm() > kSurfaceRounding) return false;
  const double along = between.dot(a.axis);
  if (a.kind == Kind::plane) return std::abs(along) < kSurfaceRounding;
  if (a.kind == Kind::torus &&
      !(std::abs(along) < kSurfaceRounding && std::abs(a.minor - b.minor) < kSurfaceRounding))
    return false;
  if ((between - along * a.axis).norm() > kSurfaceRounding) return false;
  const double slope = a.axis.dot(b.axis) > 0 ? b.slope : -b.slope;
  return a.kind == Kind::revolved || (std::abs(a.slope - slope) < kSurfaceRounding &&
                                      std::abs(a.radius + a.slope * along - b.radius) < kSurfaceRounding);
}

/// The CAD surface of each triangle; null if there is none.
std::vector<const CadSurface*> surfacesOf(const Facets& f, const CadFaces* cadFaces) {
  std::vector<const CadSurface*> list(static_cast<std::size_t>(f.count()), nullptr);
  if (!cadFaces) return list;
  for (std::size_t t = 0; t < list.size(); ++t) {
    const int face = cadFaces->surfaceOf[static_cast<std::size_t>(f.mesh->sources[t])];
    const CadSurface& surface = cadFaces->surfaces[static_cast<std::size_t>(face)];
    if (surface.kind != CadSurface::Kind::other) list[t] = &surface;
  }
  return list;
}

physics::DisjointSets joinSmooth(const Facets& f, const std::vector<const CadSurface*>& surfaces) {
  physics::DisjointSets sets(f.count());
  const auto surface = [&](int t) { return surfaces[static_cast<std::size_t>(t)]; };
  for (int t = 0; t < f.count(); ++t) {
    if (surface(t)) {
      for (int side = 0; side < 3; ++side) {
        const int other = f.neighbor(t, side);
        if (other <= t || !surface(other)) continue;
        if (surface(t) == surface(other) || isSameSurface(*surface(t), *surface(other))) sets.join(t, other);
      }
      continue;
    }
    if (!hasNormal(f, t)) {
      const int other = f.neighbor(t, longestSide(f, t));
      if (other >= 0 && !surface(other)) sets.join(t, other);
      continue;
    }
    for (int side = 0; side < 3; ++side) {
      const int other = f.neighbor(t, side);
      if (other <= t || surface(other) || !hasNormal(f, other)) continue;
      const Vector3d &a = f.normals[static_cast<std::size_t>(t)],
                     &b = f.normals[static_cast<std::size_t>(other)];
      if (a.dot(b) >= kMinSmoothCosine) sets.join(t, other);
    }
  }
  return sets;
}

/// Fits a plane; the region is planar if all vertices lie in it.
void measurePlane(const Facets& f, Region& region) {
  Vector3d normal = Vector3d::Zero(), middle = Vector3d::Zero();
  for (const int t : region.triangles) {
    const double area = f.areas[static_cast<std::size_t>(t)];
    region.area += area;
    normal += area * f.normals[static_cast<std::size_t>(t)];
    middle += area / 3 * (f.point(t, 0) + f.point(t, 1) + f.point(t, 2));
  }
  if (!(region.area > 0) || normal.norm() < 0.5 * region.area) return;
  middle /= region.area;
  // The least-squares plane through the vertices is less sensitive to small triangles than the mean normal.
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const int t : region.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vector3d w = f.point(t, k) - middle;
      moments += f.areas[static_cast<std::size_t>(t)] * w * w.transpose();
    }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moments / region.area);
  region.normal = solver.eigenvectors().col(0);
  if (region.normal.dot(normal) < 0) region.normal = -region.normal;
  // The vertices of a narrow strip do not determine a plane.
  if (solver.eigenvalues()[1] < f.tolerance * f.tolerance) region.normal = normal.normalized();
  region.offset = region.normal.dot(middle);
  for (const int t : region.triangles)
    for (int k = 0; k < 3; ++k)
      region.maxDeviation =
          std::max(region.maxDeviation, std::abs(region.normal.dot(f.point(t, k)) - region.offset));
  region.planar = region.maxDeviation <= f.tolerance;
}

/// Replaces the fitted plane by the CAD surface. If they differ, the triangles win, because the closed mesh
/// consists of them.
void applyCadSurface(const Facets& f, Region& region) {
  const CadSurface& surface = *region.surface;
  if (surface.kind != CadSurface::Kind::plane) {
    region.planar = false;
    return;
  }
  const double sign = surface.axis.dot(region.normal) < 0 ? -1 : 1;
  double maxDeviation = 0;
  for (const int t : region.triangles)
    for (int k = 0; k < 3; ++k)
      maxDeviation = std::max(maxDeviation, std::abs(surface.axis.dot(f.point(t, k) - surface.origin)));
  if (!region.planar || maxDeviation > f.tolerance) {
    region.surface.reset();
    return;
  }
  region.normal = sign * surface.axis;
  region.offset = region.normal.dot(surface.origin);
  region.maxDeviation = maxDeviation;
}

}  // namespace

Facets::Facets(const RepairedMesh& repairedMesh)
    : mesh(&repairedMesh),
      indexOfTriangle(repairedMesh.mesh.triangles.size(), -1),
      indexOfVertex(repairedMesh.mesh.vertices.size(), -1) {
  low = high = repairedMesh.mesh.vertices.front();
  for (const Vector3d& p : repairedMesh.mesh.vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  extent = (high - low).maxCoeff();
  tolerance = surfaceTolerance(extent);
  for (int t = 0; t < count(); ++t) {
    const Vector3d n = (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0));
    const double twice = n.norm();
    const double longest = std::max({(point(t, 1) - point(t, 0)).norm(), (point(t, 2) - point(t, 1)).norm(),
                                     (point(t, 0) - point(t, 2)).norm()});
    areas.push_back(0.5 * twice);
    normals.push_back(twice > kMinHeightRatio * extent * longest ? Vector3d(n / twice) : Vector3d::Zero());
  }
}

Region planeThrough(const Facets& facets, std::vector<int> triangles) {
  Region region;
  region.triangles = std::move(triangles);
  measurePlane(facets, region);
  return region;
}

std::vector<Region> smoothRegions(const Facets& facets, const CadFaces* cadFaces) {
  const std::vector<const CadSurface*> surfaces = surfacesOf(facets, cadFaces);
  physics::DisjointSets sets = joinSmooth(facets, surfaces);
  std::vector<int> regionOfSet(static_cast<std::size_t>(facets.count()), -1);
  std::vector<Region> regions;
  for (int t = 0; t < facets.count(); ++t) {
    int& at = regionOfSet[static_cast<std::size_t>(sets.root(t))];
    if (at < 0) {
      at = static_cast<int>(regions.size());
      regions.emplace_back();
      if (const CadSurface* surface = surfaces[static_cast<std::size_t>(t)])
        regions.back().surface = *surface;
    }
    regions[static_cast<std::size_t>(at)].triangles.push_back(t);
  }
  for (Region& region : regions) {
    measurePlane(facets, region);
    if (region.surface) applyCadSurface(facets, region);
  }
  return regions;
}

}  // namespace tenon::content
