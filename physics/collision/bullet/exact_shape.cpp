// Types and bounds of exact shapes.
#include "physics/collision/bullet/exact_shape.h"

#include <utility>

#include "physics/collision/bullet/bullet_scale.h"

namespace tenon::physics::bullet {

ExactShape::ExactShape(ExactGeometry geometry, const Bounds& bounds)
    : geometry_(std::move(geometry)), bounds_(bounds) {
  m_shapeType = isRevolved() ? CUSTOM_CONCAVE_SHAPE_TYPE : CUSTOM_CONVEX_SHAPE_TYPE;
}

void ExactShape::getAabb(const btTransform& X, btVector3& low, btVector3& high) const {
  constexpr double kUnbounded = 1e18;  // Bullet's convention [mm]
  low.setValue(-kUnbounded, -kUnbounded, -kUnbounded);
  high = -low;
  if (!(bounds_.low.allFinite() && bounds_.high.allFinite())) return;
  const btVector3 half = toBullet(0.5 * (bounds_.high - bounds_.low));
  const btVector3 center = X(toBullet(0.5 * (bounds_.high + bounds_.low)));
  const btVector3 halfExtent =
      half.dot3(X.getBasis()[0].absolute(), X.getBasis()[1].absolute(), X.getBasis()[2].absolute());
  low = center - halfExtent;
  high = center + halfExtent;
}

}  // namespace tenon::physics::bullet
