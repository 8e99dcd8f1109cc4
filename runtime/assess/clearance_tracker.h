// Minimum clearance between a held part and the other parts: exact distances at keyframes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "content/model/scene.h"
#include "physics/collision/collider.h"

namespace tenon::runtime {

/// The minimum over all measured keyframes.
struct MinimumClearance {
  double distance = 0;  ///< between the surfaces [m]; negative: an overlap
  double time = 0;      ///< [s]
};

/// A pair is measured again only when its distance may be below its minimum so far. Bound: relative to the
/// other part, a point moves by at most the displacement of the part's origin plus the rotation angle times
/// the part's radius.
class ClearanceTracker {
 public:
  /// Larger distances are not reported [m].
  static constexpr double kMaxDistance = 0.1;

  /// Copies the collision shapes of the scene's parts.
  explicit ClearanceTracker(const content::Scene& scene);

  /// Ignores this pair. Call it before either part is held.
  void exclude(int part, int other) { excluded_.insert({part, other}); }
  /// Measures the held `part` against all others. X_WP: poses of all parts of the scene.
  void update(int part, double time, std::span<const physics::Pose> X_WP);
  bool isExcluded(int part, int other) const { return excluded_.contains({part, other}); }
  /// Radius of the part about its origin [m].
  double radius(int part) const { return collider_->radius({part}); }
  /// The distance of two parts at these poses [m]; empty if it exceeds `range` [m].
  std::optional<double> distanceWithin(int part, int other, double range,
                                       std::span<const physics::Pose> X_WP);
  /// Empty: never within kMaxDistance of each other, or excluded.
  std::optional<MinimumClearance> between(int part, int other) const;

 private:
  struct Pair {
    int part = -1, other = -1;
    std::optional<MinimumClearance> nearest;
    physics::Pose X_OP;         ///< of the part in the other's frame, at the last measurement
    double lowerBound = -1e30;  ///< of the distance at that measurement [m]
    bool isExact = false;       ///< lowerBound is the distance
  };
  void measure(Pair& pair, double moved, double time, std::span<const physics::Pose> X_WP);

  std::unique_ptr<physics::Collider> collider_;
  std::map<int, std::vector<Pair>> pairs_;  ///< by the held part, one entry for each other part
  std::set<std::pair<int, int>> excluded_;
  physics::ContactSet contacts_;
};

}  // namespace tenon::runtime
