// The animation of a plan: see explode.h.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "runtime/plan/explode.h"
#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Duration of a step, of its share before the insertion, and of each leg of a path [s]; legs together take
/// at most kLegsTime. Pauses at both ends.
constexpr double kStepTime = 1.5, kApproachTime = 0.6, kLegTime = 0.6, kLegsTime = 6, kAnimationPause = 0.5;
/// Rotation between two keys [rad].
constexpr double kKeyTurn = std::numbers::pi / 2;

double legsTime(const PlanStep& step) {
  return std::min(kLegsTime, kLegTime * static_cast<double>(step.legs.size()));
}

/// The start of a step [s]; of the one after the last: the end of all.
double startOf(const AssemblyPlan& plan, std::size_t step) {
  double time = kAnimationPause;
  for (std::size_t k = 0; k < step; ++k) time += kStepTime + legsTime(plan.steps[k]);
  return time;
}

/// Poses of one part.
class PartAnimation {
 public:
  PartAnimation(const AssemblyPlan& plan, const Explosion& explosion, int part)
      : plan_(plan),
        unit_(plan.assembly.unitOf(part)),
        X_WP_(plan.assembly.X_WP[static_cast<std::size_t>(part)]) {
    const Vector3d center = X_WP_.inverse() * worldBounds(plan.assembly.scene->part(part), X_WP_).center();
    waiting_ = X_WP_;
    const std::vector<std::size_t> own = stepsOf(plan, part);
    for (const std::size_t index : own) {
      const PlanStep& step = plan.steps[index];
      rest_ += explosion[index];
      const double thread = threadOf(step, explosion[index]);
      if (thread > 0) waiting_.q = turned(step.motion, X_WP_, thread, thread).q;
      if (!step.legs.empty()) waiting_.q = poseAfter(step.legs, unit_, X_WP_).q;
    }
    if (waiting_.q.coeffs() != X_WP_.q.coeffs()) waiting_.p += X_WP_.q * center - waiting_.q * center;
    add(0, waiting_);
    for (std::size_t index = 0; index < plan.steps.size(); ++index)
      if (std::find(own.begin(), own.end(), index) != own.end())
        carry(index, explosion[index]);
      else
        makeWay(index);
    if (motion_.times.size() > 1) add(startOf(plan, plan.steps.size()) + kAnimationPause, X_WP_);
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
    const double start = startOf(plan_, index);
    add(start, waiting_);
    rest_ -= shift;
    const Pose mouth = poseAfter(step.legs, unit_, X_WP_);
    const double thread = threadOf(step, shift);
    const double travel = step.legs.empty() ? std::min(step.travel, shift.norm()) : step.travel;
    Pose entry = step.legs.empty() ? waiting_ : mouth;
    entry.p += travel * step.motion.direction;
    add(start + kApproachTime, entry);
    const double end = start + kStepTime;
    const double turn = thread > 0 ? 2 * std::numbers::pi * thread / std::abs(step.motion.pitch) : 0;
    const int keys = std::max(1, static_cast<int>(std::ceil(turn / kKeyTurn)));
    // The straight part of the insertion takes half of its time where there is a thread.
    const double at = thread > 0 ? 0.5 * (start + kApproachTime + end) : start + kApproachTime;
    if (thread > 0) add(at, turned(step.motion, mouth, thread, thread));
    for (int k = 1; k <= keys; ++k) {
      const double share = static_cast<double>(k) / keys;
      add(at + share * (end - at),
          turned(step.motion, mouth, (1 - share) * (thread > 0 ? thread : travel), thread));
    }
    addLegs(step, end, mouth, step.insertionLegs());
    waiting_ = X_WP_;
  }

  /// A part that is in its place moves aside before the insertion, and back with the legs.
  void makeWay(std::size_t index) {
    const PlanStep& step = plan_.steps[index];
    const auto moves = [&](const PathLeg& leg) {
      return std::binary_search(leg.units.begin(), leg.units.end(), unit_);
    };
    if (std::none_of(step.legs.begin(), step.legs.end(), moves)) return;
    const double start = startOf(plan_, index);
    add(start, X_WP_);
    addKeys(step.legs, start, start + kApproachTime, X_WP_);
    addLegs(step, start + kStepTime, poseAfter(step.legs, unit_, X_WP_), step.insertionLegs());
  }

  void addLegs(const PlanStep& step, double from, const Pose& X, const std::vector<PathLeg>& legs) {
    addKeys(legs, from, from + legsTime(step), X);
  }

  /// Each leg takes the same time; those that do not move the part, too.
  void addKeys(const std::vector<PathLeg>& legs, double from, double to, Pose X) {
    for (std::size_t k = 0; k < legs.size(); ++k) {
      const double start = from + (to - from) * static_cast<double>(k) / static_cast<double>(legs.size());
      const double time = (to - from) / static_cast<double>(legs.size());
      const bool moves = std::binary_search(legs[k].units.begin(), legs[k].units.end(), unit_);
      // The origin's arc becomes chords.
      const int keys = std::max(1, static_cast<int>(std::ceil(6 * legs[k].rotation.norm() / kKeyTurn)));
      for (int key = 1; key <= keys; ++key)
        add(start + time * key / keys, moves ? poseAlong(legs[k], X, static_cast<double>(key) / keys) : X);
      if (moves) X = poseAlong(legs[k], X, 1);
    }
  }

  static double threadOf(const PlanStep& step, const Vector3d& shift) {
    return step.motion.pitch != 0 ? std::min({step.motion.thread, step.travel, shift.norm()}) : 0;
  }

  /// At a travel from `place`, turned by that in a thread.
  static Pose turned(const RemovalMotion& motion, const Pose& place, double travel, double thread) {
    Pose X = place;
    X.p += travel * motion.direction;
    if (thread <= 0) return X;
    const double turns = travel / motion.pitch;
    X.q = (physics::exponential(2 * std::numbers::pi * turns * motion.direction) * place.q).normalized();
    return X;
  }

  const AssemblyPlan& plan_;
  int unit_ = -1;
  const Pose& X_WP_;
  Pose waiting_;                      ///< the place with the orientation before the insertion
  Vector3d rest_ = Vector3d::Zero();  ///< shifts of the steps that have not begun
  content::GlbAnimation motion_;
};

}  // namespace

std::vector<content::GlbAnimation> assemblyAnimation(const AssemblyPlan& plan, const Explosion& explosion) {
  std::vector<content::GlbAnimation> motions;
  for (int part = 0; part < static_cast<int>(plan.assembly.X_WP.size()); ++part)
    motions.push_back(PartAnimation(plan, explosion, part).finish());
  return motions;
}

}  // namespace tenon::runtime
