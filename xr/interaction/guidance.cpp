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
double falloff(double x, double end) {
  const double inside = std::max(0.0, 1 - x * x / (end * end));
  return inside * inside;
}

/// A part's end in the frame of its hole.
struct TipInHole {
  Vector3d tip_H, inward_H;

  double offset() const { return std::hypot(tip_H.x(), tip_H.y()); }
  double tilt() const { return std::atan2(std::hypot(inward_H.x(), inward_H.y()), -inward_H.z()); }
};

TipInHole tipInHole(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI) {
  const Pose X_HP = (X_WI * axis.X_IH).inverse() * X_WP;
  return {X_HP * axis.tip_P, X_HP.q * axis.inward_P};
}

/// What a hand holds after these commands.
struct Hold {
  BodyId body;
  Pose X_CH;
  bool isNew = false;  ///< grasped by these commands, not regrasped
};

Hold holdOf(const physics::World& world, const std::vector<physics::Command>& commands,
            physics::HandId hand) {
  const auto& tick = world.stepResult();
  const physics::HandState& state = tick.hands[static_cast<std::size_t>(hand.value)];
  Hold hold{state.body, state.X_CH, false};
  for (const physics::Command& command : commands) {
    if (const auto* release = std::get_if<physics::Release>(&command); release && release->hand == hand)
      hold.body = BodyId{};  // grasping a released part counts as new
    if (const auto* grab = std::get_if<physics::Grab>(&command); grab && grab->hand == hand)
      hold = {grab->body, tick.bodies[static_cast<std::size_t>(grab->body.value)].X_WC.inverse() * grab->X_WH,
              hold.isNew || grab->body != hold.body};
  }
  return hold;
}

}  // namespace

std::vector<GuidedAxis> guidedAxes(const content::Scene& scene) {
  std::vector<GuidedAxis> axes;
  for (const content::Goal& goal : scene.goals) {
    const content::AxisFeature& end = scene.part(goal.part).features[static_cast<std::size_t>(goal.feature)];
    axes.push_back({goal.part, goal.into, end.origin, end.direction, goal.X_IH, goal.depth});
  }
  return axes;
}

double guidanceWeight(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI) {
  const TipInHole tip = tipInHole(axis, X_WP, X_WI);
  const double above = std::max({0.0, tip.tip_H.z(), -tip.tip_H.z() - axis.depth});
  return falloff(tip.offset(), kGuidanceRadius) * falloff(above, kGuidanceHeight) *
         falloff(tip.tilt(), kGuidanceTilt);
}

Pose guidedPose(const GuidedAxis& axis, const Pose& X_WP, const Pose& X_WI, double strength) {
  const double correction = strength * kGuidanceMaxCorrection * guidanceWeight(axis, X_WP, X_WI);
  if (correction <= 0) return X_WP;
  const TipInHole tip = tipInHole(axis, X_WP, X_WI);
  const Pose X_WH = X_WI * axis.X_IH;
  const Vector3d shift = X_WH.q * Vector3d(-correction * tip.tip_H.x(), -correction * tip.tip_H.y(), 0);
  const Vector3d across = tip.inward_H.cross(-Vector3d::UnitZ());
  const double sine = across.norm();
  const Vector3d rotation =
      sine > 1e-12 ? Vector3d(X_WH.q * (correction * tip.tilt() / sine * across)) : Vector3d::Zero();
  const physics::Quaterniond turn = physics::exponential(rotation);
  const Vector3d tip_W = X_WP * axis.tip_P;
  return {(turn * X_WP.q).normalized(), tip_W + turn * (X_WP.p - tip_W) + shift};
}

Guidance::Guidance(const content::Scene& scene) : axes_(guidedAxes(scene)), guides_(scene.hands.size()) {}

Pose Guidance::poseOf(const physics::World& world, int part) const {
  return world.partPose({part}, world.stepResult().bodies[static_cast<std::size_t>(part)]);
}

double Guidance::weightOf(int axis, const physics::World& world, const Pose& X_WP) const {
  const GuidedAxis& guided = axes_[static_cast<std::size_t>(axis)];
  return guidanceWeight(guided, X_WP, poseOf(world, guided.into));
}

/// The axis with the largest weight for a part; −1: none.
int Guidance::strongestAxis(const physics::World& world, BodyId body, const Pose& X_WP) const {
  int best = -1;
  double maxWeight = 0;
  for (int k = 0; k < static_cast<int>(axes_.size()); ++k) {
    if (axes_[static_cast<std::size_t>(k)].part != body.value) continue;
    const double weight = weightOf(k, world, X_WP);
    if (weight <= maxWeight) continue;
    maxWeight = weight;
    best = k;
  }
  return best;
}

Pose Guidance::guided(ActiveGuide& guide, const physics::World& world, BodyId body, const Pose& X_WP) const {
  const int best = strongestAxis(world, body, X_WP);
  const bool changes = guide.axis >= 0 && best >= 0 && best != guide.axis;
  if (!changes) guide.axis = best;
  const double change = world.options().dt / kRamp;
  guide.strength = std::clamp(guide.strength + (on_ && !changes ? change : -change), 0.0, 1.0);
  if (changes && (guide.strength <= 0 || weightOf(guide.axis, world, X_WP) <= 0)) guide = {best, 0};
  if (guide.axis < 0) return X_WP;
  const GuidedAxis& axis = axes_[static_cast<std::size_t>(guide.axis)];
  return guidedPose(axis, X_WP, poseOf(world, axis.into), guide.strength);
}

void Guidance::apply(const physics::World& world, std::vector<physics::Command>& commands) {
  for (std::size_t h = 0; h < guides_.size(); ++h) {
    const physics::HandId hand{static_cast<std::int32_t>(h)};
    const Hold hold = on_ || guides_[h].strength > 0 ? holdOf(world, commands, hand) : Hold{};
    if (!hold.body.valid() || hold.isNew) {
      guides_[h] = {};
      continue;
    }
    physics::MoveHand* last = nullptr;
    for (physics::Command& command : commands)
      if (auto* move = std::get_if<physics::MoveHand>(&command); move != nullptr && move->hand == hand)
        last = move;
    if (last == nullptr) continue;  // an untracked hand keeps its target
    const Pose X_PH = world.partPose(hold.body, physics::BodyState()).inverse() * hold.X_CH;
    last->X_WH = guided(guides_[h], world, hold.body, last->X_WH * X_PH.inverse()) * X_PH;
  }
}

}  // namespace tenon::xr
