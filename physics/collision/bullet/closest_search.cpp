// GJK on the support functions of convex parts, with zero margin and new detectors in every call.
#include "physics/collision/bullet/closest_search.h"

#include <BulletCollision/CollisionShapes/btConvexInternalShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "physics/collision/bullet/bullet_scale.h"

namespace tenon::physics::bullet {
namespace {

// A convex part's core as Bullet sees it: a support function and no margin.
class CoreShape final : public btConvexInternalShape {
 public:
  explicit CoreShape(const ConvexPart& convexPart) : convexPart_(convexPart) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    return toBullet(coreSupport(convexPart_, directionFromBullet(d)));
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
  const ConvexPart& convexPart_;
};

struct Nearest final : btDiscreteCollisionDetectorInterface::Result {
  btVector3 normalOnB{0, 0, 0};
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3& normal, const btVector3&, btScalar) override { normalOnB = normal; }
};

}  // namespace

Vector3d searchNormal(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB) {
  const CoreShape shapeA(a), shapeB(b);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&shapeA, &shapeB, shapeA.getShapeType(), shapeB.getShapeType(), 0, 0, &simplex,
                             &penetration);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA.setIdentity();
  input.m_transformB = toBullet(X_AB);
  Nearest nearest;
  detector.getClosestPoints(input, nearest, nullptr);
  // If GJK found no normal: its last search axis, then the line between the centers.
  const Vector3d between = X_AB.point(b.center) - a.center;
  for (const Vector3d& n : {Vector3d(-directionFromBullet(nearest.normalOnB)),
                            directionFromBullet(detector.getCachedSeparatingAxis()), between}) {
    if (n.allFinite() && n.norm() > 1e-12) return n.normalized();
  }
  return Vector3d::UnitX();
}

}  // namespace tenon::physics::bullet
