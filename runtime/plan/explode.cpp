// See explode.h.
#include "runtime/plan/explode.h"

#include <algorithm>
#include <cmath>
#include <numbers>
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
/// Duration of a step of the animation, and of its share before the insertion; pauses at both ends [s].
constexpr double kStepTime = 1.5, kApproachTime = 0.6, kAnimationPause = 0.5;
/// Rotation of a screw between two keys [rad].
constexpr double kKeyTurn = std::numbers::pi / 2;

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
      const Vector3d along = neighborOffset(moving, present);
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

/// The steps that move a part, in their order.
std::vector<std::size_t> stepsOf(const AssemblyPlan& plan, int part) {
  std::vector<std::size_t> steps;
  const int unit = plan.assembly.unitOf(part);
  for (std::size_t k = 0; k < plan.steps.size(); ++k)
    if (std::find(plan.steps[k].units.begin(), plan.steps[k].units.end(), unit) != plan.steps[k].units.end())
      steps.push_back(k);
  return steps;
}

/// A line as a thin cylinder.
content::Part lineBetween(const Vector3d& from, const Vector3d& to, double diameter, std::string name) {
  content::Part line;
  line.name = std::move(name);
  line.motion = physics::MotionType::fixed;
  line.shape = physics::Cylinder{0.5 * diameter, 0.5 * (to - from).norm()};
  line.X_WP = {physics::shortestRotation(Vector3d::UnitZ(), to - from), 0.5 * (from + to)};
  return line;
}

/// Poses of one part in the animation.
class PartAnimation {
 public:
  PartAnimation(const AssemblyPlan& plan, const Explosion& explosion, int part)
      : plan_(plan), X_WP_(plan.assembly.X_WP[static_cast<std::size_t>(part)]) {
    waiting_ = X_WP_;
    for (const std::size_t step : stepsOf(plan, part)) {
      rest_ += explosion[step];
      const double thread = threadOf(plan.steps[step], explosion[step]);
      if (thread > 0) waiting_.q = turned(plan.steps[step].motion, thread, thread).q;
    }
    add(0, waiting_);
    for (const std::size_t step : stepsOf(plan, part)) carry(step, explosion[step]);
    if (motion_.times.size() > 1)
      add(2 * kAnimationPause + kStepTime * static_cast<double>(plan.steps.size()), X_WP_);
  }

  content::GlbAnimation finish() { return std::move(motion_); }

 private:
  /// The pose plus what later steps still have to bring.
  void add(double time, const Pose& X) {
    motion_.times.push_back(time);
    motion_.poses.push_back({X.q, X.p + rest_});
  }

  void carry(std::size_t index, const Vector3d& shift) {
    const PlanStep& step = plan_.steps[index];
    const double start = kAnimationPause + kStepTime * static_cast<double>(index);
    add(start, waiting_);
    rest_ -= shift;
    const double travel = travelOf(step, shift), thread = threadOf(step, shift);
    const Pose entry = poseAlong(unturned(step.motion), waiting_, travel);
    add(start + kApproachTime, entry);
    const double end = start + kStepTime;
    const double turn = thread > 0 ? 2 * std::numbers::pi * thread / std::abs(step.motion.pitch) : 0;
    const int keys = std::max(1, static_cast<int>(std::ceil(turn / kKeyTurn)));
    // The straight part of the insertion takes half of its time where there is a thread.
    const double mouth = thread > 0 ? 0.5 * (start + kApproachTime + end) : start + kApproachTime;
    if (thread > 0) add(mouth, turned(step.motion, thread, thread));
    for (int k = 1; k <= keys; ++k) {
      const double share = static_cast<double>(k) / keys;
      add(mouth + share * (end - mouth),
          turned(step.motion, (1 - share) * (thread > 0 ? thread : travel), thread));
    }
    waiting_ = X_WP_;
  }

  static double travelOf(const PlanStep& step, const Vector3d& shift) {
    return std::min(step.travel, shift.norm());
  }
  static double threadOf(const PlanStep& step, const Vector3d& shift) {
    return step.motion.pitch != 0 ? std::min(step.motion.thread, travelOf(step, shift)) : 0;
  }

  static RemovalMotion unturned(RemovalMotion motion) {
    motion.pitch = 0;
    return motion;
  }

  /// At a travel from the place, turned by that in a thread.
  Pose turned(const RemovalMotion& motion, double travel, double thread) const {
    Pose X = poseAlong(unturned(motion), X_WP_, travel);
    if (thread <= 0) return X;
    const double turns = travel / motion.pitch;
    X.q = (physics::exponential(2 * std::numbers::pi * turns * motion.direction) * X_WP_.q).normalized();
    return X;
  }

  const AssemblyPlan& plan_;
  const Pose& X_WP_;
  Pose waiting_;                      ///< the place with the orientation before the insertion
  Vector3d rest_ = Vector3d::Zero();  ///< shifts of the steps that have not begun
  content::GlbAnimation motion_;
};

}  // namespace

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
    for (const std::size_t step : stepsOf(plan, static_cast<int>(k))) part.X_WP.p += explosion[step];
    if (part.X_WP.p != assembly.X_WP[k].p)
      lines.emplace_back(from, from + (part.X_WP.p - assembly.X_WP[k].p));
    scene.parts.push_back(std::move(part));
  }
  for (std::size_t k = 0; k < lines.size(); ++k)
    scene.parts.push_back(lineBetween(lines[k].first, lines[k].second, kLineShare * extent.sizes().maxCoeff(),
                                      "line " + std::to_string(k + 1)));
  return scene;
}

std::vector<content::GlbAnimation> assemblyAnimation(const AssemblyPlan& plan, const Explosion& explosion) {
  std::vector<content::GlbAnimation> motions;
  for (int part = 0; part < static_cast<int>(plan.assembly.X_WP.size()); ++part)
    motions.push_back(PartAnimation(plan, explosion, part).finish());
  return motions;
}

}  // namespace tenon::runtime
