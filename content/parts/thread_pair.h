// The external and the internal thread of a goal.
#pragma once

#include <optional>

#include "content/model/scene.h"
#include "physics/collision/geometry/thread.h"

namespace tenon::content {

/// An external thread about the axis of a feature, and an internal one about the axis of a hole.
struct ThreadPair {
  physics::Thread external, internal;
  Pose X_PE;  ///< of the external thread's frame in the frame of its part
  Pose X_HI;  ///< of the internal thread's frame in the frame of the hole's mouth

  /// True if pitch, starts and hand are the same.
  bool isMatching() const;
  /// Axial play of coaxial threads: of their flanks at the pitch diameter, (D₂ − d₂) tan β [m]; negative if
  /// they interfere.
  double axialPlay() const;
};

/// The threads of a goal, of each part the one nearest to the feature or the mouth; empty if one of them has
/// none on its axis, and for a goal with a pose.
std::optional<ThreadPair> threadPairOf(const Scene& scene, const Goal& goal);

/// The external thread about the goal's feature, the one nearest to it; empty without one, and for a goal
/// with a pose.
std::optional<physics::Thread> externalThreadOf(const Scene& scene, const Goal& goal);

/// Complete threads: the range of z without the cones of its ends [m].
struct CompleteRange {
  double low = 0, high = 0;
};
CompleteRange completeRangeOf(const physics::Thread& thread);

/// Depth of the feature's origin below the mouth at which `turns` complete turns of both threads lie side by
/// side [m].
double depthOfTurns(const ThreadPair& threads, const AxisFeature& feature, double turns);

}  // namespace tenon::content
