// Bounds by the support function of each placed shape along the axes.
#include "xr/interaction/part_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::xr {

namespace {

using Eigen::AlignedBox3d;
using physics::Pose;
using physics::Vector3d;

AlignedBox3d boxAround(const Vector3d& center, const Vector3d& halfExtents) {
  return {center - halfExtents, center + halfExtents};
}

/// A disc of `radius` about `center` with unit normal `axis` extends radius·√(1 − a_k²) along axis k.
AlignedBox3d disc(const Vector3d& center, const Vector3d& axis, double radius) {
  return boxAround(center, radius * (Vector3d::Ones() - axis.cwiseAbs2()).cwiseMax(0).cwiseSqrt());
}

/// Visitor that extends a box by a shape at pose `X`.
class ShapeBounds {
 public:
  ShapeBounds(AlignedBox3d& box, const Pose& X) : box_(box), X_(X), z_(X.q * Vector3d::UnitZ()) {}

  void operator()(const physics::Box& b) const { cuboid(b.halfExtents); }
  void operator()(const physics::FacetedBlock& b) const { cuboid(b.halfExtents); }
  void operator()(const physics::BlockWithHoles& b) const { cuboid(b.halfExtents); }
  void operator()(const physics::SolidOfRevolution& t) const {
    for (const Eigen::Vector2d& zr : t.profile) box_.extend(disc(X_.p + zr.x() * z_, z_, zr.y()));
  }
  void operator()(const physics::Sphere& s) const {
    box_.extend(boxAround(X_.p, Vector3d::Constant(s.radius)));
  }
  void operator()(const physics::Cylinder& c) const { discs(c.halfLength, c.radius, c.radius); }
  void operator()(const physics::Frustum& f) const { discs(f.halfLength, f.bottomRadius, f.topRadius); }
  void operator()(const physics::Capsule& c) const {
    for (const double end : {-c.halfLength, c.halfLength})
      box_.extend(boxAround(X_.p + end * z_, Vector3d::Constant(c.radius)));
  }
  void operator()(const physics::Hull& h) const {
    for (const Vector3d& vertex : h.vertices) box_.extend(X_ * vertex);
  }
  void operator()(const physics::BoundarySolid& p) const {
    for (const Vector3d& vertex : p.vertices) box_.extend(X_ * vertex);
  }
  void operator()(const physics::HalfSpace&) const {
    const double infinity = std::numeric_limits<double>::infinity();
    Vector3d low = Vector3d::Constant(-infinity), high = Vector3d::Constant(infinity);
    for (int k = 0; k < 3; ++k) {
      if (z_[k] == 1.0) high[k] = X_.p[k];
      if (z_[k] == -1.0) low[k] = X_.p[k];
    }
    box_.extend(AlignedBox3d(low, high));
  }
  void operator()(const physics::Compound& c) const {
    for (const physics::PlacedShape& child : c.children)
      std::visit(ShapeBounds(box_, X_ * child.X_PS), child.shape);
  }

 private:
  void cuboid(const Vector3d& halfExtents) const {
    box_.extend(boxAround(X_.p, X_.q.toRotationMatrix().cwiseAbs() * halfExtents));
  }
  void discs(double halfLength, double bottom, double top) const {
    box_.extend(disc(X_.p - halfLength * z_, z_, bottom));
    box_.extend(disc(X_.p + halfLength * z_, z_, top));
  }

  AlignedBox3d& box_;
  Pose X_;
  Vector3d z_;
};

}  // namespace

Eigen::AlignedBox3d boundsOf(const physics::Shape& shape) {
  AlignedBox3d box;
  std::visit(ShapeBounds(box, Pose()), shape);
  return box;
}

}  // namespace tenon::xr
