// Strength of the coupling between a hand and the part it holds.
#pragma once

#include "physics/math/pose.h"

namespace tenon::physics {

/// A hand is a 6-DOF spring-damper between its target and the part it holds, at the grabbed point.
/// Defaults: a firm two-finger grip on a part of grams to kilograms.
struct HandParameters {
  Vector3d stiffness = Vector3d::Constant(2000.0);      ///< along the hand's axes [N/m], each > 0
  Vector3d angularStiffness = Vector3d::Constant(2.0);  ///< about the hand's axes [N m/rad], each > 0
  double dampingRatio = 1.0;    ///< of the part on the spring, per axis: 1 is critical
  double maxForce = 150.0;      ///< limit of the spring's force [N]
  double maxTorque = 10.0;      ///< limit of the spring's torque [N m]
  double breakDistance = 0.15;  ///< the hand loses the part at a larger stretch [m]
  bool carriesWeight = true;    ///< adds the part's weight (feed-forward), so that it does not sag
};

}  // namespace tenon::physics
