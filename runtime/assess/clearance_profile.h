// Clearance of a held part along its path: the distance to the nearest other part, every few millimeters.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/clearance_tracker.h"

namespace tenon::runtime {

/// A point of the profile.
struct PathClearance {
  double along = 0;  ///< path of the part's origin since it was first grasped [m]
  std::optional<double>
      distance;    ///< to the nearest part [m]; empty: none within ClearanceTracker::kMaxDistance
  int other = -1;  ///< that part
};

/// Leaves out the pairs that the tracker ignores: parts that must touch, or may pass through each other. A
/// part that lies beside another one is at distance 0 until it is lifted.
class ClearanceProfile {
 public:
  static constexpr double kSpacing = 2e-3;  ///< motion of the part between two points of the profile [m]

  /// The tracker measures; it must outlive this.
  explicit ClearanceProfile(ClearanceTracker& tracker) : tracker_(tracker) {}

  /// Leaves out this pair.
  void exclude(int part, int other) { excluded_.insert({part, other}); }
  /// The held `part`; X_WP: poses of all parts of the scene.
  void add(int part, std::span<const physics::Pose> X_WP);
  /// The points so far; empty for a part that was never held.
  const std::vector<PathClearance>& of(int part) const;

 private:
  struct Track {
    std::vector<PathClearance> points;
    double along = 0;
    physics::Vector3d last = physics::Vector3d::Zero();  ///< of the part's origin in the last keyframe
    std::vector<physics::Pose> X_OP;  ///< of the part in the frame of each part, at the last point
    std::vector<double> lowerBound;   ///< of the distance to each part [m]
  };
  std::vector<double> displacements(int part, const Track& track, std::span<const physics::Pose> X_WP) const;
  PathClearance measure(int part, Track& track, std::span<const physics::Pose> X_WP);

  ClearanceTracker& tracker_;
  std::set<std::pair<int, int>> excluded_;
  std::map<int, Track> tracks_;  ///< by part
};

}  // namespace tenon::runtime
