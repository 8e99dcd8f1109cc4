// Where hands come from: one interface for scripts, mouse, controllers, hand tracking and replay.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// On the way between a pose of the hand and a pose of the part it holds, which only somebody who
/// knows the grip can join. Live hands never are.
struct FrameBlend {
  physics::Pose start;  ///< where the way began: a hand's pose if the sample poses the part, else a part's
  double fraction = 0;  ///< of the way from there to HandSample::X_WH, 0…1
};

/// How far an empty hand reaches for the nearest part [m].
inline constexpr double kDefaultGrabRadius = 0.05;

/// What a person's (or a script's) hand does at one moment.
struct HandSample {
  bool tracked =
      false;  ///< false: of the rest only `closed` says what it was; whoever holds something keeps it
  physics::Pose X_WH;     ///< grip pose in world
  bool closed = false;    ///< squeezing
  int wantedPart = -1;    ///< the part to take when closing; −1: the nearest within reach
  double grabRadius = kDefaultGrabRadius;  ///< [m]
  /// X_WH is the pose of the held part's own frame; the hand follows with its offset. While nothing
  /// is held, such a pose leaves the hand where it is.
  bool posesPart = false;
  /// The pose is only `fraction` of the way to X_WH.
  std::optional<FrameBlend> frameBlend;
  /// Where the hand was when it closed, if that is known better than by this sample (the instant
  /// lay between two samples).
  std::optional<physics::Pose> X_WH_closed;
};

class HandSource {
 public:
  virtual ~HandSource() = default;
  /// One sample per hand of the scene, for the instant `time_ns` since the start. Replaces `samples`.
  virtual void sample(std::int64_t time_ns, std::vector<HandSample>& samples) = 0;
};

}  // namespace tenon::xr
