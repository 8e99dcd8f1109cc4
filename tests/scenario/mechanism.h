// What scenes of several parts are measured by: energy, overlap of boxes, forces between two parts. None of
// it queries the engine.
#pragma once

#include <variant>

#include "tests/scenario/scene_run.h"
#include "tests/support/convex_overlap.h"

namespace tenon::tests {

inline physics::BodyId bodyOf(const SceneRun& run, const std::string& name) {
  return run.world().findBody(name).value();
}

inline physics::Pose poseOf(const SceneRun& run, const std::string& name) {
  const physics::BodyId id = bodyOf(run, name);
  return run.world().partPose(id, run.world().stepResult().bodies[id.value]);
}

inline double kineticEnergy(const SceneRun& run) {
  double energy = 0;
  for (std::size_t k = 0; k < run.scene.parts.size(); ++k) {
    const content::Part& part = run.scene.parts[k];
    if (part.motion != physics::MotionType::dynamic) continue;
    const physics::BodyState& state = run.world().stepResult().bodies[k];
    const physics::Vector3d spin = state.X_WC.q.conjugate() * state.omega;
    energy += 0.5 * part.mass.mass * state.v.squaredNorm() + 0.5 * spin.dot(part.mass.inertia * spin);
  }
  return energy;
}

/// In the scene's gravity, 0 where all centres of mass are at the world's origin [J].
inline double potentialEnergy(const SceneRun& run) {
  double energy = 0;
  for (std::size_t k = 0; k < run.scene.parts.size(); ++k)
    if (run.scene.parts[k].motion == physics::MotionType::dynamic)
      energy -=
          run.scene.parts[k].mass.mass * run.scene.gravity.dot(run.world().stepResult().bodies[k].X_WC.p);
  return energy;
}

/// Force on part `onto` from part `from` in the last step [N].
inline physics::Vector3d forceBetween(const SceneRun& run, const std::string& from, const std::string& onto) {
  const physics::BodyId a = bodyOf(run, from), b = bodyOf(run, onto);
  physics::Vector3d force = physics::Vector3d::Zero();
  for (const physics::ContactForce& contact : run.world().stepResult().contacts) {
    const physics::Vector3d onJ = contact.force * contact.contact.n + contact.friction;
    if (contact.contact.i == a && contact.contact.j == b) force += onJ;
    if (contact.contact.i == b && contact.contact.j == a) force -= onJ;
  }
  return force;
}

/// Deepest overlap of the scene's boxes with each other and with the floor, but for pairs that a joint lets
/// pass [m].
inline double boxOverlap(const SceneRun& run) {
  const auto passes = [&](std::size_t a, std::size_t b) {
    return std::any_of(run.scene.joints.begin(), run.scene.joints.end(), [&](const content::Joint& joint) {
      const auto part = static_cast<std::size_t>(joint.part);
      return joint.to >= 0 && std::minmax(part, static_cast<std::size_t>(joint.to)) == std::minmax(a, b);
    });
  };
  const auto bodyAt = [&](std::size_t k) {
    const physics::Vector3d& half = std::get<physics::Box>(run.scene.parts[k].shape).halfExtents;
    return boxBody(half, poseOf(run, run.scene.parts[k].name));
  };
  double deepest = 0;
  for (std::size_t a = 0; a < run.scene.parts.size(); ++a) {
    const content::Part& part = run.scene.parts[a];
    for (std::size_t b = 0; b < run.scene.parts.size(); ++b) {
      if (a == b || run.scene.parts[b].motion != physics::MotionType::dynamic || passes(a, b)) continue;
      if (std::holds_alternative<physics::HalfSpace>(part.shape)) {
        for (const physics::Vector3d& corner : bodyAt(b).corners)
          deepest = std::max(deepest, part.X_WP.p.z() - corner.z());
      } else if (a < b || part.motion != physics::MotionType::dynamic) {
        deepest = std::max(deepest, overlapOf(bodyAt(a), bodyAt(b)));
      }
    }
  }
  return deepest;
}

}  // namespace tenon::tests
