// A screw thread found in a mesh or in the faces of a CAD file.
#pragma once

#include <array>
#include <string>

#include "physics/collision/geometry/thread.h"
#include "physics/math/pose.h"

namespace tenon::content {

/// What threads of a mesh or STEP file collide as.
enum class ThreadRule : char {
  exact,  ///< the thread, where it is recognized
  facets  ///< their faces; none is searched
};

/// A thread with its deviations from the given surface, or why it is not used.
struct RecognizedThread {
  physics::Thread thread;
  physics::Pose X_PT;  ///< of the thread's frame in the frame of the file
  /// At the lower and upper end: the part ends there, too; otherwise it goes on.
  std::array<bool, 2> endsAtFace{};
  double turns = 0;   ///< length over lead [-]
  double facets = 0;  ///< per turn [-]
  /// Half of the flank angle as fitted [rad]; `thread` has 30°.
  double halfAngle = 0;
  /// Distances of the vertices of the given surface from the thread [m].
  double rms = 0, p99 = 0, worst = 0;
  physics::Vector3d worstPosition = physics::Vector3d::Zero();  ///< in the frame of the file [m]
  /// Why its faces collide instead, in one line, and what to do; "": the part collides as this thread.
  std::string problem, remedy;

  bool isUsed() const { return problem.empty(); }
};

}  // namespace tenon::content
