// What World consists of, for world.cpp and world_setup.cpp.
#pragma once

#include <cmath>
#include <stdexcept>

#include "physics/step/step_workspace.h"
#include "physics/step/world_model.h"
#include "physics/step/world_state.h"
#include "physics/world.h"

namespace tenon::physics {

/// Throws std::invalid_argument with `message` unless the condition holds.
inline void requireThat(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

/// True if all entries are finite and the quaternion has length 1, up to rounding.
inline bool isPose(const Pose& X) {
  return X.isFinite() && std::abs(X.q.norm() - 1) < 1e-6;
}

/// True if all numbers are finite, damping is not negative, and restitution 0 to 1.
inline bool isValid(const Dynamics& d) {
  return d.gravity.allFinite() && d.linearDamping >= 0 && std::isfinite(d.linearDamping) &&
         d.angularDamping >= 0 && std::isfinite(d.angularDamping) &&
         (!d.restitution || (*d.restitution >= 0 && *d.restitution <= 1));
}

struct World::Implementation {
  WorldModel model;
  WorldState state;
  StepWorkspace work;

  /// Makes the present state the one at time 0, to which Reset returns.
  void setInitialState();
  /// Fills press fits and elastic threads of the model, before the first step.
  void findElasticFits();
  /// Sizes the state's and the workspace's vectors for the model's bodies and hands.
  void resize();
  bool has(BodyId body) const { return body.valid() && body.value < static_cast<int>(model.bodies.size()); }
  bool has(ThrusterId thruster) const {
    return thruster.valid() && thruster.value < static_cast<int>(model.thrusters.size());
  }
  bool has(HandId hand) const { return hand.valid() && hand.value < static_cast<int>(state.hands.size()); }
};

}  // namespace tenon::physics
