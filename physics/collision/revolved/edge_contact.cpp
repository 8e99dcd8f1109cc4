// Closest points of two edges as a contact.
#include "physics/collision/revolved/edge_contact.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

/// Distance of the closest points above which their difference is as accurate as the edges' cross product
/// [m].
constexpr double kLongDirection = 1e-7;
/// Tolerance of a common normal outside the cone of the face normals [rad].
constexpr double kNormalTolerance = 1e-6;
/// Minimum depth of crossed edges, as a fraction of the depth of straight edges [-]: rims are curved.
constexpr double kCrossedDepth = 0.8;

// Whether unit n lies between the normals of an edge's two faces.
bool inCone(const Vector3d& n, const EdgePoint& e) {
  const double c = e.before.dot(e.after), x = n.dot(e.before), y = n.dot(e.after);
  const double slack = -kNormalTolerance * std::sqrt(std::max(0.0, 1 - c * c));
  return x - c * y >= slack && y - c * x >= slack;
}

// Normal from A into B at the closest points of two edges: their normalized difference if it is long enough,
// otherwise the direction perpendicular to both edges, with the sign from the sides of their faces.
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

// The point of edge `e` midway between the two faces of edge `other`: its deepest point if it cuts through
// that wedge. The closest point itself if there is none.
Vector3d betweenFaces(const EdgePoint& e, const EdgePoint& other) {
  const Vector3d across = other.before - other.after;
  const double off = across.dot(e.p - other.p), rate = across.dot(e.tangent);
  if (e.arm.isZero()) {
    if (std::abs(rate) < kParallel) return e.p;
    return e.p + std::clamp(-off / rate, -e.behind, e.ahead) * e.tangent;
  }
  // On the circle, with angle ψ from e: off + across · arm (cos ψ − 1) + r rate sin ψ = 0; the root next to
  // 0.
  const double r = e.arm.norm(), u = across.dot(e.arm), v = r * rate, m = std::sqrt(u * u + v * v);
  const double cosine = m > 0 ? (u - off) / m : 2;
  if (std::abs(cosine) > 1) return e.p;
  const double middle = std::atan2(v, u), half = std::acos(cosine);
  const double psi = std::abs(middle - half) < std::abs(middle + half) ? middle - half : middle + half;
  return e.p + (std::cos(psi) - 1) * e.arm + r * std::sin(psi) * e.tangent;
}

// True if two edges are in contact with signed distance δ, and not separated by other features of the solids.
// The deepest point of a crossed edge, between the faces of the other's wedge of angle β, is at least |δ|
// sin(β/2) inside it; otherwise other faces are closer and provide the contacts. The closest points need not
// lie inside the solids (for wedges below 90°).
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

// Contact of an edge that penetrates the other solid without a separating common normal: its deepest point
// between the other edge's faces, against the nearest face. False if neither edge penetrates.
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
