// Edges and vertices against edges and vertices.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/contact_query.h"
#include "physics/collision/brep/curve_search.h"
#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics::brep {
namespace {

/// Tangents with a smaller sine of the angle between them are parallel [-].
constexpr double kParallelTangents = 1e-7;
/// Points closer than this have no direction to each other [m]: a face next to them has the contact.
constexpr double kCoincident = 1e-9;
/// The normal of two edges is that of their tangents up to this ratio of distance [m] and sine of the angle
/// between them, and the direction from one to the other above it: the one with the smaller rounding.
constexpr double kNormalFromTangents = 0.1;
/// The overlap of two edges is proven by a point of each, this many depths along it from the contact,
/// that lies below both faces of the other one by a share of the depth [-], and more than touching faces [m].
constexpr std::array<double, 7> kAlong = {0, 0.1, -0.1, 1, -1, 10, -10};
constexpr double kShareBelow = 0.01, kBelowTouching = 1e-8;

struct EdgePair {
  ContactQuery& query;
  int a, b;
  const Edge &edgeA, &edgeB;

  void add(double ta, double tb, int ordinal) const {
    if (!edgeA.reaches(ta, kBorderTolerance) || !edgeB.reaches(tb, kBorderTolerance)) return;
    const RigidTransform& X = query.toOther(0);
    const CurvePoint onA = edgeA.curve.pointAt(ta), onB = edgeB.curve.pointAt(tb);
    const Vector3d pa = X.point(onA.p), pb = onB.p;
    const Vector3d between = pb - pa;
    const double distance = between.norm();
    if (!query.isInRange(distance) && !query.isInRange(-distance)) return;
    const Vector3d across = X.vector(onA.first.normalized()).cross(onB.first.normalized());
    const double sine = across.norm();
    Vector3d n;
    if (sine > kParallelTangents && distance <= kNormalFromTangents * sine)
      n = across / sine;
    else if (distance > kCoincident)
      n = between / distance;
    else
      return;
    const ConePoint atA = query.conePoint(0, edgeA, onA), atB = query.conePoint(1, edgeB, onB);
    for (const double sign : {1.0, -1.0}) {
      const Vector3d out = sign * n;
      const double separation = between.dot(out);
      if (!query.isInRange(separation)) continue;
      const Vector3d outOfA = X.R.transpose() * out;
      if (!isInCone(atA, outOfA, kEdgeConeTolerance) || !isInCone(atB, -out, kEdgeConeTolerance)) continue;
      if (!isProven(0, edgeA, ta, edgeB, atB, separation) || !isProven(1, edgeB, tb, edgeA, atA, separation))
        continue;
      query.add(0, a, b, ordinal, 0.5 * (pa + pb), out, separation);
      return;
    }
  }

  // True unless the overlap is deep and no point of the edge `own` of `side` near `t` lies in the wedge of
  // the other one, whose contact is at `cone`: edges of flush faces are above each other, and do not overlap.
  bool isProven(int side, const Edge& own, double t, const Edge& other, const ConePoint& cone,
                double separation) const {
    if (separation >= -kProvenOverlap) return true;
    const Curve& c = own.curve;
    const Solid& solid = query.solid(1 - side);
    const double below = std::max(-kShareBelow * separation, kBelowTouching);
    return std::any_of(kAlong.begin(), kAlong.end(), [&](double along) {
      double at = t - along * separation / c.speed();
      if (!c.isWhole()) at = std::clamp(at, c.range[0], c.range[1]);
      const Vector3d p = query.toOther(side).point(c.at(at));
      const auto isBelow = [&](int f, const Vector3d& normal) {
        const Surface& s = solid.faces[static_cast<std::size_t>(f)].surface;
        // A free form ends at its border: its tangent plane there.
        const double distance = s.kind == SurfaceKind::freeform ? normal.dot(p - cone.p)
                                                                : distanceValue(s, s.X_BS.inverse().point(p));
        return distance < -below;
      };
      return isBelow(other.before, cone.before) && isBelow(other.after, cone.after) &&
             query.isOverlapReal(side, p, separation, &other);
    });
  }
};

// True if the lines of two straight edges are closest to each other beyond an end of one of them, as those of
// most pairs.
bool areClosestBeyondEnds(const RigidTransform& X, const Edge& edgeA, const Edge& edgeB) {
  constexpr double kRounding = 1e-13;  // of parameters times the squared sine, relative to lengths [-]
  const Curve &a = edgeA.curve, &b = edgeB.curve;
  const Vector3d x = rotated(X.R, a.x), w = b.p - rotated(X.R, a.p) - X.p, across = x.cross(b.x);
  const double squared = across.squaredNorm();
  const double rounding = kRounding * (1 + w.lpNorm<1>()) + kBorderTolerance * squared;
  const auto isBeyond = [&](const Edge& edge, double t) {
    const Curve& c = edge.curve;
    return t < (c.range[0] - edge.beyond[0]) * squared - rounding ||
           t > (c.range[1] + edge.beyond[1]) * squared + rounding;
  };
  return isBeyond(edgeA, w.cross(b.x).dot(across)) || isBeyond(edgeB, w.cross(x).dot(across));
}

void lineWithLine(const EdgePair& pair) {
  const RigidTransform& X = pair.query.toOther(0);
  if (areClosestBeyondEnds(X, pair.edgeA, pair.edgeB)) return;
  const Curve& b = pair.edgeB.curve;
  const Vector3d x = X.vector(pair.edgeA.curve.x);
  const Vector3d across = x.cross(b.x);
  const double squared = across.squaredNorm();
  if (squared < kParallelTangents * kParallelTangents) return;
  const Vector3d w = b.p - X.point(pair.edgeA.curve.p);
  pair.add(w.cross(b.x).dot(across) / squared, w.cross(x).dot(across) / squared, 0);
}

// Minima along the curve `along` of the distance to `other`; `add` receives both parameters.
template <class Add>
void curveWithCurve(const Curve& along, const Curve& other, double range, Add add) {
  forEachMinimumTo(other, along, range, 1, [&](double t) { add(t, closestParameter(other, along.at(t))); });
}

// Of a minimum along the curve.
int sectorOf(const Curve& curve, double t) {
  curve.reaches(t, 0);
  const double sectors = curve.isCircle() ? 4 * (t - curve.range[0]) / std::numbers::pi : 4 * t;
  return 2 * static_cast<int>(std::clamp(sectors, 0.0, 8.0));
}

// True if the minima of the distance are sought along `curve` rather than along `other`: along a quintic, or
// the smaller circle, the distance to the larger one or to a line varies slowly.
bool isSoughtAlong(const Curve& curve, const Curve& other) {
  if (curve.kind != other.kind) return curve.kind > other.kind;
  return !curve.isCircle() || curve.radius <= other.radius;
}

}  // namespace

void edgeWithEdge(ContactQuery& query, int edgeA, int edgeB) {
  const Edge &a = query.edge(0, edgeA), &b = query.edge(1, edgeB);
  const EdgePair pair{query, edgeA, edgeB, a, b};
  if (a.curve.isLine() && b.curve.isLine()) return lineWithLine(pair);
  const Curve curveA = placed(query.toOther(0), a.curve);
  const double range = std::max(query.range(), query.depthLimit());
  if (isSoughtAlong(a.curve, b.curve))
    return curveWithCurve(curveA, b.curve, range,
                          [&](double ta, double tb) { pair.add(ta, tb, sectorOf(a.curve, ta)); });
  curveWithCurve(b.curve, curveA, range,
                 [&](double tb, double ta) { pair.add(ta, tb, sectorOf(b.curve, tb)); });
}

void vertexWithEdge(ContactQuery& query, int side, int vertex, int edge) {
  const Vertex& own = query.vertex(side, vertex);
  const Edge& other = query.edge(1 - side, edge);
  const RigidTransform& X = query.toOther(side);
  const Vector3d p = X.point(own.p);
  double t = closestParameter(other.curve, p);
  if (!other.curve.reaches(t, kBorderTolerance)) return;
  const CurvePoint at = other.curve.pointAt(t);
  const Vector3d between = at.p - p;
  const double distance = between.norm();
  if (distance <= kCoincident || distance > query.range()) return;
  const Vector3d n = between / distance;
  if (!isInCone(own, X.R.transpose() * n, kEdgeConeTolerance) ||
      !isInCone(query.conePoint(1 - side, other, at), -n, kEdgeConeTolerance))
    return;
  query.add(side, vertex, edge, 0, p + 0.5 * between, n, distance);
}

void vertexWithVertex(ContactQuery& query, int vertexA, int vertexB) {
  const Vertex &a = query.vertex(0, vertexA), &b = query.vertex(1, vertexB);
  const RigidTransform& X = query.toOther(0);
  const Vector3d p = X.point(a.p), between = b.p - p;
  const double distance = between.norm();
  if (distance <= kCoincident || distance > query.range()) return;
  const Vector3d n = between / distance;
  if (!isInCone(a, X.R.transpose() * n, kEdgeConeTolerance) || !isInCone(b, -n, kEdgeConeTolerance)) return;
  query.add(0, vertexA, vertexB, 0, p + 0.5 * between, n, distance);
}

}  // namespace tenon::physics::brep
