// A contact that two bodies reach between the start and the end of a step.
#pragma once

#include "physics/collision/contact.h"

namespace tenon::physics {

/// The bodies meet after `fraction` of a step in which they move at constant velocities from start to end.
/// The plane through the contact then bounds the end of the step: 0 ≤ f ⟂ δ ≥ 0 for its linear distance.
struct SweptContact {
  Contact contact;                  ///< where they meet
  Vector3d c_I = Vector3d::Zero();  ///< center of mass of body i there [m]
  Vector3d c_J = Vector3d::Zero();  ///< of body j [m]
  double fraction = 0;              ///< of the step, 0…1 [-]
  Vector6d ui = Vector6d::Zero();   ///< velocity of body i on its path [m/s, rad/s]
  Vector6d uj = Vector6d::Zero();   ///< of body j
};

}  // namespace tenon::physics
