// See guidance.h.
#include "xr/interaction/guidance.h"

#include <algorithm>
#include <cmath>

namespace tenon::xr {

namespace {

using physics::BodyId;
using physics::Pose;
using physics::Vector3d;

/// From 1 at 0 to 0 at `end`, smoothly. x (1 − m f(x)) grows with x for every m below 1.
double fading(double x, double end) {
  const double rest = std::max(0.0, 1 - x * x / (end * end));
  return rest * rest;
}

/// A part's end in the frame of the hole it belongs in.
struct Stand {
  Vector3d tip_H, inward_H;

  double beside() const { return std::hypot(tip_H.x(), tip_H.y()); }
  double tilt() const { return std::atan2(std::hypot(inward_H.x(), inward_H.y()), -inward_H.z()); }
};

Stand standOf(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI) {
  const Pose X_HP = (X_WI * axis.X_IH).inverse() * X_WP;
  return {X_HP * axis.tip_P, X_HP.q * axis.inward_P};
}

/// What holds a part, and how, once these commands are taken in.
struct Hold {
  BodyId body;
  Pose X_CH;
  bool anew = false;  ///< by a grab of its own, not by one that keeps what the hand has held
};

Hold holdOf(const physics::World& world, const std::vector<physics::Command>& commands,
            physics::HandId hand) {
  const auto& tick = world.stepResult();
  const physics::HandState& state = tick.hands[static_cast<std::size_t>(hand.value)];
  Hold hold{state.body, state.X_CH, false};
  for (const physics::Command& command : commands) {
    if (const auto* release = std::get_if<physics::Release>(&command); release && release->hand == hand)
      hold.body = BodyId{};  // a grab of what was let go is anew
    if (const auto* grab = std::get_if<physics::Grab>(&command); grab && grab->hand == hand)
      hold = {grab->body, tick.bodies[static_cast<std::size_t>(grab->body.value)].X_WC.inverse() * grab->X_WH,
              hold.anew || grab->body != hold.body};
  }
  return hold;
}

}  // namespace

std::vector<GuidedAxis> guidedAxes(const content::Scene& scene) {
  std::vector<GuidedAxis> axes;
  for (const content::Goal& goal : scene.goals) {
    const content::AxisFeature& end =
        scene.parts[static_cast<std::size_t>(goal.part)].features[static_cast<std::size_t>(goal.feature)];
    axes.push_back({goal.part, goal.into, end.origin, end.direction, goal.X_IH, goal.depth});
  }
  return axes;
}

double guidanceWeight(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI) {
  const Stand stand = standOf(axis, X_WP, X_WI);
  const double above = std::max({0.0, stand.tip_H.z(), -stand.tip_H.z() - axis.depth});
  return fading(stand.beside(), kGuidanceRadius) * fading(above, kGuidanceHeight) *
         fading(stand.tilt(), kGuidanceTilt);
}

Pose guidedPose(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI, double strength) {
  const double taken = strength * kGuidanceMaxCorrection * guidanceWeight(axis, X_WP, X_WI);
  if (taken <= 0) return X_WP;
  const Stand stand = standOf(axis, X_WP, X_WI);
  const Pose X_WH = X_WI * axis.X_IH;
  const Vector3d back = X_WH.q * Vector3d(-taken * stand.tip_H.x(), -taken * stand.tip_H.y(), 0);
  const Vector3d across = stand.inward_H.cross(-Vector3d::UnitZ());
  const double sine = across.norm();
  const Vector3d upright =
      sine > 1e-12 ? Vector3d(X_WH.q * (taken * stand.tilt() / sine * across)) : Vector3d::Zero();
  const physics::Quaterniond turn = physics::exponential(upright);
  const Vector3d tip = X_WP * axis.tip_P;
  return {(turn * X_WP.q).normalized(), tip + turn * (X_WP.p - tip) + back};
}

Guidance::Guidance(const content::Scene& scene) : axes_(guidedAxes(scene)), guides_(scene.hands.size()) {}

Pose Guidance::poseOf(const physics::World& world, int part) const {
  return world.partPose({part}, world.stepResult().bodies[static_cast<std::size_t>(part)]);
}

double Guidance::weightOf(int axis, const physics::World& world, const Pose& X_WP) const {
  const GuidedAxis& one = axes_[static_cast<std::size_t>(axis)];
  return guidanceWeight(one, X_WP, poseOf(world, one.into));
}

/// The axis that leads a part most; −1: none does.
int Guidance::strongestAxis(const physics::World& world, BodyId body, const Pose& X_WP) const {
  int best = -1;
  double most = 0;
  for (int k = 0; k < static_cast<int>(axes_.size()); ++k) {
    if (axes_[static_cast<std::size_t>(k)].part != body.value) continue;
    const double share = weightOf(k, world, X_WP);
    if (share <= most) continue;
    most = share;
    best = k;
  }
  return best;
}

Pose Guidance::guided(ActiveGuide& lead, const physics::World& world, BodyId body, const Pose& X_WP) const {
  const int best = strongestAxis(world, body, X_WP);
  const bool changes = lead.axis >= 0 && best >= 0 && best != lead.axis;
  if (!changes) lead.axis = best;
  const double change = world.options().dt / kRamp;
  lead.strength = std::clamp(lead.strength + (on_ && !changes ? change : -change), 0.0, 1.0);
  if (changes && (lead.strength <= 0 || weightOf(lead.axis, world, X_WP) <= 0)) lead = {best, 0};
  if (lead.axis < 0) return X_WP;
  const GuidedAxis& axis = axes_[static_cast<std::size_t>(lead.axis)];
  return guidedPose(axis, X_WP, poseOf(world, axis.into), lead.strength);
}

void Guidance::apply(const physics::World& world, std::vector<physics::Command>& commands) {
  for (std::size_t h = 0; h < guides_.size(); ++h) {
    const physics::HandId hand{static_cast<std::int32_t>(h)};
    const Hold hold = on_ || guides_[h].strength > 0 ? holdOf(world, commands, hand) : Hold{};
    if (!hold.body.valid() || hold.anew) {
      guides_[h] = {};
      continue;
    }
    physics::MoveHand* last = nullptr;
    for (physics::Command& command : commands)
      if (auto* move = std::get_if<physics::MoveHand>(&command); move != nullptr && move->hand == hand)
        last = move;
    if (last == nullptr) continue;  // out of sight it stays where it is
    const Pose X_PH = world.partPose(hold.body, physics::BodyState()).inverse() * hold.X_CH;
    last->X_WH = guided(guides_[h], world, hold.body, last->X_WH * X_PH.inverse()) * X_PH;
  }
}

}  // namespace tenon::xr
