// Collisions along removal paths, by exact distances.
#pragma once

#include <Eigen/Geometry>

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/plan/linked_parts.h"
#include "runtime/plan/removal_motion.h"

namespace tenon::runtime {

/// Overlap between two distance queries on a path that may stay undetected: half this displacement [m].
inline constexpr double kPathStep = 1e-4;

/// Which parts a unit meets on its path out of the assembly. The path is advanced by as much as the distance
/// and the bound on its rate allow; where surfaces slide on each other, by kPathStep. Overlap of the
/// assembled state (a press fit) may remain, but not grow by more than 2 µm. Linked parts meet on any path.
/// Results are cached.
class PathCheck {
 public:
  /// Borrows the first three. Once `stop` returns true, paths that are not yet searched count as blocked.
  PathCheck(
      const Assembly& assembly, const MotionSet& motions, PartDistance& distance,
      std::function<bool()> stop = [] { return false; });

  /// True if unit `a` meets unit `b` anywhere on an endless path along `motion`, or a thread holds them
  /// together.
  bool isBlocked(int a, int b, int motion);
  /// True if the unit meets a part that stays, on its way out of the assembly.
  bool isBlockedByStatic(int unit, int motion);
  /// All parts that stay and block the unit, ascending. Not cached.
  std::vector<int> blockingStatics(int unit, int motion);

  /// True if all these units meet no part that stays on a path of the length `travel` [m].
  bool isClearOfStatics(const std::vector<int>& units, int motion, double travel);

  /// Length of the units' path until their bounds have passed those of `others`, and of the parts that stay
  /// where `withBase` [m].
  double travel(const std::vector<int>& units, int motion, const std::vector<int>& others,
                bool withBase) const;

 private:
  /// Upper bound of travel(), whatever others are present.
  double longestTravel(int unit, int motion) const;
  /// True if `screw` is in a thread of `unit`; −1: of a part that stays.
  bool isThreadedInto(int screw, int unit) const;
  std::vector<int> staticsThatBlock(int unit, int motion, bool onlyFirst);
  bool meets(int part, int other, const RemovalMotion& motion, double limit);
  bool meetsGuide(int part, int other, const RemovalMotion& motion);
  bool partsMeet(const std::vector<int>& parts, int other, const RemovalMotion& motion, double limit);

  const Assembly& assembly_;
  const MotionSet& motions_;
  PartDistance& distance_;
  std::function<bool()> stop_;
  LinkedParts linked_;
  std::vector<Eigen::AlignedBox3d> bounds_;  ///< by part, of the assembled state, world
  Eigen::AlignedBox3d extent_;               ///< of the units and the base
  std::map<std::tuple<int, int, int>, bool> unitPairs_;
  std::map<std::pair<int, int>, bool> statics_;
};

/// A part that translates by `displacement` [m] and rotates by `rotation` (rotation vector about its origin
/// [rad]) from X_WP, and another one at rest.
struct PartSweep {
  int part = -1, other = -1;
  physics::Pose X_WP, X_WO;
  physics::Vector3d displacement = physics::Vector3d::Zero(), rotation = physics::Vector3d::Zero();
};

/// The share of the sweep after which they meet: overlap by more than −`allowed` [m] at the start, or by 1 µm
/// more than at the start later. Empty: they do not.
std::optional<double> impactShare(PartDistance& distance, const PartSweep& sweep, double allowed);
/// True if they meet.
bool sweepMeets(PartDistance& distance, const PartSweep& sweep, double allowed);

/// The same for a translation of any length, in sections.
bool translationMeets(PartDistance& distance, const PartSweep& sweep, double allowed);

/// A part on its way out along `motion`, from X_WP in the assembled state.
struct RemovalPath {
  int part = -1;
  physics::Pose X_WP;
  const RemovalMotion& motion;
  double from = 0, to = 0;  ///< travel [m]
};

/// True if the part meets another one at rest on this path, as sweepMeets(). True, too, once `stop` returns
/// true.
bool removalMeets(PartDistance& distance, const RemovalPath& path, int other, const physics::Pose& X_WO,
                  double allowed, const std::function<bool()>& stop);

/// True if the part of the legs' units, from X_WP, meets another one at rest on a path along them, as
/// sweepMeets().
bool legsMeet(PartDistance& distance, const std::vector<PathLeg>& legs, int part, const physics::Pose& X_WP,
              int other, const physics::Pose& X_WO, double allowed);

/// The parts of a leg between which the origin of a part, from X_WP, goes on straight lines instead of arcs:
/// they deviate by at most 0.2 µm. Sections are short enough to be searched at once.
std::vector<PartSweep> sectionsOf(const PathLeg& leg, int part, const physics::Pose& X_WP, int other,
                                  const physics::Pose& X_WO, double from, double to);

/// Interval of travel [m] in which a box that moves along `d` overlaps another one; empty: never.
std::optional<std::pair<double, double>> overlapInterval(const Eigen::AlignedBox3d& moving,
                                                         const Eigen::AlignedBox3d& other,
                                                         const physics::Vector3d& d);

/// Bounds of a part at a pose, in the world; unbounded for a half-space.
Eigen::AlignedBox3d worldBounds(const content::Part& part, const physics::Pose& X_WP);

}  // namespace tenon::runtime
