// See given_surfaces.h.
#include "content/recognize/given_surfaces.h"

#include <algorithm>
#include <cmath>

#include "content/recognize/cad_point_places.h"
#include "content/recognize/sagitta.h"
#include "physics/collision/brep/edge_curve.h"
#include "physics/collision/brep/surface.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

namespace brep = physics::brep;

/// Triangles and vertices that one thread takes at a time.
constexpr std::size_t kCornersAtATime = 512;
/// A nearer surface is not sought [m].
constexpr double kNoDistance = 1e-12;
/// Expected distance, where a search begins [m].
constexpr double kFirstReach = 1e-6;
/// Distance of a corner of surfaces that meet at 60° from where they meet, over that from them [-].
constexpr double kMaxCornerRatio = 2;

double heightAbove(const physics::Surface& s, const Vector3d& p) {
  return brep::distanceValue(s, s.X_BS.inverse().point(p));
}

}  // namespace

GivenSurfaces::GivenSurfaces(const Facets& facets, const CadFaces& cad, const TriangleBvh& tree, double reach)
    : f_(facets), cad_(cad), tree_(tree) {
  for (const CadSurface& surface : cad_.surfaces) surfaces_.push_back(surfaceOfCad(surface));
  findSurfaces(reach);
  findGaps(reach);
  findSlacks();
  findFacetDeviations();
}

Vector3d GivenSurfaces::footOn(int triangle, const Vector3d& p) const {
  const physics::Surface* s = surfaceOf(triangle);
  if (s == nullptr) return p;
  const brep::SurfaceDistance d = brep::distanceTo(*s, s->X_BS.inverse().point(p));
  return p - d.value * (s->X_BS.R * d.gradient);
}

void GivenSurfaces::findSurfaces(double reach) {
  own_.assign(static_cast<std::size_t>(f_.count()), nullptr);
  physics::parallelFor(own_.size(), kCornersAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const auto triangle = static_cast<int>(t);
      const auto& surface = surfaces_[faceOf(triangle)];
      if (!surface) continue;
      bool isNear = true;
      for (int k = 0; k < 3; ++k)
        isNear = isNear && std::abs(heightAbove(*surface, f_.point(triangle, k))) <= reach;
      if (isNear) own_[t] = &*surface;
    }
  });
}

void GivenSurfaces::findGaps(double reach) {
  gaps_.assign(f_.mesh->mesh.vertices.size(), 0.0);
  std::vector<std::vector<const physics::Surface*>> meeting(gaps_.size());
  for (int t = 0; t < f_.count(); ++t)
    if (const physics::Surface* s = surfaceOf(t))
      for (int k = 0; k < 3; ++k) {
        auto& list = meeting[static_cast<std::size_t>(f_.vertex(t, k))];
        if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
      }
  physics::parallelFor(gaps_.size(), kCornersAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const Vector3d& p = f_.mesh->mesh.vertices[v];
      const auto farthestFrom = [&](const Vector3d& at) {
        double largest = 0;
        for (const physics::Surface* s : meeting[v])
          largest = std::max(largest, std::abs(heightAbove(*s, at)));
        return largest;
      };
      const double beside = farthestFrom(p);
      gaps_[v] = beside;
      Vector3d moved = p;
      if (meeting[v].size() > 1 && beside > 0 && brep::moveOnto(meeting[v], reach, moved))
        gaps_[v] = std::min(kMaxCornerRatio * beside, (moved - p).norm() + farthestFrom(moved));
    }
  });
}

double GivenSurfaces::borderGap(int triangle, int k) const {
  return isBorder(triangle, k)
             ? std::max(gapAt(f_.vertex(triangle, k)), gapAt(f_.vertex(triangle, (k + 1) % 3)))
             : 0;
}

/// Largest distance of a triangle from its surface: of the corners, its middle and those of its sides, and
/// where a parabola through these is highest [m].
double GivenSurfaces::sagittaOf(int triangle) const {
  const physics::Surface* s = surfaceOf(triangle);
  if (s == nullptr) return 0;
  const Vector3d a = f_.point(triangle, 0), u = f_.point(triangle, 1) - a, v = f_.point(triangle, 2) - a;
  const auto at = [&](double x, double y) { return heightAbove(*s, a + x * u + y * v); };
  const std::array corners{at(0, 0), at(1, 0), at(0, 1)}, middles{at(0.5, 0), at(0.5, 0.5), at(0, 0.5)};
  double largest = std::abs(at(1.0 / 3, 1.0 / 3));
  for (std::size_t k = 0; k < 3; ++k)
    largest = std::max({largest, std::abs(corners[k]), std::abs(middles[k])});
  if (s->kind == physics::SurfaceKind::plane) return largest;
  if (const auto top = extremeInside(corners, middles))
    largest = std::max(largest, std::abs(at(top->x(), top->y())));
  return largest;
}

/// The border between two faces is where their surfaces meet, of which the sides of triangles are chords:
/// along the plane of the triangle, above which sagittaOf() counts [m].
double GivenSurfaces::sagittaOfSide(int triangle, int k) const {
  const int other = f_.neighbor(triangle, k);
  const Vector3d bulge = bulgeOfBorder({surfaceOf(triangle), other < 0 ? nullptr : surfaceOf(other)},
                                       f_.point(triangle, k), f_.point(triangle, (k + 1) % 3));
  const Vector3d& n = f_.normals[static_cast<std::size_t>(triangle)];
  return (bulge - bulge.dot(n) * n).norm();
}

void GivenSurfaces::findSlacks() {
  const auto count = static_cast<std::size_t>(f_.count());
  sagittas_.assign(count, 0.0);
  borderSlacks_.assign(count, {});
  physics::parallelFor(count, kCornersAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const auto triangle = static_cast<int>(t);
      sagittas_[t] = sagittaOf(triangle);
      for (int k = 0; k < 3; ++k)
        if (isBorder(triangle, k))
          borderSlacks_[t][static_cast<std::size_t>(k)] = sagittaOfSide(triangle, k) + borderGap(triangle, k);
    }
  });
  for (std::size_t t = 0; t < count; ++t)
    largestSlack_ = std::max(
        {largestSlack_, sagittas_[t], *std::max_element(borderSlacks_[t].begin(), borderSlacks_[t].end())});
}

void GivenSurfaces::findFacetDeviations() {
  facetDeviations_.assign(static_cast<std::size_t>(f_.count()), 0.0);
  const CadPointPlaces places(f_, cad_);
  for (const SurfacePoint& point : cad_.points) {
    const int t = places.triangleAt(point);
    if (t < 0 || !hasOnlyFacets(t)) continue;
    double& largest = facetDeviations_[static_cast<std::size_t>(t)];
    largest = std::max(largest, (closestPointOnTriangle(tree_.triangle(t), point.p) - point.p).norm());
  }
}

GivenSurfaces::Distance GivenSurfaces::distanceFromTriangle(int triangle, const Vector3d& p) const {
  const auto index = static_cast<std::size_t>(triangle);
  const Vector3d& n = f_.normals[index];
  const physics::Surface* s = surfaceOf(triangle);
  const Vector3d foot = footOn(triangle, p);
  const Vector3d on = closestPointOnTriangle(tree_.triangle(triangle), foot);
  if (s == nullptr) return {(p - on).norm() + facetDeviations_[index], triangle, (p - on).dot(n) >= 0};
  // Beside the triangle along its plane, and above it.
  const double above = (foot - on).dot(n), beside = (foot - on - above * n).norm();
  double slack = 0;  // of the sides at which `on` lies; inside nothing is beside it
  for (int k = 0; k < 3; ++k) {
    const Vector3d a = f_.point(triangle, k), along = f_.point(triangle, (k + 1) % 3) - a;
    const double from = along.cross(on - a).norm();
    if (from > kNoDistance * along.norm()) continue;
    slack = std::max(slack, isBorder(triangle, k) ? borderSlack(triangle, k) : sagittas_[index]);
  }
  // The surface may be higher above the triangle there than where sagittaOf() has measured it.
  double height = sagittas_[index];
  if (std::abs(above) > height) height = std::max(height, std::abs(heightAbove(*s, on)));
  const double missed = std::hypot(std::max(0.0, beside - slack), std::max(0.0, std::abs(above) - height));
  return {std::hypot((p - foot).norm(), missed), triangle, (p - foot).dot(n) >= 0};
}

GivenSurfaces::Distance GivenSurfaces::distanceFrom(const Vector3d& p) const {
  const TriangleBvh::Nearest nearest = tree_.nearest(p, kFirstReach);
  if (nearest.triangle < 0) return {};
  Distance best = distanceFromTriangle(nearest.triangle, p);
  if (best.value <= kNoDistance) return best;
  const Vector3d reach = Vector3d::Constant(best.value + 2 * largestSlack_);
  tree_.visitOverlapping({p - reach, p + reach}, [&](int t) {
    const double distance = (closestPointOnTriangle(tree_.triangle(t), p) - p).norm();
    const auto index = static_cast<std::size_t>(t);
    const auto& slacks = borderSlacks_[index];
    const double slack = std::max(sagittas_[index], *std::max_element(slacks.begin(), slacks.end()));
    if (distance - 2 * slack >= best.value) return;
    if (const Distance d = distanceFromTriangle(t, p); d.value < best.value) best = d;
  });
  return best;
}

}  // namespace tenon::content
