// The order in which an assembly comes apart: the reverse of the order of assembly.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/path_check.h"

namespace tenon::runtime {

/// What decides between units that could come out next.
enum class OrderPreference {
  fewestTurns,  ///< keep the direction of the last removal
  fromAbove,    ///< upwards before sideways before downwards
  lightFirst,   ///< light parts out first, so that heavy ones are assembled first
  /// Of the next few by fewestTurns, the first after which all that remains stands without being held, or the
  /// least of it falls. It needs OrderAids::stability.
  fewestSupports,
};

inline constexpr int kOrderPreferences = 4;

struct RemovalOrder;
class PathSearch;
class StabilityCheck;
class ToolAccess;

/// A path with corners.
struct CorneredPath {
  /// From the assembled state to the start of the last motion. Units that stay are moved back afterwards.
  std::vector<PathLeg> legs;
  RemovalMotion last;  ///< out of the assembly, straight
};

/// One or several units that come out together.
struct Removal {
  std::vector<int> units;              ///< ascending
  int motion = -1;                     ///< index into MotionSet::motions; −1: `path`
  double travel = 0;                   ///< until clear of the assembly, of the last motion [m]
  std::vector<RemovalOrder> inside;    ///< of several units: how they come apart afterwards; else empty
  std::optional<CorneredPath> path{};  ///< of one that no straight or screw motion frees
};

/// A complete order, or as much of it as could be found.
struct RemovalOrder {
  int base = -1;                  ///< unit that stays, of a subassembly; −1: the parts that stay anyway
  std::vector<Removal> removals;  ///< first out first
  std::vector<int> inseparable;   ///< units that no motion frees from each other and from what stays
  std::vector<int> unplanned;     ///< units left when the time was over
  bool breaksAfter = false;  ///< of a subassembly: its base is later than another unit, by "after" of goals
  bool isComplete() const;
  /// True if a subassembly of it `breaksAfter`.
  bool breaksAfterInside() const;
};

/// Interruption and progress of a search.
struct SearchControl {
  std::function<bool()> stop = [] { return false; };  ///< true: return the best so far
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// What an order may make use of; null: it does without.
struct OrderAids {
  PathSearch* search = nullptr;
  const ToolAccess* tools = nullptr;
  StabilityCheck* stability = nullptr;
};

/// Takes out what some motion frees, one unit where that is possible, otherwise the smallest group that no
/// other part blocks (the closed set of the blocking graph of a motion: R. H. Wilson and J.-C. Latombe,
/// Geometric reasoning about mechanical assembly, Artificial Intelligence 71, 1994). Removing parts frees
/// others and blocks none, so a complete order by such motions is found if there is one. Where none moves any
/// unit out, the path search looks for a path with corners. Screws whose tools are blocked leave last.
RemovalOrder findRemovalOrder(const Assembly& assembly, const MotionSet& motions, PathCheck& paths,
                              OrderPreference preference, const SearchControl& control,
                              const OrderAids& aids = {});

}  // namespace tenon::runtime
