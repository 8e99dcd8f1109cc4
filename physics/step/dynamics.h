// What acts on all bodies, and can change while a world runs: gravity, restitution, damping. And thrusters.
#pragma once

#include <optional>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// Laws for all bodies. The velocities v and ω of a dynamic body lose c v and c ω in a second ("syrup"), as
/// in a viscous medium: with Stokes' law for its shape, c = 6 π η r / m. A step damps first,
/// v → v/(1 + Δt c), which is stable for any c and changes no contact force of a body at rest.
struct Dynamics {
  Vector3d gravity{0, 0, -9.81};        ///< [m/s²]
  double linearDamping = 0;             ///< c of the center of mass, ≥ 0 [1/s]
  double angularDamping = 0;            ///< c of the rotation about it, ≥ 0 [1/s]
  std::optional<double> restitution{};  ///< e of all pairs, 0 to 1 [-]; empty: that of their materials
  /// True if all members are equal.
  bool operator==(const Dynamics& other) const = default;
};

/// A force fixed to a dynamic body, which a command switches on and off.
struct ThrusterDescription {
  BodyId body;                        ///< dynamic
  Vector3d p_PT = Vector3d::Zero();   ///< point of application, in the part's frame [m]
  Vector3d force = Vector3d::Zero();  ///< at full level [N]
  bool inWorldAxes = false;           ///< axes of `force`: the world's; otherwise the part's
};

}  // namespace tenon::physics
