// Balls, tethers and rays of the hands.
#include "runtime/vr/hand_appearance.h"

#include <algorithm>

#include "content/parts/display_mesh.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/palette.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kOpenHandColor = xr::linearOf(xr::palette::kLightEdge),
                      kClosedHandColor = xr::linearOf(xr::palette::kHand),
                      kFineHandColor = xr::linearOf(xr::palette::kNext),
                      kMaxLoadColor = xr::linearOf(xr::palette::kContact), kRayColor = kClosedHandColor;
constexpr double kBallRadius = 0.008, kTetherRadius = 0.0015, kRayRadius = 0.0007;  ///< radii [m]
constexpr double kHandGhostOpacity = 0.35;
const Eigen::Vector3d kDeviceColor(0.12, 0.13, 0.15);
constexpr double kJointRadius = 0.005;                         ///< [m]
constexpr double kHandleRadius = 0.006, kHandleLength = 0.07;  ///< of the handle [m]

void addLine(const Vector3d& from, const Vector3d& to, double radius, const Eigen::Vector3d& color,
             xr::RenderScene& renderScene) {
  renderScene.arrows.push_back({from, to - from, radius, color});
}

std::shared_ptr<const xr::Mesh> meshOf(const content::DisplayMesh& mesh) {
  return std::make_shared<xr::Mesh>(xr::renderMesh(mesh));
}

/// A rod along the grip's z axis, from the grip to behind the hand, with a fin away from the palm.
content::DisplayMesh handle(std::size_t side) {
  content::DisplayMesh mesh;
  content::MeshBuilder builder(mesh);
  constexpr double kTip = 0.03;  // length of the cone at the grip [m]
  builder.shape(physics::Frustum{0.002, kHandleRadius, 0.5 * kTip},
                physics::Pose::at({0, 0, kBallRadius + 0.5 * kTip}));
  builder.shape(physics::Cylinder{kHandleRadius, 0.5 * kHandleLength},
                physics::Pose::at({0, 0, kBallRadius + kTip + 0.5 * kHandleLength}));
  // The palm's normal is +x of the left grip and −x of the right one.
  const double back = side == 0 ? -1 : 1;
  builder.shape(physics::Box{{0.006, 0.0015, 0.015}},
                physics::Pose::at({back * (kHandleRadius + 0.005), 0, kBallRadius + kTip + 0.03}));
  return mesh;
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

HandAppearance::HandAppearance() {
  setScale(1);
}

void HandAppearance::setScale(double scale) {
  scale_ = scale;
  ball_ = meshOf(content::displayMeshOf(physics::Sphere{kBallRadius / scale}));
  joint_ = meshOf(content::displayMeshOf(physics::Sphere{kJointRadius / scale}));
  for (std::size_t side = 0; side < handles_.size(); ++side) {
    content::DisplayMesh mesh = handle(side);
    for (Vector3d& p : mesh.positions) p /= scale;
    handles_[side] = meshOf(mesh);
    models_[side].setScale(scale);
  }
}

void HandAppearance::addDevice(const ShownHand& hand, const Eigen::Vector3d& color,
                               xr::RenderScene& renderScene) const {
  if (!hand.X_WH) return;
  const xr::Surface surface{0.5 * (kDeviceColor + color), 0, 0.5, hand.closed ? kHandGhostOpacity : 0.9};
  const auto add = [&](const std::shared_ptr<const xr::Mesh>& mesh, const physics::Pose& X_WM) {
    renderScene.instances.push_back({mesh, X_WM, surface, 0, false, false});
  };
  const DeviceModel& model = models_[hand.side];
  if (hand.joints.empty())
    return model.isShown() ? model.add(*hand.X_WH, surface, renderScene)
                           : add(handles_[hand.side], *hand.X_WH);
  for (const Vector3d& p : hand.joints) add(joint_, physics::Pose::at(p));
}

void HandAppearance::addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
                             xr::RenderScene& renderScene) const {
  xr::Instance instance{ball_, X, {}, 0, false, false};
  instance.surface = {color, 0, 0.6, ghost ? kHandGhostOpacity : 0.6};
  renderScene.instances.push_back(std::move(instance));
}

void HandAppearance::add(const ShownHand& hand, xr::RenderScene& renderScene) const {
  const Eigen::Vector3d color = hand.fine ? kFineHandColor : hand.closed ? kClosedHandColor : kOpenHandColor;
  addDevice(hand, color, renderScene);
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
