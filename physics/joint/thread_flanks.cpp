// See thread_flanks.h.
#include "physics/joint/thread_flanks.h"

#include <cmath>
#include <numbers>

namespace tenon::physics {

// One point at the pitch diameter represents the whole turn: the joint's other equations carry its lateral
// force, and the remaining force and torque about the axis is that of all points.
std::array<ThreadFlank, 2> threadFlanks(const JointDescription& joint, const JointFrames& at, double error) {
  const double radius = 0.5 * joint.pitchDiameter;
  const double lead = std::atan(joint.pitch / (2 * std::numbers::pi * radius));
  const Vector3d x = at.X_WA.q * Vector3d::UnitX(), y = at.X_WA.q * Vector3d::UnitY(),
                 z = at.X_WA.q * Vector3d::UnitZ();
  ThreadFlank flank;
  flank.p = at.X_WB.p + radius * x;
  flank.n = std::cos(lead) * z - std::sin(lead) * y;
  flank.slide = std::sin(lead) * z + std::cos(lead) * y;
  flank.separation = std::cos(lead) * error;
  ThreadFlank other = flank;
  other.n = -flank.n;
  other.separation = -flank.separation;
  return {flank, other};
}

}  // namespace tenon::physics
