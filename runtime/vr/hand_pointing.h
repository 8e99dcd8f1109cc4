// Ray grasping of the hands, and their displayed state.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "runtime/vr/hand_appearance.h"
#include "xr/hands/xr_hands.h"
#include "xr/interaction/ray_grab.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

/// Updates `rays` for a frame. Distances are measured from the head, so that walking does not move held
/// parts.
void updateRays(const xr::XrHands& hands, const xr::XrFrame& xrFrame, const physics::Pose& X_WS,
                std::span<const physics::Pose> X_WP, xr::RayGrab& rays);

/// The part that a hand would grasp with its ray, first the right hand.
std::optional<xr::PartHit> pointedPart(const xr::XrHands& hands, const xr::RayGrab& rays);

/// The parts that open hands could grasp directly.
std::vector<int> partsInReach(const xr::XrHands& hands, const xr::RayGrab& rays);

/// `xrFrame` in world scale, so that X_WS alone maps it to the world. `scale`: display scale.
xr::XrFrame inWorldScale(xr::XrFrame xrFrame, double scale);

/// By hand, left (0) and right (1), also if not tracked.
std::array<bool, 2> closedHands(const xr::XrHands& hands);
bool isAnyHandClosed(const xr::XrHands& hands);

/// The displayed state of the left (0) or right (1) hand, which must exist in the scene.
ShownHand shownHand(std::size_t side, const xr::XrHands& hands, const xr::RayGrab& rays,
                    const xr::XrFrame& xrFrame, const physics::Pose& X_WS, const content::Scene& scene,
                    const InterpolatedState& drawn);

}  // namespace tenon::runtime
