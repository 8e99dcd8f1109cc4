// The interface of hand input: scripts, mouse, controllers, hand tracking and replay.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

/// An interpolation between a pose of the hand and a pose of the part it holds, which needs the grip's
/// offset. Scripts only.
struct FrameBlend {
  physics::Pose start;  ///< start of the path: the hand's pose if the sample poses the part, else the part's
  double fraction = 0;  ///< of the path from there to HandSample::X_WH, 0…1
};

/// Distance within which an empty hand grasps the nearest part [m].
inline constexpr double kDefaultGrabRadius = 0.05;

/// The state of a hand at one instant.
struct HandSample {
  /// False: only `closed` is valid, as it was; the hand keeps its target and what it holds.
  bool tracked = false;
  physics::Pose X_WH;   ///< grip pose in world
  bool closed = false;  ///< squeezing
  int wantedPart = -1;  ///< the part to grasp when closing; −1: the nearest within grabRadius
  double grabRadius = kDefaultGrabRadius;  ///< [m]
  /// X_WH is the pose of the held part's frame; the hand follows with its offset. Ignored while nothing is
  /// held.
  bool posesPart = false;
  /// The pose is `fraction` of the path to X_WH.
  std::optional<FrameBlend> frameBlend;
  /// Pose at the instant of closing, if that lay between two samples.
  std::optional<physics::Pose> X_WH_closed;
};

class HandSource {
 public:
  virtual ~HandSource() = default;
  /// Replaces `samples` by one sample per hand of the scene, at `time_ns` since the start.
  virtual void sample(std::int64_t time_ns, std::vector<HandSample>& samples) = 0;
};

}  // namespace tenon::xr
