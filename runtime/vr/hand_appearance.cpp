// Balls, tethers and rays of the hands.
#include "runtime/vr/hand_appearance.h"

#include <algorithm>

#include "content/parts/display_mesh.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kOpenHandColor(0.75, 0.75, 0.78), kClosedHandColor(0.16, 0.42, 0.80),
    kFineHandColor(0.10, 0.62, 0.36), kMaxLoadColor(0.80, 0.10, 0.05), kRayColor(0.16, 0.42, 0.80);
constexpr double kBallRadius = 0.008, kTetherRadius = 0.0015, kRayRadius = 0.0007;  ///< radii [m]
constexpr double kHandGhostOpacity = 0.35;

void addLine(const Vector3d& from, const Vector3d& to, double radius, const Eigen::Vector3d& color,
             xr::RenderScene& renderScene) {
  renderScene.arrows.push_back({from, to - from, radius, color});
}

/// How near the grasp is to its force or distance limit, in [0, 1].
double graspLoad(const ShownHand& hand) {
  // The spring's end differs from the hand pose by fine motion, tracking jumps and guidance.
  const double distance = (hand.drawn.X_WH.p - hand.drawn.anchor_W).norm();
  const double pull = hand.maxForce > 0 ? hand.drawn.force.norm() / hand.maxForce : 0;
  const double displacement = hand.breakDistance > 0 ? distance / hand.breakDistance : 0;
  return std::clamp(std::max(pull, displacement), 0.0, 1.0);
}

}  // namespace

HandAppearance::HandAppearance(double scale)
    : scale_(scale),
      ball_(std::make_shared<xr::Mesh>(
          xr::renderMesh(content::displayMeshOf(physics::Sphere{kBallRadius / scale})))) {}

void HandAppearance::addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
                             xr::RenderScene& renderScene) const {
  xr::Instance instance{ball_, X, {}, 0, false, false};
  instance.surface = {color, 0, 0.6, ghost ? kHandGhostOpacity : 0.6};
  renderScene.instances.push_back(std::move(instance));
}

void HandAppearance::add(const ShownHand& hand, xr::RenderScene& renderScene) const {
  const Eigen::Vector3d color = hand.fine ? kFineHandColor : hand.closed ? kClosedHandColor : kOpenHandColor;
  if (hand.drawn.part < 0) {
    if (!hand.X_WH) return;
    addBall(*hand.X_WH, color, false, renderScene);
    if (hand.aimPoint) addLine(hand.X_WH->p, *hand.aimPoint, kRayRadius / scale_, kRayColor, renderScene);
    return;
  }
  // The target of the grasp; for a near grasp, the hand itself.
  const physics::Pose target = hand.far || !hand.X_WH ? hand.drawn.X_WH : *hand.X_WH;
  const double distance = (target.p - hand.drawn.anchor_W).norm();
  addBall(hand.drawn.X_WA, color, false, renderScene);
  if (distance > kGhostDistance / scale_) {
    const double share = graspLoad(hand);
    addLine(hand.drawn.anchor_W, target.p, kTetherRadius / scale_,
            (1 - share) * kClosedHandColor + share * kMaxLoadColor, renderScene);
  }
  if (distance > kGhostDistance / scale_ || !hand.X_WH) addBall(target, color, true, renderScene);
  if (!hand.far || !hand.X_WH) return;
  addBall(*hand.X_WH, color, true, renderScene);
  addLine(hand.X_WH->p, hand.drawn.anchor_W, kRayRadius / scale_, kRayColor, renderScene);
}

}  // namespace tenon::runtime
