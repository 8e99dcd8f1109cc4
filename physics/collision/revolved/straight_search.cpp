// Closest points of corners and straight edges on another solid's surface.
#include "physics/collision/revolved/straight_search.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/closest_points.h"

namespace tenon::physics {
namespace {

/// Offset from a corner at which the distance to its own solid tests a direction [m]: below any feature size,
/// above rounding.
constexpr double kBesideCorner = 1e-6;
/// Minimum number of steps along an edge in the search for overlap; walls thinner than one step may be
/// missed.
constexpr int kThroughSteps = 16;
/// Distance up to which a corner lies in a plane, or on a border [m].
constexpr double kFlush = 1e-9;

// As isNearCone() for an edge: true if the direction to the other surface leaves the corner's own solid,
// within 15°. Along a normal of the corner the distance to the solid grows by the offset.
bool isFacing(const PairSearch& pair, Owner owner, const Vector3d& p, const Vector3d& otherNormal) {
  return ownOf(pair, owner).nearest(p - kBesideCorner * otherNormal).distance >=
         kFacingCosine * kBesideCorner;
}

void addCorner(const PairSearch& pair, Owner owner, const FlatFeatures::Corner& corner,
               const SurfaceHit& hit) {
  const std::uint32_t code = featureCode(owner, corner.feature, hit.feature, Kind::kFixed, 0);
  const SurfaceContact contact = contactOf(owner, corner.p, hit.normal, hit.distance, code);
  if (hit.edgeDistance > kNearEdgeDistance && isFacing(pair, owner, corner.p, hit.normal))
    pair.contacts.push_back(contact);
  else
    recordNotFacing(pair, contact);
}

// A corner in the plane of a face that it does not face, as of a box on a block of the same width: the face
// that it rests on is another one. False if there is none.
bool addFlushCorner(const PairSearch& pair, Owner owner, const FlatFeatures::Corner& corner,
                    const SurfaceHit& hit, std::span<const FlatFeatures::Face> faces) {
  const bool isFlush = std::abs(hit.distance) <= kFlush;
  if (!isFlush || isFacing(pair, owner, corner.p, hit.normal)) return false;
  const PlacedSolid& other = otherOf(pair, owner);
  bool isFound = false;
  for (const FlatFeatures::Face& face : faces) {
    const double distance = face.normal.dot(corner.p) - face.offset;
    if (face.feature == hit.feature || distance > pair.range || distance < -kShallowOverlap) continue;
    const Vector3d foot = corner.p - distance * face.normal;
    // Not over the mouth of a cavity, and not beside the face.
    if (std::abs(other.nearest(foot).distance) > kFlush || !isFacing(pair, owner, corner.p, face.normal))
      continue;
    addCorner(pair, owner, corner, {distance, face.normal, face.feature, false});
    isFound = true;
  }
  return isFound;
}

}  // namespace

void pointAgainst(const PairSearch& pair, Owner owner, const Vector3d& p, int feature, bool alsoEdges) {
  const SurfaceHit hit = otherOf(pair, owner).nearest(p);
  if (hit.distance > pair.range || (hit.edge && !alsoEdges)) return;
  const std::uint32_t code = featureCode(owner, feature, 0, Kind::kFixed, 0);
  pair.contacts.push_back(contactOf(owner, p, hit.normal, hit.distance, code));
}

// --- corners -------------------------------------------------------------------------------------------

void cornersAgainst(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners,
                    std::span<const FlatFeatures::Face> faces) {
  const PlacedSolid& other = otherOf(pair, owner);
  for (const FlatFeatures::Corner& corner : corners) {
    const SurfaceHit hit = other.nearest(corner.p);
    if (hit.distance > pair.range) continue;
    if (hit.edge) {
      // Inside the material: an inner corner, handled by cornersAgainstCavity(), or the bottom.
      const EdgeForm form = other.formOf(hit.feature);
      const bool countsOnce = hit.distance <= 0 || owner == Owner::kA;
      if (form == EdgeForm::kRim || (form == EdgeForm::kPoint && !countsOnce)) continue;
    }
    if (!addFlushCorner(pair, owner, corner, hit, faces)) addCorner(pair, owner, corner, hit);
  }
}

namespace {

// Foot and offset of a point on a segment of a cavity, in its half-plane.
struct OnSegment {
  double along = 0, offset = 0;
};
OnSegment onSegment(const Meridian::Segment& s, const Vector2d& p) {
  return {(p - s.start).dot(s.direction), (p - s.start).dot(s.normal)};
}

// True if a point inside the material, closest to feature `index` of the meridian, is also constrained by
// segment i, its neighbor at an inner corner, where the free space is the intersection of both sides.
bool isInnerCornerNeighbor(const Meridian& m, std::size_t i, std::size_t index, const Vector2d& p) {
  const bool edge = index >= m.segments.size();
  const double along = onSegment(m.segments[i], p).along, length = m.segments[i].length;
  // Vertices of the nearest feature: the vertex itself, or both ends of the segment.
  const std::size_t from = edge ? index - m.segments.size() : index, to = edge ? from : from + 1;
  for (std::size_t v = from; v <= to; ++v) {
    if (v == 0 || v == m.segments.size() || m.vertices[v].convex) continue;
    if (i + 1 == v && along >= 0 && along <= length + kShallowOverlap) return true;
    if (i == v && along >= -kShallowOverlap && along <= length) return true;
  }
  return false;
}

// True if a point in free space projects onto segment `s`, with a free line of sight.
bool hasFoot(const PlacedSolid& solid, const Meridian::Segment& s, const Vector2d& p, const Vector3d& p_C,
             const Vector3d& normal) {
  const OnSegment on = onSegment(s, p);
  return on.offset > 0 && on.along >= 0 && on.along <= s.length &&
         solid.nearest(p_C - 0.5 * on.offset * normal).distance > 0;
}

// A corner in the frame M of a cavity.
struct InCavity {
  const FlatFeatures::Corner& corner;
  const PlacedMeridian& cavity;
  Vector3d p_M = Vector3d::Zero();
  Vector3d outward_M = Vector3d::UnitX();  // unit, from the axis
  Vector2d p = Vector2d::Zero();           // in the half-plane
};

InCavity inCavity(const FlatFeatures::Corner& corner, const PlacedMeridian& cavity) {
  InCavity at{corner, cavity};
  at.p_M = cavity.R_CM.transpose() * (corner.p - cavity.p_CM);
  const double rho = std::sqrt(at.p_M.x() * at.p_M.x() + at.p_M.y() * at.p_M.y());
  at.p = {rho, at.p_M.z()};
  if (rho > 0) at.outward_M = {at.p_M.x() / rho, at.p_M.y() / rho, 0};
  return at;
}

Vector3d normalOf(const InCavity& at, const Meridian::Segment& s, const Vector3d& outward_M) {
  return at.cavity.R_CM * (s.normal.x() * outward_M + s.normal.y() * Vector3d::UnitZ());
}

// In a narrow hole or at the tip of a conical one the wall surrounds a corner: adds its tangent planes at the
// fixed phases, as for a sphere (sphere_contacts.cpp).
void addSurroundingPlanes(const PairSearch& pair, Owner owner, const InCavity& at, std::size_t index) {
  const Meridian::Segment& s = at.cavity.meridian->segments[index];
  if (s.normal.x() > -kParallel) return;
  const Grid& grid = fullCircleGrid();
  for (int k = 0; k < kPhases; ++k) {
    const auto cell = static_cast<std::size_t>(k * Grid::kCells / kPhases);
    const Vector3d u(grid.cosine[cell], grid.sine[cell], 0);
    const OnSegment on = onSegment(s, {u.dot(at.p_M), at.p_M.z()});
    if (on.along < -kShallowOverlap || on.along > s.length + kShallowOverlap || on.offset > pair.range)
      continue;
    const std::uint32_t code =
        featureCode(owner, at.corner.feature, at.cavity.segmentFeature(index), Kind::kMinimum, k);
    pair.contacts.push_back(contactOf(owner, at.corner.p, normalOf(at, s, u), on.offset, code));
  }
}

void cornerAgainstCavity(const PairSearch& pair, Owner owner, const FlatFeatures::Corner& corner,
                         const PlacedMeridian& cavity) {
  const PlacedSolid& other = otherOf(pair, owner);
  const SurfaceHit hit = other.nearest(corner.p);
  const bool free = hit.distance > 0;
  if (hit.distance > pair.range || (!free && !cavity.hasFeature(hit.feature))) return;
  const InCavity at = inCavity(corner, cavity);
  const Meridian& m = *cavity.meridian;
  const auto nearest = static_cast<std::size_t>(hit.feature - cavity.firstFeature);
  for (std::size_t i = 0; i < m.segments.size(); ++i) {
    const Meridian::Segment& s = m.segments[i];
    const double offset = onSegment(s, at.p).offset;
    if (offset > pair.range) continue;
    const int feature = cavity.segmentFeature(i);
    const Vector3d normal = normalOf(at, s, at.outward_M);
    const bool isNearest = !hit.edge && hit.feature == feature;  // added by cornersAgainst()
    const bool isConstrained = isNearest || (free ? hasFoot(other, s, at.p, corner.p, normal)
                                                  : isInnerCornerNeighbor(m, i, nearest, at.p));
    if (isConstrained && !isNearest) addCorner(pair, owner, corner, {offset, normal, feature, false});
    const bool isBottom =
        !free && hit.feature == cavity.vertexFeature(i + 1) && m.vertices[i + 1].at.x() <= 0;
    if (isConstrained || isBottom) addSurroundingPlanes(pair, owner, at, i);
  }
}

}  // namespace

void cornersAgainstCavity(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners,
                          const PlacedMeridian& cavity) {
  const double maxDistance = cavity.boundingRadius + pair.range;
  for (const FlatFeatures::Corner& corner : corners)
    if ((corner.p - cavity.center_C).squaredNorm() <= maxDistance * maxDistance)
      cornerAgainstCavity(pair, owner, corner, cavity);
}

// --- edges -----------------------------------------------------------------------------------------------

namespace {

EdgePoint straightPointOf(const FlatFeatures::Edge& edge, double t) {
  const Vector3d along = edge.b - edge.a;
  const double length = along.norm();
  return {edge.a + t * along, along / length, edge.before,     edge.after,
          Vector3d::Zero(),   t * length,     (1 - t) * length};
}

void edgePair(const PairSearch& pair, const FlatFeatures::Edge& a, const FlatFeatures::Edge& b) {
  const Vector3d d = a.b - a.a, e = b.b - b.a;
  const SegmentParameters at = closestOnSegments(a.a, d, b.a, e);
  // Contacts at the ends belong to the corners.
  if (at.s <= 0 || at.s >= 1 || at.t <= 0 || at.t >= 1) return;
  const EdgePoint one = straightPointOf(a, at.s), two = straightPointOf(b, at.t);
  if ((two.p - one.p).squaredNorm() > pair.range * pair.range) return;
  SurfaceContact contact;
  if (!edgeContact(pair, one, two, contact)) return;
  contact.feature = featureCode(Owner::kA, a.feature, b.feature, Kind::kEdges, 0);
  pair.contacts.push_back(contact);
}

}  // namespace

void edgesAgainstEdges(const PairSearch& pair, const FlatView& a, const FlatView& b) {
  for (const FlatFeatures::Edge& one : a.edges) {
    const Vector3d low = one.a.cwiseMin(one.b).array() - pair.range,
                   high = one.a.cwiseMax(one.b).array() + pair.range;
    for (const FlatFeatures::Edge& two : b.edges) {
      const bool isSeparated = (two.a.cwiseMax(two.b).array() < low.array()).any() ||
                               (two.a.cwiseMin(two.b).array() > high.array()).any();
      if (!isSeparated) edgePair(pair, one, two);
    }
  }
}

namespace {

// The offset from a convex flank is convex along a line: its one minimum is the root of the slope.
void lineAgainstSegment(const PairSearch& pair, Owner owner, const FlatFeatures::Edge& line, double t0,
                        double t1, const PlacedMeridian& other, std::size_t index) {
  const Meridian::Segment& s = other.meridian->segments[index];
  if (s.normal.x() <= 0) return;
  const Vector3d d_C = (line.b - line.a).normalized();
  const Vector3d o = other.R_CM.transpose() * (line.a - other.p_CM), d = other.R_CM.transpose() * d_C;
  const auto slopeAt = [&](double t) {
    const MeridianPoint m = inMeridian(o + t * d, d, Vector3d::Zero());
    return Slope{m.rho, m.dRho * s.normal.x() + m.dZ * s.normal.y(), m.ddRho * s.normal.x()};
  };
  if (!(slopeAt(t0).first < -kParallel * kParallel) || !(slopeAt(t1).first > kParallel * kParallel)) return;
  const double t = rootBetween(t0, t1, 0.5 * (t0 + t1), slopeAt);
  const Vector3d p = line.a + t * d_C;
  const SurfaceHit hit = otherOf(pair, owner).nearest(p);
  if (hit.edge || hit.feature != other.segmentFeature(index) || hit.distance > pair.range) return;
  const std::uint32_t code = featureCode(owner, line.feature, hit.feature, Kind::kCrossing, 0);
  const SurfaceContact contact = contactOf(owner, p, hit.normal, hit.distance, code);
  if (isNearCone(Vector3d(-hit.normal), line.before, line.after))
    pair.contacts.push_back(contact);
  else
    recordNotFacing(pair, contact);
}

}  // namespace

void edgesAgainstSegments(const PairSearch& pair, Owner owner, const FlatView& lines,
                          const PlacedMeridian& other) {
  const double maxDistance = other.boundingRadius + pair.range;
  for (const FlatFeatures::Edge& line : lines.edges) {
    const double length = (line.b - line.a).norm();
    const Vector3d d = (line.b - line.a) / length, w = other.center_C - line.a;
    const double middle = w.dot(d), half2 = maxDistance * maxDistance - (w - middle * d).squaredNorm();
    if (half2 <= 0) continue;
    const double t0 = std::max(0.0, middle - std::sqrt(half2)),
                 t1 = std::min(length, middle + std::sqrt(half2));
    if (t0 >= t1) continue;
    for (std::size_t i = 0; i < other.meridian->segments.size(); ++i)
      lineAgainstSegment(pair, owner, line, t0, t1, other, i);
  }
}

namespace {

// Clips [t0, t1] to where p + t·d is below all planes. False if nothing remains.
bool clip(std::span<const FlatFeatures::Face> faces, const Vector3d& p, const Vector3d& d, double& t0,
          double& t1) {
  for (const FlatFeatures::Face& face : faces) {
    const double height = face.normal.dot(p) - face.offset, rate = face.normal.dot(d);
    if (rate > 0)
      t1 = std::min(t1, -height / rate);
    else if (rate < 0)
      t0 = std::max(t0, -height / rate);
    else if (height > 0)
      return false;
  }
  return t0 < t1;
}

}  // namespace

void edgesThrough(const PairSearch& pair, Owner owner, const FlatView& lines,
                  std::span<const FlatFeatures::Face> faces, std::size_t first) {
  if (hasOverlapContact(pair, first)) return;
  SurfaceContact deepest;
  for (const FlatFeatures::Edge& line : lines.edges) {
    const double length = (line.b - line.a).norm();
    const Vector3d d = (line.b - line.a) / length;
    double t0 = 0, t1 = length;
    // Skip intervals that are only rounding of a touching edge.
    if (!clip(faces, line.a, d, t0, t1) || t1 - t0 < kSameDistance) continue;
    // Sphere tracing: steps as long as the distance cross no surface.
    const double minStep = (t1 - t0) / kThroughSteps;
    for (double t = t0 + 0.5 * minStep; t < t1;) {
      const Vector3d p = line.a + t * d;
      const SurfaceHit hit = otherOf(pair, owner).nearest(p);
      if (hit.distance < -kSameDistance && hit.distance < deepest.separation)
        deepest = contactOf(owner, p, hit.normal, hit.distance,
                            featureCode(owner, line.feature, 0, Kind::kCrossing, 1));
      t += std::max(hit.distance, minStep);
    }
  }
  if (deepest.separation < 0) pair.contacts.push_back(deepest);
}

}  // namespace tenon::physics
