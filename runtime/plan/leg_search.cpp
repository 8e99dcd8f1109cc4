// See leg_search.h. Rotations are in leg_rotations.cpp.
#include "runtime/plan/leg_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/plan/part_levels.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Shortest move, as a share of the assembly's size, and its limits [m].
constexpr double kShortestShare = 0.01, kShortest = 50e-6, kLongestShortest = 0.5e-3;
/// States whose displacements differ by less are one [m], [rad].
constexpr double kSameState = 20e-6, kSameAngle = 2e-3;
/// Relative displacements that differ by less have the same free travel [m].
constexpr double kSameDisplacement = 1e-7;
/// Stops of a move that differ by less are one [m].
constexpr double kSameStop = 1e-6;
/// Stops of one move that are tried, the farthest included.
constexpr std::size_t kMaxStops = 16;
/// Free space around the assembly at the end of a removal [m].
constexpr double kExitGap = 1e-3;

long long rounded(double value, double step) {
  return std::llround(value / step);
}

bool isTranslated(const Pose& X) {
  return X.q.vec().squaredNorm() == 0;
}

}  // namespace

LegSearch::LegSearch(const Assembly& assembly, LegTravel& travel, const LegSearchScope& scope,
                     std::function<bool(const std::vector<int>&)> mayLeave)
    : assembly_(assembly), travel_(travel), scope_(scope), mayLeave_(std::move(mayLeave)) {
  Eigen::AlignedBox3d extent;
  const auto include = [&](int part) {
    const Eigen::AlignedBox3d box =
        worldBounds(assembly.scene->part(part), assembly.X_WP[static_cast<std::size_t>(part)]);
    if (box.sizes().allFinite()) extent.extend(box);
  };
  for (const int unit : scope.movable) {
    bodies_.push_back({unit, assembly.units[static_cast<std::size_t>(unit)].parts});
    for (const int part : bodies_.back().parts) include(part);
  }
  movable_ = bodies_.size();
  for (const int part : scope.resting) {
    bodies_.push_back({-1, {part}});
    include(part);
  }
  shortest_ = std::clamp(kShortestShare * extent.diagonal().norm(), kShortest, kLongestShortest);
}

std::optional<Removal> LegSearch::run(const LegSearchLimits& limits,
                                      const std::function<void(int)>& progress) {
  nodes_ = {Node{std::vector<Pose>(movable_), -1, 0, {}}};
  seen_.clear();
  seen_.insert(std::vector<long long>(6 * movable_, 0));
  maxLegs_ = limits.legs;
  for (int index = 0; index < static_cast<int>(nodes_.size()) && index < limits.states; ++index) {
    if (travel_.isStopped()) return std::nullopt;
    progress(index + 1);
    for (std::size_t direction = 0; direction < scope_.directions.size(); ++direction)
      if (auto removal = expand(index, direction)) return removal;
    if (nodes_[static_cast<std::size_t>(index)].depth < maxLegs_) expandRotations(index);
  }
  return std::nullopt;
}

std::optional<Removal> LegSearch::expand(int index, std::size_t direction) {
  const Node node = nodes_[static_cast<std::size_t>(index)];  // a copy: nodes are added
  const Vector3d& d = scope_.directions[direction].direction;
  std::set<std::vector<std::size_t>> tried;
  for (std::size_t seed = 0; seed < movable_; ++seed) {
    const std::vector<std::size_t> set = closedSet(node, seed, direction);
    if (set.empty() || !tried.insert(set).second) continue;
    const double exit = exitOf(node, set, d);
    const double travel = travelOf(node, set, direction, exit);
    if (travel >= exit) {
      if (mayLeave_(unitsOf(set))) return removalOf(index, set, direction);
      continue;
    }
    if (node.depth >= maxLegs_ || travel < shortest_) continue;
    for (const double stop : stopsOf(node, set, direction, travel)) {
      PathLeg leg{unitsOf(set)};
      leg.displacement = stop * d;
      addNode(index, std::move(leg), set);
    }
  }
  return std::nullopt;
}

bool LegSearch::contains(const std::vector<std::size_t>& set, std::size_t body) {
  return std::find(set.begin(), set.end(), body) != set.end();
}

std::vector<int> LegSearch::unitsOf(const std::vector<std::size_t>& set) const {
  std::vector<int> units;
  for (const std::size_t body : set) units.push_back(bodies_[body].unit);
  std::sort(units.begin(), units.end());
  return units;
}

Pose LegSearch::poseOf(const Node& node, std::size_t body, int part) const {
  const Pose& X_WP = assembly_.X_WP[static_cast<std::size_t>(part)];
  return body < movable_ ? node.X[body] * X_WP : X_WP;
}

/// Screws in their threads stay in them.
bool LegSearch::isBound(std::size_t a, std::size_t b) const {
  for (const auto& [screw, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (screw >= movable_) continue;
    const auto& thread = assembly_.units[static_cast<std::size_t>(bodies_[screw].unit)].thread;
    const std::vector<int>& parts = bodies_[other].parts;
    if (thread && std::find(parts.begin(), parts.end(), thread->to) != parts.end()) return true;
  }
  return false;
}

/// The bodies that block each other, from the seed on; empty if one that rests is among them.
std::vector<std::size_t> LegSearch::closedSet(const Node& node, std::size_t seed, std::size_t direction) {
  std::vector<std::size_t> set{seed};
  for (std::size_t k = 0; k < set.size(); ++k)
    // Those at rest first: most sets end there.
    for (std::size_t next = bodies_.size(); next-- > 0;) {
      if (contains(set, next)) continue;
      if (!isBound(set[k], next) && pairTravel(node, set[k], next, direction, shortest_) >= shortest_)
        continue;
      if (next >= movable_) return {};
      set.push_back(next);
    }
  std::sort(set.begin(), set.end());
  return set;
}

double LegSearch::travelOf(const Node& node, const std::vector<std::size_t>& set, std::size_t direction,
                           double limit) {
  double travel = limit;
  for (const std::size_t body : set)
    for (std::size_t other = 0; other < bodies_.size(); ++other)
      if (!contains(set, other)) travel = std::min(travel, pairTravel(node, body, other, direction, travel));
  return travel;
}

double LegSearch::exitOf(const Node& node, const std::vector<std::size_t>& set, const Vector3d& d) const {
  double exit = kExitGap;
  for (const std::size_t body : set)
    for (std::size_t other = 0; other < bodies_.size(); ++other) {
      if (contains(set, other)) continue;
      for (const int part : bodies_[body].parts)
        for (const int with : bodies_[other].parts) {
          const auto interval =
              travel_.interval(part, poseOf(node, body, part), with, poseOf(node, other, with), d);
          if (interval && std::isfinite(interval->second)) exit = std::max(exit, interval->second + kExitGap);
        }
    }
  return exit;
}

double LegSearch::pairTravel(const Node& node, std::size_t a, std::size_t b, std::size_t direction,
                             double limit) {
  const Vector3d& d = scope_.directions[direction].direction;
  const Pose X_B = b < movable_ ? node.X[b] : Pose{};
  if (!isTranslated(node.X[a]) || !isTranslated(X_B)) return sweepPair(node, a, b, d, 0, limit);
  const Vector3d between = X_B.p - node.X[a].p;
  Free& free = free_[{a, b, direction, rounded(between.x(), kSameDisplacement),
                      rounded(between.y(), kSameDisplacement), rounded(between.z(), kSameDisplacement)}];
  if (free.isMet || free.travel >= limit) return free.travel;
  const double travel = sweepPair(node, a, b, d, free.travel, limit);
  if (travel_.isStopped()) return travel;
  free.isMet = travel < limit;
  free.travel = travel;
  return travel;
}

double LegSearch::sweepPair(const Node& node, std::size_t a, std::size_t b, const Vector3d& d, double from,
                            double to) {
  double travel = to;
  for (const int part : bodies_[a].parts)
    for (const int other : bodies_[b].parts) {
      if (travel <= from) return travel;
      Pose X_WP = poseOf(node, a, part);
      X_WP.p += from * d;
      PathLeg leg;
      leg.displacement = (travel - from) * d;
      travel = from + (travel - from) * travel_.freeShare(leg, part, X_WP, other, poseOf(node, b, other));
    }
  return travel;
}

std::vector<double> LegSearch::levels(const Node& node, std::size_t body, std::size_t direction) {
  const Vector3d& d = scope_.directions[direction].direction;
  const auto collect = [&](const Node* at) {
    std::vector<double> all;
    for (const int part : bodies_[body].parts) {
      const Pose X = at ? poseOf(*at, body, part) : assembly_.X_WP[static_cast<std::size_t>(part)];
      for (const double level : levelsOf(assembly_.scene->part(part).shape, X.q.conjugate() * d))
        all.push_back(level + d.dot(X.p));
    }
    return all;
  };
  if (body < movable_ && !isTranslated(node.X[body])) return collect(&node);
  const auto [found, isNew] = levels_.try_emplace({body, direction});
  if (isNew) found->second = collect(nullptr);
  std::vector<double> moved = found->second;
  for (double& level : moved) level += body < movable_ ? d.dot(node.X[body].p) : 0;
  return moved;
}

/// Where a face or axis of the set gets in line with one of the others, and the end of the move.
std::vector<double> LegSearch::stopsOf(const Node& node, const std::vector<std::size_t>& set,
                                       std::size_t direction, double travel) {
  std::vector<double> stops;
  for (const std::size_t body : set)
    for (std::size_t other = 0; other < bodies_.size(); ++other) {
      if (contains(set, other)) continue;
      const std::vector<double> own = levels(node, body, direction), others = levels(node, other, direction);
      for (const double from : own)
        for (const double to : others)
          if (to - from > shortest_ && to - from < travel - kSameStop) stops.push_back(to - from);
    }
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end(), [](double a, double b) { return b - a < kSameStop; }),
              stops.end());
  std::vector<double> chosen{travel};
  const std::size_t count = std::min(stops.size(), kMaxStops - 1);
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(stops[k * stops.size() / count]);
  return chosen;
}

void LegSearch::addNode(int parent, PathLeg leg, const std::vector<std::size_t>& set) {
  const Node& from = nodes_[static_cast<std::size_t>(parent)];
  Node node{from.X, parent, from.depth + 1, std::move(leg)};
  for (const std::size_t body : set) node.X[body] = poseAlong(node.leg, node.X[body], 1);
  std::vector<long long> key;
  for (const Pose& X : node.X) {
    const Vector3d turn = physics::logarithm(X.q);
    for (int k = 0; k < 3; ++k) {
      key.push_back(rounded(X.p[k], kSameState));
      key.push_back(rounded(turn[k], kSameAngle));
    }
  }
  if (seen_.insert(std::move(key)).second) nodes_.push_back(std::move(node));
}

Removal LegSearch::removalOf(int index, const std::vector<std::size_t>& set, std::size_t direction) const {
  Removal removal;
  removal.units = unitsOf(set);
  removal.path.emplace();
  removal.path->last = scope_.directions[direction];
  const Node& end = nodes_[static_cast<std::size_t>(index)];
  removal.travel = exitOf(end, set, removal.path->last.direction);
  for (const Node* node = &end; node->parent >= 0; node = &nodes_[static_cast<std::size_t>(node->parent)])
    removal.path->legs.insert(removal.path->legs.begin(), node->leg);
  return removal;
}

}  // namespace tenon::runtime
