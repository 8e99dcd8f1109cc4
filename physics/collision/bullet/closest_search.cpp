// GJK on support functions of our pieces, zero margin, fresh detectors for every call.
#include "physics/collision/bullet/closest_search.h"

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/collision/bullet/bullet_scale.h"
#include "physics/collision/tolerances.h"

namespace tenon::physics::bullet {
namespace {

// A piece's core as Bullet sees it: a support function and no margin.
class CoreShape final : public btConvexInternalShape {
 public:
  explicit CoreShape(const Piece& piece) : piece_(piece) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    return toBullet(coreSupport(piece_, directionFromBullet(d)));
  }
  btVector3 localGetSupportingVertex(const btVector3& d) const override {
    return localGetSupportingVertexWithoutMargin(d);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* d, btVector3* points,
                                                         int count) const override {
    for (int k = 0; k < count; ++k) points[k] = localGetSupportingVertexWithoutMargin(d[k]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "core"; }

 private:
  const Piece& piece_;
};

struct Nearest final : btDiscreteCollisionDetectorInterface::Result {
  bool found = false;
  btVector3 normalOnB, pointOnB;
  btScalar distance = 0;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& normal, const btVector3& point, btScalar depth) override {
    found = std::isfinite(depth) && std::isfinite(normal.length2()) && std::isfinite(point.length2()) &&
            normal.length2() > 0.5;
    normalOnB = normal;
    pointOnB = point;
    distance = depth;
  }
};

double coreSeparation(const Piece& a, const Piece& b, const Motion3& X_AB, const Vector3d& n) {
  const Vector3d far = coreSupport(a, n);
  const Vector3d near = X_AB.point(coreSupport(b, -(X_AB.R.transpose() * n)));
  return n.dot(near - far);
}

btTransform toBullet(const Motion3& X) {
  btTransform transform;
  transform.setBasis(btMatrix3x3(X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1), X.R(1, 2), X.R(2, 0),
                                 X.R(2, 1), X.R(2, 2)));
  transform.setOrigin(bullet::toBullet(X.p));
  return transform;
}

CorePoints searchOnce(const Piece& a, const Piece& b, const Motion3& X_AB, double range) {
  const CoreShape shapeA(a), shapeB(b);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&shapeA, &shapeB, shapeA.getShapeType(), shapeB.getShapeType(), 0, 0, &simplex,
                             &penetration);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA.setIdentity();
  input.m_transformB = toBullet(X_AB);
  const double limit = range * kPerMetre;
  input.m_maximumDistanceSquared = limit * limit;
  Nearest nearest;
  detector.getClosestPoints(input, nearest, nullptr);
  CorePoints points;
  if (!nearest.found) {
    // The last axis GJK looked along, which tells why it stopped.
    const Vector3d axis = directionFromBullet(detector.getCachedSeparatingAxis());
    if (axis.norm() > 0 && axis.allFinite()) points.n = axis.normalized();
    return points;
  }
  points.found = true;
  points.n = -directionFromBullet(nearest.normalOnB).normalized();
  points.distance = nearest.distance / kPerMetre;
  points.b = fromBullet(nearest.pointOnB);
  points.a = points.b - points.distance * points.n;
  return points;
}

// Proof that nothing was found because nothing is near.
bool areApart(const Piece& a, const Piece& b, const Motion3& X_AB, const Vector3d& n, double range) {
  return std::max(coreSeparation(a, b, X_AB, n), coreSeparation(a, b, X_AB, -n)) > range;
}

}  // namespace

CorePoints searchClosest(const Piece& a, const Piece& b, const Motion3& X_AB, double range) {
  constexpr double kShifts[] = {0, 1e-10, -1e-10, 1e-9, -1e-9, 1e-8, -1e-8};  // [m]
  const Vector3d between = X_AB.point(b.centre) - a.centre;
  const Vector3d line = between.norm() > 1e-12 ? Vector3d(between.normalized()) : Vector3d::UnitX();
  CorePoints best;
  double bestDoubt = std::numeric_limits<double>::infinity();
  for (double shift : kShifts) {
    Motion3 X = X_AB;
    X.p += shift * line;
    CorePoints points = searchOnce(a, b, X, range + std::abs(shift) + kSearchTolerance);
    if (!points.found) {
      points.apart = areApart(a, b, X_AB, points.n, range);
      if (!best.found && points.apart) return points;
      continue;
    }
    // The gap between its distance and the proven lower bound: how far from the truth it may be.
    const double gap = std::abs(points.distance - coreSeparation(a, b, X, points.n));
    points.b -= shift * line;
    const double apart = coreSeparation(a, b, X_AB, points.n);
    if (gap < bestDoubt) {
      bestDoubt = gap;
      best = points;
      // The separation along a direction is a true statement whatever the search did; of overlap it is
      // the length of the way out. Of parts that are apart it is never negative.
      best.distance = points.distance > 0 ? std::max(apart, 0.0) : apart;
      best.a = points.b - best.distance * points.n;
    }
    if (bestDoubt <= kSearchTolerance) break;
  }
  return best;
}

}  // namespace tenon::physics::bullet
