// The state of one rigid body: what a step reads and writes, and what a session records.
#pragma once

#include <array>
#include <string_view>

#include "physics/math/pose.h"

namespace tenon::physics {

/// State of a body at its centre of mass, in world axes. X_WC has its origin at the centre of mass
/// and the part's axes.
struct BodyState {
  Pose X_WC;                          ///< c [m] and q (body to world)
  Vector3d v = Vector3d::Zero();      ///< of the centre of mass [m/s]
  Vector3d omega = Vector3d::Zero();  ///< [rad/s]
};

/// Who decides where a body goes.
enum class MotionType {
  fixed,      ///< never moves
  kinematic,  ///< moves at the velocity it is given, whatever it meets
  dynamic,    ///< moves by forces
};

/// Its name, as scene files have it.
constexpr std::string_view toText(MotionType motion) {
  constexpr std::array<std::string_view, 3> kNames{"fixed", "kinematic", "dynamic"};
  return kNames[static_cast<std::size_t>(motion)];
}

}  // namespace tenon::physics
