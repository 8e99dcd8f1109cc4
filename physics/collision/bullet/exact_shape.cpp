// Types and bounds of exact shapes.
#include "physics/collision/bullet/exact_shape.h"

#include <utility>

#include "physics/collision/bullet/bullet_scale.h"

namespace tenon::physics::bullet {

ExactShape::ExactShape(ExactGeometry geometry, const Bounds& outline)
    : geometry_(std::move(geometry)), outline_(outline) {
  m_shapeType = isRevolved() ? CUSTOM_CONCAVE_SHAPE_TYPE : CUSTOM_CONVEX_SHAPE_TYPE;
}

void ExactShape::getAabb(const btTransform& X, btVector3& low, btVector3& high) const {
  constexpr double kEndless = 1e18;  // Bullet's own word for it [mm]
  low.setValue(-kEndless, -kEndless, -kEndless);
  high = -low;
  if (!(outline_.low.allFinite() && outline_.high.allFinite())) return;
  const btVector3 half = toBullet(0.5 * (outline_.high - outline_.low));
  const btVector3 center = X(toBullet(0.5 * (outline_.high + outline_.low)));
  const btVector3 reach =
      half.dot3(X.getBasis()[0].absolute(), X.getBasis()[1].absolute(), X.getBasis()[2].absolute());
  low = center - reach;
  high = center + reach;
}

}  // namespace tenon::physics::bullet
