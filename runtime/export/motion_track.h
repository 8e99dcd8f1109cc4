// The way of one part, with as few of its poses as describe it to a tolerance.
#pragma once

#include "content/parts/glb_writer.h"

namespace tenon::runtime {

/// Takes poses in the order of their times and keeps those between which no pose that is left out is off the
/// straight way by more than the tolerance. Linear in the number of poses.
class MotionTrack {
 public:
  /// `reach`: how far the part goes from its origin, for what turning moves [m]. `tolerance` [m] > 0.
  MotionTrack(double reach, double tolerance) : reach_(reach), tolerance_(tolerance) {}

  void add(double time, const physics::Pose& X);
  /// All that was added, in few poses; one where nothing moved.
  content::GlbAnimation finish();

 private:
  /// How far X is from where the straight way to (time, end) is then [m].
  bool isWithinTolerance(double at, const physics::Pose& X, double time, const physics::Pose& end) const;
  void keep(double time, const physics::Pose& X);

  double reach_, tolerance_;
  content::GlbAnimation keyPoses_;    ///< its last one is where the present way begins
  content::GlbAnimation candidates_;  ///< since then
};

}  // namespace tenon::runtime
