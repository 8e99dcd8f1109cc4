// The collision algorithms that Bullet's dispatcher finds for pairs of elements.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>

#include <vector>

#include "physics/collision/bullet/element.h"
#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics::bullet {

/// An algorithm without state, and its create function: it returns the same object for all pairs and threads,
/// so that a query neither allocates nor locks. Not to be freed by the dispatcher.
class PairAlgorithm : public btCollisionAlgorithm, public btCollisionAlgorithmCreateFunc {
 public:
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo&,
                                                 const btCollisionObjectWrapper*,
                                                 const btCollisionObjectWrapper*) final {
    return this;
  }
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) final {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray&) final {}
};

/// Contacts of two geometries in the frame of b, as revolvedBlockContacts().
using ExactContacts = void (*)(const ExactGeometry& a, const ExactGeometry& b, const Pose& X_BA, double range,
                               std::vector<SurfaceContact>& contacts);

/// Exact contacts of a pair (a, b) of elements, or, if swapped, of the pair (b, a). Reports each contact with
/// δ ≤ m_closestPointDistanceThreshold: first its feature by setShapeIdentifiersA(), then the point.
class ExactAlgorithm final : public PairAlgorithm {
 public:
  ExactAlgorithm(ExactContacts contacts, bool swapped) : contacts_(contacts) { m_swapped = swapped; }
  void processCollision(const btCollisionObjectWrapper* body0, const btCollisionObjectWrapper* body1,
                        const btDispatcherInfo&, btManifoldResult* result) override;

 private:
  ExactContacts contacts_;
};

/// Contacts of an external with an internal thread, or, if swapped, of an internal with an external one;
/// reported as by ExactAlgorithm.
class ThreadsAlgorithm final : public PairAlgorithm {
 public:
  explicit ThreadsAlgorithm(bool swapped) { m_swapped = swapped; }
  void processCollision(const btCollisionObjectWrapper* body0, const btCollisionObjectWrapper* body1,
                        const btDispatcherInfo&, btManifoldResult* result) override;
};

/// Contacts of two elements on their own faces, edges and vertices, appended to the PairQuery in SI units.
class SolidsAlgorithm final : public PairAlgorithm {
 public:
  void processCollision(const btCollisionObjectWrapper* body0, const btCollisionObjectWrapper* body1,
                        const btDispatcherInfo&, btManifoldResult* result) override;
};

/// Contacts of the convex parts of two elements. They are appended to the PairQuery in SI units, as the
/// conversion to millimeters would round them.
class ConvexPartsAlgorithm final : public PairAlgorithm {
 public:
  void processCollision(const btCollisionObjectWrapper* body0, const btCollisionObjectWrapper* body1,
                        const btDispatcherInfo&, btManifoldResult* result) override;
};

}  // namespace tenon::physics::bullet
