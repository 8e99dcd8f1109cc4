// Shapes with exact contacts as Bullet collision shapes.
#pragma once

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <variant>

#include "physics/collision/convex_part.h"
#include "physics/collision/revolved/capsule_contacts.h"
#include "physics/collision/revolved/revolved_geometry.h"
#include "physics/collision/revolved/revolved_polytope.h"
#include "physics/collision/revolved/sphere_contacts.h"

namespace tenon::physics::bullet {

/// z ≤ 0.
struct Plane {};

/// In its own frame, prepared for contact finding.
using ExactGeometry =
    std::variant<RevolvedGeometry, BlockGeometry, PolytopeGeometry, CapsuleGeometry, PlacedSphere, Plane>;

/// A geometry as btCollisionShape: type and bounds. Solids of revolution and blocks with holes have the
/// custom concave type, all others the custom convex type, so that Bullet dispatches their pairs to
/// RevolvedAlgorithm.
class ExactShape final : public btCollisionShape {
 public:
  /// `bounds` of the shape [m], in its own frame; empty for an unbounded shape.
  ExactShape(ExactGeometry geometry, const Bounds& bounds);
  const ExactGeometry& geometry() const { return geometry_; }
  /// True for solids of revolution and blocks with holes.
  bool isRevolved() const { return geometry_.index() < 2; }

  void getAabb(const btTransform& X, btVector3& low, btVector3& high) const override;
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "exact"; }
  void setMargin(btScalar) override {}
  btScalar getMargin() const override { return 0; }

 private:
  ExactGeometry geometry_;
  Bounds bounds_;
  btVector3 scaling_{1, 1, 1};
};

}  // namespace tenon::physics::bullet
