// Calls the functions of collision/revolved for Bullet's pairs of shapes.
#include "physics/collision/bullet/revolved_algorithm.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <new>
#include <type_traits>
#include <utility>

#include "physics/collision/bullet/bullet_scale.h"
#include "physics/collision/revolved/block_contacts.h"

namespace tenon::physics::bullet {
namespace {

using Contacts = std::vector<SurfaceContact>;

Matrix3d fromBullet(const btMatrix3x3& m) {
  Matrix3d R;
  for (int row = 0; row < 3; ++row) R.row(row) << m[row].x(), m[row].y(), m[row].z();
  return R;
}

// X_BA of two shapes placed in Bullet's world.
Pose relative(const btTransform& X_WB, const btTransform& X_WA) {
  const Matrix3d R_WB = fromBullet(X_WB.getBasis()), R_WA = fromBullet(X_WA.getBasis());
  const Vector3d between = bullet::fromBullet(X_WA.getOrigin() - X_WB.getOrigin());
  return {Quaterniond(Matrix3d(R_WB.transpose() * R_WA)).normalized(), R_WB.transpose() * between};
}

// One overload per supported pair (A, B).
void find(const RevolvedGeometry& a, const RevolvedGeometry& b, const Pose& X_BA, double range,
          Contacts& found) {
  revolvedRevolvedContacts(a, b, X_BA, range, found);
}
void find(const RevolvedGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
          Contacts& found) {
  revolvedBlockContacts(a, b, X_BA, range, found);
}
void find(const RevolvedGeometry& a, const PolytopeGeometry& b, const Pose& X_BA, double range,
          Contacts& found) {
  revolvedPolytopeContacts(a, b, X_BA, range, found);
}
void find(const BlockGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range, Contacts& found) {
  blockBlockContacts(a, b, X_BA, range, found);
}
void find(const BlockGeometry& a, const PolytopeGeometry& b, const Pose& X_BA, double range,
          Contacts& found) {
  blockPolytopeContacts(a, b, X_BA, range, found);
}
void find(const RevolvedGeometry& a, const CapsuleGeometry& b, const Pose& X_BA, double range,
          Contacts& found) {
  revolvedCapsuleContacts(a, b, X_BA, range, found);
}
void find(const BlockGeometry& a, const CapsuleGeometry& b, const Pose& X_BA, double range, Contacts& found) {
  blockCapsuleContacts(a, b, X_BA, range, found);
}
void find(const RevolvedGeometry& a, const Plane&, const Pose& X_BA, double range, Contacts& found) {
  revolvedHalfSpaceContacts(a, X_BA, range, found);
}
void find(const BlockGeometry& a, const Plane&, const Pose& X_BA, double range, Contacts& found) {
  blockHalfSpaceContacts(a, X_BA, range, found);
}
void find(const PlacedSphere& a, const RevolvedGeometry& b, const Pose& X_BA, double range, Contacts& found) {
  sphereRevolvedContacts({X_BA * a.center, a.radius}, b, range, found);
}
void find(const PlacedSphere& a, const BlockGeometry& b, const Pose& X_BA, double range, Contacts& found) {
  sphereBlockContacts({X_BA * a.center, a.radius}, b, range, found);
}

template <class A, class B>
concept HasExactContacts = requires(const A& a, const B& b, const Pose& X, Contacts& found) {
  find(a, b, X, 0.0, found);
};

}  // namespace

bool haveExactContacts(const ExactGeometry& a, const ExactGeometry& b) {
  return std::visit(
      []<class A, class B>(const A&, const B&) { return HasExactContacts<A, B> || HasExactContacts<B, A>; },
      a, b);
}

RevolvedAlgorithm::RevolvedAlgorithm(const btCollisionAlgorithmConstructionInfo& info,
                                     const btCollisionObject* object0, const btCollisionObject* object1)
    : btCollisionAlgorithm(info) {
  if (object0 && object1) manifold_ = m_dispatcher->getNewManifold(object0, object1);
}

RevolvedAlgorithm::~RevolvedAlgorithm() {
  if (manifold_) m_dispatcher->releaseManifold(manifold_);
}

void RevolvedAlgorithm::processCollision(const btCollisionObjectWrapper* body0,
                                         const btCollisionObjectWrapper* body1, const btDispatcherInfo&,
                                         btManifoldResult* result) {
  const auto& shape0 = static_cast<const ExactShape&>(*body0->getCollisionShape());
  const auto& shape1 = static_cast<const ExactShape&>(*body1->getCollisionShape());
  const btTransform &X_W0 = body0->getWorldTransform(), &X_W1 = body1->getWorldTransform();
  const double range = result->m_closestPointDistanceThreshold / kPerMetre;
  thread_local Contacts found;  // buffer of one query: only its capacity is reused
  found.clear();
  // True if shape 0 is A of the overload for this pair.
  const bool forward = std::visit(
      [&]<class A, class B>(const A& a, const B& b) {
        if constexpr (HasExactContacts<A, B>) find(a, b, relative(X_W1, X_W0), range, found);
        if constexpr (!HasExactContacts<A, B> && HasExactContacts<B, A>)
          find(b, a, relative(X_W0, X_W1), range, found);
        return HasExactContacts<A, B>;
      },
      shape0.geometry(), shape1.geometry());
  if (manifold_) result->setPersistentManifold(manifold_);
  const btTransform& X_WB = forward ? X_W1 : X_W0;
  for (const SurfaceContact& c : found) {
    const Vector3d n01 = forward ? c.n : Vector3d(-c.n);
    const btVector3 normal = X_WB.getBasis() * btVector3(-n01.x(), -n01.y(), -n01.z());
    result->setShapeIdentifiersA(static_cast<int>(c.feature), 0);
    result->addContactPoint(normal, X_WB(toBullet(c.p + 0.5 * c.separation * n01)), c.separation * kPerMetre);
  }
}

btCollisionAlgorithm* RevolvedAlgorithm::CreateFunc::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper* body0,
    const btCollisionObjectWrapper* body1) {
  void* place = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(RevolvedAlgorithm));
  return new (place) RevolvedAlgorithm(info, body0->getCollisionObject(), body1->getCollisionObject());
}

void registerRevolvedAlgorithm(btCollisionDispatcher& dispatcher, RevolvedAlgorithm::CreateFunc& create) {
  constexpr int kRevolved = CUSTOM_CONCAVE_SHAPE_TYPE, kOther = CUSTOM_CONVEX_SHAPE_TYPE;
  for (const auto& [a, b] : {std::pair{kRevolved, kRevolved}, {kRevolved, kOther}, {kOther, kRevolved}}) {
    dispatcher.registerCollisionCreateFunc(a, b, &create);
    dispatcher.registerClosestPointsCreateFunc(a, b, &create);
  }
}

}  // namespace tenon::physics::bullet
