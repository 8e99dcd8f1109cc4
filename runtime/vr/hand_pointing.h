// A person's hands that reach what they point at, and what is shown of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/vr/hand_appearance.h"
#include "xr/hands/xr_hands.h"
#include "xr/interaction/ray_grab.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

/// Tells `rays` of the next moment. The arm is stretched out from the head, so that walking moves nothing.
void updateRays(const xr::XrHands& hands, const xr::XrFrame& seen, const physics::Pose& X_WS,
                std::span<const physics::Pose> X_WP, xr::RayGrab& rays);

/// What either hand would take from afar, the right one's first.
std::optional<xr::PartHit> pointedPart(const xr::XrHands& hands, const xr::RayGrab& rays);

/// The parts that open hands are near enough to take.
std::vector<int> partsInReach(const xr::XrHands& hands, const xr::RayGrab& rays);

/// The left (0) or right (1) hand, which must be one of the scene's.
ShownHand shownHand(std::size_t side, const xr::XrHands& hands, const xr::RayGrab& rays,
                    const xr::XrFrame& seen, const physics::Pose& X_WS, const content::Scene& scene,
                    const InterpolatedState& drawn);

}  // namespace tenon::runtime
