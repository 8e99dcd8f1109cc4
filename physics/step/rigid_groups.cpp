// See rigid_groups.h.
#include "physics/step/rigid_groups.h"

#include <algorithm>

namespace tenon::physics {

void RigidGroups::build(const WorldModel& model, const WorldState& state) {
  any_ = std::any_of(state.hands.begin(), state.hands.end(),
                     [](const HandSlot& hand) { return hand.state.body.valid(); });
  if (!any_) return;
  sets_.reset(static_cast<int>(model.bodies.size()));
  for (const PlacedJoint& placed : model.joints) {
    const JointDescription& joint = placed.description;
    if (joint.kind != JointKind::fixed) continue;
    if (joint.i.valid() && model.dynamic[joint.i.value] && model.dynamic[joint.j.value])
      sets_.join(joint.i.value, joint.j.value);
  }
  addMasses(model, state);
  for (std::size_t h = 0; h < state.hands.size(); ++h)
    if (const BodyId held = state.hands[h].state.body; held.valid() && model.handParameters[h].carriesWeight)
      groups_[static_cast<std::size_t>(sets_.root(held.value))].carried = true;
}

// A body alone has its own center and inertia, without rounding.
void RigidGroups::addMasses(const WorldModel& model, const WorldState& state) {
  groups_.assign(model.bodies.size(), {});
  count_.assign(model.bodies.size(), 0);
  const auto rootOf = [this](std::size_t i) {
    return static_cast<std::size_t>(sets_.root(static_cast<int>(i)));
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!model.dynamic[i]) continue;
    RigidGroup& group = groups_[rootOf(i)];
    group.mass += model.bodies[i].mass;
    group.center += model.bodies[i].mass * state.bodies[i].X_WC.p;
    ++count_[rootOf(i)];
  }
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (count_[i] > 1) groups_[i].center /= groups_[i].mass;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!model.dynamic[i]) continue;
    const Matrix3d R = state.bodies[i].X_WC.q.toRotationMatrix();
    const Matrix3d inertia_W = R * model.bodies[i].inertia * R.transpose();
    RigidGroup& group = groups_[rootOf(i)];
    if (count_[rootOf(i)] == 1) {
      group.center = state.bodies[i].X_WC.p;
      group.inertia_W = inertia_W;
      continue;
    }
    const Vector3d r = state.bodies[i].X_WC.p - group.center;
    group.inertia_W +=
        inertia_W + model.bodies[i].mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  }
}

}  // namespace tenon::physics
