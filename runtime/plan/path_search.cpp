// See path_search.h.
#include "runtime/plan/path_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "content/model/part_holes.h"
#include "runtime/plan/center_legs.h"
#include "runtime/plan/contact_tree.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// States of one unit, with straight moves and with rotations, and of several units.
constexpr LegSearchLimits kOneUnit{300, 6}, kOneUnitTurning{40, 5}, kTogether{6000, 16};
/// Random targets of one unit.
constexpr int kTargets = 1500;
/// Units that are searched together at most: the states are their combinations.
constexpr std::size_t kMaxTogether = 16;
/// Directions and axes that differ by less are one [−], [m].
constexpr double kSameSearchDirection = 1e-6, kSameAxisLine = 1e-6;
/// Surfaces of neighbors [m].
constexpr double kAxisNeighbor = 0.5e-3;

}  // namespace

PathSearch::PathSearch(const Assembly& assembly, const MotionSet& motions, PartDistance& distance,
                       SearchControl control)
    : assembly_(assembly),
      motions_(motions),
      distance_(distance),
      control_(std::move(control)),
      travel_(assembly, distance, control_.stop),
      linked_(assembly) {}

std::optional<Removal> PathSearch::find(const std::vector<int>& rest, int base) {
  std::vector<int> units = rest;
  std::sort(units.begin(), units.end());
  const auto found = results_.find({units, base});
  if (found != results_.end()) return found->second;
  std::optional<Removal> removal = search(units, base);
  if (control_.stop())
    wasStopped_ = wasStopped_ || !removal;
  else
    results_.emplace(Rest{units, base}, removal);
  return removal;
}

std::optional<Removal> PathSearch::search(const std::vector<int>& rest, int base) {
  if (!canAnyLeave(rest, base)) return std::nullopt;
  if (auto removal = searchOne(rest, base, false)) return removal;
  if (auto removal = searchOne(rest, base, true)) return removal;
  if (rest.size() > 1 && rest.size() <= kMaxTogether)
    if (auto removal = searchTogether(rest, base)) return removal;
  return searchAtRandom(rest, base);
}

/// The unit whose path has the fewest legs; of equal ones the last leaves first, as straight ones do.
std::optional<Removal> PathSearch::searchOne(const std::vector<int>& rest, int base, bool withRotations) {
  std::optional<Removal> best;
  LegSearchLimits limits = withRotations ? kOneUnitTurning : kOneUnit;
  for (auto unit = rest.rbegin(); unit != rest.rend(); ++unit) {
    if (control_.stop()) return best;
    if (!mayLeave({*unit}, rest, base)) continue;
    LegSearchScope scope;
    scope.movable = {*unit};
    scope.resting = restingParts(rest, scope.movable, base);
    // A screw in its thread has no other motion than that of the thread, which does not free it.
    const auto& thread = assembly_.units[static_cast<std::size_t>(*unit)].thread;
    if (thread && containsUnit(scope.resting, thread->to)) continue;
    scope.directions = directionsOf(scope.movable);
    if (withRotations) scope.axes = axesOf(*unit, scope.resting);
    if (withRotations && scope.axes.empty()) continue;
    LegSearch search(assembly_, travel_, scope, [](const std::vector<int>&) { return true; });
    auto removal = search.run(limits, [&](int states) {
      control_.progress(fmt::format("planning: {} parts left, searching a path for {}{}, {} states",
                                    rest.size(), assembly_.nameOf(*unit),
                                    withRotations ? " with rotations" : "", states));
    });
    if (!removal) continue;
    best = std::move(removal);
    if (best->path->legs.empty()) break;
    limits.legs = static_cast<int>(best->path->legs.size()) - 1;
  }
  if (best) centerLegs(assembly_, travel_, restingParts(rest, best->units, base), *best);
  return best;
}

std::optional<Removal> PathSearch::searchTogether(const std::vector<int>& rest, int base) {
  LegSearchScope scope;
  scope.movable = rest;
  scope.resting = restingParts(rest, rest, base);
  scope.directions = directionsOf(rest);
  LegSearch search(assembly_, travel_, scope,
                   [&](const std::vector<int>& units) { return mayLeave(units, rest, base); });
  return search.run(kTogether, [&](int states) {
    control_.progress(
        fmt::format("planning: {} parts left, searching moves of several, {} states", rest.size(), states));
  });
}

std::optional<Removal> PathSearch::searchAtRandom(const std::vector<int>& rest, int base) {
  for (auto unit = rest.rbegin(); unit != rest.rend(); ++unit) {
    const AssemblyUnit& of = assembly_.units[static_cast<std::size_t>(*unit)];
    if (!mayLeave({*unit}, rest, base) || of.thread) continue;
    ContactTreeScope scope;
    scope.unit = *unit;
    scope.resting = restingParts(rest, {*unit}, base);
    scope.directions = directionsOf({*unit});
    ContactTree tree(assembly_, distance_, travel_, scope);
    auto removal = tree.run(kTargets, [&](int poses) {
      control_.progress(
          fmt::format("planning: {} parts left, searching motions of {} along its contacts, {} poses",
                      rest.size(), assembly_.nameOf(*unit), poses));
    });
    if (removal) return removal;
  }
  return std::nullopt;
}

std::vector<int> PathSearch::restingParts(const std::vector<int>& rest, const std::vector<int>& movable,
                                          int base) const {
  std::vector<int> parts;
  const auto add = [&](const std::vector<int>& more) { parts.insert(parts.end(), more.begin(), more.end()); };
  for (const int unit : rest)
    if (!containsUnit(movable, unit)) add(assembly_.units[static_cast<std::size_t>(unit)].parts);
  if (base >= 0) add(assembly_.units[static_cast<std::size_t>(base)].parts);
  if (base < 0) add(assembly_.base);
  if (base < 0) add(assembly_.surroundings);
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// Those of straight motions, then the axes of the parts' frames, along which most faces are.
std::vector<RemovalMotion> PathSearch::directionsOf(const std::vector<int>& units) const {
  std::vector<RemovalMotion> directions;
  const auto add = [&](const Vector3d& direction, const std::string& reason) {
    const auto same = [&](const RemovalMotion& m) {
      return (m.direction - direction).norm() < kSameSearchDirection;
    };
    if (std::none_of(directions.begin(), directions.end(), same)) directions.push_back({direction, reason});
  };
  for (const int unit : units) {
    const auto at = static_cast<std::size_t>(unit);
    for (std::size_t k = 0; k < motions_.ofUnit[at].size(); ++k) {
      const RemovalMotion& motion = motions_.motions[static_cast<std::size_t>(motions_.ofUnit[at][k])];
      if (motion.unit < 0) add(motion.direction, motions_.reasons[at][k]);
    }
    for (const int part : assembly_.units[at].parts)
      for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0})
          add(assembly_.X_WP[static_cast<std::size_t>(part)].q * (sign * Vector3d::Unit(axis)),
              std::string("axis ") + "xyz"[axis] + " of " + assembly_.scene->part(part).name);
  }
  return directions;
}

/// Of the unit's holes and features, and of those of its neighbors.
std::vector<RotationAxis> PathSearch::axesOf(int unit, const std::vector<int>& resting) {
  std::vector<RotationAxis> axes;
  const auto pose = [&](int part) -> const Pose& { return assembly_.X_WP[static_cast<std::size_t>(part)]; };
  const auto add = [&](const Vector3d& p_W, const Vector3d& direction, bool isOwn) {
    const auto same = [&](const RotationAxis& axis) {
      return axis.direction.cross(direction).norm() < kSameSearchDirection &&
             (axis.p_W - p_W).cross(direction).norm() < kSameAxisLine;
    };
    if (std::none_of(axes.begin(), axes.end(), same)) axes.push_back({p_W, direction, isOwn});
  };
  const auto addOf = [&](int part, bool isOwn) {
    const content::Part& of = assembly_.scene->part(part);
    for (const content::AxisFeature& feature : of.features)
      add(pose(part) * feature.origin, pose(part).q * feature.direction, isOwn);
    for (const content::HoleSite& hole : content::holesOf(of))
      add(pose(part) * hole.X_PH.p, pose(part).q * (hole.X_PH.q * Vector3d::UnitZ()), isOwn);
  };
  const std::vector<int>& own = assembly_.units[static_cast<std::size_t>(unit)].parts;
  for (const int part : own) addOf(part, true);
  for (const int other : resting)
    for (const int part : own)
      if (distance_.separation(part, pose(part), other, pose(other), kAxisNeighbor) < kAxisNeighbor)
        addOf(other, false);
  return axes;
}

/// No unit that stays has to be taken out before one of these, and none is linked to something that stays.
bool PathSearch::mayLeave(const std::vector<int>& units, const std::vector<int>& rest, int base) const {
  const std::vector<int> resting = restingParts(rest, units, base);
  for (const int unit : units)
    if (areLinked(assembly_.units[static_cast<std::size_t>(unit)].parts, resting)) return false;
  return std::none_of(assembly_.after.begin(), assembly_.after.end(), [&](const std::pair<int, int>& after) {
    return containsUnit(units, after.second) && containsUnit(rest, after.first) &&
           !containsUnit(units, after.first);
  });
}

bool PathSearch::areLinked(const std::vector<int>& parts, const std::vector<int>& others) const {
  return std::any_of(parts.begin(), parts.end(), [&](int part) {
    return std::any_of(others.begin(), others.end(),
                       [&](int other) { return linked_.areLinked(part, other); });
  });
}

/// False if all units are linked, directly or through others, to what stays.
bool PathSearch::canAnyLeave(const std::vector<int>& rest, int base) const {
  std::vector<int> loose = rest, staying = restingParts(rest, rest, base);
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (const int unit : std::vector<int>(loose)) {
      const std::vector<int>& parts = assembly_.units[static_cast<std::size_t>(unit)].parts;
      if (!areLinked(parts, staying)) continue;
      staying.insert(staying.end(), parts.begin(), parts.end());
      std::erase(loose, unit);
      isNew = true;
    }
  }
  return !loose.empty();
}

}  // namespace tenon::runtime
