// One function per kind of feature. Everything is in the frame of side s_, whose feature it is; the contact's
// normal points to the curved side.
#include "physics/collision/manifold/side_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

// Parameter of the point of p + t d, t in [0, 1], closest to the side, between whose ends `span` is. None
// where it is beyond an end: then the rim is closer.
std::optional<double> nearestWithin(const ConicalSide& side, const Vector3d& p, const Vector3d& d,
                                    const std::array<double, 2>& span) {
  const double nearest = closestToSide(side, p, d);
  if (std::isnan(nearest) || (nearest < span[0] && span[0] > 0) || (nearest > span[1] && span[1] < 1))
    return std::nullopt;
  return std::clamp(nearest, span[0], span[1]);
}

// Direction, out of the side, of the row of p + t d, t in [0, 1], of which `span` is between the ends of the
// side. Where the line crosses such an end, its distance there changes along the normal of both line and rim
// as the parts slide.
Vector3d rowNormal(const ConicalSide& side, const ConicalSideDistance& distance, const Vector3d& d, double t,
                   const std::array<double, 2>& span) {
  const bool crossesEnd = (t == span[0] && t > 0) || (t == span[1] && t < 1);
  if (!crossesEnd) return distance.normal;
  return (distance.normal - distance.normal.dot(d) / side.axis.dot(d) * side.axis).normalized();
}

}  // namespace

void SideContacts::addEdges() {
  const ConvexPartKind other = pair_.part(1 - s_).kind;
  if (pair_.part(s_).kind != ConvexPartKind::polytope) return;
  if (other != ConvexPartKind::cylinderOrCone && other != ConvexPartKind::sphereSwept) return;
  const ConicalSide side = pair_.sideIn(s_);
  for (int e = 0; e < static_cast<int>(pair_.part(s_).polytope.edges.size()); ++e) {
    if (!pair_.part(s_).polytope.edges[e].onSurface) continue;
    if (side.halfLength > 0) addEdgeAgainstSide(e, side);
    if (other != ConvexPartKind::sphereSwept) continue;
    addEdgeAgainstEnd(e, 0);
    if (side.halfLength > 0) addEdgeAgainstEnd(e, 1);
  }
}

void SideContacts::addEdgeAgainstSide(int edge, const ConicalSide& side) {
  const Polytope& polytope = pair_.part(s_).polytope;
  const Vector3d p = polytope.vertices[polytope.edges[edge].a];
  const Vector3d d = polytope.vertices[polytope.edges[edge].b] - p;
  double t0 = 0, t1 = 1;
  if (!clipToSpan(side, p, d, t0, t1)) return;
  const auto add = [&](double t, int slot, double slack) {
    const Vector3d at = polytope.pointOn(edge, t);
    const ConicalSideDistance distance = distanceToSide(side, at);
    if (!distance.valid || std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
    addEdgePoint(edge, t, at, -rowNormal(side, distance, d, t, {t0, t1}), distance.separation, slot, slack);
  };
  if (const auto nearest = nearestWithin(side, p, d, {t0, t1})) add(*nearest, 0, kBorderTolerance);
  if (std::abs(d.dot(side.axis)) < kFacingCosine * d.norm()) return;
  add(t0, 1, kFacingSine);
  add(t1, 2, kFacingSine);
}

// An edge against the sphere at one end of a sphere's or capsule's core.
void SideContacts::addEdgeAgainstEnd(int edge, int end) {
  const ConvexPart& other = pair_.part(1 - s_);
  const Polytope& polytope = pair_.part(s_).polytope;
  const Vector3d p = polytope.vertices[polytope.edges[edge].a];
  const Vector3d d = polytope.vertices[polytope.edges[edge].b] - p;
  const Vector3d ball = pair_.X_SO(s_).point(endOf(other, end));
  const double t = std::clamp((ball - p).dot(d) / d.squaredNorm(), 0.0, 1.0);
  const Vector3d at = polytope.pointOn(edge, t);
  const Vector3d n = ball - at;
  const double distance = n.norm();
  // Between the ends the side is nearer than the sphere.
  const Vector3d outward = (end ? 1.0 : -1.0) * (pair_.X_SO(s_).R * other.axis);
  const bool beyond = other.halfLength == 0 || outward.dot(at - ball) >= 0;
  if (distance < kBorderTolerance || !beyond) return;
  addEdgePoint(edge, t, at, n / distance, distance - other.radius[0], 3 + end, kBorderTolerance);
}

// True if `n` at the edge's point lies between the normals of its faces, with tolerance `slack`.
bool SideContacts::isBetweenFaceNormals(int edge, double t, const Vector3d& p, const Vector3d& n,
                                        double slack) const {
  const Polytope::Edge& e = pair_.part(s_).polytope.edges[edge];
  if (n.dot(e.outward[0]) < -slack || n.dot(e.outward[1]) < -slack) return false;
  if (t > 0 && t < 1) return true;
  if (!pair_.part(s_).neighbors.empty())
    return isSurfaceNormal(*pair_.sides[s_].convexParts, pair_.sides[s_].index, p, n);
  return slack >= kFacingSine || supportValue(pair_.part(s_), n) - n.dot(p) <= kBorderTolerance;
}

void SideContacts::addEdgePoint(int edge, double t, const Vector3d& p, const Vector3d& n, double separation,
                                int slot, double slack) {
  if (separation > pair_.range || !isBetweenFaceNormals(edge, t, p, n, slack)) return;
  const bool isSwept =
      pair_.part(1 - s_).kind == ConvexPartKind::sphereSwept;  // then the core is outside: exact
  if (separation < 0 && !isSwept && (separation < -pair_.shallow || !axes_.isClosest(s_, n))) return;
  // An end is shared with other edges: use the vertex as the id.
  const Polytope::Edge& e = pair_.part(s_).polytope.edges[edge];
  const bool atEnd = t <= 0 || t >= 1;
  const FeatureKind kind = onSide(atEnd ? kVertexOnSide : kEdgeOnSide, s_);
  candidates_.add(s_, p, n, separation, {kind, atEnd ? (t <= 0 ? e.a : e.b) : edge, slot});
}

// The core of a sphere or capsule (side s_) against the curved side of a cylinder or cone.
void SideContacts::addCoreAgainstSide() {
  if (pair_.part(s_).kind != ConvexPartKind::sphereSwept ||
      pair_.part(1 - s_).kind != ConvexPartKind::cylinderOrCone)
    return;
  const ConvexPart& own = pair_.part(s_);
  const ConicalSide side = pair_.sideIn(s_);
  const Vector3d p = endOf(own, 0), d = endOf(own, 1) - p;
  double t0 = 0, t1 = 1;
  if (!clipToSpan(side, p, d, t0, t1)) return;
  const auto add = [&](double t, int slot) {
    const ConicalSideDistance distance = distanceToSide(side, p + t * d);
    if (!distance.valid || distance.separation < 0) return;  // the core is inside: left to the search
    if (std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
    const Vector3d n = -rowNormal(side, distance, d, t, {t0, t1});
    candidates_.add(s_, p + t * d + own.radius[0] * n, n, distance.separation - own.radius[0],
                    {onSide(kCoreOnSide, s_), slot, 0});
  };
  if (own.halfLength == 0) return add(0, 0);
  if (const auto nearest = nearestWithin(side, p, d, {t0, t1})) add(*nearest, 0);
  if (std::abs(d.dot(side.axis)) < kFacingCosine * d.norm()) return;
  add(t0, 1);
  add(t1, 2);
}

// The rims of the convex part of side s_ against the curved side of the other.
void SideContacts::addRimsAgainstSide() {
  if (pair_.part(s_).kind != ConvexPartKind::cylinderOrCone ||
      pair_.part(1 - s_).kind != ConvexPartKind::cylinderOrCone)
    return;
  const ConicalSide side = pair_.sideIn(s_);
  for (int rim : {0, 1}) {
    const double radius = pair_.part(s_).radius[rim];
    std::array<Vector3d, 2> points{endOf(pair_.part(s_), rim), Vector3d::Zero()};
    const int count = radius > 0 ? closestOnCircle(side, points[0], pair_.part(s_).axis, radius, points) : 1;
    for (int k = 0; k < count; ++k) addRimPoint(side, points[k], rim, k);
  }
}

void SideContacts::addRimPoint(const ConicalSide& side, const Vector3d& p, int rim, int ordinal) {
  const ConicalSideDistance distance = distanceToSide(side, p);
  if (!distance.valid || std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
  const Vector3d n = -distance.normal;
  // Behind a cone's side may also be beyond its ends.
  const bool between = std::abs((p - side.center).dot(side.axis)) <= side.halfLength + kBorderTolerance;
  if (distance.separation < 0 &&
      (!between || distance.separation < -pair_.shallow || !axes_.isClosest(s_, n)))
    return;
  // The rim must face the side: be nearly the farthest point of its convex part along n.
  const Vector3d far = coreSupport(pair_.part(s_), n) - p;
  if (far.dot(n) > kFacingSine * far.norm() + kBorderTolerance) return;
  candidates_.add(s_, p, n, distance.separation, {onSide(kRimOnSide, 1 - s_), rim, ordinal});
}

void addCrossingAxes(const ConvexPair& pair, const SeparatingAxes& axes, Candidates& candidates) {
  if (!pair.areBoth(ConvexPartKind::cylinderOrCone)) return;
  const ConicalSide b = pair.sideIn(0),
                    a = {pair.part(0).center, pair.part(0).axis, pair.part(0).halfLength,
                         pair.part(0).radius[0], pair.part(0).radius[1] - pair.part(0).radius[0]};
  if (a.slope != 0 || b.slope != 0 || a.axis.cross(b.axis).norm() < 1e-6) return;
  const auto [s, t] = closestOnSegments(a.center - a.halfLength * a.axis, 2 * a.halfLength * a.axis,
                                        b.center - b.halfLength * b.axis, 2 * b.halfLength * b.axis);
  if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return;
  const Vector3d p = a.center + (2 * s - 1) * a.halfLength * a.axis;
  const Vector3d q = b.center + (2 * t - 1) * b.halfLength * b.axis;
  const double distance = (q - p).norm();
  const double separation = distance - a.midRadius - b.midRadius;
  if (distance < kSamePoint) return;
  const Vector3d n = (q - p) / distance;
  if (separation < 0 && (separation < -pair.shallow || !axes.isClosest(0, n))) return;
  candidates.add(0, p + a.midRadius * n, n, separation, {kCrossingAxes, 0, 0});
}

void addCores(const ConvexPair& pair, Candidates& candidates) {
  if (!pair.areBoth(ConvexPartKind::sphereSwept)) return;
  const RigidTransform& X = pair.X_SO(0);
  const Vector3d p = endOf(pair.part(0), 0), d = endOf(pair.part(0), 1) - p;
  const Vector3d q = X.point(endOf(pair.part(1), 0)), e = X.point(endOf(pair.part(1), 1)) - q;
  const auto add = [&](const Vector3d& a, const Vector3d& b, int slot) {
    Vector3d n = b - a;
    const double distance = n.norm();
    // Crossing cores: along the common perpendicular.
    if (distance > 1e-15) {
      n /= distance;
    } else {
      n = d.cross(e).norm() > 1e-15 ? d.cross(e).normalized() : pair.part(0).radialDirection;
    }
    candidates.add(0, a + pair.part(0).radius[0] * n, n,
                   distance - pair.part(0).radius[0] - pair.part(1).radius[0], {kCores, slot, 0});
  };
  const auto [s, t] = closestOnSegments(p, d, q, e);
  add(p + s * d, q + t * e, 0);
  if (d.norm() == 0 || e.norm() == 0 || std::abs(d.dot(e)) < kFacingCosine * d.norm() * e.norm()) return;
  for (int end : {0, 1}) {
    const double tOfP = e.dot(p + end * d - q) / e.squaredNorm();
    if (tOfP >= 0 && tOfP <= 1) add(p + end * d, q + tOfP * e, 1 + end);
    const double sOfQ = d.dot(q + end * e - p) / d.squaredNorm();
    if (sOfQ >= 0 && sOfQ <= 1) add(p + sOfQ * d, q + end * e, 3 + end);
  }
}

}  // namespace tenon::physics
