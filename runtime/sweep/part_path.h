// The path of a part: poses at increasing times, or travels.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// Poses in the order of their times. Between two of them the position moves on a straight line at constant
/// speed, and the orientation rotates about one axis, by less than half a turn, or the part jumps at the
/// later one's time.
class PartPath {
 public:
  /// `time` must be larger than the last one; it is a time [s] or a travel [m]. `jumps`: from the last pose,
  /// as at a reset.
  void add(double time, const physics::Pose& X_WP, bool jumps = false);

  /// The last pose holds until this time.
  void stay(double time);

  bool isEmpty() const { return times_.empty(); }
  double start() const { return times_.front(); }
  double end() const { return times_.back(); }
  const std::vector<double>& times() const { return times_; }
  const std::vector<physics::Pose>& poses() const { return poses_; }
  /// True if the part jumps to this pose from the one before.
  bool jumpsTo(std::size_t pose) const { return jumps_[pose] != 0; }

  /// The pose at a time, clamped to those of the path.
  physics::Pose poseAt(double time) const;
  /// Bound on the displacement of any point within `reach` [m] of the part's origin between two times [m].
  double moved(double from, double to, double reach) const;

 private:
  /// Index of the segment that contains `time`, and the share of it that is over.
  std::pair<std::size_t, double> locate(double time) const;

  std::vector<double> times_;
  std::vector<physics::Pose> poses_;
  std::vector<char> jumps_;
  std::vector<double> length_, angle_;  ///< of the path up to each pose [m], [rad]
};

}  // namespace tenon::runtime
