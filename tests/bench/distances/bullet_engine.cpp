// Bullet: the convex hull of B against the triangles of A, its only distance of a part that is not convex. In
// millimeters, without margins.
#include <btBulletCollisionCommon.h>

#include <algorithm>

#include "tests/bench/distances/distance_case.h"

namespace tenon::bench {
namespace {

constexpr double kMillimeters = 1e3;

btVector3 vectorOf(const physics::Vector3d& p) {
  return {kMillimeters * p.x(), kMillimeters * p.y(), kMillimeters * p.z()};
}

class BulletDistance final : public DistanceEngine {
 public:
  explicit BulletDistance(const DistanceCase& pair)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &configuration_),
        range_(pair.range) {
    for (const auto& t : pair.a.triangles) {
      const auto at = [&](std::size_t k) {
        return vectorOf(pair.a.vertices[static_cast<std::size_t>(t[k])]);
      };
      triangles_.addTriangle(at(0), at(1), at(2));
    }
    mesh_ = std::make_unique<btBvhTriangleMeshShape>(&triangles_, true);
    mesh_->setMargin(0);
    for (const physics::Vector3d& p : pair.b.vertices) hull_.addPoint(vectorOf(p), false);
    hull_.recalcLocalAabb();
    hull_.setMargin(0);
    a_.setCollisionShape(mesh_.get());
    b_.setCollisionShape(&hull_);
  }

  std::optional<double> distance(const physics::Pose& X_AB) override {
    const btQuaternion q(X_AB.q.x(), X_AB.q.y(), X_AB.q.z(), X_AB.q.w());
    b_.setWorldTransform(btTransform(q, vectorOf(X_AB.p)));
    Least least;
    least.m_closestDistanceThreshold = kMillimeters * range_;
    world_.contactPairTest(&a_, &b_, least);
    return least.distance;
  }

 private:
  struct Least final : btCollisionWorld::ContactResultCallback {
    std::optional<double> distance;
    btScalar addSingleResult(btManifoldPoint& point, const btCollisionObjectWrapper*, int, int,
                             const btCollisionObjectWrapper*, int, int) override {
      const double d = point.getDistance() / kMillimeters;
      distance = std::min(distance.value_or(d), d);
      return 0;
    }
  };

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_;
  btTriangleMesh triangles_;
  std::unique_ptr<btBvhTriangleMeshShape> mesh_;
  btConvexHullShape hull_;
  btCollisionObject a_, b_;
  double range_;
};

}  // namespace

std::unique_ptr<DistanceEngine> makeBulletEngine(const DistanceCase& pair) {
  return pair.isBConvex ? std::make_unique<BulletDistance>(pair) : nullptr;
}

}  // namespace tenon::bench
