// Two curves a(s), b(t): their common perpendicular satisfies (b − a)·a' = 0 and (b − a)·b' = 0, and
// its direction is a' × b', well defined even where the curves meet.
#include "physics/collision/refine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/collision/tolerances.h"

namespace tenon::physics {
namespace {

constexpr double kNear = 1e-4;  // how far a search may be off along a feature [m]
constexpr int kIterations = 30;

// A segment p + s·d, s in [0, 1] (a point where d = 0), or a circle about p.
struct Curve {
  Vector3d p = Vector3d::Zero(), d = Vector3d::Zero();
  Vector3d u = Vector3d::Zero(), v = Vector3d::Zero();  // of a circle
  double radius = 0;
  bool isCircle = false;

  Vector3d at(double s) const {
    return isCircle ? Vector3d(p + radius * (std::cos(s) * u + std::sin(s) * v)) : Vector3d(p + s * d);
  }
  Vector3d first(double s) const {
    return isCircle ? Vector3d(radius * (std::cos(s) * v - std::sin(s) * u)) : d;
  }
  Vector3d second(double s) const { return isCircle ? Vector3d(p - at(s)) : Vector3d(Vector3d::Zero()); }
  double closestTo(const Vector3d& q) const {
    if (isCircle) return std::atan2((q - p).dot(v), (q - p).dot(u));
    return d.squaredNorm() > 0 ? std::clamp((q - p).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
  }
  bool isInside(double s) const { return isCircle || (s > 0 && s < 1); }
};

// The curves of a piece's core near a point, at most as many as fit.
struct Curves {
  std::array<Curve, 6> curve;
  int count = 0;
  void addIfNear(const Curve& candidate, const Vector3d& q) {
    if (count < static_cast<int>(curve.size()) && (candidate.at(candidate.closestTo(q)) - q).norm() < kNear) {
      curve[static_cast<std::size_t>(count++)] = candidate;
    }
  }
};

Curve segment(const Vector3d& p, const Vector3d& q) {
  Curve curve;
  curve.p = p;
  curve.d = q - p;
  return curve;
}

// `X`: the piece's frame in the frame of `q`.
Curves curvesNear(const Piece& piece, const Motion3& X, const Vector3d& q) {
  Curves curves;
  for (const Polytope::Edge& edge : piece.polytope.edges) {
    curves.addIfNear(
        segment(X.point(piece.polytope.vertices[edge.a]), X.point(piece.polytope.vertices[edge.b])), q);
  }
  const Vector3d end = piece.halfLength * piece.axis;
  if (piece.kind == PieceKind::swept) {
    curves.addIfNear(segment(X.point(piece.centre - end), X.point(piece.centre + end)), q);
  }
  for (int rim = 0; piece.kind == PieceKind::round && rim < 2; ++rim) {
    Curve circle;
    circle.isCircle = piece.radius[static_cast<std::size_t>(rim)] > 0;  // else the tip of a cone: a point
    circle.p = X.point(rim ? Vector3d(piece.centre + end) : Vector3d(piece.centre - end));
    circle.u = X.vector(piece.across);
    circle.v = X.vector(piece.axis.cross(piece.across));
    circle.radius = piece.radius[static_cast<std::size_t>(rim)];
    curves.addIfNear(circle, q);
  }
  return curves;
}

// Newton on both conditions; leaves s and t clamped to their curves.
void meet(const Curve& a, const Curve& b, double& s, double& t) {
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Vector3d r = b.at(t) - a.at(s), da = a.first(s), db = b.first(t);
    const double f = r.dot(da), g = r.dot(db);
    const double fs = r.dot(a.second(s)) - da.dot(da), ft = db.dot(da);
    const double gs = -da.dot(db), gt = r.dot(b.second(t)) + db.dot(db);
    const double determinant = fs * gt - ft * gs;
    if (std::abs(determinant) < 1e-14 * da.squaredNorm() * db.squaredNorm() || determinant == 0) return;
    const double ds = -(f * gt - g * ft) / determinant, dt = -(g * fs - f * gs) / determinant;
    s += a.isCircle ? std::clamp(ds, -0.3, 0.3) : ds;
    t += b.isCircle ? std::clamp(dt, -0.3, 0.3) : dt;
    if (std::abs(ds) < 1e-15 && std::abs(dt) < 1e-15) return;
    if (std::abs(s) > 10 || std::abs(t) > 10) return;
  }
}

double lowerBound(const Piece& a, const Piece& b, const Motion3& X_AB, const Vector3d& n) {
  return n.dot(X_AB.point(coreSupport(b, -(X_AB.R.transpose() * n))) - coreSupport(a, n));
}

// The pair of points with its normal, where it is proven.
std::optional<CorePoints> proven(const Piece& a, const Piece& b, const Motion3& X_AB, const Vector3d& p,
                                 const Vector3d& q, const Vector3d& n) {
  const double distance = n.dot(q - p);
  // The points must face each other along n, or the plane proves another distance than theirs.
  if ((q - p - distance * n).norm() > kProofTolerance) return std::nullopt;
  if (lowerBound(a, b, X_AB, n) < distance - kProofTolerance) return std::nullopt;
  return CorePoints{true, false, p, q, n, distance};
}

std::optional<CorePoints> refineCurves(const Piece& a, const Piece& b, const Motion3& X_AB,
                                       const Curve& curveA, const Curve& curveB, const CorePoints& start) {
  double s = curveA.closestTo(start.a), t = curveB.closestTo(start.b);
  meet(curveA, curveB, s, t);
  if (curveA.isInside(s) && curveB.isInside(t)) {
    const Vector3d p = curveA.at(s), q = curveB.at(t);
    const Vector3d da = curveA.first(s), db = curveB.first(t);
    const Vector3d cross = da.cross(db);
    if (cross.norm() < 1e-6 * da.norm() * db.norm()) return std::nullopt;
    const Vector3d n = cross.normalized();
    return proven(a, b, X_AB, p, q, n.dot(start.n) < 0 ? Vector3d(-n) : n);
  }
  // Past the end of an edge: the vertex there against the other curve, and back once.
  for (int first : {0, 1}) {
    Vector3d p = curveA.at(curveA.isCircle ? s : std::clamp(s, 0.0, 1.0));
    Vector3d q = curveB.at(curveB.isCircle ? t : std::clamp(t, 0.0, 1.0));
    if (first == 0) {
      q = curveB.at(curveB.closestTo(p));
      p = curveA.at(curveA.closestTo(q));
    } else {
      p = curveA.at(curveA.closestTo(q));
      q = curveB.at(curveB.closestTo(p));
    }
    const double distance = (q - p).norm();
    if (distance < kSamePoint) continue;
    const Vector3d n = (q - p) / distance;
    if (auto points = proven(a, b, X_AB, p, q, n.dot(start.n) < 0 ? Vector3d(-n) : n)) return points;
  }
  return std::nullopt;
}

RoundSide sideOf(const Piece& piece, const Motion3& X) {
  RoundSide side{X.point(piece.centre), X.vector(piece.axis), piece.halfLength, 0, 0};
  side.middle = 0.5 * (piece.radius[0] + piece.radius[1]);
  side.slope = (piece.radius[1] - piece.radius[0]) / (2 * piece.halfLength);
  return side;
}

// Curved side against curved side: the point (φ, z) of a's side that is nearest to b's.
std::optional<CorePoints> refineSides(const Piece& a, const Piece& b, const Motion3& X_AB,
                                      const CorePoints& start) {
  const RoundSide own = sideOf(a, Motion3{}), other = sideOf(b, X_AB);
  const Vector3d u = a.across, v = a.axis.cross(a.across);
  const Vector3d from = start.a - a.centre;
  double z = from.dot(a.axis), phi = std::atan2(from.dot(v), from.dot(u));
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Vector3d out = std::cos(phi) * u + std::sin(phi) * v, turn = std::cos(phi) * v - std::sin(phi) * u;
    const double radius = own.middle + own.slope * z;
    const Vector3d p = a.centre + z * a.axis + radius * out;
    const SideDistance distance = distanceToSide(other, p);
    if (!distance.valid || radius <= 0) return std::nullopt;
    const Vector3d dPhi = radius * turn, dz = a.axis + own.slope * out;
    const Vector3d g = distance.normal;
    const double f0 = g.dot(dPhi), f1 = g.dot(dz);
    if (std::abs(f0) < 1e-15 * radius && std::abs(f1) < 1e-15) {
      const Vector3d n = -g;
      return proven(a, b, X_AB, p, p + distance.delta * n, n);
    }
    // The normal of b's side turns about its axis only.
    const Vector3d r = p - other.centre;
    const Vector3d w = r - r.dot(other.axis) * other.axis;
    const Vector3d around = other.axis.cross(w.normalized());
    const double bend = other.cosine() / w.norm();
    const double aPhi = around.dot(dPhi), aZ = around.dot(dz);
    const double h00 = bend * aPhi * aPhi - radius * g.dot(out);
    const double h01 = bend * aPhi * aZ + own.slope * g.dot(turn);
    const double h11 = bend * aZ * aZ;
    const double determinant = h00 * h11 - h01 * h01;
    if (std::abs(determinant) < 1e-20) return std::nullopt;
    phi -= std::clamp((h11 * f0 - h01 * f1) / determinant, -0.3, 0.3);
    z -= (h00 * f1 - h01 * f0) / determinant;
    if (std::abs(z) > a.halfLength) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CorePoints> refine(const Piece& a, const Piece& b, const Motion3& X_AB,
                                 const CorePoints& start) {
  const Curves curvesA = curvesNear(a, Motion3{}, start.a), curvesB = curvesNear(b, X_AB, start.b);
  for (int i = 0; i < curvesA.count; ++i) {
    for (int j = 0; j < curvesB.count; ++j) {
      if (auto points = refineCurves(a, b, X_AB, curvesA.curve[static_cast<std::size_t>(i)],
                                     curvesB.curve[static_cast<std::size_t>(j)], start)) {
        return points;
      }
    }
  }
  if (a.kind == PieceKind::round && b.kind == PieceKind::round) return refineSides(a, b, X_AB, start);
  return std::nullopt;
}

}  // namespace tenon::physics
