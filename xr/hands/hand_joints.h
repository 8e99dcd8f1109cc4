// The joints of a tracked bare hand, and the gestures computed from them. Independent of OpenXR.
#pragma once

#include <array>

#include "xr/hands/controller.h"

namespace tenon::xr {

/// In the order of XR_EXT_hand_tracking.
enum class Joint {
  palm,
  wrist,
  thumbMetacarpal,
  thumbProximal,
  thumbDistal,
  thumbTip,
  indexMetacarpal,
  indexProximal,
  indexIntermediate,
  indexDistal,
  indexTip,
  middleMetacarpal,
  middleProximal,
  middleIntermediate,
  middleDistal,
  middleTip,
  ringMetacarpal,
  ringProximal,
  ringIntermediate,
  ringDistal,
  ringTip,
  littleMetacarpal,
  littleProximal,
  littleIntermediate,
  littleDistal,
  littleTip,
};
inline constexpr std::size_t kJointCount = 26;

/// Poses in the room. −z of a joint points to the finger's tip, of the palm to the fingers; y points out of
/// the back of the hand.
using HandJoints = std::array<physics::Pose, kJointCount>;

// Ratios to the hand's length, which is measured from the wrist to the middle finger's knuckle: the hand
// closes below the first value and opens above the second.
inline constexpr std::array kPinchThresholds{0.25, 0.40};  ///< distance of the tips of thumb and index finger
inline constexpr std::array kGraspThresholds{0.70,
                                             0.85};  ///< mean distance of the other three tips from the palm

/// Strength of a pinch of thumb and index finger, and of a grasp with the other three, 0…1. Linear in the
/// ratio: XrHands::kCloseThreshold at the first threshold, kOpenThreshold at the second.
double pinchStrength(const HandJoints& joints);
double graspStrength(const HandJoints& joints);

/// Offset of the grip in front of and below the index finger's knuckle, over the hand's length [-].
inline constexpr double kGripOffset = 0.35;

/// A bare hand as a controller. Its grip is near the point where thumb and index finger meet, with the palm's
/// orientation and fixed to it, so closing fingers do not move it. It closes by the stronger of pinch and
/// grasp and aims along the palm. It has no trigger and no thumbstick.
Controller controllerOf(const HandJoints& joints);

/// The controller if it is tracked, else the bare hand if it is tracked, else an untracked controller. A bare
/// hand that the runtime reports as a controller has the joints of the other one.
Controller firstTracked(const Controller& controller, const Controller& bareHand);

}  // namespace tenon::xr
