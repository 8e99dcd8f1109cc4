// Bullet's collision algorithm for pairs with a solid of revolution or a block with holes.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>

#include "physics/collision/bullet/exact_shape.h"

class btCollisionDispatcher;

namespace tenon::physics::bullet {

/// True where the exact contacts of the two are known.
bool haveExactContacts(const ExactGeometry& a, const ExactGeometry& b);

/// Tells every contact of two ExactShapes, of which one is turned, to the result, with
/// δ ≤ m_closestPointDistanceThreshold: by setShapeIdentifiersA() the feature (its bits as an int), then the
/// point. Keeps nothing from call to call: made for no objects, one serves all pairs and threads. Made for
/// two objects it has the manifold that a world of Bullet's asks for.
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
