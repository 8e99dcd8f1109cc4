// Each solid from the formula that defines it; hulls by trying all planes through three vertices.
#include "tests/support/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::tests {
namespace {

using namespace physics;

double along(const Box& b, const Vector3d& d) {
  return b.halfExtents.dot(d.cwiseAbs());
}
double along(const Sphere& s, const Vector3d& d) {
  return s.radius * d.norm();
}
double along(const Cylinder& c, const Vector3d& d) {
  return c.radius * std::hypot(d.x(), d.y()) + c.halfLength * std::abs(d.z());
}
double along(const Capsule& c, const Vector3d& d) {
  return c.radius * d.norm() + c.halfLength * std::abs(d.z());
}
double along(const Frustum& f, const Vector3d& d) {
  const double lateral = std::hypot(d.x(), d.y());
  return std::max(f.topRadius * lateral + f.halfLength * d.z(),
                  f.bottomRadius * lateral - f.halfLength * d.z());
}
double along(const Hull& h, const Vector3d& d) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vector3d& p : h.vertices) best = std::max(best, d.dot(p));
  return best;
}
template <class Other>
double along(const Other&, const Vector3d&) {
  return std::numeric_limits<double>::quiet_NaN();
}

double beyond(const Box& b, const Vector3d& p) {
  return std::max(0.0, (p.cwiseAbs() - b.halfExtents).maxCoeff());
}
double beyond(const Sphere& s, const Vector3d& p) {
  return std::max(0.0, p.norm() - s.radius);
}
double beyond(const Frustum& f, const Vector3d& p) {
  // In the meridian plane: distance to the trapezoid between the axis and the slanted side.
  const Eigen::Vector2d q(std::hypot(p.x(), p.y()), p.z());
  const Eigen::Vector2d a(f.bottomRadius, -f.halfLength), b(f.topRadius, f.halfLength);
  const double share = (q.y() + f.halfLength) / (2 * f.halfLength);
  const double radius = f.bottomRadius + share * (f.topRadius - f.bottomRadius);
  if (std::abs(q.y()) <= f.halfLength && q.x() <= radius) return 0;
  const auto toSegment = [&](const Eigen::Vector2d& u, const Eigen::Vector2d& v) {
    const double t = (v - u).squaredNorm() > 0 ? (q - u).dot(v - u) / (v - u).squaredNorm() : 0;
    return (q - u - std::clamp(t, 0.0, 1.0) * (v - u)).norm();
  };
  return std::min({toSegment(a, b), toSegment({0, a.y()}, a), toSegment({0, b.y()}, b)});
}
double beyond(const Cylinder& c, const Vector3d& p) {
  return beyond(Frustum{c.radius, c.radius, c.halfLength}, p);
}
double beyond(const Capsule& c, const Vector3d& p) {
  const double z = std::clamp(p.z(), -c.halfLength, c.halfLength);
  return std::max(0.0, (p - Vector3d(0, 0, z)).norm() - c.radius);
}
double beyond(const Hull& h, const Vector3d& p) {
  double worst = 0;
  const auto& v = h.vertices;
  for (std::size_t a = 0; a < v.size(); ++a) {
    for (std::size_t b = 0; b < v.size(); ++b) {
      for (std::size_t c = 0; c < v.size(); ++c) {
        const Vector3d cross = (v[b] - v[a]).cross(v[c] - v[a]);
        if (cross.norm() < 1e-12) continue;
        const Vector3d n = cross.normalized();
        const bool supports =
            std::all_of(v.begin(), v.end(), [&](const Vector3d& q) { return n.dot(q - v[a]) <= 1e-12; });
        if (supports) worst = std::max(worst, n.dot(p - v[a]));
      }
    }
  }
  return worst;
}
template <class Other>
double beyond(const Other&, const Vector3d&) {
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double reach(const Shape& shape, const Pose& X_WS, const Vector3d& d) {
  const Vector3d local = X_WS.q.conjugate() * d;
  return d.dot(X_WS.p) + std::visit([&](const auto& s) { return along(s, local); }, shape);
}

std::array<std::pair<Vector3d, Vector3d>, 12> boxEdges(const Vector3d& halfExtents) {
  std::array<std::pair<Vector3d, Vector3d>, 12> edges;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      Vector3d a = halfExtents;
      if (k & 1) a[(axis + 1) % 3] *= -1;
      if (k & 2) a[(axis + 2) % 3] *= -1;
      Vector3d b = a;
      b[axis] *= -1;
      edges[4 * axis + k] = {a, b};
    }
  return edges;
}

double outside(const Shape& shape, const Pose& X_WS, const Vector3d& p) {
  const Vector3d local = X_WS.inverse() * p;
  return std::visit([&](const auto& s) { return beyond(s, local); }, shape);
}

double separation(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, const Vector3d& n) {
  return -reach(b, X_WB, -n) - reach(a, X_WA, n);
}

}  // namespace tenon::tests
