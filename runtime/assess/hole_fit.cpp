// Looks through compounds for holes and for what is round about an axis.
#include "runtime/assess/hole_fit.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Shape;
using physics::Vector3d;

const physics::RoundHole* findHole(const Shape& shape, const std::string& name) {
  if (const auto* block = std::get_if<physics::HoledBlock>(&shape)) {
    for (const physics::RoundHole& hole : block->holes)
      if (hole.name == name) return &hole;
  }
  if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children)
      if (const auto* hole = findHole(child.shape, name)) return hole;
  }
  return nullptr;
}

/// Two lines are one to within this: far above the rounding of poses, far below any fit [m], [rad].
constexpr double kSameLine = 1e-9;

/// Finds the largest radius about an axis, between its origin and `length` behind it.
class PegRadius {
 public:
  PegRadius(const content::AxisFeature& axis, double length, const Pose& X, double& radius)
      : axis_(axis), length_(length), X_(X), radius_(radius) {}

  void operator()(const physics::Cylinder& c) const { take(c.halfLength, c.radius); }
  void operator()(const physics::Capsule& c) const { take(c.halfLength + c.radius, c.radius); }
  void operator()(const physics::Frustum& f) const {
    take(f.halfLength, std::max(f.bottomRadius, f.topRadius));
  }
  void operator()(const physics::Sphere& s) const { take(s.radius, s.radius, true); }
  void operator()(const physics::Compound& c) const {
    for (const physics::PlacedShape& child : c.children)
      std::visit(PegRadius(axis_, length_, X_ * child.X_PS, radius_), child.shape);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void take(double halfLength, double radius, bool anyDirection = false) const {
    const Vector3d offset = X_.p - axis_.origin;
    const bool parallel = axis_.direction.cross(X_.q * Vector3d::UnitZ()).norm() < kSameLine;
    const bool onAxis = axis_.direction.cross(offset).norm() < kSameLine;
    if (!onAxis || !(parallel || anyDirection)) return;
    const double behind = -axis_.direction.dot(offset);
    if (behind - halfLength > length_ - kSameLine || behind + halfLength < kSameLine) return;
    radius_ = std::max(radius_, radius);
  }

  const content::AxisFeature& axis_;
  double length_;
  Pose X_;
  double& radius_;
};

}  // namespace

std::optional<physics::RoundHole> holeOf(const content::Scene& scene, const content::Goal& goal) {
  const auto* hole = findHole(scene.parts[static_cast<std::size_t>(goal.into)].shape, goal.hole);
  return hole ? std::optional(*hole) : std::nullopt;
}

std::optional<double> pegDiameterOf(const content::Scene& scene, const content::Goal& goal) {
  const content::Part& part = scene.parts[static_cast<std::size_t>(goal.part)];
  const content::AxisFeature& axis = part.features[static_cast<std::size_t>(goal.feature)];
  double radius = 0;
  std::visit(PegRadius(axis, goal.depth, Pose(), radius), part.shape);
  return radius > 0 ? std::optional(2 * radius) : std::nullopt;
}

}  // namespace tenon::runtime
