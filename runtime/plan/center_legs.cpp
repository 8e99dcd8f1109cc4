// See center_legs.h.
#include "runtime/plan/center_legs.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using physics::Pose;

/// The ends of the range are found to this share of the leg.
constexpr double kRangeShare = 1e-3;
/// Longer than this times its length, or shorter than this, no leg becomes.
constexpr double kMost = 2, kLeast = 1e-3;
/// Travel beyond the bounds of the others at the end [m].
constexpr double kExitClearance = 1e-3;

class LegCentering {
 public:
  LegCentering(const Assembly& assembly, LegTravel& travel, const std::vector<int>& resting, Removal& removal)
      : assembly_(assembly), travel_(travel), resting_(resting), removal_(removal) {}

  void run() {
    for (std::size_t leg = 0; leg < removal_.path->legs.size() && !travel_.isStopped(); ++leg) {
      const double longest = endOfRange(leg, kMost), shortest = endOfRange(leg, kLeast);
      const Removal middle = scaled(leg, 0.5 * (longest + shortest));
      if (isFree(middle)) removal_ = middle;
    }
  }

 private:
  /// The factor of a leg's length, between 1 and `limit`, up to which the path is free.
  double endOfRange(std::size_t leg, double limit) {
    if (isFree(scaled(leg, limit))) return limit;
    double free = 1, blocked = limit;
    while (std::abs(blocked - free) > kRangeShare) {
      const double middle = 0.5 * (free + blocked);
      (isFree(scaled(leg, middle)) ? free : blocked) = middle;
    }
    return free;
  }

  Removal scaled(std::size_t leg, double factor) const {
    Removal changed = removal_;
    changed.path->legs[leg].displacement *= factor;
    changed.path->legs[leg].rotation *= factor;
    const auto shift = changed.path->legs[leg].displacement - removal_.path->legs[leg].displacement;
    for (std::size_t k = leg + 1; k < changed.path->legs.size(); ++k) changed.path->legs[k].center += shift;
    changed.travel = exitOf(changed);
    return changed;
  }

  const std::vector<int>& parts() const {
    return assembly_.units[static_cast<std::size_t>(removal_.units.front())].parts;
  }
  const Pose& placeOf(int part) const { return assembly_.X_WP[static_cast<std::size_t>(part)]; }

  double exitOf(const Removal& removal) const {
    double exit = kExitClearance;
    for (const int part : parts())
      for (const int other : resting_) {
        const Pose mouth = poseAfter(removal.path->legs, removal.units.front(), placeOf(part));
        const auto interval =
            travel_.interval(part, mouth, other, placeOf(other), removal.path->last.direction);
        if (interval && std::isfinite(interval->second))
          exit = std::max(exit, interval->second + kExitClearance);
      }
    return exit;
  }

  bool isFree(const Removal& removal) {
    std::vector<PathLeg> legs = removal.path->legs;
    PathLeg last{removal.units};
    last.displacement = removal.travel * removal.path->last.direction;
    legs.push_back(last);
    for (const int part : parts())
      for (const int other : resting_) {
        Pose X_WP = placeOf(part);
        for (const PathLeg& leg : legs) {
          if (travel_.freeShare(leg, part, X_WP, other, placeOf(other)) < 1) return false;
          X_WP = poseAlong(leg, X_WP, 1);
        }
      }
    return true;
  }

  const Assembly& assembly_;
  LegTravel& travel_;
  const std::vector<int>& resting_;
  Removal& removal_;
};

}  // namespace

void centerLegs(const Assembly& assembly, LegTravel& travel, const std::vector<int>& resting,
                Removal& removal) {
  LegCentering(assembly, travel, resting, removal).run();
}

}  // namespace tenon::runtime
