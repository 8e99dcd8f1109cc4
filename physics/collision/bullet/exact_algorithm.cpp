// Exact contacts in Bullet's frame and units.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include "physics/collision/bullet/bullet_scale.h"
#include "physics/collision/bullet/pair_algorithm.h"
#include "physics/collision/thread/thread_contacts.h"

namespace tenon::physics::bullet {
namespace {

Matrix3d rotationFromBullet(const btMatrix3x3& m) {
  Matrix3d R;
  for (int row = 0; row < 3; ++row) R.row(row) << m[row].x(), m[row].y(), m[row].z();
  return R;
}

// X_BA of two shapes placed in Bullet's world.
Pose relativePose(const btTransform& X_WB, const btTransform& X_WA) {
  const Matrix3d R_WB = rotationFromBullet(X_WB.getBasis()), R_WA = rotationFromBullet(X_WA.getBasis());
  const Vector3d between = fromBullet(X_WA.getOrigin() - X_WB.getOrigin());
  return {Quaterniond(Matrix3d(R_WB.transpose() * R_WA)).normalized(), R_WB.transpose() * between};
}

const Element& elementOf(const btCollisionObjectWrapper& body) {
  return *static_cast<const Element*>(body.getCollisionShape());
}

// Calls find(a, b, X_BA, range, found) and reports what it found, in Bullet's units.
template <class Find>
void reportExact(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b, bool swapped,
                 Find find, btManifoldResult& result) {
  const btTransform& X_WB = b.getWorldTransform();
  thread_local std::vector<SurfaceContact> found;  // buffer of one query: only its capacity is reused
  found.clear();
  find(elementOf(a), elementOf(b), relativePose(X_WB, a.getWorldTransform()),
       result.m_closestPointDistanceThreshold / kPerMetre, found);
  for (const SurfaceContact& c : found) {
    const Vector3d n01 = swapped ? Vector3d(-c.n) : c.n;
    const btVector3 normal = X_WB.getBasis() * btVector3(-n01.x(), -n01.y(), -n01.z());
    result.setShapeIdentifiersA(static_cast<int>(c.feature), 0);
    result.addContactPoint(normal, X_WB(toBullet(c.p + 0.5 * c.separation * n01)), c.separation * kPerMetre);
  }
}

}  // namespace

void ExactAlgorithm::processCollision(const btCollisionObjectWrapper* body0,
                                      const btCollisionObjectWrapper* body1, const btDispatcherInfo&,
                                      btManifoldResult* result) {
  const btCollisionObjectWrapper &a = m_swapped ? *body1 : *body0, &b = m_swapped ? *body0 : *body1;
  reportExact(
      a, b, m_swapped,
      [this](const Element& one, const Element& two, const Pose& X_BA, double range,
             std::vector<SurfaceContact>& found) {
        contacts_(one.geometry, two.geometry, X_BA, range, found);
      },
      *result);
}

void ThreadsAlgorithm::processCollision(const btCollisionObjectWrapper* body0,
                                        const btCollisionObjectWrapper* body1, const btDispatcherInfo&,
                                        btManifoldResult* result) {
  const btCollisionObjectWrapper &a = m_swapped ? *body1 : *body0, &b = m_swapped ? *body0 : *body1;
  reportExact(
      a, b, m_swapped,
      [](const Element& one, const Element& two, const Pose& X_BA, double range,
         std::vector<SurfaceContact>& found) {
        threadContacts(*one.thread, *two.thread, X_BA, range, found);
      },
      *result);
}

}  // namespace tenon::physics::bullet
