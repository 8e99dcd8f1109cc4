// Joints: what they are and where they sit. What they do in a step is in joint_equations.h.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// What a joint leaves free, about or along the z axis of its frames.
enum class JointKind {
  fixed,        ///< nothing
  ball,         ///< all turning
  hinge,        ///< turning about z
  slider,       ///< travel along z
  cylindrical,  ///< both, independently
  helical,      ///< both, as a screw in its thread: travel = pitch · turns
};

/// Its name, as scene files have it.
constexpr std::string_view toText(JointKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"fixed",  "ball",        "hinge",
                                                   "slider", "cylindrical", "helical"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// Ends of a way; infinite: none.
struct JointRange {
  double low = -std::numeric_limits<double>::infinity();  ///< lower end [rad] or [m]
  double high = std::numeric_limits<double>::infinity();  ///< upper end [rad] or [m]
};

/// Axes that lean further do not point the same way for certain [rad].
inline constexpr double kMaxScrewTilt = 0.7;

/// The mouth of a thread, for a screw that is not in it from the start: see thread.h.
struct ScrewEntry {
  double reach = 0;  ///< how far the screw's axis may be off the thread's for it to catch [m]
  double tilt = 0;   ///< and how far it may lean [rad], at most kMaxScrewTilt
  double tightening = std::numeric_limits<double>::infinity();  ///< torque that makes it fast [N m]
};

/// A joint between two bodies, or between a body and the world.
struct JointDescription {
  std::string name;                   ///< for messages
  JointKind kind = JointKind::fixed;  ///< which motions it leaves free
  BodyId i;                           ///< none: the world
  BodyId j;                           ///< moves against i
  Pose X_PA;                          ///< frame A of the joint in the part frame of i, or in the world
  Pose X_PB;                          ///< frame B of the joint in the part frame of j; on A at the start
  double pitch = 0;                   ///< of a helical joint: travel a turn [m], negative: left-handed
  double friction = 0;  ///< of a helical joint: Coulomb's coefficient of its flanks [-], see thread_flanks.h
  double pitchDiameter = 0;  ///< and the diameter d2 at which they touch [m]; where friction > 0
  JointRange angle;          ///< of hinge and cylindrical, within ±kMaxJointAngle [rad]
  JointRange travel;         ///< of slider, cylindrical and helical [m]
  bool collides = false;     ///< whether its two bodies touch each other; a joint mostly stands inside both
  /// Of a helical joint that holds from where B comes into A, and not before. Its z axes point the way the
  /// screw goes in, its bodies collide, and its travel has no lower end: turned out, it lets go.
  std::optional<ScrewEntry> entry;
};

/// TurnMode is told from a pose, so limits stay away from half a turn [rad].
inline constexpr double kMaxJointAngle = 3.1;

/// Whether a joint of this kind turns about z, or travels along it.
constexpr bool turns(JointKind kind) {
  return kind == JointKind::hinge || kind == JointKind::cylindrical || kind == JointKind::helical;
}
constexpr bool travels(JointKind kind) {
  return kind == JointKind::slider || kind == JointKind::cylindrical || kind == JointKind::helical;
}

/// A joint of a world: its frames in those of the bodies' centres of mass; A in the world where i is none.
struct PlacedJoint {
  JointDescription description;  ///< as it was added
  Pose X_CA;                     ///< frame A in the frame of i's center of mass, or in the world
  Pose X_CB;                     ///< frame B in the frame of j's center of mass
};

/// Whether a joint holds. All but threads with an entry always do.
enum class JointPhase {
  apart,  ///< the screw is not in its thread
  holds,
  tight,  ///< the screw is fast: nothing moves
};

/// Its name, as results have it.
constexpr std::string_view toText(JointPhase phase) {
  constexpr std::array<std::string_view, 3> kNames{"apart", "holds", "tight"};
  return kNames[static_cast<std::size_t>(phase)];
}

/// A joint at the end of a step: part of the StepResult.
struct JointState {
  JointPhase phase = JointPhase::holds;  ///< other than `holds` for screw joints with an entry only
  double angle = 0;                      ///< about z of A, within ±π [rad]; 0 where it does not turn
  double travel = 0;                     ///< along z of A [m]; 0 where it does not travel
  /// Largest error of its equations, and of its ends that are passed, among those of lengths [m]; 0: none.
  double lengthError = 0;
  double angleError = 0;               ///< the same among those of angles [rad]
  Vector3d force = Vector3d::Zero();   ///< on j, at the origin of B, of equations and limits [N], world
  Vector3d torque = Vector3d::Zero();  ///< on j about the origin of B [N m], world; the opposite acts on i
};

}  // namespace tenon::physics
