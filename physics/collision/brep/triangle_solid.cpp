// See triangle_solid.h.
#include "physics/collision/brep/triangle_solid.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "physics/collision/brep/angle_gap.h"
#include "physics/collision/brep/border_lengths.h"
#include "physics/collision/brep/edge_curve.h"
#include "physics/collision/brep/face_patches.h"
#include "physics/collision/brep/triangle_solid_builder.h"
#include "physics/math/parallel_for.h"

namespace tenon::physics::brep {
namespace {

/// Sine of the angle between two directions below which borders are collinear [-].
constexpr double kCollinear = 1e-9;
/// Normals of coplanar triangles differ by less: slivers aside [-].
constexpr double kSameSide = 0.9;
/// Distance by which corners may leave the planes of facets that follow them [m].
constexpr double kFacetMove = 1e-6;

}  // namespace

void TriangleSolid::findNormals() {
  normals_.resize(triangles_.size());
  areas_.resize(triangles_.size());
  parallelFor(triangles_.size(), kItemsAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const Vector3d across = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
      areas_[t] = 0.5 * across.norm();
      normals_[t] = across.normalized();  // zero for one without area
    }
  });
}

bool TriangleSolid::fits(std::size_t t, const Vector3d& p, const Vector3d& n) const {
  for (int k = 0; k < 3; ++k)
    if (std::abs(n.dot(corner(t, k) - p)) > kCoplanar) return false;
  return isSliver(t) || normals_[t].dot(n) > kSameSide;
}

// From the largest triangles, whose normals are the most accurate.
void TriangleSolid::growRegions() {
  std::vector<std::pair<double, std::size_t>> order(triangles_.size());
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = {-areas_[t], t};
  std::sort(order.begin(), order.end());
  region_.assign(triangles_.size(), -1);
  for (const auto& [area, seed] : order)
    if (region_[seed] < 0) grow(seed);
}

// Flat neighbors would have taken such a triangle: those with a surface become flat.
void TriangleSolid::growWithoutArea(std::size_t seed, int region) {
  region_[seed] = region;
  if (surfaceOf(seed) >= 0) failed_.insert(surfaceOf(seed));
  for (const int e : edgesOf_[seed]) {
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    for (const int t : {edge.left, edge.right})
      if (const int s = surfaceOf(static_cast<std::size_t>(t)); s >= 0) failed_.insert(s);
  }
  if (failed_.empty()) throw std::invalid_argument("a triangle has no area");
  regions_.emplace_back();
  regionSurface_.push_back(-1);
}

void TriangleSolid::grow(std::size_t seed) {
  const auto region = static_cast<int>(regions_.size());
  if (!(areas_[seed] > 0)) return growWithoutArea(seed, region);
  const int surface = surfaceOf(seed);
  const Vector3d n = normals_[seed], p = corner(seed, 0);
  std::vector<std::size_t> open{seed};
  region_[seed] = region;
  while (!open.empty()) {
    const std::size_t t = open.back();
    open.pop_back();
    for (const int e : edgesOf_[t]) {
      const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
      const auto next = static_cast<std::size_t>(edge.left == static_cast<int>(t) ? edge.right : edge.left);
      if (region_[next] >= 0 || surfaceOf(next) != surface || (surface < 0 && !fits(next, p, n))) continue;
      region_[next] = region;
      open.push_back(next);
    }
  }
  Surface own;
  if (surface >= 0) {
    own = surfaces_[static_cast<std::size_t>(surface)];
    own.side = 1;
    const Vector3d middle = (corner(seed, 0) + corner(seed, 1) + corner(seed, 2)) / 3;
    own.side = n.dot(own.X_BS.R * distanceTo(own, own.X_BS.inverse().point(middle)).gradient) < 0 ? -1 : 1;
  } else {
    const Vector3d x = n.unitOrthogonal();
    own.X_BS.R << x, n.cross(x), n;
    own.X_BS.p = p;
  }
  regions_.push_back(own);
  regionSurface_.push_back(surface);
}

// Of regions that cannot meet the one with the least area that has a surface: with its facets the others may.
void TriangleSolid::failSmallest(std::span<const int> regions, bool onlyCurved) {
  int smallest = -1;
  double least = 0;
  for (const int r : regions) {
    if (regionSurface_[static_cast<std::size_t>(r)] < 0 || (onlyCurved && !isCurved(r))) continue;
    const double area = areaOf_[static_cast<std::size_t>(r)];
    if (smallest < 0 || area < least) smallest = r, least = area;
  }
  if (smallest >= 0) fail(smallest);
}

void TriangleSolid::listTriangles() {
  firstOfRegion_.assign(regions_.size() + 1, 0);
  areaOf_.assign(regions_.size(), 0.0);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    areaOf_[static_cast<std::size_t>(region_[t])] += areas_[t];
  for (const int r : region_) ++firstOfRegion_[static_cast<std::size_t>(r) + 1];
  std::partial_sum(firstOfRegion_.begin(), firstOfRegion_.end(), firstOfRegion_.begin());
  byRegion_.resize(triangles_.size());
  std::vector<int> next(firstOfRegion_.begin(), firstOfRegion_.end() - 1);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    byRegion_[static_cast<std::size_t>(next[static_cast<std::size_t>(region_[t])]++)] = static_cast<int>(t);
}

// A triangle among others of a curved surface: its plane follows its corners.
bool TriangleSolid::isLoose(int region) const {
  constexpr double kSmoothFacets = 0.87;  // cosine of 30°
  const auto isFacet = [&](int r) {
    return regionSurface_[static_cast<std::size_t>(r)] < 0 && trianglesOf(r).size() == 1;
  };
  if (!isFacet(region)) return false;
  const auto t = static_cast<std::size_t>(trianglesOf(region).front());
  return std::any_of(edgesOf_[t].begin(), edgesOf_[t].end(), [&](int e) {
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    const int other = edge.left == static_cast<int>(t) ? edge.right : edge.left;
    return isFacet(regionOf(other)) &&
           normals_[static_cast<std::size_t>(other)].dot(normals_[t]) > kSmoothFacets;
  });
}

// Corners at borders of faces on surfaces; by at most a tenth of the longest border there (of straight ones
// that corners divide, the whole), as the flats of a circle do. Where the surfaces do not meet so near, a
// corner stays if it is near to all of them: their faces end beside each other there.
void TriangleSolid::moveCorners() {
  constexpr double kReach = 0.1;
  const auto isFlat = [&](int r) { return regionSurface_[static_cast<std::size_t>(r)] < 0; };
  isAtBorder_.assign(vertices_.size(), 0);
  std::vector<char> meetsSurface(vertices_.size(), 0);
  for (const MeshEdge& e : edges_)
    if (isBorder(e))
      for (const int v : {e.from, e.to}) {
        isAtBorder_[static_cast<std::size_t>(v)] = 1;
        if (!isFlat(regionOf(e.left)) || !isFlat(regionOf(e.right)))
          meetsSurface[static_cast<std::size_t>(v)] = 1;
      }
  regionsAt_.resize(vertices_.size());
  loose_.assign(regions_.size(), 0);
  if (std::find(meetsSurface.begin(), meetsSurface.end(), 1) == meetsSurface.end()) return;
  std::vector<MeshBorder> borders;
  for (const MeshEdge& e : edges_) {
    if (!isBorder(e)) continue;
    borders.push_back({e.from, e.to, regionOf(e.left), regionOf(e.right)});
    for (const int v : {e.from, e.to}) {
      if (meetsSurface[static_cast<std::size_t>(v)] == 0) continue;
      auto& regions = regionsAt_[static_cast<std::size_t>(v)];
      for (const int triangle : {e.left, e.right})
        if (std::find(regions.begin(), regions.end(), regionOf(triangle)) == regions.end())
          regions.push_back(regionOf(triangle));
    }
  }
  const std::vector<double> longest = longestBorders(vertices_, borders);
  for (std::size_t v = 0; v < vertices_.size(); ++v)
    for (const int r : regionsAt_[v])
      if (loose_[static_cast<std::size_t>(r)] == 0) loose_[static_cast<std::size_t>(r)] = isLoose(r) ? 1 : 0;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const auto& regions = regionsAt_[v];
    if (regions.empty()) continue;
    const double reach = kReach * longest[v];
    const auto corner = static_cast<int>(v);
    bool areMeeting = moveOnto(meetingAt(corner), reach, vertices_[v]);
    if ((vertices_[v] - given_[v]).norm() > kCoplanar && isNearSurfaces(corner) && isKnifeEdge(corner)) {
      vertices_[v] = given_[v];
      areMeeting = false;
    }
    if (areMeeting)
      keepFacetsAt(corner, reach);
    else if (!isNearSurfaces(corner))
      failSmallest(regions);
  }
  for (bool isAny = true; isAny;) {
    isAny = false;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (isTurnedOver(t) && returnCorners(t)) isAny = true;
  }
  for (std::size_t r = 0; r < loose_.size(); ++r)
    if (loose_[r] != 0) movePlane(static_cast<int>(r));
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    if (isTurnedOver(t)) failAround(t);
}

// True at a given corner where two faces nearly lie on each other, their normals opposed: a little beside
// both surfaces these may meet far away.
bool TriangleSolid::isKnifeEdge(int v) const {
  std::vector<Vector3d> normals;
  for (const int r : regionsAt_[static_cast<std::size_t>(v)])
    if (loose_[static_cast<std::size_t>(r)] == 0)
      normals.push_back(normalAt(r, given_[static_cast<std::size_t>(v)]));
  for (std::size_t a = 0; a < normals.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (normals[a].dot(normals[b]) < 0 && normals[a].cross(normals[b]).norm() < kNearlyTangent) return true;
  return false;
}

// The moved corners of a triangle return to where they were given, if these are near to their surfaces; false
// if none does.
bool TriangleSolid::returnCorners(std::size_t t) {
  bool isAny = false;
  for (const int v : triangles_[t])
    if (isMoved(v) && isNearSurfaces(v)) {
      vertices_[static_cast<std::size_t>(v)] = given_[static_cast<std::size_t>(v)];
      isAny = true;
    }
  return isAny;
}

// True for a triangle of a plane face of which a corner has moved beyond the opposite side, by more than
// kFacetMove beside what it lies beside its surfaces as given: the face would reach beyond its triangles.
bool TriangleSolid::isTurnedOver(std::size_t t) const {
  const int region = regionOf(static_cast<int>(t));
  if (isCurved(region)) return false;
  const double longest = std::max({(corner(t, 1) - corner(t, 0)).norm(), (corner(t, 2) - corner(t, 1)).norm(),
                                   (corner(t, 0) - corner(t, 2)).norm()});
  const Vector3d across = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
  const Vector3d n = normalAt(region, corner(t, 0));
  const auto givenAt = [&](std::size_t k) { return given_[static_cast<std::size_t>(triangles_[t][k])]; };
  const Vector3d before = (givenAt(1) - givenAt(0)).cross(givenAt(2) - givenAt(0));
  const double folded = std::max(0.0, -before.dot(n));  // as given
  const double beyond = (-across.dot(n) - folded) / longest;
  if (!(beyond > kFacetMove)) return false;
  double scatter = 0;
  for (const int v : triangles_[t])
    if (isMoved(v)) scatter = std::max(scatter, scatterAt(v));
  return beyond > kFacetMove + scatter;
}

// Of the surfaces at the corner of a triangle that has moved the farthest, the one with the least area.
void TriangleSolid::failAround(std::size_t t) {
  const auto distance = [&](int v) {
    return (vertices_[static_cast<std::size_t>(v)] - given_[static_cast<std::size_t>(v)]).norm();
  };
  const int farthest = *std::max_element(triangles_[t].begin(), triangles_[t].end(),
                                         [&](int v, int w) { return distance(v) < distance(w); });
  failSmallest(regionsAt_[static_cast<std::size_t>(farthest)]);
}

// The surfaces at a corner, without those of loose facets and the one of region `without`.
std::vector<const Surface*> TriangleSolid::meetingAt(int v, int without) const {
  std::vector<const Surface*> meeting;
  for (const int r : regionsAt_[static_cast<std::size_t>(v)])
    if (r != without && loose_[static_cast<std::size_t>(r)] == 0)
      meeting.push_back(&regions_[static_cast<std::size_t>(r)]);
  return meeting;
}

// Largest distance of a given corner from the surfaces there [m].
double TriangleSolid::scatterAt(int v) const {
  double largest = 0;
  for (const Surface* s : meetingAt(v))
    largest = std::max(
        largest, std::abs(distanceValue(*s, s->X_BS.inverse().point(given_[static_cast<std::size_t>(v)]))));
  return largest;
}

// True if a corner that moves there leaves the planes of the loose facets around it by less than
// kFacetMove, or than it lies beside its surfaces as given.
bool TriangleSolid::areFacetsKept(int v, const Vector3d& moved) const {
  const auto k = static_cast<std::size_t>(v);
  double scatter = -1;
  for (const int r : regionsAt_[k]) {
    if (loose_[static_cast<std::size_t>(r)] == 0) continue;
    const auto t = static_cast<std::size_t>(trianglesOf(r).front());
    const double above = std::abs(normals_[t].dot(moved - given_[k]));
    if (above <= kFacetMove) continue;
    if (scatter < 0) scatter = scatterAt(v);
    if (above > scatter) return false;
  }
  return true;
}

// Where surfaces that are nearly parallel meet far from a corner that is near to all of them, the facets
// around it must not follow it: the planes of single triangles give way, else one of the surfaces fails, the
// smallest of those without which the corner stays near.
void TriangleSolid::keepFacetsAt(int v, double reach) {
  const auto k = static_cast<std::size_t>(v);
  if (areFacetsKept(v, vertices_[k])) return;
  std::vector<int> loosened;
  for (const int r : regionsAt_[k]) {
    char& loose = loose_[static_cast<std::size_t>(r)];
    if (loose != 0 || regionSurface_[static_cast<std::size_t>(r)] >= 0 || trianglesOf(r).size() > 1) continue;
    loose = 1;
    loosened.push_back(r);
  }
  vertices_[k] = given_[k];
  if (!loosened.empty() && moveOnto(meetingAt(v), reach, vertices_[k]) && areFacetsKept(v, vertices_[k]))
    return;
  vertices_[k] = given_[k];
  if (isNearSurfaces(v)) {
    for (const int r : loosened) loose_[static_cast<std::size_t>(r)] = 0;
    return;
  }
  std::vector<int> curing;
  for (const int r : regionsAt_[k]) {
    if (regionSurface_[static_cast<std::size_t>(r)] < 0) continue;
    const std::vector<const Surface*> others = meetingAt(v, r);
    Vector3d moved = given_[k];
    if (others.empty() || (moveOnto(others, reach, moved) && areFacetsKept(v, moved))) curing.push_back(r);
  }
  failSmallest(curing.empty() ? regionsAt_[k] : curing);
}

// The plane of a loose triangle, through its moved corners; where these are no triangle, its neighbors fail.
void TriangleSolid::movePlane(int region) {
  constexpr double kSameTriangle = 0.9;
  const auto t = static_cast<std::size_t>(trianglesOf(region).front());
  const Vector3d across = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
  const Vector3d n = across.normalized();
  if (!(n.dot(normals_[t]) > kSameTriangle)) {
    for (int k = 0; k < 3; ++k)
      for (const int r : regionsAt_[static_cast<std::size_t>(triangles_[t][static_cast<std::size_t>(k)])])
        fail(r);
    return;
  }
  Surface& plane = regions_[static_cast<std::size_t>(region)];
  const Vector3d x = n.unitOrthogonal();
  plane.X_BS.R << x, n.cross(x), n;
  plane.X_BS.p = corner(t, 0);
  normals_[t] = n;
}

// Of a torus: which of its angles the face does not cover whole, and its bounds.
void TriangleSolid::findTurn(Face& face, int region) const {
  constexpr double kAround = 2 * std::numbers::pi;
  const Surface& s = face.surface;
  std::array<std::vector<std::array<double, 2>>, 2> covered;
  for (const int t : trianglesOf(region)) {
    std::array<Vector2d, 3> uv;
    for (int k = 0; k < 3; ++k) {
      auto& at = uv[static_cast<std::size_t>(k)];
      at = parametersOf(s, s.X_BS.inverse().point(corner(static_cast<std::size_t>(t), k)));
      for (Eigen::Index a = 0; a < 2; ++a) at[a] += kAround * std::round((uv[0][a] - at[a]) / kAround);
    }
    for (Eigen::Index a = 0; a < 2; ++a) {
      const auto [low, high] = std::minmax({uv[0][a], uv[1][a], uv[2][a]});
      covered[static_cast<std::size_t>(a)].push_back({low, high});
    }
  }
  const auto around = largestGap(covered[0]), along = largestGap(covered[1]);
  const auto middle = [](const std::array<double, 2>& gap) { return 0.5 * (gap[0] + gap[1]); };
  if (along) {
    face.seam = middle(*along);
  } else if (around) {
    face.seam = middle(*around);
    face.isAlongTube = true;
  }
  physics::include(face.bounds, rotatedBounds(torusBounds(s, around, along), s.X_BS));
}

// A sphere has no axis of its own: one whose poles keep away from the borders of the face.
void TriangleSolid::turnFromPoles(Surface& sphere, int region) const {
  std::vector<Vector3d> borders;
  Vector3d middle = Vector3d::Zero();
  for (const int t : trianglesOf(region)) {
    const auto k = static_cast<std::size_t>(t);
    middle += areas_[k] * normals_[k];
    for (const int e : edgesOf_[k])
      if (const MeshEdge& edge = edges_[static_cast<std::size_t>(e)]; isBorder(edge))
        borders.push_back((0.5 * (at(edge.from) + at(edge.to)) - sphere.X_BS.p).normalized());
  }
  const auto nearest = [&](const Vector3d& axis) {
    double least = 1;
    for (const Vector3d& p : borders) least = std::min(least, p.cross(axis).norm());
    return least;
  };
  constexpr double kFarEnough = 0.3;
  Vector3d best = sphere.X_BS.R.col(2);
  double distance = nearest(best);
  std::vector<Vector3d> others{Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
  if (middle.norm() > 0) others.insert(others.begin(), middle.normalized());
  for (const Vector3d& axis : others)
    if (distance < kFarEnough && nearest(axis) > distance) {
      best = axis;
      distance = nearest(axis);
    }
  if (best == sphere.X_BS.R.col(2)) return;
  const Vector3d x = best.unitOrthogonal();
  sphere.X_BS.R << x, best.cross(x), best;
}

void TriangleSolid::addFaces() {
  solid_.faces.resize(regions_.size());
  for (std::size_t r = 0; r < solid_.faces.size(); ++r) {
    const auto region = static_cast<int>(r);
    Face& face = solid_.faces[r];
    if (regions_[r].kind == SurfaceKind::sphere) turnFromPoles(regions_[r], region);
    face.surface = regions_[r];
    if (regions_[r].kind == SurfaceKind::torus) findTurn(face, region);
  }
}

// The middle of a triangle, on the surface of its face.
Vector3d TriangleSolid::middleOf(std::size_t t) const {
  const Surface& s = regions_[static_cast<std::size_t>(region_[t])];
  const Vector3d p = (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3;
  const SurfaceDistance d = distanceTo(s, s.X_BS.inverse().point(p));
  return p - d.value * (s.X_BS.R * d.gradient);
}

// True if the triangles of a cone around a vertex go around its axis.
bool TriangleSolid::hasTip(int region, int v) const {
  const Surface& s = regions_[static_cast<std::size_t>(region)];
  const auto angleOf = [&](int w) {
    const Vector3d q = s.X_BS.inverse().point(at(w));
    return std::atan2(q.y(), q.x());
  };
  double turned = 0;
  for (const int t : trianglesOf(region)) {
    const auto& corners = triangles_[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < 3; ++k)
      if (corners[k] == v)
        turned += std::remainder(angleOf(corners[(k + 2) % 3]) - angleOf(corners[(k + 1) % 3]),
                                 2 * std::numbers::pi);
  }
  return std::abs(turned) > std::numbers::pi;
}

// A cone that reaches to its tip is closed there; one that has only a part of the way around the tip fails.
bool TriangleSolid::closeCone(int region) {
  constexpr double kTip = 1e-9, kNearTip = 0.05;  // radius [m], part of the largest one
  std::set<int> seen;
  Face& face = solid_.faces[static_cast<std::size_t>(region)];
  const Surface& s = face.surface;
  const auto radiusAt = [&](int v) { return s.radius + s.slope * s.X_BS.inverse().point(at(v)).z(); };
  double largest = 0;
  for (const int t : trianglesOf(region))
    for (const int v : triangles_[static_cast<std::size_t>(t)]) largest = std::max(largest, radiusAt(v));
  int tip = -1;
  for (const int t : trianglesOf(region))
    for (const int v : triangles_[static_cast<std::size_t>(t)]) {
      const bool isInside = isAtBorder_[static_cast<std::size_t>(v)] == 0;
      if (isInside && radiusAt(v) < kNearTip * largest && seen.insert(v).second && hasTip(region, v)) tip = v;
      if (!isInside && !(radiusAt(v) > kTip)) return false;
    }
  if (tip < 0) return true;
  const double z = -s.radius / s.slope;
  vertices_[static_cast<std::size_t>(tip)] = s.X_BS.point({0, 0, z});
  face.trim.addLine({0, z}, {2 * std::numbers::pi, z});
  physics::include(face.bounds, Bounds{at(tip), at(tip)});
  if (s.side > 0) tips_.emplace_back(tip, region);
  return true;
}

std::size_t TriangleSolid::largestOf(int region) const {
  const auto triangles = trianglesOf(region);
  return static_cast<std::size_t>(*std::max_element(triangles.begin(), triangles.end(), [&](int t, int u) {
    return areas_[static_cast<std::size_t>(t)] < areas_[static_cast<std::size_t>(u)];
  }));
}

// True if contains(p), with p in the frame of the surface, for the middle of the largest triangle, or for the
// middles of most of the area: in a row of facets beside a curved border, narrower than their sagitta, these
// are beyond it.
template <class Contains>
bool TriangleSolid::holdsForMost(int region, const Contains& contains) const {
  const RigidTransform toSurface = solid_.faces[static_cast<std::size_t>(region)].surface.X_BS.inverse();
  if (contains(toSurface.point(middleOf(largestOf(region))))) return true;
  double inside = 0;
  for (const int t : trianglesOf(region))
    if (contains(toSurface.point(middleOf(static_cast<std::size_t>(t)))))
      inside += areas_[static_cast<std::size_t>(t)];
  return inside > 0.5 * areaOf_[static_cast<std::size_t>(region)];
}

// Of spheres that reach over a pole, which no border surrounds, the triangles show whether the border lies
// above or below them.
void TriangleSolid::closeSphere(int region) {
  Face& face = solid_.faces[static_cast<std::size_t>(region)];
  const Surface& s = face.surface;
  Trim trial = face.trim;
  trial.finish(true, joint(s));
  if (!holdsForMost(region, [&](const Vector3d& p) {
        return trial.contains(parametersOf(s, p), parameterScale(s, p), 0);
      })) {
    const double top = std::numbers::pi / 2;
    face.trim.addLine({0, top}, {2 * std::numbers::pi, top});
  }
  const Vector3d reach = Vector3d::Constant(s.radius);
  physics::include(face.bounds, Bounds{s.X_BS.p - reach, s.X_BS.p + reach});
}

// Of a torus that crosses itself on its axis: its ends there, which in a cavity would be corners.
void TriangleSolid::closeTorus(int region) {
  Face& face = solid_.faces[static_cast<std::size_t>(region)];
  const Surface& s = face.surface;
  std::set<bool> ends;  // true: above its center
  for (const int t : trianglesOf(region))
    for (const int v : triangles_[static_cast<std::size_t>(t)])
      if (const Vector3d p = s.X_BS.inverse().point(at(v));
          isAtBorder_[static_cast<std::size_t>(v)] == 0 && isEndOnAxis(s, p))
        ends.insert(p.z() > 0);
  for (const bool isAbove : ends) endOnAxis(face, isAbove);
  if (s.side < 0 && !ends.empty()) fail(region);
}

void TriangleSolid::closeTrims() {
  parallelFor(regions_.size(), kItemsAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r)
      if (Face& face = solid_.faces[r]; face.surface.kind == SurfaceKind::plane)
        face.trim.finish(false, joint(face.surface));
  });
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    Face& face = solid_.faces[r];
    const Surface& s = face.surface;
    const auto region = static_cast<int>(r);
    if (s.kind == SurfaceKind::cone && !closeCone(region)) fail(region);
    if (s.kind == SurfaceKind::torus) closeTorus(region);
    // Without a border only spheres and tori are closed. A point of the face shows whether its borders
    // surround it: not on a torus with a hole that is whole in both directions.
    const bool isOpen = face.trim.segments().empty();
    const bool isBall = s.kind == SurfaceKind::sphere || s.kind == SurfaceKind::torus;
    if (isOpen && !isBall) fail(region);
    if (s.kind == SurfaceKind::sphere) closeSphere(region);
    if (s.kind == SurfaceKind::plane || (isOpen && isBall)) continue;
    face.trim.finish(isPeriodic(s), joint(s));
    if (!holdsForMost(region, [&](const Vector3d& p) { return face.has(p); })) fail(region);
  }
}

// The first takes the place of the face, so that its edges find it; the others follow.
void TriangleSolid::divideIntoPatches(std::size_t region) {
  std::vector<Face> patches = patchesOf(solid_.faces[region], joint(solid_.faces[region].surface));
  solid_.faces[region] = std::move(patches.front());
  solid_.faces.insert(solid_.faces.end(), std::make_move_iterator(patches.begin() + 1),
                      std::make_move_iterator(patches.end()));
}

// At its middle; that of two surfaces that waver about each other somewhere.
bool TriangleSolid::isConvexAlong(const Curve& curve, int left, int right) const {
  const auto isConvexAt = [&](double part) {
    const double t = curve.range[0] + part * (curve.range[1] - curve.range[0]);
    const Vector3d p = curve.at(t);
    return normalAt(left, p).cross(normalAt(right, p)).dot(curve.tangent(t)) > kSmoothEdge;
  };
  if (curve.kind != CurveKind::quintic) return isConvexAt(0.5);
  constexpr std::array kParts{0.5, 0.0, 0.25, 0.75, 1.0};
  return std::any_of(kParts.begin(), kParts.end(), isConvexAt);
}

bool TriangleSolid::isConvex(const MeshEdge& e) const {
  const Vector3d middle = 0.5 * (at(e.from) + at(e.to));
  const Vector3d l = normalAt(regionOf(e.left), middle), r = normalAt(regionOf(e.right), middle);
  return l.cross(r).dot((at(e.to) - at(e.from)).normalized()) > kSmoothEdge;
}

// True where two borders between the same two faces meet, and no other; between flat faces collinear ones.
bool TriangleSolid::continuesThrough(int v) const {
  const auto around = bordersOf(v);
  if (around.size() != 2) return false;
  const auto faces = [&](int e) {
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    return std::minmax({regionOf(edge.left), regionOf(edge.right)});
  };
  if (faces(around[0]) != faces(around[1])) return false;
  const Vector3d d0 = (at(otherEnd(around[0], v)) - at(v)).normalized(),
                 d1 = (at(otherEnd(around[1], v)) - at(v)).normalized();
  return !isStraight(edges_[static_cast<std::size_t>(around[0])]) ||
         (d0.dot(d1) < 0 && d0.cross(d1).norm() < kCollinear);
}

void TriangleSolid::addEdges() {
  firstBorder_.assign(vertices_.size() + 1, 0);
  std::vector<std::size_t> lines(regions_.size(), 0);  // of each trim
  for (const MeshEdge& e : edges_) {
    if (!isBorder(e)) continue;
    for (const int v : {e.from, e.to}) ++firstBorder_[static_cast<std::size_t>(v) + 1];
    if (isStraight(e))
      for (const int triangle : {e.left, e.right}) ++lines[static_cast<std::size_t>(regionOf(triangle))];
  }
  for (std::size_t r = 0; r < lines.size(); ++r) solid_.faces[r].trim.reserve(lines[r]);
  std::partial_sum(firstBorder_.begin(), firstBorder_.end(), firstBorder_.begin());
  borders_.resize(static_cast<std::size_t>(firstBorder_.back()));
  std::vector<int> next(firstBorder_.begin(), firstBorder_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    if (isBorder(edges_[e]))
      for (const int v : {edges_[e].from, edges_[e].to})
        borders_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(e);
  addChains();
}

// Their curves are found on all processors, some chains at a time.
void TriangleSolid::addChains() {
  constexpr std::size_t kAtATime = 4 * kItemsAtATime;
  std::vector<int> vertices, starts{0}, firsts;
  std::vector<char> areClosed;
  isDone_.assign(edges_.size(), 0);
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    if (!isBorder(edges_[k]) || isDone_[k] != 0) continue;
    areClosed.push_back(follow(static_cast<int>(k), vertices) ? 1 : 0);
    starts.push_back(static_cast<int>(vertices.size()));
    firsts.push_back(static_cast<int>(k));
  }
  solid_.edges.reserve(firsts.size());
  std::vector<BorderChain> chains(std::min(kAtATime, firsts.size()));
  for (std::size_t begin = 0; begin < firsts.size(); begin += kAtATime) {
    const std::size_t count = std::min(kAtATime, firsts.size() - begin);
    parallelFor(count, kItemsAtATime / 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t n = first; n < last; ++n) {
        const auto from = static_cast<std::size_t>(starts[begin + n]),
                   to = static_cast<std::size_t>(starts[begin + n + 1]);
        chains[n].edge = firsts[begin + n];
        chains[n].isClosed = areClosed[begin + n] != 0;
        chains[n].chain = std::span(vertices).subspan(from, to - from);
        findCurves(chains[n]);
      }
    });
    for (std::size_t n = 0; n < count; ++n) addChain(chains[n]);
  }
}

// Appends the vertices of the border of two faces through the mesh's edge k. True if it is closed.
bool TriangleSolid::follow(int k, std::vector<int>& vertices) {
  const MeshEdge& e = edges_[static_cast<std::size_t>(k)];
  isDone_[static_cast<std::size_t>(k)] = 1;
  // The vertices that follow `v`, until the border ends or returns to `start`.
  const auto followFrom = [&](int v, int start, std::vector<int>& chain) {
    int edge = k;
    while (v != start && continuesThrough(v)) {
      const auto around = bordersOf(v);
      edge = around[0] == edge ? around[1] : around[0];
      isDone_[static_cast<std::size_t>(edge)] = 1;
      v = otherEnd(edge, v);
      chain.push_back(v);
    }
    return v == start;
  };
  const std::size_t first = vertices.size();
  vertices.insert(vertices.end(), {e.from, e.to});
  const bool isClosed = followFrom(e.to, e.from, vertices) && continuesThrough(e.from);
  if (!isClosed && vertices.back() != e.from) {
    std::vector<int> back;
    followFrom(e.from, e.to, back);
    vertices.insert(vertices.begin() + static_cast<std::ptrdiff_t>(first), back.rbegin(), back.rend());
  }
  return isClosed;
}

void TriangleSolid::findCurves(BorderChain& border) const {
  const MeshEdge& e = edges_[static_cast<std::size_t>(border.edge)];
  std::vector<Vector3d>& points = border.points;
  points.clear();
  for (const int v : border.chain) points.push_back(at(v));
  const int left = regionOf(e.left), right = regionOf(e.right);
  const Surface &before = regions_[static_cast<std::size_t>(left)],
                &after = regions_[static_cast<std::size_t>(right)];
  border.curves = curvesBetween(points, border.isClosed, before, after);
  if (border.curves.empty() && isStraight(e)) {  // though it be curved by rounding
    border.curves = curvesBetween(std::array{points.front(), points.back()}, false, before, after);
  } else if (border.curves.empty()) {
    // A facet that continues a curved face smoothly meets it above their chord.
    const auto isFacet = [&](int r) { return loose_[static_cast<std::size_t>(r)] != 0; };
    if (isFacet(left) || isFacet(right)) border.curves = {lineBetween(points.front(), points.back())};
  }
  border.areConvex.clear();
  for (const Curve& curve : border.curves)
    border.areConvex.push_back(isConvexAlong(curve, left, right) ? 1 : 0);
}

void TriangleSolid::addLine(Face& face, const Vector3d& from, const Vector3d& to) {
  const RigidTransform toSurface = face.surface.X_BS.inverse();
  face.trim.addLine(toSurface.point(from).head<2>(), toSurface.point(to).head<2>());
  for (const Vector3d& p : {from, to}) physics::include(face.bounds, Bounds{p, p});
}

// Adds the border of two faces to both trims, and an edge to the solid where it is convex.
void TriangleSolid::addChain(const BorderChain& border) {
  const MeshEdge& e = edges_[static_cast<std::size_t>(border.edge)];
  const std::vector<Vector3d>& points = border.points;
  const std::vector<Curve>& curves = border.curves;
  const int left = regionOf(e.left), right = regionOf(e.right);
  Face &before = solid_.faces[static_cast<std::size_t>(left)],
       &after = solid_.faces[static_cast<std::size_t>(right)];
  if (isStraight(e)) {
    // As it is, piece by piece.
    for (std::size_t n = 1; n < points.size(); ++n)
      for (Face* face : {&before, &after}) addLine(*face, points[n - 1], points[n]);
  } else {
    if (curves.empty()) return failSmallest(std::array{left, right}, true);
    if (!border.isClosed && !addCornerGaps(before, after, points, curves))
      return failSmallest(std::array{left, right}, true);
    for (const Curve& curve : curves)
      if (!addBorder(before, curve, after.surface) || !addBorder(after, curve, before.surface))
        return failSmallest(std::array{left, right}, true);
  }
  const std::size_t every = (curves.size() + 7) / 8;
  for (std::size_t n = 0; n < curves.size(); ++n) {
    const Curve& curve = curves[n];
    const Bounds bounds = boundsOf(curve);
    physics::include(before.bounds, bounds);
    physics::include(after.bounds, bounds);
    if (border.areConvex[n] == 0) {
      solid_.addConcaveNeighbor(left, right, curve.at(0.5 * (curve.range[0] + curve.range[1])));
      continue;
    }
    Edge edge;
    edge.curve = curve;
    edge.before = left;
    edge.after = right;
    edge.hasFixedPoint = curve.kind == CurveKind::quintic && n % every == 0;
    // Vertices of the mesh, until those of the solid are known.
    if (!border.isClosed && n == 0) edge.from = border.chain.front();
    if (!border.isClosed && n + 1 == curves.size()) edge.to = border.chain.back();
    solid_.edges.push_back(edge);
  }
}

struct TrimmedTriangles::Builder {
  explicit Builder(const BoundarySolid& boundary) : surfaceOf(boundary.surfaceOf) {
    while (!triangles.emplace(boundary, surfaceOf).trim()) {
      const std::set<int>& failed = triangles->failed();
      for (int& s : surfaceOf)
        if (failed.contains(s)) s = -1;
      flat.insert(flat.end(), failed.begin(), failed.end());
    }
  }
  std::vector<int> surfaceOf, flat;
  std::optional<TriangleSolid> triangles;
};

TrimmedTriangles::TrimmedTriangles(const BoundarySolid& boundary)
    : builder_(std::make_unique<Builder>(boundary)) {}
TrimmedTriangles::TrimmedTriangles(TrimmedTriangles&&) noexcept = default;
TrimmedTriangles& TrimmedTriangles::operator=(TrimmedTriangles&&) noexcept = default;
TrimmedTriangles::~TrimmedTriangles() = default;

const std::vector<int>& TrimmedTriangles::flat() const {
  return builder_->flat;
}

const std::vector<int>& TrimmedTriangles::faceOf() const {
  return builder_->triangles->faceOf();
}

Solid TrimmedTriangles::finish(double depthLimit) && {
  return builder_->triangles->finish(depthLimit);
}

Solid solidOfTriangles(const BoundarySolid& boundary, double depthLimit, std::vector<int>* flat) {
  TrimmedTriangles trimmed(boundary);
  if (flat != nullptr) flat->insert(flat->end(), trimmed.flat().begin(), trimmed.flat().end());
  return std::move(trimmed).finish(depthLimit);
}

std::vector<int> flatSurfacesOf(const BoundarySolid& boundary) {
  return TrimmedTriangles(boundary).flat();
}

}  // namespace tenon::physics::brep
