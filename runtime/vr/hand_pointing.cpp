// Connects the hands with ray grasping.
#include "runtime/vr/hand_pointing.h"

namespace tenon::runtime {

void updateRays(const xr::XrHands& hands, const xr::XrFrame& xrFrame, const physics::Pose& X_WS,
                std::span<const physics::Pose> X_WP, xr::RayGrab& rays) {
  std::vector<xr::PointingHand> pointing(hands.samples().size());
  for (std::size_t side = 0; side < xrFrame.hands.size(); ++side) {
    const int hand = hands.handOf(side);
    if (hand < 0) continue;
    // The head pose is only valid with a view.
    const bool isKnown = !xrFrame.eyes.empty() && xrFrame.X_SH.isFinite();
    pointing[static_cast<std::size_t>(hand)] = {
        isKnown ? xrFrame.hands[side].aimDirection : std::nullopt,
        isKnown ? std::optional(X_WS * xrFrame.X_SH.p) : std::nullopt};
  }
  rays.update(hands.samples(), pointing, X_WP);
}

std::optional<xr::PartHit> pointedPart(const xr::XrHands& hands, const xr::RayGrab& rays) {
  for (const std::size_t side : {xr::XrHands::kRight, xr::XrHands::kLeft}) {
    const int hand = hands.handOf(side);
    if (hand < 0) continue;
    if (const auto& under = rays.farTarget(static_cast<std::size_t>(hand))) return under;
  }
  return std::nullopt;
}

std::vector<int> partsInReach(const xr::XrHands& hands, const xr::RayGrab& rays) {
  std::vector<int> parts;
  for (const std::size_t side : {xr::XrHands::kRight, xr::XrHands::kLeft}) {
    const int hand = hands.handOf(side);
    if (hand < 0) continue;
    if (const int part = rays.nearTarget(static_cast<std::size_t>(hand)); part >= 0) parts.push_back(part);
  }
  return parts;
}

xr::XrFrame inWorldScale(xr::XrFrame xrFrame, double scale) {
  xrFrame.X_SH.p /= scale;
  for (std::vector<xr::View>* const views : {&xrFrame.eyes, &xrFrame.insets})
    for (xr::View& view : *views) view.X_WC.p /= scale;
  for (xr::Controller& hand : xrFrame.hands) {
    hand.X_SH.p /= scale;
    for (physics::Vector3d& p : hand.joints) p /= scale;
  }
  return xrFrame;
}

std::array<bool, 2> closedHands(const xr::XrHands& hands) {
  std::array<bool, 2> closed{};
  for (std::size_t side = 0; side < closed.size(); ++side) {
    const int hand = hands.handOf(side);
    closed[side] = hand >= 0 && hands.samples()[static_cast<std::size_t>(hand)].closed;
  }
  return closed;
}

bool isAnyHandClosed(const xr::XrHands& hands) {
  const std::array<bool, 2> closed = closedHands(hands);
  return closed[0] || closed[1];
}

ShownHand shownHand(std::size_t side, const xr::XrHands& hands, const xr::RayGrab& rays,
                    const xr::XrFrame& xrFrame, const physics::Pose& X_WS, const content::Scene& scene,
                    const InterpolatedState& drawn) {
  const auto hand = static_cast<std::size_t>(hands.handOf(side));
  ShownHand shown;
  if (xrFrame.hands[side].tracked) shown.X_WH = X_WS * xrFrame.hands[side].X_SH;
  if (hand < drawn.hands.size()) shown.drawn = drawn.hands[hand];
  shown.side = side;
  for (const physics::Vector3d& p : xrFrame.hands[side].joints) shown.joints.push_back(X_WS * p);
  shown.closed = hands.samples()[hand].closed;
  shown.fine = hands.isMotionScaled(side);
  shown.far = rays.holdsFar(hand);
  if (const auto& under = rays.farTarget(hand); under && xrFrame.hands[side].tracked)
    shown.aimPoint = under->p_W;
  shown.maxForce = scene.hands[hand].parameters.maxForce;
  shown.breakDistance = scene.hands[hand].parameters.breakDistance;
  return shown;
}

}  // namespace tenon::runtime
