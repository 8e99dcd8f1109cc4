// From the shapes of a part to its outline about the goal's axis, and from that to the few sizes.
#include "runtime/assess/insertion_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "runtime/assess/hole_fit.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Shape;
using physics::Vector3d;

/// Depth at which a hole ends on the far side of its block [m]; none where it has a bottom.
std::optional<double> farEdge(const Shape& shape, const physics::RoundHole& hole) {
  if (const auto* block = std::get_if<physics::HoledBlock>(&shape)) {
    const double height = 2 * block->halfExtents.z();
    for (const physics::RoundHole& own : block->holes)
      if (own.name == hole.name) return own.depth >= height ? std::optional(height) : std::nullopt;
  } else if (const auto* bored = std::get_if<physics::BoredBlock>(&shape)) {
    for (const physics::Cavity& cavity : bored->cavities)
      if (cavity.name == hole.name) return cavity.through ? std::optional(hole.depth) : std::nullopt;
  } else if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children)
      if (const auto edge = farEdge(child.shape, hole)) return edge;
  }
  return std::nullopt;
}

/// A stretch of the part's outline: distances behind the tip [m] and radii there [m], s0 ≤ s1.
struct Flank {
  double s0 = 0, r0 = 0, s1 = 0, r1 = 0;
  bool round = false;
};

/// Two lines are one to within this, as in hole_fit.cpp [m], [rad].
constexpr double kSameLine = 1e-9;

/// Collects the flanks of all shapes that are round about an axis.
class Outline {
 public:
  Outline(const content::AxisFeature& axis, const Pose& X, std::vector<Flank>& flanks)
      : axis_(axis), X_(X), flanks_(flanks) {}

  void operator()(const physics::Cylinder& c) const {
    if (isOnAxis()) take(-c.halfLength, c.radius, c.halfLength, c.radius);
  }
  void operator()(const physics::Frustum& f) const {
    if (isOnAxis()) take(-f.halfLength, f.bottomRadius, f.halfLength, f.topRadius);
  }
  void operator()(const physics::Capsule& c) const {
    if (!isOnAxis()) return;
    take(-c.halfLength - c.radius, 0, -c.halfLength, c.radius, true);
    take(-c.halfLength, c.radius, c.halfLength, c.radius);
    take(c.halfLength, c.radius, c.halfLength + c.radius, 0, true);
  }
  void operator()(const physics::Sphere& s) const {
    if (axis_.direction.cross(X_.p - axis_.origin).norm() >= kSameLine) return;
    const double middle = -axis_.direction.dot(X_.p - axis_.origin);
    flanks_.push_back({middle - s.radius, 0, middle, s.radius, true});
    flanks_.push_back({middle, s.radius, middle + s.radius, 0, true});
  }
  void operator()(const physics::Turned& t) const {
    if (!isOnAxis()) return;
    for (std::size_t k = 1; k < t.profile.size(); ++k)
      take(t.profile[k - 1].x(), t.profile[k - 1].y(), t.profile[k].x(), t.profile[k].y());
  }
  void operator()(const physics::Compound& c) const {
    for (const physics::PlacedShape& child : c.children)
      std::visit(Outline(axis_, X_ * child.X_PS, flanks_), child.shape);
  }
  template <class Other>
  void operator()(const Other&) const {}

 private:
  bool isOnAxis() const {
    return axis_.direction.cross(X_.q * Vector3d::UnitZ()).norm() < kSameLine &&
           axis_.direction.cross(X_.p - axis_.origin).norm() < kSameLine;
  }
  /// From heights along the shape's own axis.
  void take(double z0, double r0, double z1, double r1, bool round = false) const {
    const auto behind = [&](double z) { return axis_.direction.dot(axis_.origin - X_ * Vector3d(0, 0, z)); };
    const double s0 = behind(z0), s1 = behind(z1);
    if (s0 <= s1)
      flanks_.push_back({s0, r0, s1, r1, round});
    else
      flanks_.push_back({s1, r1, s0, r0, round});
  }

  const content::AxisFeature& axis_;
  Pose X_;
  std::vector<Flank>& flanks_;
};

/// Where a flank is first wider than `radius` [m] behind the tip; infinite where it never is.
double widerAt(const Flank& f, double radius, double tolerance) {
  if (std::max(f.r0, f.r1) <= radius + tolerance) return std::numeric_limits<double>::infinity();
  if (f.r0 > radius || f.s1 - f.s0 <= tolerance) return f.s0;
  return f.s0 + (radius - f.r0) / (f.r1 - f.r0) * (f.s1 - f.s0);
}

void measureTip(const std::vector<Flank>& flanks, InsertionFit& fit) {
  const double tolerance = fit.onEdge();
  fit.tipLength = std::numeric_limits<double>::infinity();
  for (const Flank& f : flanks) {
    for (const auto& [s, r] : {std::pair(f.s0, f.r0), std::pair(f.s1, f.r1)}) {
      if (s < -tolerance) continue;
      if (s <= tolerance) fit.tipRadius = std::max(fit.tipRadius, std::min(r, fit.pegRadius));
      if (r >= fit.pegRadius - tolerance) fit.tipLength = std::min(fit.tipLength, std::max(s, 0.0));
    }
    if (f.round && std::abs(f.s0) <= tolerance) fit.roundTip = true;
  }
  if (!std::isfinite(fit.tipLength)) fit.tipLength = 0;
  for (const Flank& f : flanks)
    if (f.s1 > fit.tipLength)
      fit.head = std::min(fit.head, std::max(widerAt(f, fit.pegRadius, tolerance), fit.tipLength));
}

}  // namespace

InsertionFit insertionFitOf(const content::Scene& scene, const content::Goal& goal) {
  InsertionFit fit;
  if (const auto hole = holeOf(scene, goal)) {
    fit.boreRadius = hole->radius;
    fit.chamferWidth = hole->chamferWidth;
    fit.chamferDepth = hole->chamferDepth;
    const auto edge = farEdge(scene.parts[static_cast<std::size_t>(goal.into)].shape, *hole);
    fit.through = edge.has_value();
    fit.boreEnd = edge.value_or(hole->depth);
  }
  if (const auto diameter = pegDiameterOf(scene, goal)) {
    fit.pegRadius = 0.5 * *diameter;
    const content::Part& part = scene.parts[static_cast<std::size_t>(goal.part)];
    std::vector<Flank> flanks;
    std::visit(Outline(part.features[static_cast<std::size_t>(goal.feature)], Pose(), flanks), part.shape);
    measureTip(flanks, fit);
  }
  return fit;
}

}  // namespace tenon::runtime
