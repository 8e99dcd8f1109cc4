// See free_approach.h.
#include "runtime/plan/free_approach.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "runtime/plan/path_check.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Height of carried parts above everything else [m].
constexpr double kCarryMargin = 0.03;
/// Distances by which an approach starts farther out if the path down to it is not free [m], and aside,
/// beyond the size of the part.
constexpr std::array kApproachDistances{0.005, 0.02, 0.05, 0.1, 0.2};
constexpr double kAsideMargin = 0.05;
/// Overlap at the start of a path that is rounding [m].
constexpr double kPathRounding = 2e-6;
/// Distance from other parts at which an insertion begins slowly, and precision of its start [m].
constexpr double kNear = 8e-3, kNearStep = 2e-3;
/// Distance from the motion of a thread, and rotation from it, that are play [m], [rad].
constexpr double kInThread = 0.2e-3, kInThreadAngle = 0.5;
/// Play after which a unit pushes another one [m].
constexpr double kPushPlay = 1e-3;

double topOf(const content::Part& part, const Pose& X_WP, const Vector3d& up) {
  const Eigen::AlignedBox3d box = worldBounds(part, X_WP);
  return box.center().dot(up) + 0.5 * box.sizes().dot(up.cwiseAbs());
}

}  // namespace

FreeApproach::FreeApproach(const AssemblyPlan& plan, PartDistance& distance)
    : assembly_(plan.assembly), scene_(*plan.assembly.scene), distance_(distance) {
  if (scene_.gravity.norm() > 0) up_ = -scene_.gravity.normalized();
  isPlaced_.assign(assembly_.units.size(), 0);
  places_ = assembly_.X_WP;
  for (const content::Part& part : scene_.parts) X_WP_.push_back(part.X_WP);
  for (const LaidOutPart& laid : plan.laidOut) X_WP_[static_cast<std::size_t>(laid.part)] = laid.X_WP;
  for (const int part : assembly_.base)
    X_WP_[static_cast<std::size_t>(part)] = assembly_.X_WP[static_cast<std::size_t>(part)];
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < X_WP_.size(); ++k)
    if (!std::holds_alternative<physics::HalfSpace>(scene_.parts[k].shape))
      for (const Pose& X_WP : {X_WP_[k], assembly_.X_WP[k]})
        top = std::max(top, topOf(scene_.parts[k], X_WP, up_));
  for (const PlanStep& step : plan.steps)
    if (step.group > 0)
      for (const std::vector<int>& units : {step.units, {step.onto}})
        for (const int unit : units)
          for (const int part : partsOf(unit))
            top = std::max(top, topOf(scene_.part(part), placeOf(part), up_) +
                                    plan.buildPlaces[static_cast<std::size_t>(step.group)].dot(up_));
  carryHeight_ = top + kCarryMargin;
}

const std::vector<int>& FreeApproach::partsOf(int unit) const {
  return assembly_.units[static_cast<std::size_t>(unit)].parts;
}

void FreeApproach::setPlaces(const std::vector<int>& units, const Vector3d& displacement) {
  for (const int unit : units)
    for (const int part : partsOf(unit)) {
      const auto at = static_cast<std::size_t>(part);
      places_[at] = assembly_.X_WP[at];
      places_[at].p += displacement;
    }
}

void FreeApproach::move(int unit, const std::vector<PathLeg>& legs) {
  for (const int part : partsOf(unit)) {
    const auto at = static_cast<std::size_t>(part);
    X_WP_[at] = poseAfter(legs, unit, places_[at]);
  }
}

void FreeApproach::move(const PathLeg& leg) {
  for (const int unit : leg.units)
    for (const int part : partsOf(unit)) {
      const auto at = static_cast<std::size_t>(part);
      X_WP_[at] = poseAlong(leg, X_WP_[at], 1);
    }
}

void FreeApproach::place(int unit) {
  isPlaced_[static_cast<std::size_t>(unit)] = 1;
  move(unit, {});
}

Pose FreeApproach::atCarryHeight(const PlanStep& step, const Pose& pose) const {
  Pose high = pose;
  high.p += (carryHeight_ + reachOf(step) - pose.p.dot(up_)) * up_;
  return high;
}

/// Largest distance of a point of the step's parts from the origin of the lead [m].
double FreeApproach::reachOf(const PlanStep& step) const {
  const Pose& X_WL = placeOf(step.lead);
  double reach = 0;
  for (const int unit : step.units)
    for (const int part : partsOf(unit))
      reach = std::max(reach, (placeOf(part).p - X_WL.p).norm() + distance_.collider().radius({part}));
  return reach;
}

bool FreeApproach::isClear(const PlanStep& step, const Pose& X_WL, const Vector3d& displacement) {
  const Pose X_AL = placeOf(step.lead).inverse();
  for (const int unit : step.units)
    for (const int part : partsOf(unit))
      for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
        if (containsUnit(step.units, assembly_.unitOf(other))) continue;
        const PartSweep sweep{part, other, X_WL * X_AL * placeOf(part), poseOf(other), displacement};
        if (translationMeets(distance_, sweep, -kPathRounding)) return false;
      }
  return true;
}

int FreeApproach::waitingOnTheWay(const PlanStep& step, double travel) {
  for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other) {
    const int unit = assembly_.unitOf(other);
    if (unit < 0 || isPlaced_[static_cast<std::size_t>(unit)] || containsUnit(step.units, unit)) continue;
    for (const int moving : step.units) {
      const std::vector<PathLeg> legs = legsOf(step.legs, moving);
      const auto meets = [&](int part) {
        const Pose& X_WP = placeOf(part);
        if (legsMeet(distance_, legs, part, X_WP, other, poseOf(other), -kPathRounding)) return true;
        const Pose mouth = poseAfter(legs, moving, X_WP);
        return removalMeets(distance_, {part, mouth, step.motion, 0, travel}, other, poseOf(other),
                            -kPathRounding, [] { return false; });
      };
      const std::vector<int>& parts = partsOf(moving);
      if (std::any_of(parts.begin(), parts.end(), meets)) return other;
    }
  }
  return -1;
}

std::vector<Pose> FreeApproach::approachOf(const PlanStep& step, const Pose& mouth) {
  const Vector3d& d = step.motion.direction;
  const Vector3d side = std::abs(d.dot(up_)) > 0.9 ? d.unitOrthogonal() : Vector3d(up_.cross(d).normalized());
  const std::array<Vector3d, 5> sides{Vector3d::Zero(), side, -side, side.cross(up_), up_.cross(side)};
  const double beside = 2 * reachOf(step) + kAsideMargin;
  for (const double farther : kApproachDistances)
    for (const Vector3d& aside : sides) {
      if (aside.norm() > 0 && d.dot(up_) > 0.7) continue;
      const Pose entry = poseAlong(step.motion, mouth, step.travel + farther);
      std::vector<Pose> path{entry};
      for (int k = 1; k <= 4 && aside.norm() > 0; ++k) {
        Pose corner = entry;
        corner.p += k * beside * aside;
        if (!isClear(step, corner, atCarryHeight(step, corner).p - corner.p)) continue;
        if (isClear(step, corner, entry.p - corner.p)) path = {corner, entry};
        break;
      }
      if (aside.norm() > 0 && path.size() < 2) continue;
      if (aside.norm() == 0 && !isClear(step, entry, atCarryHeight(step, entry).p - entry.p)) continue;
      return path;
    }
  return {};
}

bool FreeApproach::isInThread(const PlanStep& step, const Pose& mouth) const {
  const Pose& X_WL = poseOf(step.lead);
  const Vector3d& d = step.motion.direction;
  const double travel = (X_WL.p - mouth.p).dot(d);
  if (step.motion.pitch == 0 || travel <= 0 || travel >= step.motion.thread) return false;
  const double turned = 2 * std::numbers::pi * travel / step.motion.pitch;
  return (X_WL.p - mouth.p - travel * d).norm() < kInThread &&
         X_WL.q.angularDistance(physics::exponential(turned * d) * mouth.q) < kInThreadAngle;
}

Pose FreeApproach::nearestEntry(const PlanStep& step, const Pose& mouth) {
  return poseAlong(step.motion, mouth, step.travel + kApproachDistances.front());
}

double FreeApproach::nearTravel(const PlanStep& step, const Pose& mouth, double farthest) {
  const Pose X_AL = placeOf(step.lead).inverse();
  const auto isNear = [&](double travel) {
    const Pose X = poseAlong(step.motion, mouth, travel) * X_AL;
    for (const int unit : step.units)
      for (const int part : partsOf(unit))
        for (int other = 0; other < static_cast<int>(X_WP_.size()); ++other)
          if (!containsUnit(step.units, assembly_.unitOf(other)) &&
              distance_.separation(part, X * placeOf(part), other, poseOf(other), kNear) < kNear)
            return true;
    return false;
  };
  const double least = step.motion.pitch != 0 ? step.motion.thread + kNear : 0;
  double travel = farthest;
  while (travel - kNearStep > least && !isNear(travel - kNearStep)) travel -= kNearStep;
  return travel;
}

bool FreeApproach::pushes(int a, int b, const PathLeg& leg) {
  PathLeg begin = leg;
  const double length = leg.displacement.norm();
  if (leg.rotation.norm() == 0 && length > kPushPlay) begin.displacement *= kPushPlay / length;
  for (const int part : partsOf(a))
    for (const int other : partsOf(b))
      if (legsMeet(distance_, {begin}, part, poseOf(part), other, poseOf(other), -kPathRounding)) return true;
  return false;
}

void FreeApproach::dropPushed(int pusher, const PathLeg& leg, std::vector<int>& units) {
  std::vector<int> pushing{pusher};
  std::erase(units, pusher);
  for (std::size_t k = 0; k < pushing.size(); ++k)
    for (const int unit : std::vector<int>(units))
      if (pushes(pushing[k], unit, leg)) {
        pushing.push_back(unit);
        std::erase(units, unit);
      }
}

int FreeApproach::bestPusher(const PathLeg& leg, const std::vector<int>& units,
                             const std::vector<int>& others) {
  int best = -1;
  std::size_t leastLeft = 0;
  for (const int unit : units) {
    std::vector<int> left = others;
    dropPushed(unit, leg, left);
    if (best >= 0 && left.size() >= leastLeft) continue;
    best = unit;
    leastLeft = left.size();
  }
  return best;
}

}  // namespace tenon::runtime
