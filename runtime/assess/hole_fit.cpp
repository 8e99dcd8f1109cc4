// Looks through compounds for holes and for what is round about an axis.
#include "runtime/assess/hole_fit.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Shape;
using physics::Vector3d;

/// A cavity down to `depth` [m] as a bore with a lead-in: the bore is as wide as the narrowest place, the
/// lead-in ends where the cavity is first that narrow.
physics::RoundHole asHole(const physics::Cavity& cavity, double depth) {
  physics::RoundHole hole;
  hole.name = cavity.name;
  hole.depth = -cavity.profile.back().x();
  hole.radius = cavity.profile.front().y();
  for (std::size_t k = 1; k < cavity.profile.size(); ++k) {
    const Eigen::Vector2d& from = cavity.profile[k - 1];
    Eigen::Vector2d to = cavity.profile[k];
    if (-from.x() >= depth || !(to.x() < from.x())) continue;
    if (-to.x() > depth) to = from + (from.x() + depth) / (from.x() - to.x()) * (to - from);
    if (!(to.y() > 0 && to.y() < hole.radius)) continue;
    hole.radius = to.y();
    hole.chamferDepth = -to.x();
  }
  hole.chamferWidth = cavity.profile.front().y() - hole.radius;
  return hole;
}

std::optional<physics::RoundHole> findHole(const Shape& shape, const std::string& name, double depth) {
  if (const auto* block = std::get_if<physics::HoledBlock>(&shape)) {
    for (const physics::RoundHole& hole : block->holes)
      if (hole.name == name) return hole;
  } else if (const auto* bored = std::get_if<physics::BoredBlock>(&shape)) {
    for (const physics::Cavity& cavity : bored->cavities)
      if (cavity.name == name) return asHole(cavity, depth);
  } else if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children)
      if (auto hole = findHole(child.shape, name, depth)) return hole;
  }
  return std::nullopt;
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
  void operator()(const physics::Turned& t) const {
    if (!isOnAxis(false)) return;
    const auto behind = [&](const Eigen::Vector2d& zr) {
      return axis_.direction.dot(axis_.origin - X_ * Vector3d(0, 0, zr.x()));
    };
    for (std::size_t k = 1; k < t.profile.size(); ++k) {
      const double b0 = behind(t.profile[k - 1]), b1 = behind(t.profile[k]);
      const double r0 = t.profile[k - 1].y(), r1 = t.profile[k].y();
      if (std::min(b0, b1) > length_ - kSameLine || std::max(b0, b1) < kSameLine) continue;
      // The flank's radius where it enters and leaves the stretch.
      for (const double b : {std::clamp(b0, 0.0, length_), std::clamp(b1, 0.0, length_)})
        radius_ = std::max(radius_, b0 == b1 ? std::max(r0, r1) : r0 + (b - b0) / (b1 - b0) * (r1 - r0));
    }
  }
  void operator()(const physics::Compound& c) const {
    for (const physics::PlacedShape& child : c.children)
      std::visit(PegRadius(axis_, length_, X_ * child.X_PS, radius_), child.shape);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void take(double halfLength, double radius, bool anyDirection = false) const {
    if (!isOnAxis(anyDirection)) return;
    const double behind = -axis_.direction.dot(X_.p - axis_.origin);
    if (behind - halfLength > length_ - kSameLine || behind + halfLength < kSameLine) return;
    radius_ = std::max(radius_, radius);
  }
  bool isOnAxis(bool anyDirection) const {
    const bool parallel = axis_.direction.cross(X_.q * Vector3d::UnitZ()).norm() < kSameLine;
    const bool onAxis = axis_.direction.cross(X_.p - axis_.origin).norm() < kSameLine;
    return onAxis && (parallel || anyDirection);
  }

  const content::AxisFeature& axis_;
  double length_;
  Pose X_;
  double& radius_;
};

}  // namespace

std::optional<physics::RoundHole> holeOf(const content::Scene& scene, const content::Goal& goal) {
  return findHole(scene.parts[static_cast<std::size_t>(goal.into)].shape, goal.hole, goal.depth);
}

std::optional<double> pegDiameterOf(const content::Scene& scene, const content::Goal& goal) {
  const content::Part& part = scene.parts[static_cast<std::size_t>(goal.part)];
  const content::AxisFeature& axis = part.features[static_cast<std::size_t>(goal.feature)];
  double radius = 0;
  std::visit(PegRadius(axis, goal.depth, Pose(), radius), part.shape);
  return radius > 0 ? std::optional(2 * radius) : std::nullopt;
}

}  // namespace tenon::runtime
