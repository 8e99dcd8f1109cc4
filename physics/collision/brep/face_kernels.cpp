// Vertices and edges against faces, and faces against faces.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "physics/collision/brep/contact_query.h"
#include "physics/collision/brep/curve_search.h"
#include "physics/collision/brep/patch_search.h"
#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics::brep {
namespace {

/// Axes with a smaller sine of the angle between them are parallel: their surfaces touch along lines, whose
/// ends are contacts of edges. Over 0.1 m and at radii of 5 mm a point between these is less than 0.3 nm
/// closer [-].
constexpr double kParallelAxes = 3e-5;
/// Rounding of distances and directions that are computed without the frame of a surface [m, -]; far larger
/// than it is, since what is rejected with it is rejected without it, too.
constexpr double kRejected = 1e-9;

/// A face's plane, in the frame of its solid.
struct Plane {
  const Vector3d origin, normal;  // [m]; out of the solid
  explicit Plane(const Surface& s) : origin(s.X_BS.p), normal(s.side * s.X_BS.R.col(2)) {}
  double distance(const Vector3d& p) const { return normal.dot(p - origin); }
};

// Length by which a point may be beyond the border of a patch with which it has a contact [m]: one behind two
// faces, see Solid::isInConcaveCorner().
double beyondPatch(const ContactQuery& query, const Face& patch) {
  return patch.concaveNeighbors.empty() ? kTrimTolerance : query.depthLimit();
}

// An edge as seen from a face of the other solid.
struct EdgeOnFace {
  ContactQuery& query;
  int side, edgeIndex, faceIndex;
  const Edge& edge;
  const Face& face;
  RigidTransform X;              // from the frame of the edge's solid to that of the surface
  Curve curve;                   // in the frame of the surface
  mutable bool isBelow = false;  // a minimum lies below the surface

  Slope slopeAt(const CurvePoint& c) const {
    const DistanceSlope d = slopeAlong(face.surface, c.p, c.first, c.second);
    return {d.value, d.first, d.second};
  }
  Slope slopeAt(double t) const { return slopeAt(curve.pointAt(t)); }

  // The contact at `t`, if it is one.
  void add(double t, int ordinal) const { add(edge.curve.pointAt(t), ordinal); }
  void add(const CurvePoint& own, int ordinal) const {
    const Vector3d p = X.point(own.p);
    if (face.surface.kind == SurfaceKind::freeform && !mayBeOnPatch(p)) return;
    const SurfaceDistance d = distanceTo(face.surface, p);
    isBelow = isBelow || d.value < -kProvenOverlap;
    if (d.value > query.range()) return;
    const Vector3d outward = X.R.transpose() * d.gradient;  // of the face, in the frame of the edge's solid
    const ConePoint at = query.conePoint(side, edge, own);
    if (!isInCone(at, -outward, facingSlack(at.before, at.after))) return;
    if (!query.isOnFace(side, faceIndex, p, d)) return;
    const RigidTransform& S = face.surface.X_BS;
    query.add(side, edgeIndex, faceIndex, ordinal, S.point(p - 0.5 * d.value * d.gradient),
              -S.vector(d.gradient), d.value);
  }

  // False if no normal of the patch that the edge may have meets the point, by the patch's cells.
  bool mayBeOnPatch(const Vector3d& p) const {
    const Surface& s = face.surface;
    const double beyond = beyondPatch(query, face);
    const Vector3d facing = rotated(X.R, edge.outward);
    const Angle spread = edge.spread;
    return s.freeform->cells(s.patch).hasLeaf([&](const PatchCell& cell) {
      return cell.mayHaveNormal(-s.side, facing, spread) &&
             cell.mayReach(s.side, cell.axes.transpose() * (p - cell.center), {beyond, beyond, 0},
                           query.range());
    });
  }

  // Where the edge runs along the patch.
  void addAlong(double t, int ordinal) const {
    const Vector3d p = curve.at(t);
    if (mayBeOnPatch(p) && std::abs(slopeAt(t).first) <= kEdgeConeTolerance) add(t, ordinal);
  }

  void addMinimum(double t) const {
    if (!curve.reaches(t, kBorderTolerance)) return;
    double sector = 0;
    if (curve.isCircle()) sector = std::floor(4 * (t - curve.range[0]) / std::numbers::pi);
    if (curve.kind == CurveKind::quintic) sector = std::floor(8 * std::clamp(t, 0.0, 1.0));
    add(t, kMinimumOrdinal + static_cast<int>(sector) * 2);
  }
};

// The line against a torus: where it is as near as possible to the circle of the torus, or, in a hollow, as
// far as possible. Both are extrema along the circle of the distance to the line.
void lineWithTorus(const EdgeOnFace& e) {
  const Curve circle = circleOf(e.face.surface);
  forEachMinimumTo(e.curve, circle, HUGE_VAL, e.face.surface.side,
                   [&](double angle) { e.addMinimum(closestParameter(e.curve, circle.at(angle))); });
}

// Along an edge, where it is near a patch of a free-form surface.
template <class Visit>
void minimaNearPatch(const EdgeOnFace& e, const Visit& visit) {
  const double reach = std::max(e.query.range(), e.query.depthLimit());
  forEachMinimumNearPatch(
      e.curve, e.face.surface,
      {.range = e.query.range(),
       .reach = reach,
       .facing = e.X.vector(e.edge.outward),
       .facingAngle = e.edge.spread},
      [&](const CurvePoint& at) { return e.slopeAt(at); }, visit);
}

// The line against a patch: its minima, and ends along the surface, which may be no vertices with contacts.
void minimaOnPatch(const EdgeOnFace& e) {
  minimaNearPatch(e, [&](double t) { e.addMinimum(t); });
  for (int end = 0; end < 2; ++end) e.addAlong(e.edge.curve.range[static_cast<std::size_t>(end)], end);
}

// The line against a cylinder or cone around material: one minimum, where the line passes the surface's
// generator (see surface.h: cosine (ρ − k z) is convex along a line).
void lineMinimum(const EdgeOnFace& e) {
  const Surface& s = e.face.surface;
  if (s.kind == SurfaceKind::sphere) return e.addMinimum(-e.curve.p.dot(e.curve.x));
  if (s.kind == SurfaceKind::torus) return lineWithTorus(e);
  if (s.kind == SurfaceKind::freeform) return minimaOnPatch(e);
  const double k = s.kind == SurfaceKind::cone ? s.slope : 0;
  const Eigen::Vector2d q = e.curve.p.head<2>(), d = e.curve.x.head<2>();
  const double m = d.squaredNorm(), w = k * e.curve.x.z();
  const double rest = m * m - w * w * m;
  // Along the surface: its ends, which may be no vertices with contacts of their own.
  if (m <= kParallelAxes * kParallelAxes || std::abs(rest) <= 2 * std::abs(k) * kParallelAxes * m) {
    for (int end = 0; end < 2; ++end) e.add(e.edge.curve.range[static_cast<std::size_t>(end)], end);
    return;
  }
  if (!(rest > 0)) return;  // the distance falls all along the line: its end is a vertex with a contact
  const double t0 = -q.dot(d) / m;
  const double least = (q + t0 * d).squaredNorm();  // of ρ²
  e.addMinimum(t0 + std::copysign(std::sqrt(w * w * least / rest), w));
}

// False if a line is outside of all boxes of a patch.
bool mayCross(const Curve& line, const Surface& s) {
  return s.freeform->cells(s.patch).hasLeaf([&](const PatchCell& cell) {
    std::array<double, 2> range = line.range;
    return clipToBox(cell.axes.transpose() * (line.p - cell.center), cell.axes.transpose() * line.x,
                     -cell.half, cell.half, range);
  });
}

// Where the line crosses the face: the contact of the end inside, which may lie deeper than the range.
void linePiercing(const EdgeOnFace& e) {
  const Surface& s = e.face.surface;
  const Vector3d from = e.curve.at(e.curve.range[0]), to = e.curve.at(e.curve.range[1]);
  const double length = e.curve.range[1] - e.curve.range[0];
  if (s.kind == SurfaceKind::plane && from.z() * to.z() >= 0) return;
  if (s.kind == SurfaceKind::freeform && !mayCross(e.curve, s)) return;
  std::array<double, 4> t;
  for (int k = crossings(s, from, e.curve.x, t) - 1; k >= 0; --k) {
    const double at = t[static_cast<std::size_t>(k)];
    const Vector3d p = from + at * e.curve.x;
    if (at >= length || !e.face.has(p, -kTrimTolerance)) continue;
    const bool goesIn = distanceTo(s, p).gradient.dot(e.curve.x) < 0;
    const SurfaceDistance end = distanceTo(s, goesIn ? to : from);
    if (end.value < -2 * kProvenOverlap) e.query.noteBelow(e.side, e.edgeIndex, e.faceIndex);
    if (const int vertex = goesIn ? e.edge.to : e.edge.from; vertex >= 0)
      vertexWithFace(e.query, e.side, e.query.solid(e.side).firstVertex() + vertex, e.faceIndex);
    e.query.notePiercing(e.side, e.edgeIndex, e.faceIndex, s.X_BS.point(goesIn ? to : from),
                         s.X_BS.vector(end.gradient), std::abs(end.value));
  }
}

// Notes that a line has a point inside the other solid behind the face, at the depth limit or nearer to it:
// further in it may have left that again.
void noteLine(const EdgeOnFace& e) {
  const Surface& s = e.face.surface;
  const Vector3d from = e.curve.at(e.curve.range[0]);
  const double length = e.curve.range[1] - e.curve.range[0];
  std::array<double, 4> t;
  for (int k = crossings(s, from, e.curve.x, t) - 1; k >= 0; --k) {
    const double at = t[static_cast<std::size_t>(k)];
    const Vector3d p = from + at * e.curve.x;
    if (at >= length || !e.face.has(p, -kTrimTolerance)) continue;
    const double slope = distanceTo(s, p).gradient.dot(e.curve.x), rest = slope < 0 ? length - at : at;
    const double most = std::min(e.query.depthLimit(), rest * std::abs(slope));
    for (double depth = most; depth > 2 * kProvenOverlap; depth *= 0.5) {
      const Vector3d within = p - depth / slope * e.curve.x;
      if (e.query.noteDeep(e.side, e.faceIndex, within, distanceTo(s, within))) break;
    }
  }
}

// Calls visit(t) for the minima along a circle or a quintic.
template <class Visit>
void forEachMinimumOn(const EdgeOnFace& e, const Visit& visit) {
  const Surface& s = e.face.surface;
  const Curve& c = e.curve;
  if (s.kind == SurfaceKind::freeform) return minimaNearPatch(e, visit);
  const auto both = [&](double t) {
    for (const double at : {t, t + std::numbers::pi})
      if (e.slopeAt(at).second > 0) visit(at);
  };
  if (c.isCircle() && s.kind == SurfaceKind::plane) {
    if (kRiseToFixedPhase * c.radius * std::hypot(c.x.z(), c.y.z()) > kSameDepth)
      both(std::atan2(c.y.z(), c.x.z()));
    return;
  }
  if (c.isCircle() && s.kind == SurfaceKind::sphere) {
    const double x = c.p.dot(c.x), y = c.p.dot(c.y);
    if (std::hypot(x, y) > kNoSlope * c.radius) both(std::atan2(y, x));
    return;
  }
  forEachMinimumTo(s, c, e.query.range(), visit);
}

// Notes that a curve crosses the face at `root` and goes in with its parameter times `sign`, at the furthest
// of some points up to `step` from there that lies in the other solid: it may soon leave that again.
void noteArc(const EdgeOnFace& e, double root, double sign, double step) {
  constexpr int kHalvings = 10;
  const RigidTransform& S = e.face.surface.X_BS;
  for (int k = 0; k <= kHalvings; ++k, step *= 0.5) {
    double t = root + sign * step;
    if (!e.curve.reaches(t, 0)) continue;
    const Vector3d p = e.curve.at(t), inSolid = S.point(p);
    const SurfaceDistance d = distanceTo(e.face.surface, p);
    if (d.value >= 0 || !e.query.solid(1 - e.side).contains(inSolid)) continue;
    e.query.notePiercing(e.side, e.edgeIndex, e.faceIndex, inSolid, S.vector(d.gradient), -d.value);
    if (d.value < -kProvenOverlap) e.query.noteInside(e.side, inSolid);
    return;
  }
}

// False if no point of a circle or quintic has the distance 0 from a surface other than a free form: none is
// further from its middle than the radius or half of the length; above a plane, than a circle's tilt lets it.
bool mayMeet(const Curve& c, const Surface& s) {
  if (s.kind == SurfaceKind::freeform) return true;
  if (!c.isCircle()) return std::abs(distanceValue(s, c.at(0.5))) < 0.5 * c.speed();
  const double reach = s.kind == SurfaceKind::plane ? std::hypot(c.x.z(), c.y.z()) : 1;
  return std::abs(distanceValue(s, c.p)) < reach * c.radius;
}

// The two points of a circle where its height z + r (cos t x.z + sin t y.z) above a plane is zero, as cos t
// and sin t; false without them.
bool pointsOnPlane(const Curve& c, std::array<Vector2d, 2>& points) {
  const Vector2d up(c.radius * c.x.z(), c.radius * c.y.z());
  const double squared = up.squaredNorm(), under = squared - c.p.z() * c.p.z();
  if (!(under > 0)) return false;
  const Vector2d level = Vector2d(-up.y(), up.x()) * (std::sqrt(under) / squared);
  points = {-c.p.z() / squared * up + level, -c.p.z() / squared * up - level};
  return true;
}

// True if `p`, in the frame of the face's surface, lies in the bounds of the face.
bool isInBounds(const Face& face, const Vector3d& p) {
  const Vector3d q = rotated(face.surface.X_BS.R, p) + face.surface.X_BS.p;
  return (q.array() >= face.bounds.low.array() - kTrimTolerance).all() &&
         (q.array() <= face.bounds.high.array() + kTrimTolerance).all();
}

// False if a curve with points below the surface does not cross the face.
bool mayCross(const EdgeOnFace& e) {
  const Curve& c = e.curve;
  if (!c.isCircle() || e.face.surface.kind != SurfaceKind::plane) return mayMeet(c, e.face.surface);
  std::array<Vector2d, 2> points;
  return pointsOnPlane(c, points) && (isInBounds(e.face, c.pointAt(points[0].x(), points[0].y()).p) ||
                                      isInBounds(e.face, c.pointAt(points[1].x(), points[1].y()).p));
}

// True if one end of a quintic lies below the surface: its least point may be that of the next piece.
bool hasEndBelow(const EdgeOnFace& e) {
  const Surface& s = e.face.surface;
  if (e.curve.kind != CurveKind::quintic || s.kind == SurfaceKind::freeform) return false;
  const auto [low, high] = std::minmax(
      {distanceValue(s, e.curve.at(e.curve.range[0])), distanceValue(s, e.curve.at(e.curve.range[1]))});
  return low < -kProvenOverlap && high > 0;
}

// Where a circle crosses a plane, as linePiercing().
void circleAcrossPlane(const EdgeOnFace& e) {
  const Curve& c = e.curve;
  std::array<Vector2d, 2> points;
  if (!pointsOnPlane(c, points)) return;
  for (const Vector2d& point : points) {
    const CurvePoint at = c.pointAt(point.x(), point.y());
    double t = std::atan2(point.y(), point.x());
    if (!c.reaches(t, 0) || !e.face.has(at.p, -kTrimTolerance)) continue;
    noteArc(e, t, e.face.surface.side * at.first.z() < 0 ? 1 : -1,
            0.5 * std::acos(std::clamp(points[0].dot(points[1]), -1.0, 1.0)));
  }
}

// Where the curve crosses the face, as linePiercing(): between points, minima among them, of which one lies
// below the surface.
void curvePiercing(const EdgeOnFace& e) {
  constexpr int kCellsOfCircle = 16, kCellsOfQuintic = 4, kHalvings = 40;
  const Surface& s = e.face.surface;
  const Curve& c = e.curve;
  if (!mayMeet(c, s)) return;
  if (c.isCircle() && s.kind == SurfaceKind::plane) return circleAcrossPlane(e);
  const int cells = c.isCircle() ? kCellsOfCircle : kCellsOfQuintic;
  const double step = (c.range[1] - c.range[0]) / cells;
  thread_local std::vector<double> points;  // buffer: only its capacity is reused
  points.clear();
  for (int k = 0; k <= cells; ++k) points.push_back(c.range[0] + k * step);
  forEachMinimumOn(e, [&](double t) {
    if (c.reaches(t, 0)) points.push_back(t);
  });
  std::sort(points.begin(), points.end());
  const auto isBelow = [&](double t) { return distanceValue(s, c.at(t)) < 0; };
  bool wasBelow = isBelow(points[0]);
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    double from = points[k], to = points[k + 1];
    const bool below = isBelow(to);
    const double sign = below ? 1 : -1;
    if (std::exchange(wasBelow, below) == below) continue;
    for (int halving = 0; halving < kHalvings; ++halving) {
      const double middle = 0.5 * (from + to);
      (isBelow(middle) == below ? to : from) = middle;
    }
    if (e.face.has(c.at(to), -kTrimTolerance)) noteArc(e, to, sign, step);
  }
}

bool isMinimumAcross(const Matrix3d& hessian, const Vector3d& n) {
  return leastAcross(hessian, n) >= -kFlatCurvature;
}

// The center of a sphere, around material, of `side` against a face of the other solid.
void sphereWithFace(ContactQuery& query, int side, int own, int other) {
  const Face &sphere = query.face(side, own), &face = query.face(1 - side, other);
  const RigidTransform X = query.toSurface(side, face);
  const Vector3d center = X.point(sphere.surface.X_BS.p);
  const SurfaceDistance d = distanceTo(face.surface, center);
  const double separation = d.value - sphere.surface.radius;
  if (separation > query.range()) return;
  const Vector3d towards = sphere.surface.X_BS.R.transpose() * (X.R.transpose() * -d.gradient);
  if (!sphere.hasBall(sphere.surface.radius * towards, sphere.surface.radius)) return;
  if (!query.isOnFace(side, other, center - sphere.surface.radius * d.gradient, {separation, d.gradient}))
    return;
  const Vector3d p = center - (sphere.surface.radius + 0.5 * separation) * d.gradient;
  const RigidTransform& S = face.surface.X_BS;
  query.add(side, own, other, kMinimumOrdinal, S.point(p), -S.vector(d.gradient), separation);
}

// A torus around material against a face; or one around a hollow against a cylinder, cone or torus around
// material, whose far side lies in the hollow. Balls along the circle of the torus, of its signed tube
// radius: where the distance of their centers is least.
void torusWithFace(ContactQuery& query, int side, int own, int other) {
  const Face &torus = query.face(side, own), &face = query.face(1 - side, other);
  const bool isHollow = torus.surface.side < 0;
  const RigidTransform X = query.toSurface(side, face);
  const RigidTransform& S = face.surface.X_BS;
  const Surface seen = isHollow ? farSide(face.surface) : face.surface;
  const Curve circle = placed(X, placed(torus.surface.X_BS, circleOf(torus.surface)));
  const double radius = torus.surface.side * torus.surface.minor;
  const Matrix3d toTorus = torus.surface.X_BS.R.transpose() * X.R.transpose();
  const auto add = [&](double t, int ordinal) {
    const Vector3d center = circle.at(t);
    const SurfaceDistance d = distanceTo(seen, center);
    const double separation = d.value - radius;
    if (separation > query.range()) return;
    // A fixed ball is part of the torus where it is seen nearly across its circle.
    if (std::abs(circle.tangent(t).dot(d.gradient)) > kFacingSine) return;
    if (!face.has(center - d.value * d.gradient)) return;
    const Vector3d p = center - radius * d.gradient;
    const Vector3d inTorus = toTorus * (p - X.p) - torus.surface.X_BS.R.transpose() * torus.surface.X_BS.p;
    if (!(isHollow ? torus.has(inTorus) : torus.hasBall(inTorus, torus.surface.minor))) return;
    if (isHollow) {
      const Matrix3d hessian = toTorus.transpose() * curvatureAt(torus.surface, inTorus) * toTorus +
                               curvatureAt(face.surface, center - d.value * d.gradient);
      if (!isMinimumAcross(hessian, d.gradient)) return;
    }
    if (!query.isOverlapReal(side, S.point(p), separation)) return;
    query.add(side, own, other, ordinal, S.point(p - 0.5 * separation * d.gradient), -S.vector(d.gradient),
              separation);
  };
  forEachMinimumTo(seen, circle, query.range() + radius,
                   [&](double t) { add(t, kMinimumOrdinal + 2 * eighthOf(t)); });
  if (isHollow) return;
  for (int k = 0; k < kFixedPhases; ++k) add(k * std::numbers::pi / 4, k);
}

// A cylinder or cone as its axis and the normal's component along it.
struct RuledSurface {
  const Surface& surface;
  Vector3d origin, axis;  // in the frame of B
  double slope, cosine;

  RuledSurface(const Surface& s, const RigidTransform& X)
      : surface(s),
        origin(X.point(s.X_BS.p)),
        axis(X.vector(s.X_BS.R.col(2))),
        slope(s.kind == SurfaceKind::cone ? s.slope : 0),
        cosine(1 / std::sqrt(1 + slope * slope)) {}
  /// Component along the axis of outward normals [-].
  double along() const { return -surface.side * slope * cosine; }
  /// Direction from the axis to the points whose outward normal is `n`.
  Vector3d radial(const Vector3d& n) const { return surface.side / cosine * (n - n.dot(axis) * axis); }
  /// From one point with that normal to the next, by unit of z.
  Vector3d generator(const Vector3d& r) const { return axis + slope * r; }
};

void ruledWithRuled(ContactQuery& query, int faceA, int faceB) {
  const Face &one = query.face(0, faceA), &two = query.face(1, faceB);
  const RuledSurface a(one.surface, query.toOther(0)), b(two.surface, {});
  const double g = a.axis.dot(b.axis);
  const Vector3d across = a.axis.cross(b.axis);
  const double D = across.squaredNorm();
  if (D < kParallelAxes * kParallelAxes) return;
  // n out of A: n·a = along of A, (−n)·b = along of B.
  const double ca = a.along(), cb = -b.along();
  const double x = (ca - g * cb) / D, y = (cb - g * ca) / D;
  const double square = (1 - x * ca - y * cb) / D;
  if (!(square >= 0)) return;
  int ordinal = kMinimumOrdinal;
  for (const double z : {std::sqrt(square), -std::sqrt(square)}) {
    ++ordinal;
    const Vector3d n = (x * a.axis + y * b.axis + z * across).normalized();
    const Vector3d ra = a.radial(n), rb = b.radial(-n);
    const Vector3d ga = a.generator(ra), gb = b.generator(rb);
    const Vector3d pa = a.origin + one.surface.radius * ra, pb = b.origin + two.surface.radius * rb;
    const double det = ga.cross(gb).dot(n);
    if (std::abs(det) < kParallelAxes) continue;
    const Vector3d w = pb - pa;
    const double s = w.cross(gb).dot(n) / det, t = w.cross(ga).dot(n) / det;
    if (one.surface.radius + a.slope * s < 0 || two.surface.radius + b.slope * t < 0) continue;
    const Vector3d qa = pa + s * ga, qb = pb + t * gb;
    const double separation = (qb - qa).dot(n);
    if (separation > query.range()) continue;
    const RigidTransform &SB = two.surface.X_BS, &SA = one.surface.X_BS;
    const Vector3d inA = SA.R.transpose() * (query.toOther(1).point(qa) - SA.p);
    const Vector3d inB = SB.R.transpose() * (qb - SB.p);
    const Matrix3d turn = query.toOther(0).R * SA.R;
    const Matrix3d hessian =
        turn * curvatureAt(one.surface, inA) * turn.transpose() +
        SB.R * curvatureAt(two.surface, SB.R.transpose() * (qa - SB.p)) * SB.R.transpose();
    if (!isMinimumAcross(hessian, n) || !one.has(inA) || !two.has(inB)) continue;
    if (!query.isOverlapReal(0, qa, separation)) continue;
    query.add(0, faceA, faceB, ordinal, 0.5 * (qa + qb), n, separation);
  }
}

// True if a vertex has no contact with a patch, by the patch's cells.
bool isFarFromPatch(const ContactQuery& query, int side, const Vertex& own, const Face& other) {
  const Surface& surface = other.surface;
  const RigidTransform X = query.toSurface(side, other);
  const Vector3d p = X.point(own.p);
  return !surface.freeform->cells(surface.patch).hasLeaf([&](const PatchCell& cell) {
    const Vector3d offset = cell.axes.transpose() * (p - cell.center);
    const double beyond = beyondPatch(query, other);
    const Vector3d inward = X.R.transpose() * (-surface.side * cell.axes.col(2));
    return cell.mayReach(surface.side, offset, {beyond, beyond, 0}, query.range(), query.deepest()) &&
           isInCone(own, inward, own.slack + cell.chord);
  });
}

// True if a vertex has no contact with a plane or a patch: most are out of range or have other normals.
bool isRejected(const ContactQuery& query, int side, const Vertex& own, const Face& other) {
  const Surface& surface = other.surface;
  if (surface.kind == SurfaceKind::freeform) return isFarFromPatch(query, side, own, other);
  if (surface.kind != SurfaceKind::plane) return false;
  const RigidTransform& X = query.toOther(side);
  const Plane plane(surface);
  const double distance = plane.distance(rotated(X.R, own.p) + X.p);
  if (distance > query.range() + kRejected || distance < -query.deepest() - kRejected) return true;
  return !isInCone(own, -rotatedBack(X.R, plane.normal), own.slack + kRejected);
}

// True if both ends of a straight edge lie on the same side of a plane. Below a half-space, which has no
// border, the lowest vertices are contacts at any depth.
bool isRejected(const ContactQuery& query, int side, const Curve& line, const Surface& surface) {
  if (surface.kind != SurfaceKind::plane) return false;
  if (std::isinf(query.depthLimit())) return true;
  const RigidTransform& X = query.toOther(side);
  const Plane plane(surface);
  const double from = plane.distance(rotated(X.R, line.at(line.range[0])) + X.p),
               to = plane.distance(rotated(X.R, line.at(line.range[1])) + X.p);
  return std::min(from, to) > kRejected || std::max(from, to) < -kRejected;
}

// True if an edge has no normal opposed to one of a patch.
bool isFacingAway(const ContactQuery& query, int side, const Edge& own, const Face& other) {
  const Surface& s = other.surface;
  if (s.kind != SurfaceKind::freeform) return false;
  const Vector3d facing = rotatedBack(s.X_BS.R, rotated(query.toOther(side).R, own.outward));
  const Angle spread = own.spread;
  return !s.freeform->cells(s.patch).hasLeaf(
      [&](const PatchCell& cell) { return cell.mayHaveNormal(-s.side, facing, spread); });
}

bool isRuled(const Surface& s) {
  return s.kind == SurfaceKind::cylinder || s.kind == SurfaceKind::cone;
}

}  // namespace

void vertexWithFace(ContactQuery& query, int side, int vertex, int face) {
  const Vertex& own = query.vertex(side, vertex);
  const Face& other = query.face(1 - side, face);
  if (isRejected(query, side, own, other)) return;
  const RigidTransform X = query.toSurface(side, other);
  const Vector3d p = X.point(own.p);
  const SurfaceDistance d = distanceTo(other.surface, p);
  if (d.value > query.range() || !isInCone(own, -(X.R.transpose() * d.gradient), own.slack)) return;
  if (!query.isInRange(d.value)) {
    query.noteDeep(side, face, p, d);
    return;
  }
  if (!query.isOnFace(side, face, p, d)) return;
  const RigidTransform& S = other.surface.X_BS;
  query.add(side, vertex, face, 0, S.point(p - 0.5 * d.value * d.gradient), -S.vector(d.gradient), d.value);
}

void edgeWithFace(ContactQuery& query, int side, int edge, int face) {
  const Face& other = query.face(1 - side, face);
  const Edge& own = query.edge(side, edge);
  if (!own.curve.isLine() && isFacingAway(query, side, own, other)) return;
  if (own.curve.isLine() && isRejected(query, side, own.curve, other.surface)) return;
  const RigidTransform X = query.toSurface(side, other);
  const EdgeOnFace e{query, side, edge, face, own, other, X, placed(X, own.curve)};
  if (own.curve.isLine()) {
    linePiercing(e);
    if (!other.surface.bulgesNowhere() && !isFacingAway(query, side, own, other))
      lineMinimum(e);  // else the ends of the edge are the contacts
    return;
  }
  forEachMinimumOn(e, [&](double t) { e.addMinimum(t); });
  if ((e.isBelow || hasEndBelow(e)) && mayCross(e)) query.noteBelow(side, edge, face);
  if (!own.curve.isCircle()) {
    if (own.hasFixedPoint) e.add(0, 0);
    return;
  }
  const Grid& grid = fullCircleGrid();
  for (int k = 0; k < kFixedPhases; ++k) {
    const auto at = static_cast<std::size_t>(k) * Grid::kCells / kFixedPhases;
    if (double t = grid.at[at]; own.curve.reaches(t, kBorderTolerance))
      e.add(own.curve.pointAt(grid.cosine[at], grid.sine[at]), k);
  }
}

void edgeAcrossFace(ContactQuery& query, int side, int edge, int face) {
  const Edge& own = query.edge(side, edge);
  const Face& other = query.face(1 - side, face);
  const RigidTransform X = query.toSurface(side, other);
  const EdgeOnFace e{query, side, edge, face, own, other, X, placed(X, own.curve)};
  own.curve.isLine() ? noteLine(e) : curvePiercing(e);
}

void faceWithFace(ContactQuery& query, int faceA, int faceB) {
  const Surface &a = query.face(0, faceA).surface, &b = query.face(1, faceB).surface;
  if (a.bulgesNowhere() && b.bulgesNowhere()) return;
  if (a.kind == SurfaceKind::freeform) return patchWithFace(query, 0, faceA, faceB);
  if (b.kind == SurfaceKind::freeform) return patchWithFace(query, 1, faceB, faceA);
  if (a.kind == SurfaceKind::sphere && a.side > 0) return sphereWithFace(query, 0, faceA, faceB);
  if (b.kind == SurfaceKind::sphere && b.side > 0) return sphereWithFace(query, 1, faceB, faceA);
  const auto isBulgingTorus = [](const Surface& s) { return s.kind == SurfaceKind::torus && s.side > 0; };
  if (isBulgingTorus(a) && (!isBulgingTorus(b) || a.radius <= b.radius))
    return torusWithFace(query, 0, faceA, faceB);
  if (isBulgingTorus(b)) return torusWithFace(query, 1, faceB, faceA);
  if (a.kind == SurfaceKind::torus && isRuled(b) && b.side > 0) return torusWithFace(query, 0, faceA, faceB);
  if (b.kind == SurfaceKind::torus && isRuled(a) && a.side > 0) return torusWithFace(query, 1, faceB, faceA);
  if (isRuled(a) && isRuled(b)) ruledWithRuled(query, faceA, faceB);
}

}  // namespace tenon::physics::brep
