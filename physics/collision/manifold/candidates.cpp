// Lists candidates, and puts them into the world.
#include "physics/collision/manifold/candidates.h"

namespace tenon::physics {

void Candidates::add(int s, const Vector3d& p, const Vector3d& n, double separation, const FeatureId& id,
                     bool isContact) {
  if (separation < closest_.separation) closest_ = {separation, s, n};
  if (isContact && isListing_ && separation <= pair_.range)
    contacts_.push_back(contactAt(s, p, n, separation, id));
}

Contact Candidates::contactAt(int s, const Vector3d& p, const Vector3d& n, double separation,
                              const FeatureId& id) const {
  const RigidTransform& X = pair_.sides[s].X_WS;
  Contact contact;
  contact.i = i_;
  contact.j = j_;
  contact.n = X.R * (s == 0 ? n : Vector3d(-n));
  contact.p = X.point(p + 0.5 * separation * n);
  contact.separation = separation;
  contact.feature = id.bits(pair_.sides[0].index, pair_.sides[1].index);
  return contact;
}

}  // namespace tenon::physics
