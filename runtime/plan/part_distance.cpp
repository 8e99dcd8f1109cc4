// See part_distance.h.
#include "runtime/plan/part_distance.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::runtime {

PartDistance::PartDistance(const content::Scene& scene) : collider_(physics::makeBulletCollider()) {
  for (const content::Part& part : scene.parts)
    collider_->addBody(part.shape, physics::Vector3d::Zero(),
                       !std::holds_alternative<physics::HalfSpace>(part.shape));
}

const physics::ContactSet& PartDistance::contacts(int a, const physics::Pose& X_WA, int b,
                                                  const physics::Pose& X_WB, double range) {
  contacts_.clear();
  const bool ordered = a < b;
  collider_->findContacts({{std::min(a, b)}, {std::max(a, b)}}, ordered ? X_WA : X_WB, ordered ? X_WB : X_WA,
                          range, contacts_);
  return contacts_;
}

double PartDistance::separation(int a, const physics::Pose& X_WA, int b, const physics::Pose& X_WB,
                                double range) {
  double nearest = range;
  for (const physics::Contact& contact : contacts(a, X_WA, b, X_WB, range))
    nearest = std::min(nearest, contact.separation);
  return nearest;
}

}  // namespace tenon::runtime
