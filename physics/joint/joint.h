// Joints: kind, frames, limits and state. Their equations in a step are in joint_equations.h.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// Degrees of freedom of a joint, about or along the z axis of its frames.
enum class JointKind {
  fixed,        ///< none
  ball,         ///< all rotations
  hinge,        ///< rotation about z
  slider,       ///< travel along z
  cylindrical,  ///< both, independently
  helical,      ///< both coupled, as a screw in its thread: travel = pitch · turns
};

/// Its name, as scene files have it.
constexpr std::string_view toText(JointKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"fixed",  "ball",        "hinge",
                                                   "slider", "cylindrical", "helical"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Limits of an angle or travel; infinite: unlimited.
struct JointRange {
  double low = -std::numeric_limits<double>::infinity();  ///< lower end [rad] or [m]
  double high = std::numeric_limits<double>::infinity();  ///< upper end [rad] or [m]
};

/// A joint between two bodies, or between a body and the world.
struct JointDescription {
  std::string name;                   ///< for messages
  JointKind kind = JointKind::fixed;  ///< which motions are free
  BodyId i;                           ///< none: the world
  BodyId j;                           ///< moves against i
  Pose X_PA;                          ///< frame A of the joint in the part frame of i, or in the world
  Pose X_PB;                          ///< frame B of the joint in the part frame of j; on A at the start
  double pitch = 0;                   ///< of a helical joint: travel per turn [m], negative: left-handed
  double friction = 0;  ///< of a helical joint: Coulomb's coefficient of its flanks [-], see thread_flanks.h
  double pitchDiameter = 0;  ///< and the diameter d2 at which they touch [m]; where friction > 0
  JointRange angle;          ///< of hinge and cylindrical, within ±kMaxJointAngle [rad]
  JointRange travel;         ///< of slider, cylindrical and helical [m]
  bool collides = false;     ///< true: its two bodies collide; a joint usually lies inside both
};

/// The angle is computed from a pose within ±π, so limits must stay below half a turn [rad].
inline constexpr double kMaxJointAngle = 3.1;

/// True if a joint of this kind rotates about z, or translates along it.
constexpr bool turns(JointKind kind) {
  return kind == JointKind::hinge || kind == JointKind::cylindrical || kind == JointKind::helical;
}
constexpr bool travels(JointKind kind) {
  return kind == JointKind::slider || kind == JointKind::cylindrical || kind == JointKind::helical;
}

/// A joint of a world, its frames relative to the bodies' centers of mass; A in the world frame where i is
/// the world.
struct PlacedJoint {
  JointDescription description;  ///< as it was added
  Pose X_CA;                     ///< frame A in the frame of i's center of mass, or in the world
  Pose X_CB;                     ///< frame B in the frame of j's center of mass
};

/// A joint at the end of a step: part of the StepResult.
struct JointState {
  double angle = 0;                    ///< about z of A, within ±π [rad]; 0 where it does not turn
  double travel = 0;                   ///< along z of A [m]; 0 where it does not travel
  double lengthError = 0;              ///< largest error of the equations and limits of lengths [m]; 0: none
  double angleError = 0;               ///< the same of angles [rad]
  Vector3d force = Vector3d::Zero();   ///< on j, at the origin of B, of equations and limits [N], world
  Vector3d torque = Vector3d::Zero();  ///< on j about the origin of B [N m], world; the opposite acts on i
};

}  // namespace tenon::physics
