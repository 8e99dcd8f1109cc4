// A bare hand as a camera sees it, its joints, and what that says of the hand. Free of OpenXR.
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

/// Poses in the room; −z of a joint points to the finger's tip, of the palm to the fingers, y out of the back
/// of the hand.
using HandJoints = std::array<physics::Pose, kJointCount>;

// Ratios of lengths to the hand's own, from wrist to the middle finger's knuckle: the hand closes where the
// value falls below the first one, and opens where it rises above the second one.
inline constexpr std::array kPinchThresholds{0.25, 0.40};  ///< from the thumb's tip to the forefinger's
inline constexpr std::array kGraspThresholds{
    0.70, 0.85};  ///< from the tips of the other three to the palm, their mean

/// How far the tips of thumb and forefinger have met, and how far the other three are bent to the palm: a
/// value of XrHands::kClose where it closes, kOpen where it opens, and evenly in between and beyond, 0…1.
double pinchStrength(const HandJoints& joints);
double graspStrength(const HandJoints& joints);

/// How far the grip is in front of the forefinger's knuckle and below it, by the hand's own length.
inline constexpr double kGripOffset = 0.35;

/// The bare hand in the place of a controller: its grip is about where thumb and forefinger meet, turned as
/// the palm and fast to it, so that fingers which close or open move nothing; it closes by the stronger of
/// pinch and grasp, and points where the palm does. No trigger, no stick.
Controller controllerOf(const HandJoints& joints);

/// Of what tells of one hand, the first of this order that sees it: a controller in it, else the bare hand.
/// None: an untracked one.
Controller firstTracked(const Controller& controller, const Controller& bareHand);

}  // namespace tenon::xr
