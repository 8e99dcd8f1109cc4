// How near a part came to each of the others while a hand held it: exact distances at keyframes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "content/scene/scene.h"
#include "physics/collision/collider.h"

namespace tenon::runtime {

/// The nearest of all moments that were looked at.
struct NearestMoment {
  double distance = 0;  ///< between the surfaces [m]; negative: an overlap
  double time = 0;      ///< [s]
};

/// A pair is measured again only when its parts may have come nearer than they ever were: a point of one
/// moves, as the other sees it, by no more than its origin does and the angle it turns by times the part's
/// radius.
class LeastClearance {
 public:
  /// What stayed further away is not told [m].
  static constexpr double kFarthest = 0.1;

  /// Copies what collides of the scene's parts.
  explicit LeastClearance(const content::Scene& scene);

  /// `part` is held. X_WP: of every part of the scene.
  void see(int part, double time, std::span<const physics::Pose> X_WP);
  /// Nothing: they were never seen within kFarthest of each other.
  std::optional<NearestMoment> between(int part, int other) const;

 private:
  struct Pair {
    std::optional<NearestMoment> nearest;
    physics::Pose X_OP;      ///< of the part in the other's frame, when it was measured last
    double atLeast = -1e30;  ///< its distance then, or less [m]
  };
  void measure(int part, int other, double time, std::span<const physics::Pose> X_WP, Pair& pair);

  std::size_t parts_;
  std::unique_ptr<physics::Collider> collider_;
  std::vector<Pair> pairs_;  ///< other by other, part by part
  physics::ContactSet contacts_;
};

}  // namespace tenon::runtime
