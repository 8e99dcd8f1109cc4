// See lay_out.h.
#include "runtime/plan/lay_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <variant>

#include "content/model/build_world.h"
#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using content::Scene;
using physics::Pose;
using physics::Vector3d;

/// Gap between the assembly and the parts, and between two parts [m].
constexpr double kAssemblyGap = 0.06, kPartGap = 0.03;
/// Free length beyond the start of an insertion [m].
constexpr double kInsertionGap = 0.02;
/// Least length of a row of parts [m].
constexpr double kRowLength = 0.25;
/// Simulated time in which a part comes to rest on the bench, and its steps [s].
constexpr double kRestingTime = 1.5, kRestingStep = 1e-3;
/// Height above the bench from which a part settles at the start [m].
constexpr double kStartHeight = 1e-6;

class Layout {
 public:
  explicit Layout(AssemblyPlan& plan) : plan_(plan), scene_(*plan.assembly.scene) {
    if (scene_.gravity.norm() > 0) up_ = -scene_.gravity.normalized();
    toUp_ = physics::shortestRotation(Vector3d::UnitZ(), up_);
    for (std::size_t k = 0; k < scene_.parts.size(); ++k)
      if (!std::holds_alternative<physics::HalfSpace>(scene_.parts[k].shape))
        for (const Pose& X_WP : {plan.assembly.X_WP[k], scene_.parts[k].X_WP})
          extent_.extend(boundsOnBench(scene_.parts[k], X_WP));
    clear_ = extent_;
    for (const PlanStep& step : plan.steps)
      if (step.group == 0) keepClear(step);
  }

  void run() {
    std::vector<int> toPlace;  // in the order of the scene
    for (const PlanStep& step : plan_.steps)
      for (const int unit : step.units)
        if (step.group == 0 && plan_.assembly.startsInPlace(unit)) toPlace.push_back(unit);
    std::sort(toPlace.begin(), toPlace.end());
    if (toPlace.empty()) return;
    findBench();
    row_ = {clear_.max().x() + kAssemblyGap, extent_.min().y()};
    for (const int unit : toPlace) place(unit);
  }

 private:
  /// No part waits where one is inserted or makes way.
  void keepClear(const PlanStep& step) {
    const Vector3d path = toUp_.conjugate() * ((step.travel + kInsertionGap) * step.motion.direction);
    std::set<int> moving(step.units.begin(), step.units.end());
    for (const PathLeg& leg : step.legs) moving.insert(leg.units.begin(), leg.units.end());
    for (const int unit : moving)
      for (const int part : plan_.assembly.units[static_cast<std::size_t>(unit)].parts)
        for (std::size_t legs = 0; legs <= step.legs.size(); ++legs) {
          const Pose X_WP =
              poseAfter({step.legs.begin(), step.legs.begin() + static_cast<std::ptrdiff_t>(legs)}, unit,
                        plan_.assembly.X_WP[static_cast<std::size_t>(part)]);
          const Eigen::AlignedBox3d box = boundsOnBench(scene_.part(part), X_WP);
          const bool leaves = std::binary_search(step.units.begin(), step.units.end(), unit);
          clear_.extend(leaves && legs == step.legs.size() ? box.translated(path) : box);
        }
  }

  /// Bounds in axes with z up: x and y are on the bench.
  Eigen::AlignedBox3d boundsOnBench(const content::Part& part, const Pose& X_WP) const {
    return worldBounds(part, Pose{toUp_.conjugate(), Vector3d::Zero()} * X_WP);
  }

  void findBench() {
    if (scene_.gravity.norm() == 0) return;
    for (std::size_t k = 0; k < scene_.parts.size(); ++k) {
      const Pose& X_WP = scene_.parts[k].X_WP;
      if (!std::holds_alternative<physics::HalfSpace>(scene_.parts[k].shape)) continue;
      if ((X_WP.q * Vector3d::UnitZ()).dot(up_) < 1 - 1e-9) continue;
      height_ = X_WP.p.dot(up_);
      return;
    }
    height_ = clear_.min().z();  // below the paths from below
    plan_.bench = Pose{toUp_, *height_ * up_};
  }

  void place(int unit) {
    const AssemblyUnit& of = plan_.assembly.units[static_cast<std::size_t>(unit)];
    const Pose& X_WL = plan_.assembly.X_WP[static_cast<std::size_t>(of.lead)];
    const Pose rest = height_ && of.parts.size() == 1 ? atRest(of.lead, X_WL) : X_WL;
    const auto poseOf = [&](int part) {
      return rest * X_WL.inverse() * plan_.assembly.X_WP[static_cast<std::size_t>(part)];
    };
    Eigen::AlignedBox3d box;
    for (const int part : of.parts) box.extend(boundsOnBench(scene_.part(part), poseOf(part)));
    if (row_.y() > extent_.min().y() && row_.y() + box.sizes().y() > rowEnd()) {
      row_ = {row_.x() + rowWidth_ + kPartGap, extent_.min().y()};
      rowWidth_ = 0;
    }
    const double lift = height_ ? *height_ + kStartHeight - lowest(of, rest, X_WL) : 0;
    const Vector3d move(row_.x() - box.min().x(), row_.y() - box.min().y(), lift);
    for (const int part : of.parts) {
      Pose X_WP = poseOf(part);
      X_WP.p += toUp_ * move;
      plan_.laidOut.push_back({part, X_WP});
    }
    row_.y() += box.sizes().y() + kPartGap;
    rowWidth_ = std::max(rowWidth_, box.sizes().x());
  }

  double rowEnd() const { return extent_.min().y() + std::max(kRowLength, extent_.sizes().y()); }

  /// Height of the lowest point, from the exact distance to a half-space.
  double lowest(const AssemblyUnit& of, const Pose& rest, const Pose& X_WL) const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const int part : of.parts) {
      const Pose X_WP = rest * X_WL.inverse() * plan_.assembly.X_WP[static_cast<std::size_t>(part)];
      lowest = std::min(lowest, lowestPoint(scene_.part(part), X_WP));
    }
    return lowest;
  }

  double lowestPoint(const content::Part& part, const Pose& X_WP) const {
    Scene pair;
    pair.parts.resize(2);
    pair.parts[0].shape = physics::HalfSpace{};
    pair.parts[1].shape = part.shape;
    PartDistance distance(pair);
    const double box = boundsOnBench(part, X_WP).min().z();
    const Pose floor{toUp_, (box - kStartHeight) * up_};
    return box - kStartHeight +
           distance.separation(0, floor, 1, X_WP, 2 * boundsOnBench(part, X_WP).sizes().norm());
  }

  /// Where a part that stands on the bench as it is assembled comes to rest.
  Pose atRest(int part, const Pose& assembled) const {
    Scene alone;
    alone.gravity = scene_.gravity;
    alone.linearDamping = scene_.linearDamping;
    alone.angularDamping = scene_.angularDamping;
    alone.materials = scene_.materials;
    alone.pairs = scene_.pairs;
    content::Part bench;
    bench.shape = physics::HalfSpace{};
    bench.motion = physics::MotionType::fixed;
    bench.material = scene_.part(part).material;
    bench.X_WP = {toUp_, Vector3d::Zero()};
    content::Part moved = scene_.part(part);
    moved.motion = physics::MotionType::dynamic;
    moved.X_WP = assembled;
    moved.X_WP.p -= (lowestPoint(moved, assembled) - kStartHeight) * up_;
    moved.v.setZero();
    moved.omega.setZero();
    moved.thrusters.clear();
    alone.parts = {bench, moved};
    physics::World world = content::buildWorld(alone, {.dt = kRestingStep});
    const int steps = static_cast<int>(std::lround(kRestingTime / kRestingStep));
    for (int k = 0; k < steps; ++k) world.step();
    return world.partPose({1}, world.stepResult().bodies[1]);
  }

  AssemblyPlan& plan_;
  const Scene& scene_;
  Vector3d up_ = Vector3d::UnitZ();
  physics::Quaterniond toUp_ = physics::Quaterniond::Identity();
  Eigen::AlignedBox3d extent_;    ///< of all bounded parts, z up
  Eigen::AlignedBox3d clear_;     ///< of these, and of the paths of insertions
  std::optional<double> height_;  ///< of the bench, along up [m]
  Eigen::Vector2d row_{0, 0};     ///< where the next part goes
  double rowWidth_ = 0;
};

}  // namespace

void layOutParts(AssemblyPlan& plan) {
  Layout(plan).run();
}

}  // namespace tenon::runtime
