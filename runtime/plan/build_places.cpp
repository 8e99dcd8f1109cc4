// See build_places.h.
#include "runtime/plan/build_places.h"

#include <algorithm>
#include <array>
#include <cmath>
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
/// Gap between a group and the bench or another half-space [m].
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

  /// The highest surface that faces upwards is the bench, others are walls.
  void addBench(const Pose& X_WP) {
    const Vector3d normal = X_WP.q * Vector3d::UnitZ();
    if (normal.dot(up_) < 1 - 1e-9)
      walls_.emplace_back(toUp_.conjugate() * normal, -normal.dot(X_WP.p));
    else
      bench_ = std::max(bench_.value_or(X_WP.p.dot(up_)), X_WP.p.dot(up_));
  }

  /// False if the box, moved, is nearer to a wall than the gap, and nearer than before.
  bool isClearOfWalls(const Eigen::AlignedBox3d& box, const Vector3d& move) const {
    return std::all_of(walls_.begin(), walls_.end(), [&](const Eigen::Hyperplane<double, 3>& wall) {
      const Vector3d& normal = wall.normal();
      const double lowest =
          wall.signedDistance(box.center() + move) - 0.5 * box.sizes().dot(normal.cwiseAbs());
      return lowest >= kBenchGap || normal.dot(move) > -1e-9;
    });
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
    PlanStep* first = nullptr;
    for (PlanStep& step : plan_.steps)
      if (step.group == group) {
        if (!first) first = &step;
        extendBy(step.units, step, box);
        extendBy({step.onto}, {}, box);
      }
    const Vector3d low = extent_.min() - box.max(), high = extent_.max() - box.min();
    std::array<Vector3d, 4> sides{Vector3d(low.x() - kGroupGap, 0, 0), Vector3d(0, low.y() - kGroupGap, 0),
                                  Vector3d(0, high.y() + kGroupGap, 0), Vector3d(high.x() + kGroupGap, 0, 0)};
    std::stable_sort(sides.begin(), sides.end(), [](const Vector3d& a, const Vector3d& b) {
      return std::round(a.norm() * 1e9) < std::round(b.norm() * 1e9);  // rounding does not decide
    });
    if (bench_)
      for (Vector3d& side : sides) side.z() = std::max(0.0, *bench_ + kBenchGap - box.min().z());
    const auto clear = std::find_if(sides.begin(), sides.end(),
                                    [&](const Vector3d& side) { return isClearOfWalls(box, side); });
    if (clear == sides.end() && first)
      first->remark = "no side of the assembly has room for what is built aside: half-spaces are in the way";
    const Vector3d move = clear == sides.end() ? sides.front() : *clear;
    extent_.extend(box.translated(move));
    plan_.buildPlaces[static_cast<std::size_t>(group)] = toUp_ * move;
  }

  AssemblyPlan& plan_;
  const Scene& scene_;
  Vector3d up_ = Vector3d::UnitZ();
  physics::Quaterniond toUp_ = physics::Quaterniond::Identity();
  Eigen::AlignedBox3d extent_;                       ///< of everything, z up
  std::optional<double> bench_;                      ///< height along up [m]
  std::vector<Eigen::Hyperplane<double, 3>> walls_;  ///< half-spaces that do not face upwards, z up
};

}  // namespace

void placeGroups(AssemblyPlan& plan) {
  BuildPlaces(plan).run();
}

}  // namespace tenon::runtime
