// See explode.h.
#include "runtime/plan/explode.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Gap between two bounds in the exploded state, of the size of the assembly, and at least [m].
constexpr double kGapShare = 0.06, kMinGap = 2e-3;
/// Surfaces of neighbors [m].
constexpr double kNeighbor = 0.5e-3;
/// Diameter of the lines, of the size of the assembly.
constexpr double kLineShare = 0.004;
/// Shortest part of a line that is drawn [m].
constexpr double kMinLine = 1e-5;

class Exploder {
 public:
  Exploder(const AssemblyPlan& plan, PartDistance& distance)
      : plan_(plan), assembly_(plan.assembly), distance_(distance) {
    for (std::size_t k = 0; k < assembly_.X_WP.size(); ++k) {
      boxes_.push_back(worldBounds(assembly_.scene->parts[k], assembly_.X_WP[k]));
      if (isBounded(k)) extent.extend(boxes_[k]);
    }
    offsets_.assign(assembly_.X_WP.size(), Vector3d::Zero());
  }

  Explosion run() {
    const double gap = std::max(kMinGap, kGapShare * extent.sizes().maxCoeff());
    Explosion explosion;
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      const std::vector<int> moving = partsOf(plan_.steps[k].units), present = presentAt(k);
      const Vector3d& d = plan_.steps[k].motion.direction;
      const Vector3d along = neighborOffset(moving, present) + shiftOf(plan_.steps[k]);
      double travel = 0;
      for (const int part : moving)
        for (const int other : present) {
          const auto interval = overlapInterval(boxAt(part).translated(along), boxAt(other), d);
          if (interval && std::isfinite(interval->second)) travel = std::max(travel, interval->second);
        }
      explosion.push_back(along + (travel + gap) * d);
      for (const int part : moving) offsets_[static_cast<std::size_t>(part)] += explosion.back();
    }
    return explosion;
  }

  Eigen::AlignedBox3d extent;  ///< of the assembled parts

 private:
  /// Displacement of the lead's center by the legs.
  Vector3d shiftOf(const PlanStep& step) const {
    const Pose& place = poseOf(step.lead);
    const Vector3d center = assembly_.scene->part(step.lead).mass.center;
    return poseAfter(step.legs, assembly_.unitOf(step.lead), place) * center - place * center;
  }

  bool isBounded(std::size_t part) const {
    return !std::holds_alternative<physics::HalfSpace>(assembly_.scene->parts[part].shape);
  }

  Eigen::AlignedBox3d boxAt(int part) const {
    return boxes_[static_cast<std::size_t>(part)].translated(offsets_[static_cast<std::size_t>(part)]);
  }

  std::vector<int> partsOf(const std::vector<int>& units) const {
    std::vector<int> parts;
    for (const int unit : units) {
      const std::vector<int>& own = assembly_.units[static_cast<std::size_t>(unit)].parts;
      parts.insert(parts.end(), own.begin(), own.end());
    }
    return parts;
  }

  /// Parts that are in place when a step begins, in its group.
  std::vector<int> presentAt(std::size_t step) const {
    const PlanStep& of = plan_.steps[step];
    std::vector<int> present = of.onto >= 0 ? partsOf({of.onto}) : assembly_.base;
    for (std::size_t k = 0; k < step; ++k) {
      if (plan_.steps[k].group != of.group) continue;
      const std::vector<int> parts = partsOf(plan_.steps[k].units);
      present.insert(present.end(), parts.begin(), parts.end());
    }
    return present;
  }

  /// Of the neighbor that was moved farthest.
  Vector3d neighborOffset(const std::vector<int>& moving, const std::vector<int>& present) {
    Vector3d farthest = Vector3d::Zero();
    for (const int part : moving)
      for (const int other : present) {
        const Vector3d& offset = offsets_[static_cast<std::size_t>(other)];
        if (offset.norm() <= farthest.norm()) continue;
        if (distance_.separation(part, poseOf(part), other, poseOf(other), kNeighbor) < kNeighbor)
          farthest = offset;
      }
    return farthest;
  }

  const Pose& poseOf(int part) const { return assembly_.X_WP[static_cast<std::size_t>(part)]; }

  const AssemblyPlan& plan_;
  const Assembly& assembly_;
  PartDistance& distance_;
  std::vector<Eigen::AlignedBox3d> boxes_;  ///< by part, assembled
  std::vector<Vector3d> offsets_;           ///< by part, of the steps so far
};

/// A line as a thin cylinder.
content::Part lineBetween(const Vector3d& from, const Vector3d& to, double diameter, std::string name) {
  content::Part line;
  line.name = std::move(name);
  line.motion = physics::MotionType::fixed;
  line.shape = physics::Cylinder{0.5 * diameter, 0.5 * (to - from).norm()};
  line.X_WP = {physics::shortestRotation(Vector3d::UnitZ(), to - from), 0.5 * (from + to)};
  return line;
}

/// Where a line from the part's place turns, along the legs of a step.
std::vector<Vector3d> cornersOf(const AssemblyPlan& plan, std::size_t step, int part, const Vector3d& from) {
  const std::vector<PathLeg>& legs = plan.steps[step].legs;
  const Pose& place = plan.assembly.X_WP[static_cast<std::size_t>(part)];
  const Vector3d center = place.inverse() * worldBounds(plan.assembly.scene->part(part), place).center();
  std::vector<Vector3d> corners;
  Vector3d last = from;
  for (std::size_t k = 1; k <= legs.size(); ++k) {
    const Pose X = poseAfter({legs.begin(), legs.begin() + static_cast<std::ptrdiff_t>(k)},
                             plan.assembly.unitOf(part), place);
    const Vector3d corner = from + (X * center - place * center);
    if ((corner - last).norm() > kMinLine) corners.push_back(corner);
    if (!corners.empty()) last = corners.back();
  }
  return corners;
}

}  // namespace

std::vector<std::size_t> stepsOf(const AssemblyPlan& plan, int part) {
  std::vector<std::size_t> steps;
  const int unit = plan.assembly.unitOf(part);
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (std::find(plan.steps[k].units.begin(), plan.steps[k].units.end(), unit) != plan.steps[k].units.end())
      steps.push_back(k);
  return steps;
}

Explosion explosionOf(const AssemblyPlan& plan, PartDistance& distance) {
  return Exploder(plan, distance).run();
}

content::Scene explodedScene(const AssemblyPlan& plan, const Explosion& explosion) {
  const Assembly& assembly = plan.assembly;
  content::Scene scene = *assembly.scene;
  scene.hands.clear();
  scene.goals.clear();
  scene.joints.clear();
  scene.parts.clear();
  Eigen::AlignedBox3d extent;
  std::vector<std::pair<Vector3d, Vector3d>> lines;
  for (std::size_t k = 0; k < assembly.X_WP.size(); ++k) {
    content::Part part = assembly.scene->parts[k];
    if (std::holds_alternative<physics::HalfSpace>(part.shape)) continue;
    part.X_WP = assembly.X_WP[k];
    extent.extend(worldBounds(part, part.X_WP));
    const Vector3d from = worldBounds(part, part.X_WP).center();
    Vector3d corner = from;
    for (const std::size_t step : stepsOf(plan, static_cast<int>(k))) {
      part.X_WP.p += explosion[step];
      for (const Vector3d& next : cornersOf(plan, step, static_cast<int>(k), corner)) {
        lines.emplace_back(corner, next);
        corner = next;
      }
    }
    const Vector3d end = from + (part.X_WP.p - assembly.X_WP[k].p);
    if (end != corner) lines.emplace_back(corner, end);
    scene.parts.push_back(std::move(part));
  }
  for (std::size_t k = 0; k < lines.size(); ++k)
    scene.parts.push_back(lineBetween(lines[k].first, lines[k].second, kLineShare * extent.sizes().maxCoeff(),
                                      "line " + std::to_string(k + 1)));
  return scene;
}

}  // namespace tenon::runtime
