// See stray_parts.h.
#include "runtime/simulation/stray_parts.h"

#include <algorithm>
#include <utility>

#include "content/input/limits.h"
#include "content/model/build_world.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

using physics::Pose;
using physics::Vector3d;

namespace {

constexpr int kRaises = 40;  ///< places above the first one that are tried

Eigen::AlignedBox3d boxAt(const Eigen::AlignedBox3d& box, const Pose& X_WP) {
  Eigen::AlignedBox3d placed;
  if (box.isEmpty() || !box.sizes().allFinite()) return box;  // a half-space is near everything
  for (int corner = 0; corner < 8; ++corner)
    placed.extend(X_WP * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  return placed;
}

bool isHeld(const physics::StepResult& step, physics::BodyId body) {
  return std::any_of(step.hands.begin(), step.hands.end(),
                     [&](const physics::HandState& hand) { return hand.body == body; });
}

}  // namespace

StrayParts::StrayParts(std::shared_ptr<const content::Scene> scene) : scene_(std::move(scene)) {
  for (const content::Part& part : scene_->parts) {
    const Eigen::AlignedBox3d box = xr::boundsOf(part.shape);
    boxes_.push_back(box);
    Memory memory;
    memory.canStray = part.motion == physics::MotionType::dynamic && !box.isEmpty();
    memory.X_WLain = part.X_WP;
    if (!box.isEmpty() && box.sizes().allFinite()) {
      memory.radius = box.diagonal().norm();
      area_.extend(boxAt(box, part.X_WP));
    }
    parts_.push_back(memory);
  }
  for (const content::Joint& joint : scene_->joints)
    for (const int part : {joint.part, joint.to})
      if (part >= 0) parts_[static_cast<std::size_t>(part)].canStray = false;
  if (area_.isEmpty()) area_.extend(Vector3d::Zero());
  area_ = {area_.min() - Vector3d::Constant(kMargin), area_.max() + Vector3d::Constant(kMargin)};
}

void StrayParts::findTouched(const physics::StepResult& step) {
  touched_.assign(parts_.size(), false);
  for (const physics::ContactForce& one : step.contacts)
    if (one.force > 0)
      for (const physics::BodyId body : {one.contact.i, one.contact.j})
        touched_[static_cast<std::size_t>(body.value)] = true;
}

/// A part lies where it has been at rest for kRestTime on another one, or anywhere without gravity.
void StrayParts::remember(const physics::World& world, std::size_t part) {
  const physics::StepResult& step = world.stepResult();
  const physics::BodyState& body = step.bodies[part];
  Memory& memory = parts_[part];
  const bool rests = body.v.norm() + memory.radius * body.omega.norm() < kRestSpeed &&
                     (step.dynamics.gravity.isZero() || touched_[part]);
  if (rests && !memory.rests) memory.restedSince = step.time;
  memory.rests = rests;
  if (rests && step.time - memory.restedSince >= kRestTime)
    memory.X_WLain = world.partPose({static_cast<std::int32_t>(part)}, body);
}

bool StrayParts::isFree(const physics::World& world, std::size_t part, const Pose& X_WP) const {
  content::Scene near;
  near.parts.push_back(scene_->parts[part]);
  near.parts[0].X_WP = X_WP;
  const Eigen::AlignedBox3d box = boxAt(boxes_[part], X_WP);
  for (std::size_t k = 0; k < scene_->parts.size(); ++k) {
    const Pose X_WOther = world.partPose({static_cast<std::int32_t>(k)}, world.stepResult().bodies[k]);
    const bool unbounded = !boxes_[k].sizes().allFinite();
    if (k == part || (!unbounded && !boxAt(boxes_[k], X_WOther).intersects(box))) continue;
    near.parts.push_back(scene_->parts[k]);
    near.parts.back().X_WP = X_WOther;
  }
  const auto overlaps = content::findInterferences(near, content::kSettledOverlap);
  return std::none_of(overlaps.begin(), overlaps.end(),
                      [](const content::Interference& one) { return one.a == 0 || one.b == 0; });
}

/// The place of the part, or the lowest free one above it.
std::optional<Pose> StrayParts::freePlace(const physics::World& world, std::size_t part) const {
  Pose X_WP = parts_[part].returns == 0 ? parts_[part].X_WLain : scene_->parts[part].X_WP;
  const Vector3d gravity = world.stepResult().dynamics.gravity;
  const Vector3d up = gravity.isZero() ? Vector3d::UnitZ() : Vector3d(-gravity.normalized());
  const double step = 0.5 * boxes_[part].sizes().minCoeff();
  for (int k = 0; k <= kRaises && area_.contains(X_WP.p); ++k, X_WP.p += step * up)
    if (isFree(world, part, X_WP)) return X_WP;
  return std::nullopt;
}

const std::vector<physics::SetPose>& StrayParts::update(const physics::World& world) {
  const physics::StepResult& step = world.stepResult();
  returned_.clear();
  findTouched(step);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Memory& memory = parts_[k];
    if (!memory.canStray) continue;
    const physics::BodyId id{static_cast<std::int32_t>(k)};
    if (isHeld(step, id)) {
      memory.returns = 0;
      memory.rests = false;
    } else if (area_.contains(step.bodies[k].X_WC.p)) {
      remember(world, k);
    } else if (memory.returns < kMaxReturns) {
      if (const auto X_WP = freePlace(world, k)) returned_.push_back({id, *X_WP});
      ++memory.returns;
      memory.rests = false;
    }
  }
  return returned_;
}

}  // namespace tenon::runtime
