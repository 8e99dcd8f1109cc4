// Breadth-first search for a removal by several moves, each along a direction or about an axis until
// something stops it or it is in line with others.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "runtime/plan/leg_travel.h"
#include "runtime/plan/removal_order.h"

namespace tenon::runtime {

/// An axis that a part may rotate about, in the assembled state.
struct RotationAxis {
  physics::Vector3d p_W = physics::Vector3d::Zero();         ///< a point of it [m]
  physics::Vector3d direction = physics::Vector3d::UnitZ();  ///< unit
  bool isOwn = false;                                        ///< moves along with the part
};

/// What may move, what is in the way, and the moves to try.
struct LegSearchScope {
  std::vector<int> movable;               ///< units, ascending
  std::vector<int> resting;               ///< all other parts that are present
  std::vector<RemovalMotion> directions;  ///< straight ones
  std::vector<RotationAxis> axes;         ///< of a single movable unit; empty: no rotations
};

/// Limits of a search, in states rather than in time: the result does not depend on the machine.
struct LegSearchLimits {
  int states = 0;  ///< that are examined
  int legs = 0;    ///< of the path, before its last motion
};

/// States are the poses of the movable units. In each, a move takes the closed set of the units that block
/// each other along a direction (as findRemovalOrder() does for endless motions) as far as it goes, or to
/// where faces or axes of it are in line with those of others; a single unit also rotates about the axes. The
/// path with the fewest moves is found first. Stops of tight parts are found by exact contact, where random
/// samples of a configuration space would have to hit a gap of micrometers.
class LegSearch {
 public:
  /// Borrows all; `mayLeave` decides which sets of units may leave (precedence).
  LegSearch(const Assembly& assembly, LegTravel& travel, const LegSearchScope& scope,
            std::function<bool(const std::vector<int>&)> mayLeave);

  /// The removal with its legs; empty: none within the limits. `progress` receives the number of states.
  std::optional<Removal> run(const LegSearchLimits& limits, const std::function<void(int)>& progress);

  int states() const { return static_cast<int>(nodes_.size()); }

 private:
  struct Body {
    int unit = -1;  ///< −1: at rest
    std::vector<int> parts;
  };
  /// Displacements of the movable units from the assembled state, in the world.
  struct Node {
    std::vector<physics::Pose> X;
    int parent = -1;
    int depth = 0;
    PathLeg leg;  ///< that led here
  };
  /// How far a pair is free along a direction at some relative displacement.
  struct Free {
    double travel = 0;   ///< [m]
    bool isMet = false;  ///< they meet after that
  };

  std::optional<Removal> expand(int index, std::size_t direction);
  /// Of the only movable unit, in both senses about each axis.
  void expandRotations(int index);
  std::vector<double> sharesOf(const Node& node, const PathLeg& circle);
  void addOpenings(const Node& node, const PathLeg& circle, double free, double sign,
                   std::vector<double>& shares);
  std::vector<std::size_t> closedSet(const Node& node, std::size_t seed, std::size_t direction);
  double travelOf(const Node& node, const std::vector<std::size_t>& set, std::size_t direction, double limit);
  double exitOf(const Node& node, const std::vector<std::size_t>& set, const physics::Vector3d& d) const;
  std::vector<double> stopsOf(const Node& node, const std::vector<std::size_t>& set, std::size_t direction,
                              double travel);
  std::vector<double> levels(const Node& node, std::size_t body, std::size_t direction);
  /// Travel of body a until it meets b, at least `limit` if it does not before.
  double pairTravel(const Node& node, std::size_t a, std::size_t b, std::size_t direction, double limit);
  double sweepPair(const Node& node, std::size_t a, std::size_t b, const physics::Vector3d& d, double from,
                   double to);
  bool isBound(std::size_t a, std::size_t b) const;
  double freeShare(const Node& node, const PathLeg& leg);
  bool isFreeAtEnd(const Node& node, const PathLeg& leg);
  physics::Pose poseOf(const Node& node, std::size_t body, int part) const;
  bool isRound(const RotationAxis& axis) const;
  void addNode(int parent, PathLeg leg, const std::vector<std::size_t>& set);
  Removal removalOf(int index, const std::vector<std::size_t>& set, std::size_t direction) const;
  std::vector<int> unitsOf(const std::vector<std::size_t>& set) const;
  static bool contains(const std::vector<std::size_t>& set, std::size_t body);

  const Assembly& assembly_;
  LegTravel& travel_;
  const LegSearchScope& scope_;
  std::function<bool(const std::vector<int>&)> mayLeave_;
  std::vector<Body> bodies_;  ///< the movable ones first
  std::size_t movable_ = 0;
  double shortest_ = 0;  ///< a move is at least this long [m]
  std::vector<Node> nodes_;
  std::set<std::vector<long long>> seen_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, long long, long long, long long>, Free> free_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> levels_;
  int maxLegs_ = 0;
};

}  // namespace tenon::runtime
