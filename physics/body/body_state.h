// State of one rigid body: input and output of a step, and the content of recordings.
#pragma once

#include <array>
#include <string_view>

#include "physics/math/pose.h"

namespace tenon::physics {

/// State at the center of mass, in world axes. Frame C has its origin there and the part's axes.
struct BodyState {
  Pose X_WC;                          ///< c [m] and q (body to world)
  Vector3d v = Vector3d::Zero();      ///< of the center of mass [m/s]
  Vector3d omega = Vector3d::Zero();  ///< [rad/s]
};

/// How a body moves.
enum class MotionType {
  fixed,      ///< never moves
  kinematic,  ///< moves at its given velocity; contacts do not affect it
  dynamic,    ///< moves under forces
};

/// Name in scene files.
constexpr std::string_view toText(MotionType motion) {
  constexpr std::array<std::string_view, 3> kNames{"fixed", "kinematic", "dynamic"};
  return kNames[static_cast<std::size_t>(motion)];
}

}  // namespace tenon::physics
