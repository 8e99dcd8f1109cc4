// See stray_parts.h.
#include "runtime/simulation/stray_parts.h"

#include <algorithm>

#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

using physics::Vector3d;

StrayParts::StrayParts(const content::Scene& scene) {
  for (const content::Part& part : scene.parts) {
    canStray_.push_back(part.motion == physics::MotionType::dynamic);
    X_WLain_.push_back(part.X_WP);
    const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
    if (box.isEmpty() || !box.sizes().allFinite()) continue;
    for (int corner = 0; corner < 8; ++corner)
      area_.extend(part.X_WP * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  }
  for (const content::Joint& joint : scene.joints)
    for (const int part : {joint.part, joint.to})
      if (part >= 0) canStray_[static_cast<std::size_t>(part)] = false;
  if (area_.isEmpty()) area_.extend(Vector3d::Zero());
  area_ = {area_.min() - Vector3d::Constant(kMargin), area_.max() + Vector3d::Constant(kMargin)};
}

std::vector<physics::SetPose> StrayParts::update(const physics::World& world) {
  const physics::StepResult& step = world.stepResult();
  std::vector<physics::SetPose> returned;
  for (std::size_t k = 0; k < canStray_.size(); ++k) {
    if (!canStray_[k]) continue;
    const physics::BodyId id{static_cast<std::int32_t>(k)};
    const bool held = std::any_of(step.hands.begin(), step.hands.end(),
                                  [&](const physics::HandState& hand) { return hand.body == id; });
    if (held) continue;
    const physics::BodyState& body = step.bodies[k];
    if (!area_.contains(body.X_WC.p))
      returned.push_back({id, X_WLain_[k]});
    else if (body.v.norm() < kRestSpeed)
      X_WLain_[k] = world.partPose(id, body);
  }
  return returned;
}

}  // namespace tenon::runtime
