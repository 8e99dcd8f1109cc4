// A collider that counts contact queries.
#pragma once

#include <vector>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::tests {

class CountingCollider final : public physics::Collider {
 public:
  physics::BodyId addBody(const physics::Shape& shape, const physics::Vector3d& p_CP, bool canMove) override {
    return collider_->addBody(shape, p_CP, canMove);
  }
  void findPairs(std::span<const physics::Pose> X_WC, std::span<const double> searchMargin,
                 std::vector<physics::BodyPair>& pairs) override {
    collider_->findPairs(X_WC, searchMargin, pairs);
  }
  void findContacts(physics::BodyPair pair, const physics::Pose& X_WI, const physics::Pose& X_WJ,
                    double range, physics::ContactSet& contacts) const override {
    ++count;
    ranges.push_back(range);
    collider_->findContacts(pair, X_WI, X_WJ, range, contacts);
  }
  bool isSeparated(physics::BodyPair pair, const physics::Pose& X_WI, const physics::Pose& X_WJ,
                   double distance) const override {
    return collider_->isSeparated(pair, X_WI, X_WJ, distance);
  }
  bool isSatExact(physics::BodyPair pair) const override { return collider_->isSatExact(pair); }
  double radius(physics::BodyId body) const override { return collider_->radius(body); }
  double thickness(physics::BodyId body) const override { return collider_->thickness(body); }
  bool isConvex(physics::BodyId body) const override { return collider_->isConvex(body); }

  mutable int count = 0;
  mutable std::vector<double> ranges;  ///< of the queries [m]

 private:
  std::unique_ptr<physics::Collider> collider_ = physics::makeBulletCollider();
};

}  // namespace tenon::tests
