// Geometry and type of each kind of shape.
#include "physics/collision/bullet/element.h"

#include <algorithm>
#include <type_traits>

#include "physics/collision/brep/prepared_solid.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::physics::bullet {
namespace {

// A cylinder or frustum as a solid of revolution, if its profile is valid.
ExactGeometry roundGeometry(const SolidOfRevolution& solid) {
  if (problemWith(solid)) return {};
  return prepare(solid);
}

ExactGeometry polytopeGeometry(const Polytope& polytope) {
  const std::size_t features = polytope.faces.size() + polytope.edges.size() + polytope.vertices.size();
  if (features > static_cast<std::size_t>(kMaxFeatures)) return {};
  return prepare(polytope);
}

ExactGeometry capsuleGeometry(const Capsule& capsule) {
  if (capsule.halfLength > 0) return prepareCapsule(capsule.radius, capsule.halfLength);
  return PlacedSphere{Vector3d::Zero(), capsule.radius};
}

ExactGeometry exactGeometryOf(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> ExactGeometry {
        if constexpr (std::is_same_v<S, SolidOfRevolution> || std::is_same_v<S, BlockWithHoles>)
          return prepare(s);
        if constexpr (std::is_same_v<S, Cylinder> || std::is_same_v<S, Frustum>)
          return roundGeometry(revolvedOf(s));
        if constexpr (std::is_same_v<S, Box>) return prepare(boxPolytope(s.halfExtents));
        if constexpr (std::is_same_v<S, Hull>) return polytopeGeometry(hullPolytope(s));
        if constexpr (std::is_same_v<S, Capsule>) return capsuleGeometry(s);
        if constexpr (std::is_same_v<S, Sphere>) return PlacedSphere{Vector3d::Zero(), s.radius};
        if constexpr (std::is_same_v<S, HalfSpace>) return Plane{};
        return {};
      },
      shape);
}

}  // namespace

Element::Element(const Shape& shape)
    : geometry(exactGeometryOf(shape)), shape_(std::make_shared<const Shape>(shape)) {
  m_shapeType = static_cast<int>(geometry.index());
  if (m_shapeType == kRevolved && !std::holds_alternative<SolidOfRevolution>(shape)) m_shapeType = kRound;
  const auto* turned = std::get_if<SolidOfRevolution>(&shape);
  if (turned != nullptr && turned->thread) {
    thread = std::make_shared<const ThreadGeometry>(prepareThread(*turned->thread));
    m_shapeType = turned->thread->isInternal ? kInternalThread : kExternalThread;
  }
  if (!std::holds_alternative<BoundarySolid>(shape)) return;
  m_shapeType = kBoundarySolid;
}

void Element::makeSolid(SharedSolids& solids) {
  if (solid) return;
  solid = solids.solidOf(shape_);
  shape_.reset();
}

std::shared_ptr<const brep::Solid> SharedSolids::solidOf(const std::shared_ptr<const Shape>& shape) {
  const auto* boundary = std::get_if<BoundarySolid>(shape.get());
  if (boundary != nullptr)
    for (const Prepared& other : prepared_)
      if (brep::isSameBoundary(*boundary, std::get<BoundarySolid>(*other.shape))) return other.solid;
  auto solid = brep::sharedSolidOf(*shape);
  if (boundary != nullptr) prepared_.push_back({shape, solid});
  return solid;
}

void Element::getAabb(const btTransform&, btVector3& low, btVector3& high) const {
  high.setValue(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
  low = -high;
}

const btVector3& Element::getLocalScaling() const {
  static const btVector3 one(1, 1, 1);
  return one;
}

}  // namespace tenon::physics::bullet
