// Path of one part, simplified to the fewest poses within a tolerance.
#pragma once

#include "content/parts/glb_writer.h"

namespace tenon::runtime {

/// Adds poses in the order of their times and stores a subset: every omitted pose deviates from the
/// interpolation by at most the tolerance. Linear in the number of poses.
class MotionTrack {
 public:
  /// `reach`: bounding radius of the part about its origin, for the effect of rotation [m]. `tolerance` [m] >
  /// 0.
  MotionTrack(double reach, double tolerance) : reach_(reach), tolerance_(tolerance) {}

  void add(double time, const physics::Pose& X);
  /// The simplified path; one pose if nothing moved.
  content::GlbAnimation finish();

 private:
  /// True if X at time `at` is within the tolerance of the interpolation to (time, end).
  bool isWithinTolerance(double at, const physics::Pose& X, double time, const physics::Pose& end) const;
  void keep(double time, const physics::Pose& X);

  double reach_, tolerance_;
  content::GlbAnimation keyPoses_;    ///< the last one starts the current segment
  content::GlbAnimation candidates_;  ///< poses since then
};

}  // namespace tenon::runtime
