// Contacts from Bullet's frame and units.
#include "physics/collision/bullet/pair_query.h"

#include "physics/collision/bullet/bullet_scale.h"

namespace tenon::physics::bullet {

PairQuery::PairQuery(const Body& bodyI, const Body& bodyJ, BodyPair ids, const Pose& X_WBodyI,
                     const Pose& X_WBodyJ, double maxSeparation, ContactSet& output)
    : btManifoldResult(nullptr, nullptr),
      i(bodyI),
      j(bodyJ),
      pair(ids),
      X_WI{X_WBodyI.q.toRotationMatrix(), X_WBodyI.p},
      X_WJ{X_WBodyJ.q.toRotationMatrix(), X_WBodyJ.p},
      X_IJ(relative(X_WBodyI, X_WBodyJ)),
      X_JI(X_IJ.inverse()),
      range(maxSeparation),
      contacts(output),
      isSorted(i.elements.size() == 1 && j.elements.size() == 1) {
  m_closestPointDistanceThreshold = range * kPerMetre;
}

void PairQuery::addContactPoint(const btVector3& normalOnJ, const btVector3& pointOnJ, btScalar depth) {
  Contact contact;
  contact.i = pair.i;
  contact.j = pair.j;
  contact.n = X_WI.vector(-directionFromBullet(normalOnJ));
  contact.separation = depth / kPerMetre;
  contact.p = X_WI.point(fromBullet(pointOnJ)) - 0.5 * contact.separation * contact.n;
  contact.feature = key | feature_;
  contacts.push_back(contact);
}

}  // namespace tenon::physics::bullet
