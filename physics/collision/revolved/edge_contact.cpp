// Closest points of two edges as a contact.
#include "physics/collision/revolved/edge_contact.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

/// Above this the difference of the closest points of two edges is as good as their cross product [m].
constexpr double kLongDirection = 1e-7;
/// How far a common normal of two edges may be outside the normals of their faces [rad].
constexpr double kFacing = 1e-6;
/// Least depth of crossed edges in each other, as a fraction of that of straight ones [-]: rims bend.
constexpr double kCrossedDepth = 0.8;

// Whether unit n lies between the normals of an edge's two faces.
bool inCone(const Vector3d& n, const EdgePoint& e) {
  const double c = e.before.dot(e.after), x = n.dot(e.before), y = n.dot(e.after);
  const double slack = -kFacing * std::sqrt(std::max(0.0, 1 - c * c));
  return x - c * y >= slack && y - c * x >= slack;
}

// Normal from A into B at the closest points of two edges. Their difference where it is long enough to be
// a direction, else what is square to both edges, signed by the sides on which their faces lie.
Vector3d commonNormal(const EdgePoint& a, const EdgePoint& b) {
  const Vector3d w = b.p - a.p, across = a.tangent.cross(b.tangent);
  const Vector3d sides = (a.before + a.after).normalized() - (b.before + b.after).normalized();
  const double d = w.norm(), sine = across.norm();
  Vector3d n = sides.normalized();
  if (d > kLongDirection || (sine <= kParallel && d > kMinDirectionLength))
    n = w / d;
  else if (sine > kParallel)
    n = across / sine;
  return n.dot(sides) < 0 ? Vector3d(-n) : n;
}

// sin(β/2) of the wedge of angle β at an edge.
double halfAngleSine(const EdgePoint& e) {
  return 0.5 * (e.before + e.after).norm();
}

// The point of edge `e` midway between the two faces of edge `other`, which is where it is deepest if it cuts
// through that wedge; the closest point itself where there is none.
Vector3d betweenFaces(const EdgePoint& e, const EdgePoint& other) {
  const Vector3d across = other.before - other.after;
  const double off = across.dot(e.p - other.p), rate = across.dot(e.tangent);
  if (e.arm.isZero()) {
    if (std::abs(rate) < kParallel) return e.p;
    return e.p + std::clamp(-off / rate, -e.behind, e.ahead) * e.tangent;
  }
  // On the circle, ψ from e: off + across · arm (cos ψ − 1) + r rate sin ψ = 0; the root next to 0.
  const double r = e.arm.norm(), u = across.dot(e.arm), v = r * rate, m = std::sqrt(u * u + v * v);
  const double cosine = m > 0 ? (u - off) / m : 2;
  if (std::abs(cosine) > 1) return e.p;
  const double middle = std::atan2(v, u), half = std::acos(cosine);
  const double psi = std::abs(middle - half) < std::abs(middle + half) ? middle - half : middle + half;
  return e.p + (std::cos(psi) - 1) * e.arm + r * std::sin(psi) * e.tangent;
}

// Whether two edges really meet with signed distance δ, and not through other parts of the solids. A crossed
// edge is at its deepest, between the faces of the other's wedge of angle β, at least |δ| sin(β/2) deep in
// it: less deep, other faces are nearer than this edge, and tell. The closest points need not lie in the
// solids (of wedges below 90° they may not). All points asked for belong to the edges themselves.
bool edgesMeet(const PairSearch& pair, const EdgePoint& a, const EdgePoint& b, double separation) {
  if (std::abs(separation) <= kSameDistance) return true;
  const double ofA = pair.b.nearest(a.p).distance, ofB = pair.a.nearest(b.p).distance;
  if (separation > 0)
    return std::abs(ofA - separation) <= kSameDistance || std::abs(ofB - separation) <= kSameDistance;
  const double inB = kCrossedDepth * halfAngleSine(b) * separation,
               inA = kCrossedDepth * halfAngleSine(a) * separation;
  return ofA <= inB || ofB <= inA || pair.b.nearest(betweenFaces(a, b)).distance <= inB ||
         pair.a.nearest(betweenFaces(b, a)).distance <= inA;
}

// Where an edge cuts through the other solid and no normal of theirs frees it: its own deepest point between
// the other edge's faces, against the nearest face. False where neither does.
bool cutsThrough(const PairSearch& pair, const EdgePoint& a, const EdgePoint& b, SurfaceContact& contact) {
  const Vector3d pA = betweenFaces(a, b), pB = betweenFaces(b, a);
  const SurfaceHit ofA = pair.b.nearest(pA), ofB = pair.a.nearest(pB);
  if (std::min(ofA.distance, ofB.distance) >= -kSameDistance) return false;
  contact = ofA.distance < ofB.distance ? contactOf(Owner::kA, pA, ofA.normal, ofA.distance, 0)
                                        : contactOf(Owner::kB, pB, ofB.normal, ofB.distance, 0);
  return true;
}

}  // namespace

bool edgeContact(const PairSearch& pair, const EdgePoint& a, const EdgePoint& b, SurfaceContact& contact) {
  const Vector3d n = commonNormal(a, b);
  const double separation = n.dot(b.p - a.p);
  if (separation > pair.range) return false;
  contact = {0.5 * (a.p + b.p), n, separation, 0};
  const bool crossed = inCone(n, a) && inCone(-n, b) && edgesMeet(pair, a, b, separation);
  return crossed || cutsThrough(pair, a, b, contact);
}

}  // namespace tenon::physics
