// See hand_looks.h.
#include "runtime/vr/hand_appearance.h"

#include <algorithm>

#include "content/parts/display_mesh.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kOpenHand(0.75, 0.75, 0.78), kClosedHand(0.16, 0.42, 0.80), kFineHand(0.10, 0.62, 0.36),
    kTight(0.80, 0.10, 0.05), kRay(0.16, 0.42, 0.80);
constexpr double kBall = 0.008, kTether = 0.0015, kThin = 0.0007;  ///< radii [m]
constexpr double kGhost = 0.35;                                    ///< opacity

void addLine(const Vector3d& from, const Vector3d& to, double radius, const Eigen::Vector3d& color,
             xr::RenderScene& picture) {
  picture.arrows.push_back({from, to - from, radius, color});
}

/// From 0 to 1 the nearer it is to losing what it pulls.
double tightness(const ShownHand& hand) {
  // The spring's end is not always where the hand is: fine motion, a leap and guidance come between.
  const double apart = (hand.drawn.X_WH.p - hand.drawn.anchor_W).norm();
  const double pull = hand.maxForce > 0 ? hand.drawn.force.norm() / hand.maxForce : 0;
  const double way = hand.breakDistance > 0 ? apart / hand.breakDistance : 0;
  return std::clamp(std::max(pull, way), 0.0, 1.0);
}

}  // namespace

HandAppearance::HandAppearance(double scale)
    : scale_(scale),
      ball_(std::make_shared<content::DisplayMesh>(content::displayMeshOf(physics::Sphere{kBall / scale}))) {}

void HandAppearance::addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
                             xr::RenderScene& picture) const {
  xr::Instance instance{ball_, X, {}, 0, false, false};
  instance.surface = {color, 0, 0.6, ghost ? kGhost : 0.6};
  picture.instances.push_back(std::move(instance));
}

void HandAppearance::add(const ShownHand& hand, xr::RenderScene& picture) const {
  const Eigen::Vector3d color = hand.fine ? kFineHand : hand.closed ? kClosedHand : kOpenHand;
  if (hand.drawn.part < 0) {
    if (!hand.X_WH) return;
    addBall(*hand.X_WH, color, false, picture);
    if (hand.aimsAt) addLine(hand.X_WH->p, *hand.aimsAt, kThin / scale_, kRay, picture);
    return;
  }
  // Where the hand wants what it holds to be; of a hand that is near, the hand itself.
  const physics::Pose wanted = hand.far || !hand.X_WH ? hand.drawn.X_WH : *hand.X_WH;
  const double apart = (wanted.p - hand.drawn.anchor_W).norm();
  addBall(hand.drawn.X_WA, color, false, picture);
  if (apart > kGhostDistance / scale_) {
    const double share = tightness(hand);
    addLine(hand.drawn.anchor_W, wanted.p, kTether / scale_, (1 - share) * kClosedHand + share * kTight,
            picture);
  }
  if (apart > kGhostDistance / scale_ || !hand.X_WH) addBall(wanted, color, true, picture);
  if (!hand.far || !hand.X_WH) return;
  addBall(*hand.X_WH, color, true, picture);
  addLine(hand.X_WH->p, hand.drawn.anchor_W, kThin / scale_, kRay, picture);
}

}  // namespace tenon::runtime
