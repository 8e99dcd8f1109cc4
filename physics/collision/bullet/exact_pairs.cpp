// The dispatcher finds the algorithm of each combination of shape types once; queries keep no state.
#include "physics/collision/bullet/exact_pairs.h"

#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <array>
#include <type_traits>
#include <utility>

#include "physics/collision/bullet/bullet_scale.h"
#include "physics/collision/bullet/exact_shape.h"
#include "physics/collision/bullet/revolved_algorithm.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::physics::bullet {
namespace {

// Appends Bullet's contact points to a ContactSet. Bullet's world is the frame of body i.
class Collector final : public btManifoldResult {
 public:
  Collector(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b, double range,
            const ExactPairs::Target& target)
      : btManifoldResult(a, b), target_(target) {
    m_closestPointDistanceThreshold = range * kPerMetre;
  }
  void setShapeIdentifiersA(int feature, int) override { feature_ = static_cast<std::uint32_t>(feature); }
  void addContactPoint(const btVector3& normalOnB, const btVector3& pointOnB, btScalar depth) override {
    Contact contact;
    contact.i = target_.i;
    contact.j = target_.j;
    contact.n = target_.X_WI.vector(-directionFromBullet(normalOnB));
    contact.separation = depth / kPerMetre;
    contact.p = target_.X_WI.point(fromBullet(pointOnB)) - 0.5 * contact.separation * contact.n;
    contact.feature = target_.key | feature_;
    target_.contacts.push_back(contact);
  }

 private:
  const ExactPairs::Target& target_;
  std::uint64_t feature_ = 0;
};

// A cylinder or frustum as a solid of revolution, if its profile is valid.
std::optional<ExactGeometry> roundGeometry(const SolidOfRevolution& solid) {
  if (problemWith(solid)) return std::nullopt;
  return prepare(solid);
}

std::optional<ExactGeometry> polytopeGeometry(const Polytope& polytope) {
  const std::size_t features = polytope.faces.size() + polytope.edges.size() + polytope.vertices.size();
  if (features > static_cast<std::size_t>(kMaxFeatures)) return std::nullopt;
  return prepare(polytope);
}

ExactGeometry capsuleGeometry(const Capsule& capsule) {
  if (capsule.halfLength > 0) return prepareCapsule(capsule.radius, capsule.halfLength);
  return PlacedSphere{Vector3d::Zero(), capsule.radius};
}

std::optional<ExactGeometry> geometryOf(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> std::optional<ExactGeometry> {
        if constexpr (std::is_same_v<S, SolidOfRevolution> || std::is_same_v<S, BlockWithHoles>)
          return prepare(s);
        if constexpr (std::is_same_v<S, Cylinder> || std::is_same_v<S, Frustum>)
          return roundGeometry(revolvedOf(s));
        if constexpr (std::is_same_v<S, Box>) return prepare(boxPolytope(s.halfExtents));
        if constexpr (std::is_same_v<S, Hull>) return polytopeGeometry(hullPolytope(s));
        if constexpr (std::is_same_v<S, Capsule>) return capsuleGeometry(s);
        if constexpr (std::is_same_v<S, Sphere>) return PlacedSphere{Vector3d::Zero(), s.radius};
        if constexpr (std::is_same_v<S, HalfSpace>) return Plane{};
        return std::nullopt;
      },
      shape);
}

}  // namespace

struct ExactSolid::Implementation {
  Implementation(ExactGeometry geometry, const Bounds& bounds, bool isRevolvedShape)
      : shape(std::move(geometry), bounds), isRevolvedByShape(isRevolvedShape) {
    object.setCollisionShape(&shape);
  }
  ExactShape shape;
  btCollisionObject object;
  bool isRevolvedByShape;
};

ExactSolid::ExactSolid(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ExactSolid::ExactSolid(ExactSolid&&) noexcept = default;
ExactSolid& ExactSolid::operator=(ExactSolid&&) noexcept = default;
ExactSolid::~ExactSolid() = default;

std::optional<ExactSolid> ExactSolid::of(const Shape& shape, const Bounds& bounds) {
  auto geometry = geometryOf(shape);
  if (!geometry) return std::nullopt;
  const bool isRevolved =
      std::holds_alternative<SolidOfRevolution>(shape) || std::holds_alternative<BlockWithHoles>(shape);
  return ExactSolid(std::make_unique<Implementation>(std::move(*geometry), bounds, isRevolved));
}

bool ExactSolid::hasExactContacts(const ExactSolid& a, const ExactSolid& b) {
  return (a.implementation_->isRevolvedByShape || b.implementation_->isRevolvedByShape) &&
         haveExactContacts(a.implementation_->shape.geometry(), b.implementation_->shape.geometry());
}

struct ExactPairs::Implementation {
  Implementation() : configuration(settings()), dispatcher(&configuration) {
    registerRevolvedAlgorithm(dispatcher, create);
    const Bounds none;
    const ExactShape revolved(RevolvedGeometry{}, none), other(Plane{}, none);
    for (const bool first : {true, false})
      for (const bool second : {true, false})
        if (first || second) find(first ? revolved : other, second ? revolved : other);
  }
  ~Implementation() {
    for (btCollisionAlgorithm* algorithm : algorithms) {
      if (!algorithm) continue;
      algorithm->~btCollisionAlgorithm();
      dispatcher.freeCollisionAlgorithm(algorithm);
    }
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  static btDefaultCollisionConstructionInfo settings() {
    btDefaultCollisionConstructionInfo info;
    info.m_customCollisionAlgorithmMaxElementSize = sizeof(RevolvedAlgorithm);
    // Queries keep no state: a few pool entries are enough.
    info.m_defaultMaxPersistentManifoldPoolSize = 1;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 8;
    return info;
  }
  static std::size_t slot(const ExactShape& a, const ExactShape& b) {
    return (a.isRevolved() ? 2U : 0U) + (b.isRevolved() ? 1U : 0U);
  }
  void find(const ExactShape& a, const ExactShape& b) {
    const btCollisionObjectWrapper one(nullptr, &a, nullptr, btTransform::getIdentity(), -1, -1);
    const btCollisionObjectWrapper two(nullptr, &b, nullptr, btTransform::getIdentity(), -1, -1);
    algorithms[slot(a, b)] = dispatcher.findAlgorithm(&one, &two, nullptr, BT_CLOSEST_POINT_ALGORITHMS);
  }

  RevolvedAlgorithm::CreateFunc create;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDispatcherInfo info;
  std::array<btCollisionAlgorithm*, 4> algorithms{};  // by slot()
};

ExactPairs::ExactPairs() : implementation_(std::make_unique<Implementation>()) {}
ExactPairs::~ExactPairs() = default;

void ExactPairs::findContacts(const ExactSolid& a, const RigidTransform& X_IA, const ExactSolid& b,
                              const RigidTransform& X_IB, double range, const Target& target) const {
  const ExactSolid::Implementation &one = *a.implementation_, &two = *b.implementation_;
  const btTransform X_one = toBullet(X_IA), X_two = toBullet(X_IB);
  const btCollisionObjectWrapper wrapperA(nullptr, &one.shape, &one.object, X_one, -1, -1);
  const btCollisionObjectWrapper wrapperB(nullptr, &two.shape, &two.object, X_two, -1, -1);
  Collector collector(&wrapperA, &wrapperB, range, target);
  implementation_->algorithms[Implementation::slot(one.shape, two.shape)]->processCollision(
      &wrapperA, &wrapperB, implementation_->info, &collector);
}

}  // namespace tenon::physics::bullet
