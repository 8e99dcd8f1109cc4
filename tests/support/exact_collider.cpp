// See exact_collider.h.
#include "tests/support/exact_collider.h"

#include <limits>

namespace tenon::tests {

using namespace physics;

namespace {

/// A contact as seen from the first of two shapes: normal towards the second.
struct Found {
  Vector3d p = Vector3d::Zero();
  Vector3d n = Vector3d::Zero();
  double separation = 0;
};

Found ballOnBall(double r1, const Vector3d& c1, double r2, const Vector3d& c2) {
  const Vector3d way = c2 - c1;
  const double distance = way.norm();
  const Vector3d n = way / distance;
  return {c1 + 0.5 * (r1 + distance - r2) * n, n, distance - r1 - r2};
}

/// A point with a sphere of radius r ≥ 0 around it over a half-space.
Found overPlane(const Pose& plane, double r, const Vector3d& center) {
  const Vector3d n = plane.q * Vector3d::UnitZ();
  const double height = n.dot(center - plane.p);
  return {center - 0.5 * (height + r) * n, n, height - r};
}

/// A sphere in a trough; the normal points to the trough's axis. A sphere on the axis touches nowhere.
Found inTrough(const Pose& trough, double R, double r, const Vector3d& center) {
  const Vector3d axis = trough.q * Vector3d::UnitZ();
  const Vector3d offset = center - trough.p - axis * axis.dot(center - trough.p);
  const double distance = offset.norm();
  const Vector3d n = -offset / distance;
  return {center - 0.5 * (R - distance + r) * n, n, R - distance - r};
}

template <class T>
const T* as(const Shape& shape) {
  return std::get_if<T>(&shape);
}

}  // namespace

BodyId ExactCollider::addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) {
  bodies_.push_back({shape, p_CP, canMove});
  return BodyId{static_cast<int>(bodies_.size()) - 1};
}

void ExactCollider::findPairs(std::span<const Pose>, std::span<const double>, std::vector<BodyPair>& pairs) {
  pairs.clear();
  const int count = static_cast<int>(bodies_.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      if (bodies_[i].canMove || bodies_[j].canMove) pairs.push_back({BodyId{i}, BodyId{j}});
}

void ExactCollider::findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                                 ContactSet& contacts) const {
  const Body& i = bodies_[pair.i.value];
  const Body& j = bodies_[pair.j.value];
  const Pose I{X_WI.q, X_WI * i.p_CP}, J{X_WJ.q, X_WJ * j.p_CP};
  // `forward`: found from i's side.
  const auto add = [&](const Found& found, bool forward, std::uint64_t feature) {
    if (found.separation <= range)
      contacts.push_back({pair.i, pair.j, found.p, forward ? found.n : -found.n, found.separation, feature});
  };
  const auto ballOrBox = [&](const Body& fixed, const Pose& X, const Body& body, const Pose& Y,
                             bool forward) {
    if (const auto* ball = as<Sphere>(body.shape)) {
      if (as<HalfSpace>(fixed.shape)) add(overPlane(X, ball->radius, Y.p), forward, 0);
      if (const auto* trough = as<Cylinder>(fixed.shape))
        add(inTrough(X, trough->radius, ball->radius, Y.p), forward, 0);
    } else if (const auto* box = as<Box>(body.shape); box && as<HalfSpace>(fixed.shape)) {
      for (unsigned corner = 0; corner < 8; ++corner) {
        const Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        add(overPlane(X, 0, Y * sign.cwiseProduct(box->halfExtents)), forward, corner);
      }
    }
  };
  const auto *a = as<Sphere>(i.shape), *b = as<Sphere>(j.shape);
  if (a && b) {
    add(ballOnBall(a->radius, I.p, b->radius, J.p), true, 0);
  } else if (as<HalfSpace>(i.shape) || as<Cylinder>(i.shape)) {
    ballOrBox(i, I, j, J, true);
  } else {
    ballOrBox(j, J, i, I, false);
  }
}

double ExactCollider::radius(BodyId id) const {
  const Body& body = bodies_[id.value];
  if (const auto* ball = as<Sphere>(body.shape)) return ball->radius + body.p_CP.norm();
  if (const auto* box = as<Box>(body.shape)) return box->halfExtents.norm() + body.p_CP.norm();
  return std::numeric_limits<double>::infinity();
}

}  // namespace tenon::tests
