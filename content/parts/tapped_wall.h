// The wall of a round hole with an internal thread cut into it.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/parts/read_thread.h"

namespace tenon::content {

/// Lengths that are equal but for rounding.
inline bool isSameLength(double a, double b) {
  return std::abs(a - b) < physics::kProfileTolerance;
}

/// A profile of a hole, as in physics::Cavity [m].
using HoleProfile = std::vector<Eigen::Vector2d>;

/// A hole with a thread in it, in the frame of its mouth.
struct TappedWall {
  /// As wide as the roots along the thread; below it as drawn, or as wide as the crests.
  HoleProfile profile;
  physics::Thread thread;  ///< with both ends
  /// The cylinder into which the thread is cut, before [m].
  double radius = 0, top = 0, bottom = 0;
  /// Where that cylinder begins and ends after, and where the one below the thread ends [m]. Beyond `top` and
  /// `bottom`, cones are gone that are narrower than the roots.
  double newTop = 0, newBottom = 0, pilotBottom = 0;
  double pilotRadius = 0;  ///< of the hole below the thread [m]; 0: the thread is as deep as the cylinder
};

/// Cuts a thread into the longest cylinder of a hole, from its upper end (with the countersink there) down to
/// `depth` below the mouth, or all of it. The cylinder's diameter may be anything from the core to the
/// nominal diameter. Throws InputError, at the thread or its "depth", for a hole of another diameter, a
/// deeper thread, edges that are narrower than the roots, and invalid threads.
TappedWall tappedWall(const JsonCursor& at, const ThreadRequest& request, const HoleProfile& hole,
                      const std::optional<double>& depth);

}  // namespace tenon::content
