// Bullet's collision algorithm for pairs with a solid of revolution or a block with holes.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>

#include "physics/collision/bullet/exact_shape.h"

class btCollisionDispatcher;

namespace tenon::physics::bullet {

/// True if exact contacts are implemented for the pair.
bool haveExactContacts(const ExactGeometry& a, const ExactGeometry& b);

/// Reports every contact of two ExactShapes, at least one of them revolved, with δ ≤
/// m_closestPointDistanceThreshold to the btManifoldResult: first the feature's bits by
/// setShapeIdentifiersA(), then the point. Stateless: an algorithm created without objects serves all pairs
/// and threads. Created for two objects it owns the persistent manifold that a btCollisionWorld requires.
class RevolvedAlgorithm final : public btCollisionAlgorithm {
 public:
  RevolvedAlgorithm(const btCollisionAlgorithmConstructionInfo& info, const btCollisionObject* object0,
                    const btCollisionObject* object1);
  ~RevolvedAlgorithm() override;
  RevolvedAlgorithm(const RevolvedAlgorithm&) = delete;
  RevolvedAlgorithm& operator=(const RevolvedAlgorithm&) = delete;
  void processCollision(const btCollisionObjectWrapper* body0, const btCollisionObjectWrapper* body1,
                        const btDispatcherInfo& info, btManifoldResult* result) override;
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray& manifolds) override {
    if (manifold_) manifolds.push_back(manifold_);
  }

  struct CreateFunc final : btCollisionAlgorithmCreateFunc {
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* body0,
                                                   const btCollisionObjectWrapper* body1) override;
  };

 private:
  btPersistentManifold* manifold_ = nullptr;
};

/// Registers `create`, which must outlive the dispatcher, for all pairs of types of ExactShapes, in both
/// orders, for contacts and for closest points.
void registerRevolvedAlgorithm(btCollisionDispatcher& dispatcher, RevolvedAlgorithm::CreateFunc& create);

}  // namespace tenon::physics::bullet
