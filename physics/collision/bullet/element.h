// A shape of a body as Bullet sees it.
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "physics/collision/brep/solid.h"
#include "physics/collision/convex_part.h"
#include "physics/collision/revolved/capsule_contacts.h"
#include "physics/collision/revolved/revolved_geometry.h"
#include "physics/collision/revolved/revolved_polytope.h"
#include "physics/collision/revolved/sphere_contacts.h"
#include "physics/collision/thread/tooth.h"

namespace tenon::physics::bullet {

/// z ≤ 0.
struct Plane {};

/// A shape in its own frame, prepared for exact contacts. Empty if only its convex parts have contacts.
using ExactGeometry = std::variant<std::monostate, RevolvedGeometry, BlockGeometry, PolytopeGeometry,
                                   CapsuleGeometry, PlacedSphere, Plane>;

/// Bullet's shape types of the elements, by the index of their geometry. kRound: a cylinder or frustum, which
/// counts as a solid of revolution only in pairs with kRevolved and kBlock.
enum ElementType : int {
  kConvexParts,
  kRevolved,
  kBlock,
  kPolytope,
  kCapsule,
  kSphere,
  kHalfSpace,
  kRound,
  kExternalThread,  ///< a solid of revolution, but for pairs with kInternalThread
  kInternalThread,  ///< likewise
  kBoundarySolid,   ///< has contacts on its own faces with all others; kBlock and kConvexParts have, too
};

static_assert(std::is_same_v<std::variant_alternative_t<kRevolved, ExactGeometry>, RevolvedGeometry> &&
              std::is_same_v<std::variant_alternative_t<kBlock, ExactGeometry>, BlockGeometry> &&
              std::is_same_v<std::variant_alternative_t<kPolytope, ExactGeometry>, PolytopeGeometry> &&
              std::is_same_v<std::variant_alternative_t<kCapsule, ExactGeometry>, CapsuleGeometry> &&
              std::is_same_v<std::variant_alternative_t<kSphere, ExactGeometry>, PlacedSphere> &&
              std::is_same_v<std::variant_alternative_t<kHalfSpace, ExactGeometry>, Plane>);

/// The solids of all elements of a collider: equal shapes share one.
class SharedSolids {
 public:
  /// Throws std::invalid_argument as brep::solidOf().
  std::shared_ptr<const brep::Solid> solidOf(const std::shared_ptr<const Shape>& shape);

 private:
  /// Of a BoundarySolid.
  struct Prepared {
    std::shared_ptr<const Shape> shape;
    std::shared_ptr<const brep::Solid> solid;
  };
  std::vector<Prepared> prepared_;
};

/// A shape other than a compound. The types of two elements determine how Bullet's dispatcher finds their
/// contacts.
struct Element final : btCollisionShape {
  /// Throws std::invalid_argument for solids of revolution, blocks with holes and polyhedra that cannot be
  /// made.
  explicit Element(const Shape& shape);
  bool isHalfSpace() const { return getShapeType() == kHalfSpace; }
  /// Prepares `solid`, unless it is there. Throws std::invalid_argument as brep::solidOf().
  void makeSolid(SharedSolids& solids);

  ExactGeometry geometry;
  std::shared_ptr<const ThreadGeometry> thread;  ///< of a solid of revolution with a thread
  /// Its faces, edges and vertices, in its own frame; null before makeSolid().
  std::shared_ptr<const brep::Solid> solid;
  std::size_t first = 0, last = 0;  ///< its convex parts, [first, last) of the body's
  Bounds bounds;                    ///< body frame [m]; empty for a half-space
  RigidTransform X_CE;              ///< of its frame in the body's

  /// Unbounded: bounds are compared before a pair is dispatched.
  void getAabb(const btTransform&, btVector3& low, btVector3& high) const override;
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override;
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "element"; }
  void setMargin(btScalar) override {}
  btScalar getMargin() const override { return 0; }

 private:
  std::shared_ptr<const Shape> shape_;  ///< until makeSolid()
};

}  // namespace tenon::physics::bullet
