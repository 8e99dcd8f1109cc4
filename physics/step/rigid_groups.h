// Bodies that joints connect rigidly: what a hand moves with the part it holds.
#pragma once

#include <vector>

#include "physics/math/disjoint_sets.h"
#include "physics/step/world_model.h"
#include "physics/step/world_state.h"

namespace tenon::physics {

/// A body with all that fixed joints connect to it, as one rigid body.
struct RigidGroup {
  double mass = 0;                        ///< [kg]
  Vector3d center = Vector3d::Zero();     ///< of mass, world [m]
  Matrix3d inertia_W = Matrix3d::Zero();  ///< about `center`, world axes [kg m²]
  bool carried = false;                   ///< a hand that carries its weight holds one of its bodies
};

/// The groups of the bodies that hands hold; other bodies are alone.
class RigidGroups {
 public:
  /// At the start of a step.
  void build(const WorldModel& model, const WorldState& state);

  /// The group of a dynamic body; only after build() with a hand that holds a body.
  const RigidGroup& of(int body) { return groups_[static_cast<std::size_t>(sets_.root(body))]; }
  /// False where no hand holds a body.
  bool any() const { return any_; }

 private:
  void addMasses(const WorldModel& model, const WorldState& state);

  DisjointSets sets_;
  std::vector<RigidGroup> groups_;  ///< by root
  std::vector<int> count_;          ///< bodies, by root
  bool any_ = false;
};

}  // namespace tenon::physics
