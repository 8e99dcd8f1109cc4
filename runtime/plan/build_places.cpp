// See build_places.h.
#include "runtime/plan/build_places.h"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using content::Scene;
using physics::Pose;
using physics::Vector3d;

/// Gap between a group and everything else, and free length beyond the start of an insertion [m].
constexpr double kGroupGap = 0.06, kBeyondStart = 0.02;
/// Gap between a group and the bench [m].
constexpr double kBenchGap = 0.02;

class BuildPlaces {
 public:
  explicit BuildPlaces(AssemblyPlan& plan) : plan_(plan), scene_(*plan.assembly.scene) {
    if (scene_.gravity.norm() > 0) up_ = -scene_.gravity.normalized();
    toUp_ = physics::shortestRotation(Vector3d::UnitZ(), up_);
    for (std::size_t k = 0; k < scene_.parts.size(); ++k) {
      const content::Part& part = scene_.parts[k];
      if (std::holds_alternative<physics::HalfSpace>(part.shape))
        addBench(part.X_WP);
      else
        for (const Pose& X_WP : {plan.assembly.X_WP[k], part.X_WP}) extent_.extend(boundsOf(part, X_WP));
    }
    if (plan.bench) addBench(*plan.bench);
    for (const LaidOutPart& laid : plan.laidOut) extent_.extend(boundsOf(scene_.part(laid.part), laid.X_WP));
    for (const PlanStep& step : plan.steps)
      if (step.group == 0) extendBy(step.units, step, extent_);
  }

  void run() {
    int groups = 0;
    for (const PlanStep& step : plan_.steps) groups = std::max(groups, step.group);
    plan_.buildPlaces.assign(static_cast<std::size_t>(groups) + 1, Vector3d::Zero());
    for (int group = 1; group <= groups; ++group) place(group);
  }

 private:
  /// Bounds in axes with z up.
  Eigen::AlignedBox3d boundsOf(const content::Part& part, const Pose& X_WP) const {
    return worldBounds(part, Pose{toUp_.conjugate(), Vector3d::Zero()} * X_WP);
  }

  /// The highest surface that faces upwards.
  void addBench(const Pose& X_WP) {
    if ((X_WP.q * Vector3d::UnitZ()).dot(up_) < 1 - 1e-9) return;
    bench_ = std::max(bench_.value_or(X_WP.p.dot(up_)), X_WP.p.dot(up_));
  }

  /// The units in their places, and at the start of the step's insertion.
  void extendBy(const std::vector<int>& units, const PlanStep& step, Eigen::AlignedBox3d& box) const {
    const Vector3d path = toUp_.conjugate() * ((step.travel + kBeyondStart) * step.motion.direction);
    for (const int unit : units)
      for (const int part : plan_.assembly.units[static_cast<std::size_t>(unit)].parts) {
        const Pose& X_WP = plan_.assembly.X_WP[static_cast<std::size_t>(part)];
        box.extend(boundsOf(scene_.part(part), X_WP));
        box.extend(boundsOf(scene_.part(part), poseAfter(step.legs, unit, X_WP)).translated(path));
      }
  }

  void place(int group) {
    Eigen::AlignedBox3d box;
    for (const PlanStep& step : plan_.steps)
      if (step.group == group) {
        extendBy(step.units, step, box);
        extendBy({step.onto}, {}, box);
      }
    const Vector3d low = extent_.min() - box.max(), high = extent_.max() - box.min();
    const std::array<Vector3d, 4> sides{
        Vector3d(low.x() - kGroupGap, 0, 0), Vector3d(0, low.y() - kGroupGap, 0),
        Vector3d(0, high.y() + kGroupGap, 0), Vector3d(high.x() + kGroupGap, 0, 0)};
    Vector3d move = *std::min_element(sides.begin(), sides.end(), [](const Vector3d& a, const Vector3d& b) {
      return a.norm() < b.norm() - 1e-9;  // rounding does not decide
    });
    if (bench_) move.z() = std::max(0.0, *bench_ + kBenchGap - box.min().z());
    extent_.extend(box.translated(move));
    plan_.buildPlaces[static_cast<std::size_t>(group)] = toUp_ * move;
  }

  AssemblyPlan& plan_;
  const Scene& scene_;
  Vector3d up_ = Vector3d::UnitZ();
  physics::Quaterniond toUp_ = physics::Quaterniond::Identity();
  Eigen::AlignedBox3d extent_;   ///< of everything, z up
  std::optional<double> bench_;  ///< height along up [m]
};

}  // namespace

void placeGroups(AssemblyPlan& plan) {
  BuildPlaces(plan).run();
}

}  // namespace tenon::runtime
