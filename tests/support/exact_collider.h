// Contacts that can be written down: a small collider for tests, and a referee for the real one.
#pragma once

#include "physics/collision/collider.h"

namespace tenon::tests {

/// Supports these pairs, each exactly, with one contact for a sphere and one per corner for a box:
/// - Sphere and Sphere;
/// - Sphere or Box and HalfSpace;
/// - Sphere in a Cylinder, which is taken for an endless hollow trough along its z.
/// Other pairs never touch.
class ExactCollider : public physics::Collider {
 public:
  physics::BodyId addBody(const physics::Shape& shape, const physics::Vector3d& p_CP, bool canMove) override;
  void findPairs(std::span<const physics::Pose> X_WC, std::span<const double> searchMargin,
                 std::vector<physics::BodyPair>& pairs) override;
  void findContacts(physics::BodyPair pair, const physics::Pose& X_WI, const physics::Pose& X_WJ,
                    double range, physics::ContactSet& contacts) const override;
  bool isSeparated(physics::BodyPair, const physics::Pose&, const physics::Pose&, double) const override {
    return false;
  }
  bool isSatExact(physics::BodyPair) const override { return false; }
  double radius(physics::BodyId body) const override;
  double thickness(physics::BodyId body) const override { return radius(body); }
  bool isConvex(physics::BodyId body) const override {
    return !std::holds_alternative<physics::Cylinder>(bodies_[static_cast<std::size_t>(body.value)].shape);
  }

 private:
  struct Body {
    physics::Shape shape;
    physics::Vector3d p_CP;
    bool canMove = false;
  };
  std::vector<Body> bodies_;
};

}  // namespace tenon::tests
