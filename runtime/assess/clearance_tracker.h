// How near a part came to others while a hand held it: exact distances at keyframes.
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

/// The nearest of all moments that were looked at.
struct MinimumClearance {
  double distance = 0;  ///< between the surfaces [m]; negative: an overlap
  double time = 0;      ///< [s]
};

/// A pair is measured again only when its parts may have come nearer than they ever were: a point of one
/// moves, as the other sees it, by no more than its origin does and the angle it turns by times the part's
/// radius.
class ClearanceTracker {
 public:
  /// What stayed further away is not told [m].
  static constexpr double kMaxDistance = 0.1;

  /// Copies what collides of the scene's parts.
  explicit ClearanceTracker(const content::Scene& scene);

  /// This pair is not looked at; before either of them is held.
  void exclude(int part, int other) { excluded_.insert({part, other}); }
  /// `part` is held. X_WP: of every part of the scene.
  void update(int part, double time, std::span<const physics::Pose> X_WP);
  /// Nothing: never seen within kMaxDistance of each other, or left out.
  std::optional<MinimumClearance> between(int part, int other) const;

 private:
  struct Pair {
    int part = -1, other = -1;
    std::optional<MinimumClearance> nearest;
    physics::Pose X_OP;         ///< of the part in the other's frame, when it was measured last
    double lowerBound = -1e30;  ///< its distance then, or less [m]
    bool isExact = false;       ///< its distance then
  };
  void measure(Pair& pair, double moved, double time, std::span<const physics::Pose> X_WP);
  /// The least distance up to `range` [m]; nothing beyond it.
  std::optional<double> distance(const Pair& pair, double range, std::span<const physics::Pose> X_WP);

  std::unique_ptr<physics::Collider> collider_;
  std::map<int, std::vector<Pair>> pairs_;  ///< by the part that was held, with each of the others
  std::set<std::pair<int, int>> excluded_;
  physics::ContactSet contacts_;
};

}  // namespace tenon::runtime
