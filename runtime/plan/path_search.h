// Paths with corners for what no straight or screw motion frees.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/plan/leg_search.h"

namespace tenon::runtime {

/// Searches, in this order, until one finds a path: moves of one unit along directions of features, contacts
/// and frames; the same with rotations about axes of holes and features; moves of several units. Each is
/// limited in the number of states, so the result does not depend on the machine. What is linked to parts
/// that stay (LinkedParts) is not searched. Results are cached.
class PathSearch {
 public:
  /// Borrows all but `control`.
  PathSearch(const Assembly& assembly, const MotionSet& motions, PartDistance& distance,
             SearchControl control);

  /// A removal out of the units of `rest` (ascending). `base`: the unit that stays; −1: the parts that stay.
  /// Empty: none was found.
  std::optional<Removal> find(const std::vector<int>& rest, int base);

  /// True if a search was stopped before its end.
  bool wasStopped() const { return wasStopped_; }

 private:
  using Rest = std::pair<std::vector<int>, int>;  ///< units and base

  std::optional<Removal> search(const std::vector<int>& rest, int base);
  std::optional<Removal> searchOne(const std::vector<int>& rest, int base, bool withRotations);
  std::optional<Removal> searchTogether(const std::vector<int>& rest, int base);
  std::optional<Removal> searchAtRandom(const std::vector<int>& rest, int base);
  std::vector<int> restingParts(const std::vector<int>& rest, const std::vector<int>& movable,
                                int base) const;
  std::vector<RemovalMotion> directionsOf(const std::vector<int>& units) const;
  std::vector<RotationAxis> axesOf(int unit, const std::vector<int>& resting);
  bool mayLeave(const std::vector<int>& units, const std::vector<int>& rest, int base) const;
  bool areLinked(const std::vector<int>& parts, const std::vector<int>& others) const;
  bool canAnyLeave(const std::vector<int>& rest, int base) const;

  const Assembly& assembly_;
  const MotionSet& motions_;
  PartDistance& distance_;
  SearchControl control_;
  LegTravel travel_;
  LinkedParts linked_;
  std::map<Rest, std::optional<Removal>> results_;
  bool wasStopped_ = false;
};

}  // namespace tenon::runtime
