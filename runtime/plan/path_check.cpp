// See path_check.h.
#include "runtime/plan/path_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "physics/step/time_of_impact.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Length of a path that is searched at once: wide searches are slow [m].
constexpr double kSectionLength = 0.02;
/// Rotation of a screw that is searched at once [turns].
constexpr double kSectionTurns = 0.25;
/// Rotation between two queries of a screw against the part that guides it [turns], and distance from its
/// thread at which a contact is one of other faces [m].
constexpr double kGuideTurn = 1.0 / 180, kThreadMargin = 10e-6;
/// Rotation that is searched at once [rad], and the deviation of the origin's path in it, a chord, from its
/// arc [m].
constexpr double kSectionAngle = 0.5, kChordError = 0.2e-6;
/// Overlap beyond that of the assembled state that ends a path [m].
constexpr double kMaxOverlap = 2e-6;
/// Parts whose bounds stay farther apart than this do not meet [m].
constexpr double kBoundsMargin = 1e-6;
/// Free space around the assembly at the end of a removal [m].
constexpr double kClearOfAssembly = 1e-3;

}  // namespace

std::optional<std::pair<double, double>> overlapInterval(const Eigen::AlignedBox3d& moving,
                                                         const Eigen::AlignedBox3d& other,
                                                         const Vector3d& d) {
  double from = 0, to = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const double low = other.min()[k] - moving.max()[k] - kBoundsMargin;
    const double high = other.max()[k] - moving.min()[k] + kBoundsMargin;
    if (std::abs(d[k]) < 1e-12) {
      if (low > 0 || high < 0) return std::nullopt;
      continue;
    }
    const double a = low / d[k], b = high / d[k];
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  if (from > to) return std::nullopt;
  return std::pair(from, to);
}

Eigen::AlignedBox3d worldBounds(const content::Part& part, const Pose& X_WP) {
  const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
  if (std::holds_alternative<physics::HalfSpace>(part.shape)) {
    const Vector3d normal = X_WP.q * Vector3d::UnitZ();
    Eigen::AlignedBox3d all(Vector3d::Constant(-std::numeric_limits<double>::infinity()),
                            Vector3d::Constant(std::numeric_limits<double>::infinity()));
    for (int k = 0; k < 3; ++k) {
      if (normal[k] > 1 - 1e-12) all.max()[k] = X_WP.p[k];
      if (normal[k] < -1 + 1e-12) all.min()[k] = X_WP.p[k];
    }
    return all;
  }
  const physics::Matrix3d R = X_WP.q.toRotationMatrix();
  const Vector3d center = X_WP * box.center(), half = R.cwiseAbs() * (0.5 * box.sizes());
  return {center - half, center + half};
}

PathCheck::PathCheck(const Assembly& assembly, const MotionSet& motions, PartDistance& distance,
                     std::function<bool()> stop)
    : assembly_(assembly), motions_(motions), distance_(distance), stop_(std::move(stop)), linked_(assembly) {
  for (std::size_t k = 0; k < assembly.X_WP.size(); ++k)
    bounds_.push_back(worldBounds(assembly.scene->parts[k], assembly.X_WP[k]));
  const auto include = [&](int part) {
    if (!std::holds_alternative<physics::HalfSpace>(assembly.scene->part(part).shape))
      extent_.extend(bounds_[static_cast<std::size_t>(part)]);
  };
  for (const int part : assembly.base) include(part);
  for (const AssemblyUnit& unit : assembly.units)
    for (const int part : unit.parts) include(part);
}

double PathCheck::longestTravel(int unit, int motion) const {
  const RemovalMotion& m = motions_.motions[static_cast<std::size_t>(motion)];
  double travel = m.thread;
  for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts) {
    const auto interval = overlapInterval(bounds_[static_cast<std::size_t>(part)], extent_, m.direction);
    if (interval) travel = std::max(travel, interval->second + kClearOfAssembly);
  }
  return travel;
}

double PathCheck::travel(const std::vector<int>& units, int motion, const std::vector<int>& others,
                         bool withBase) const {
  const RemovalMotion& m = motions_.motions[static_cast<std::size_t>(motion)];
  std::vector<int> obstacles;
  if (withBase) obstacles = assembly_.base;
  for (const int other : others) {
    if (std::find(units.begin(), units.end(), other) != units.end()) continue;
    const std::vector<int>& parts = assembly_.units[static_cast<std::size_t>(other)].parts;
    obstacles.insert(obstacles.end(), parts.begin(), parts.end());
  }
  double travel = m.thread + kClearOfAssembly;
  for (const int unit : units)
    for (const int part : assembly_.units[static_cast<std::size_t>(unit)].parts)
      for (const int obstacle : obstacles) {
        const auto interval = overlapInterval(bounds_[static_cast<std::size_t>(part)],
                                              bounds_[static_cast<std::size_t>(obstacle)], m.direction);
        if (interval && std::isfinite(interval->second))
          travel = std::max(travel, interval->second + kClearOfAssembly);
      }
  return travel;
}

bool PathCheck::isBlocked(int a, int b, int motion) {
  const RemovalMotion& m = motions_.motions[static_cast<std::size_t>(motion)];
  // b against the reverse motion of a is the same question.
  const int opposite = motions_.opposite[static_cast<std::size_t>(motion)];
  const auto key = a < b || opposite < 0 ? std::tuple(a, b, motion) : std::tuple(b, a, opposite);
  const auto [found, isNew] = unitPairs_.try_emplace(key, false);
  if (!isNew) return found->second;
  if (m.unit != a && (isThreadedInto(a, b) || isThreadedInto(b, a))) return found->second = true;
  const double endless = std::numeric_limits<double>::infinity();
  for (const int part : assembly_.units[static_cast<std::size_t>(b)].parts)
    found->second =
        found->second || partsMeet(assembly_.units[static_cast<std::size_t>(a)].parts, part, m, endless);
  return found->second;
}

bool PathCheck::isThreadedInto(int screw, int unit) const {
  const auto& thread = assembly_.units[static_cast<std::size_t>(screw)].thread;
  return thread && assembly_.unitOf(thread->to) == unit;
}

bool PathCheck::isBlockedByStatic(int unit, int motion) {
  const auto [found, isNew] = statics_.try_emplace(std::pair(unit, motion), false);
  if (isNew) found->second = !staticsThatBlock(unit, motion, true).empty();
  return found->second;
}

std::vector<int> PathCheck::blockingStatics(int unit, int motion) {
  return staticsThatBlock(unit, motion, false);
}

std::vector<int> PathCheck::staticsThatBlock(int unit, int motion, bool onlyFirst) {
  const AssemblyUnit& of = assembly_.units[static_cast<std::size_t>(unit)];
  const RemovalMotion& m = motions_.motions[static_cast<std::size_t>(motion)];
  std::vector<int> blocking;
  if (m.unit != unit && isThreadedInto(unit, -1)) blocking.push_back(of.thread->to);
  const double limit = longestTravel(unit, motion);
  for (const auto* group : {&assembly_.base, &assembly_.surroundings})
    for (const int part : *group)
      if (!(onlyFirst && !blocking.empty()) && partsMeet(of.parts, part, m, limit)) blocking.push_back(part);
  std::sort(blocking.begin(), blocking.end());
  blocking.erase(std::unique(blocking.begin(), blocking.end()), blocking.end());
  return blocking;
}

bool PathCheck::isClearOfStatics(const std::vector<int>& units, int motion, double travel) {
  const RemovalMotion& m = motions_.motions[static_cast<std::size_t>(motion)];
  for (const auto* group : {&assembly_.base, &assembly_.surroundings})
    for (const int part : *group)
      for (const int unit : units)
        if (partsMeet(assembly_.units[static_cast<std::size_t>(unit)].parts, part, m, travel)) return false;
  return true;
}

bool PathCheck::partsMeet(const std::vector<int>& parts, int other, const RemovalMotion& motion,
                          double limit) {
  return std::any_of(parts.begin(), parts.end(), [&](int part) { return meets(part, other, motion, limit); });
}

bool PathCheck::meets(int part, int other, const RemovalMotion& motion, double limit) {
  if (linked_.areLinked(part, other)) return true;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const Vector3d& d = motion.direction;
  const auto interval = overlapInterval(bounds_[at(part)], bounds_[at(other)], d);
  // Rotating parts leave their bounds: their threads are searched in any case, but not against the thread
  // that guides them.
  const bool isGuide =
      motion.unit >= 0 && assembly_.units[static_cast<std::size_t>(motion.unit)].thread->to == other;
  if (isGuide && motion.pitch != 0 && meetsGuide(part, other, motion)) return true;
  const double from = isGuide ? motion.thread : motion.pitch != 0 ? 0 : interval ? interval->first : 0;
  const double to = std::min(limit, std::max(interval ? interval->second : 0.0, motion.thread));
  if ((!interval && motion.pitch == 0) || from > to) return false;
  const Pose &X_WP = assembly_.X_WP[at(part)], &X_WO = assembly_.X_WP[at(other)];
  const double initial = distance_.separation(part, X_WP, other, X_WO, 0);
  return removalMeets(distance_, {part, X_WP, motion, from, to}, other, X_WO,
                      std::min(0.0, initial) - kMaxOverlap, stop_);
}

/// In steps of kGuideTurn: teeth slide in their grooves within the cylinder of the thread, all else is
/// outside.
bool PathCheck::meetsGuide(int part, int other, const RemovalMotion& motion) {
  const UnitThread& thread = *assembly_.units[static_cast<std::size_t>(motion.unit)].thread;
  const Pose &X_WP = assembly_.X_WP[static_cast<std::size_t>(part)],
             &X_WO = assembly_.X_WP[static_cast<std::size_t>(other)];
  const auto deepest = [&](double travel) {
    double depth = 0;
    for (const physics::Contact& contact :
         distance_.contacts(part, poseAlong(motion, X_WP, travel), other, X_WO, 0))
      if ((contact.p - thread.p_W).cross(thread.out_W).norm() > thread.radius + kThreadMargin)
        depth = std::max(depth, -contact.separation);
    return depth;
  };
  const double allowed = deepest(0) + kMaxOverlap;
  const double step = kGuideTurn * std::abs(motion.pitch);
  for (double travel = step; travel < motion.thread; travel += step)
    if (stop_() || deepest(travel) > allowed) return true;
  return false;
}

bool removalMeets(PartDistance& distance, const RemovalPath& path, int other, const Pose& X_WO,
                  double allowed, const std::function<bool()>& stop) {
  const RemovalMotion& motion = path.motion;
  double s = path.from;
  while (s < path.to) {
    if (stop()) return true;
    const bool turns = motion.pitch != 0 && s < motion.thread;
    const double longest =
        turns ? std::min(motion.thread - s, kSectionTurns * std::abs(motion.pitch)) : kSectionLength;
    const double length = std::min(longest, path.to - s);
    PartSweep sweep{path.part, other, poseAlong(motion, path.X_WP, s), X_WO, length * motion.direction};
    if (turns) sweep.rotation = 2 * std::numbers::pi / motion.pitch * length * motion.direction;
    if (sweepMeets(distance, sweep, allowed)) return true;
    s += length;
  }
  return false;
}

bool sweepMeets(PartDistance& distance, const PartSweep& sweep, double allowed) {
  return impactShare(distance, sweep, allowed).has_value();
}

std::optional<double> impactShare(PartDistance& distance, const PartSweep& sweep, double allowed) {
  const auto& [part, other, X_WP, X_WO, displacement, rotation] = sweep;
  if (distance.separation(part, X_WP, other, X_WO, 0) < allowed) return 0.0;
  const physics::Collider& collider = distance.collider();
  physics::PairMotion motion;
  motion.pair = {{std::min(part, other)}, {std::max(part, other)}};
  motion.startOfI = part < other ? X_WP : X_WO;
  motion.startOfJ = part < other ? X_WO : X_WP;
  physics::Vector6d u;
  u << displacement, rotation;
  motion.ui = part < other ? u : physics::Vector6d::Zero();
  motion.uj = part < other ? physics::Vector6d::Zero() : u;
  motion.dt = 1;
  motion.radiusOfI = collider.radius(motion.pair.i);
  motion.radiusOfJ = collider.radius(motion.pair.j);
  motion.minStep = kPathStep;
  motion.solved = true;
  motion.convex = collider.isConvex(motion.pair.i) && collider.isConvex(motion.pair.j);
  physics::ContactSet contacts;
  return physics::timeOfImpact(collider, motion, contacts);
}

std::vector<PartSweep> sectionsOf(const PathLeg& leg, int part, const Pose& X_WP, int other, const Pose& X_WO,
                                  double from, double to) {
  const double angle = (to - from) * leg.rotation.norm(), arm = (X_WP.p - leg.center).norm();
  double count = std::max((to - from) * leg.displacement.norm() / kSectionLength, angle / kSectionAngle);
  // arm (1 − cos(angle/2)) ≈ arm angle²/8
  if (arm > kChordError) count = std::max(count, angle / std::sqrt(8 * kChordError / arm));
  const int sections = std::max(1, static_cast<int>(std::ceil(count)));
  std::vector<PartSweep> sweeps;
  for (int k = 0; k < sections; ++k) {
    PartSweep sweep{part, other, poseAlong(leg, X_WP, from + (to - from) * k / sections), X_WO};
    sweep.displacement = poseAlong(leg, X_WP, from + (to - from) * (k + 1) / sections).p - sweep.X_WP.p;
    sweep.rotation = (to - from) / sections * leg.rotation;
    sweeps.push_back(sweep);
  }
  return sweeps;
}

bool legsMeet(PartDistance& distance, const std::vector<PathLeg>& legs, int part, const Pose& X_WP, int other,
              const Pose& X_WO, double allowed) {
  Pose X = X_WP;
  for (const PathLeg& leg : legs) {
    for (const PartSweep& sweep : sectionsOf(leg, part, X, other, X_WO, 0, 1))
      if (sweepMeets(distance, sweep, allowed)) return true;
    X = poseAlong(leg, X, 1);
  }
  return false;
}

bool translationMeets(PartDistance& distance, const PartSweep& sweep, double allowed) {
  const double length = sweep.displacement.norm();
  const int sections = std::max(1, static_cast<int>(std::ceil(length / kSectionLength)));
  PartSweep section = sweep;
  section.displacement /= sections;
  for (int k = 0; k < sections; ++k) {
    section.X_WP.p = sweep.X_WP.p + k * section.displacement;
    if (sweepMeets(distance, section, allowed)) return true;
  }
  return false;
}

}  // namespace tenon::runtime
