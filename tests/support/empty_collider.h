// A collider that never finds anything: for tests of motion alone.
#pragma once

#include "physics/collision/collider.h"

namespace tenon::tests {

class EmptyCollider : public physics::Collider {
 public:
  physics::BodyId addBody(const physics::Shape&, const physics::Vector3d&, bool) override {
    return physics::BodyId{count_++};
  }
  void findPairs(std::span<const physics::Pose>, std::span<const double>,
                 std::vector<physics::BodyPair>& pairs) override {
    pairs.clear();
  }
  void findContacts(physics::BodyPair, const physics::Pose&, const physics::Pose&, double,
                    physics::ContactSet&) const override {}
  bool isSeparated(physics::BodyPair, const physics::Pose&, const physics::Pose&, double) const override {
    return true;
  }
  bool isSatExact(physics::BodyPair) const override { return true; }
  double radius(physics::BodyId) const override { return 0.1; }
  double thickness(physics::BodyId) const override { return 0.1; }
  bool isConvex(physics::BodyId) const override { return true; }

 private:
  int count_ = 0;
};

}  // namespace tenon::tests
