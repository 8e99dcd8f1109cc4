// See convex_overlap.h.
#include "tests/support/convex_overlap.h"

#include <algorithm>
#include <cmath>

namespace tenon::tests {

using physics::Pose;
using physics::Vector3d;

namespace {

/// Edges closer to parallel than this span no plane of their own [sine].
constexpr double kParallel = 1e-6;

/// How far apart two bodies are along a unit vector; negative: they overlap there.
double apartAlong(const Vector3d& n, const ConvexBody& a, const ConvexBody& b) {
  double lowA = HUGE_VAL, highA = -HUGE_VAL, lowB = HUGE_VAL, highB = -HUGE_VAL;
  for (const Vector3d& p : a.corners) {
    lowA = std::min(lowA, n.dot(p));
    highA = std::max(highA, n.dot(p));
  }
  for (const Vector3d& p : b.corners) {
    lowB = std::min(lowB, n.dot(p));
    highB = std::max(highB, n.dot(p));
  }
  return std::max(lowB - highA, lowA - highB);
}

}  // namespace

ConvexBody boxBody(const Vector3d& h, const Pose& X_WB) {
  return prismBody({{-h.x(), -h.z()}, {h.x(), -h.z()}, {h.x(), h.z()}, {-h.x(), h.z()}}, h.y(), X_WB);
}

ConvexBody prismBody(const std::vector<Eigen::Vector2d>& base, double halfWidth, const Pose& X_WB) {
  ConvexBody body;
  const Vector3d along = X_WB.q * Vector3d::UnitY();
  body.normals.push_back(along);
  body.edges.push_back(along);
  for (std::size_t k = 0; k < base.size(); ++k) {
    const Eigen::Vector2d& from = base[k];
    const Eigen::Vector2d way = base[(k + 1) % base.size()] - from;
    body.edges.push_back(X_WB.q * Vector3d(way.x(), 0, way.y()));
    body.normals.push_back(X_WB.q * Vector3d(way.y(), 0, -way.x()).normalized());
    for (const double y : {-halfWidth, halfWidth})
      body.corners.push_back(X_WB * Vector3d(from.x(), y, from.y()));
  }
  return body;
}

double overlapOf(const ConvexBody& a, const ConvexBody& b) {
  double apart = -HUGE_VAL;
  for (const ConvexBody* body : {&a, &b})
    for (const Vector3d& n : body->normals) apart = std::max(apart, apartAlong(n, a, b));
  for (const Vector3d& e : a.edges)
    for (const Vector3d& f : b.edges) {
      const Vector3d n = e.cross(f);
      if (n.norm() > kParallel * e.norm() * f.norm())
        apart = std::max(apart, apartAlong(n.normalized(), a, b));
    }
  return -apart;
}

}  // namespace tenon::tests
